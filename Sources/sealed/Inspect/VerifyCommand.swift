internal import SealedStore

/// `sealed verify`: whether every byte of a store is as it was written.
enum VerifyCommand {
  static func run(_ access: StoreAccess) throws -> Tool.Exit {
    let store = try access.open()
    let report = try store.verify { report in
      Console.overwrite("  \(Format.bytes(report.verifiedBytes)) verified")
    }
    Console.overwrite("")
    for damage in report.damages { Console.print("damage: \(damage)") }
    for stray in report.strays { Console.print("stray: \(stray)") }
    let outcome = report.isSound ? "sound" : "NOT SOUND"
    Console.print(
      "\(outcome): \(report.fileCount) files, \(report.entryCount) entries, "
        + "\(Format.bytes(report.verifiedBytes)) authenticated, \(report.damages.count) damages, "
        + "\(report.strays.count) strays")
    try store.close()
    return report.isSound ? .success : .failure
  }
}
