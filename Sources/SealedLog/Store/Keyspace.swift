/// A named, ordered set of keys in a store; batches span keyspaces and commit as one.
///
/// A handle stays good until the keyspace is dropped or its store closed; used after that it finds
/// nothing, and writing to it throws.
public struct Keyspace: Hashable, Sendable {
  /// The longest name, in UTF-8 bytes.
  public static let nameLimit = 255
  /// The most keyspaces that a store holds at a time.
  public static let countLimit = 65_536

  let id: UInt32
}
