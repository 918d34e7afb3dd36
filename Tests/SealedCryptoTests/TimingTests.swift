import Glibc
import SealedCrypto
import TestSupport
import Testing

/// Whether portable code takes as long for a fixed input as for random ones: a test of time after
/// dudect (O. Reparaz, J. Balasch, I. Verbauwhede, "Dude, is my code constant time?", 2017).
///
/// Welch's t over many runs, on all of them and on the fastest parts, which the machine's other work
/// disturbs least; the largest counts. Above `limit` there is a difference beyond doubt.
@Suite(.serialized, .enabled(if: LongTests.areEnabled, "SEALED_LONG_TESTS=1 runs it"))
struct TimingTests {
  private static let limit = 10.0
  private static let runs = 300_000

  /// Mean and variance, one value after the other (Welford).
  private struct Sample {
    var count = 0.0
    var mean = 0.0
    var squares = 0.0

    mutating func add(_ value: Double) {
      count += 1
      let difference = value - mean
      mean += difference / count
      squares += difference * (value - mean)
    }

    static func welch(_ a: Sample, _ b: Sample) -> Double {
      let (va, vb) = (a.squares / (a.count - 1), b.squares / (b.count - 1))
      let error = (va / a.count + vb / b.count).squareRoot()
      return error > 0 ? abs(a.mean - b.mean) / error : 0
    }
  }

  private static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Runs `body` on inputs of `size` bytes, of two classes in random order, all copied to one place
  /// first; the largest t.
  private func largestT(
    _ name: String, size: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) -> Double {
    var random = SeededGenerator(seed: 41)
    // As many copies of the fixed input as there are random ones, so that the caches see no
    // difference.
    let fixed = (0..<256).map { _ in [UInt8](repeating: 0, count: size) }
    let other = (0..<256).map { _ in random.bytes(size) }
    let place = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    defer { unsafe place.deallocate() }
    var times: [(isFixed: Bool, time: Int)] = []
    times.reserveCapacity(Self.runs)
    for index in 0..<Self.runs + 1000 {
      let isFixed = Bool.random(using: &random)
      let source = (isFixed ? fixed : other)[Int.random(in: 0..<256, using: &random)]
      unsafe place.copyBytes(from: source)
      let start = Self.now()
      unsafe body(place)
      let end = Self.now()
      if index >= 1000 { times.append((isFixed, end - start)) }
    }
    let sorted = times.map(\.time).sorted()
    let cuts = [0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1].map {
      sorted[Int(Double(sorted.count - 1) * $0)]
    }
    let largest =
      cuts.map { cut in
        var samples = (Sample(), Sample())
        for (isFixed, time) in times where time <= cut {
          if isFixed { samples.0.add(Double(time)) } else { samples.1.add(Double(time)) }
        }
        return Sample.welch(samples.0, samples.1)
      }.max() ?? 0
    print("timing: \(name): |t| = \((largest * 100).rounded() / 100), \(Self.runs) runs")
    return largest
  }

  private static let key = (0..<32).map { UInt8($0) }

  @Test func aBlockOfPortableAES() throws {
    let key = try unsafe Self.key.withUnsafeBytes { try unsafe AESKey($0) }
    let t = unsafe largestT("portable AES, a block", size: 16) { block in
      guard let base = block.baseAddress else { return }
      for _ in 0..<4 { unsafe key.encrypt(base) }
    }
    #expect(t < Self.limit)
  }

  @Test func aKeyOfPortableAES() {
    let t = unsafe largestT("portable AES, a key's schedule", size: 32) { key in
      _ = try? unsafe AESKey(UnsafeRawBufferPointer(key))
    }
    #expect(t < Self.limit)
  }

  @Test func portableSealing() throws {
    let gcm = try unsafe Self.key.withUnsafeBytes {
      try unsafe AESGCM(key: $0, backend: .portable)
    }
    let nonce = [UInt8](repeating: 1, count: 12)
    for (name, size) in [("portable AES-GCM, 64 bytes", 64), ("portable AES-GCM, 600 bytes", 600)] {
      let t = unsafe largestT(name, size: size) { text in
        var tag: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &tag) { tag in
          unsafe nonce.withUnsafeBytes { nonce in
            try? unsafe gcm.seal(
              UnsafeRawBufferPointer(text), into: text, nonce: nonce,
              aad: UnsafeRawBufferPointer(start: nil, count: 0), tag: tag)
          }
        }
      }
      #expect(t < Self.limit, "\(name)")
    }
  }

  @Test func portableGHASH() throws {
    let gcm = try unsafe Self.key.withUnsafeBytes {
      try unsafe AESGCM(key: $0, backend: .portable)
    }
    let nonce = [UInt8](repeating: 1, count: 12)
    let t = unsafe largestT("portable GHASH, 512 bytes", size: 512) { aad in
      var tag: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &tag) { tag in
        unsafe nonce.withUnsafeBytes { nonce in
          try? unsafe gcm.seal(
            UnsafeRawBufferPointer(start: nil, count: 0),
            into: UnsafeMutableRawBufferPointer(start: nil, count: 0), nonce: nonce,
            aad: UnsafeRawBufferPointer(aad), tag: tag)
        }
      }
    }
    #expect(t < Self.limit)
  }

  @Test func comparison() {
    let zeros = [UInt8](repeating: 0, count: 256)
    // Taken in without a branch, or the test would measure its own.
    var isOdd = false
    let t = unsafe largestT("comparison, 256 bytes", size: 256) { bytes in
      unsafe zeros.withUnsafeBytes { zeros in
        let isEqual = unsafe constantTimeEquals(UnsafeRawBufferPointer(bytes), zeros)
        isOdd = isOdd != isEqual
      }
    }
    #expect(t < Self.limit)
    print("equal an \(isOdd ? "odd" : "even") number of times")
  }

  /// The test itself: a comparison that stops at the first difference is found.
  @Test func aLeakIsFound() {
    let zeros = [UInt8](repeating: 0, count: 256)
    var equal = 0
    let t = unsafe largestT("a comparison that stops early, 256 bytes", size: 256) { bytes in
      var index = 0
      while index < 256, unsafe bytes[index] == zeros[index] { index += 1 }
      if index == 256 { equal += 1 }
    }
    #expect(t > Self.limit)
    #expect(equal > 0)
  }
}
