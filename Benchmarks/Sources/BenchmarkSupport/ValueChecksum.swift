/// Takes in every byte of the values that an engine gives, so that none can give a pointer to what
/// it never read; equal for engines that gave the same values in the same order.
@frozen public struct ValueChecksum: Sendable {
  /// The checksum so far.
  public var sum: UInt64 = 0
  /// Values taken in.
  public var count = 0

  /// An empty checksum.
  @inlinable public init() {}

  /// Takes in a value.
  @inlinable @inline(__always)
  public mutating func take(_ value: UnsafeRawBufferPointer) {
    if let start = value.baseAddress { unsafe take(start, value.count) } else { count &+= 1 }
  }

  /// Takes in a value.
  @inlinable @inline(__always)
  public mutating func take(_ start: UnsafeRawPointer, _ byteCount: Int) {
    var total = UInt64(truncatingIfNeeded: byteCount)
    var offset = 0
    while offset &+ 8 <= byteCount {
      total &+= unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < byteCount {
      total &+= UInt64(unsafe start.load(fromByteOffset: offset, as: UInt8.self)) &<< 3
      offset &+= 1
    }
    sum = ((sum &<< 5) | (sum &>> 59)) &+ total
    count &+= 1
  }
}
