#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Draws numbers in `0..<itemCount`, low ones most often: Zipf's law with exponent `theta`.
///
/// Gray and others, "Quickly generating billion-record synthetic databases", SIGMOD 1994, as YCSB's
/// `ZipfianGenerator` has it.
public struct ZipfianGenerator: Sendable {
  /// How many items there are.
  public private(set) var itemCount: Int
  private let theta: Double
  private let alpha: Double
  private let zetaOfTwo: Double
  private var zeta: Double
  private var eta: Double

  /// A generator over `itemCount` items; counts the sum of the weights, in time proportional to it.
  public init(itemCount: Int, theta: Double = 0.99) {
    self.init(
      itemCount: itemCount, theta: theta, zeta: Self.sum(from: 0, to: itemCount, theta: theta))
  }

  /// A generator whose sum of weights is known: `zeta` is the sum of `1 / i^theta` for `i` in
  /// `1...itemCount`.
  public init(itemCount: Int, theta: Double, zeta: Double) {
    self.itemCount = itemCount
    self.theta = theta
    self.zeta = zeta
    alpha = 1 / (1 - theta)
    zetaOfTwo = Self.sum(from: 0, to: 2, theta: theta)
    eta = 0
    eta = etaNow
  }

  private var etaNow: Double {
    (1 - pow(2 / Double(itemCount), 1 - theta)) / (1 - zetaOfTwo / zeta)
  }

  private static func sum(from: Int, to: Int, theta: Double) -> Double {
    var total = 0.0
    for index in from..<to { total += 1 / pow(Double(index + 1), theta) }
    return total
  }

  /// Adds items at the unpopular end.
  public mutating func grow(to count: Int) {
    guard count > itemCount else { return }
    zeta += Self.sum(from: itemCount, to: count, theta: theta)
    itemCount = count
    eta = etaNow
  }

  /// The next draw.
  public func next(_ random: inout RandomSource) -> Int {
    let unit = random.unit()
    let scaled = unit * zeta
    if scaled < 1 { return 0 }
    if scaled < 1 + pow(0.5, theta) { return 1 }
    return min(itemCount - 1, Int(Double(itemCount) * pow(eta * unit - eta + 1, alpha)))
  }
}

/// Zipf's law over records whose popularity has nothing to do with their order (YCSB's
/// `ScrambledZipfianGenerator`: ten thousand million items, hashed onto the records there are).
public struct ScrambledZipfian: Sendable {
  private let zipfian = ZipfianGenerator(
    itemCount: 10_000_000_000, theta: 0.99, zeta: 26.469_028_201_783_02)

  /// Makes a generator.
  public init() {}

  /// The next draw among `recordCount` records.
  public func next(_ random: inout RandomSource, recordCount: Int) -> Int {
    Int(fnv64(UInt64(zipfian.next(&random))) % UInt64(recordCount))
  }
}

/// Zipf's law over records by age, the newest the most popular (YCSB's `SkewedLatestGenerator`).
public struct LatestGenerator: Sendable {
  private var zipfian: ZipfianGenerator

  /// A generator for a store that begins with `recordCount` records.
  public init(recordCount: Int) { zipfian = ZipfianGenerator(itemCount: recordCount) }

  /// The next draw among `recordCount` records, which never fall.
  public mutating func next(_ random: inout RandomSource, recordCount: Int) -> Int {
    zipfian.grow(to: recordCount)
    return recordCount - 1 - zipfian.next(&random)
  }
}
