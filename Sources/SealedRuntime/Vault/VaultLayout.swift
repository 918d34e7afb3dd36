/// Where things lie in a vault's file: FORMAT.md, "Vault".
///
/// Two halves of 65,536 bytes, each with a copy of everything; a change is written to one half and
/// synced before the other is touched.
///
///     0       root copy (as a store's, another magic)        4,096
///     4,096   attempt record, in clear, checksummed             512
///     8,192   sealed state                                   57,344
enum VaultLayout {
  static let magic = Array("SEALVALT".utf8)
  static let halves: [UInt64] = [0, 65_536]
  static let attemptOffset: UInt64 = 4_096
  static let attemptSize = 512
  static let stateOffset: UInt64 = 8_192
  static let stateSize = 57_344
}
