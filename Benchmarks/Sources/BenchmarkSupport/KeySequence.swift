/// Numbers of keys in the order in which a workload uses them.
public enum KeySequence {
  /// `count` draws among `keyCount` keys, each as likely every time: db_bench's random workloads.
  public static func random(count: Int, keyCount: Int, seed: UInt64) -> [UInt32] {
    var random = RandomSource(seed: seed)
    return (0..<count).map { _ in UInt32(random.below(keyCount)) }
  }

  /// Every key once, in order.
  public static func sequential(keyCount: Int) -> [UInt32] { (0..<UInt32(keyCount)).map { $0 } }
}
