/// A simulated medium at the moment of one call, which was done in part or not at all.
public struct CrashImage: Sendable {
  /// The call's number.
  public let operation: Int
  /// What was called, for messages.
  public let call: String
  let medium: SimulatedMedium

  /// The medium as a new process finds it after a power cut in the call; one seed is one loss.
  public func afterPowerCut(seed: UInt64) -> SimulatedFileSystem {
    var random = SeededGenerator(seed: seed)
    let found = medium.afterPowerCut(&random)
    return SimulatedFileSystem(seed: seed, medium: found, random: random)
  }

  /// The medium as a new process finds it after the process was killed in the call.
  public func afterKill(seed: UInt64) -> SimulatedFileSystem {
    SimulatedFileSystem(seed: seed, medium: medium, random: SeededGenerator(seed: seed))
  }
}
