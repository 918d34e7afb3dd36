import Foundation
import SealedCrypto
import TestSupport
import Testing

/// Secrets are compared whole and never shown.
@Suite struct SecretBytesTests {
  @Test func nothingIsShown() {
    let secret = SecretBytes(Array("hush".utf8))
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("hush") && !text.contains("104"))
    }
  }

  @Test func comparisonSeesEveryByte() {
    let bytes = [UInt8](0..<40)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(SecretBytes(bytes) != SecretBytes(other))
    }
    #expect(SecretBytes(bytes) == SecretBytes(bytes))
    #expect(SecretBytes(bytes) != SecretBytes(Array(bytes.dropLast())))
  }

  @Test func randomBytesDiffer() throws {
    #expect(try SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
    #expect(try SystemRandom.bytes(1000).count == 1000)
  }

  @Test func limitsAreKept() {
    let key = SecretBytes(count: 32)
    #expect(throws: CryptoError.self) {
      try HKDF.expand(pseudorandomKey: key, info: [], count: 255 * 32 + 1)
    }
    #expect(throws: CryptoError.self) {
      try PBKDF2.deriveKey(password: key, salt: [], iterations: 0, count: 32)
    }
    #expect(throws: CryptoError.self) { try AESKeyWrap.wrap(SecretBytes(count: 8), with: key) }
    #expect(throws: CryptoError.self) {
      try AESKeyWrap.unwrapPadded([1, 2, 3], with: key)
    }
  }

  /// What the system says of the pages at an address: the flags of its map.
  private func flags(of address: UInt) throws -> [Substring] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
    let maps = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
    var isInside = false
    for line in maps.split(separator: "\n") {
      let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      if range.count == 2 { isInside = range[0] <= address && address < range[1] }
      if isInside, line.hasPrefix("VmFlags:") { return line.split(separator: " ") }
    }
    return []
  }

  @Test func keysLieInGuardedPagesThatAreNeitherDumpedNorInherited() throws {
    let drawn = try SecretBytes.random(count: 32)
    let shared = SecretBytes(Array("hush".utf8))
    for secret in [drawn, shared] {
      let address = unsafe secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      let flags = try flags(of: address)
      #expect(flags.contains("dd") && flags.contains("wf"), "\(flags)")
      let isCounted = CryptoModule.status.unlockedBytes > 0
      #expect(flags.contains("lo") || isCounted || Sanitizers.areOn, "\(flags)")
      #expect(flags.contains("rd") && flags.contains("wr"))
    }
    // The pages around a key that was drawn are nobody's to touch.
    let address = unsafe drawn.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    for neighbour in [address - 4096, address + 4096] {
      let flags = try flags(of: neighbour)
      #expect(!flags.contains("rd") && !flags.contains("wr"), "\(flags)")
    }
  }

  @Test func slabsGiveZerosAndTakeCellsBackZeroed() {
    let slab = SecretSlab()
    var addresses: Set<UInt> = []
    for count in [1, 32, 56, 57, 500, 4088, 4089, 70_000] {
      let cell = unsafe slab.allocate(count)
      addresses.insert(UInt(bitPattern: cell))
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: cell, count: count)
      unsafe #expect(bytes.allSatisfy { $0 == 0 }, "\(count) bytes")
      #expect(UInt(bitPattern: cell) % 64 == 0)
      unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0xff)
      #expect(unsafe SecretSlab.isIntact(cell, count))
      unsafe slab.release(cell, count)
      if count <= 4088 { unsafe #expect(bytes.allSatisfy { $0 == 0 }, "\(count) bytes") }
    }
    #expect(addresses.count >= 5)
    let (first, second) = unsafe (slab.allocate(64), slab.allocate(64))
    unsafe #expect(abs(second - first) >= 72)
    unsafe slab.release(first, 64)
    unsafe slab.release(second, 64)
  }

  @Test func statusNamesWhatServesEachPrimitive() {
    let status = CryptoModule.status
    #expect(
      status.primitives.map(\.name) == ["AES-GCM", "SHA-256", "AES key wrap", "Argon2id"])
    for primitive in status.primitives {
      #expect(!primitive.kernel.isEmpty && !primitive.reason.isEmpty)
    }
    #expect(status.kernel == CryptoBackend.best.name)
  }

  @Test func calibrationNeverGoesBelowWhatIsRecommended() throws {
    func count(_ time: Duration, _ taken: Duration) -> Int {
      PBKDF2.iterations(in: time, where: 10_000, take: taken)
    }
    #expect(count(.milliseconds(250), .milliseconds(2)) == 1_250_000)
    #expect(count(.milliseconds(250), .milliseconds(100)) == 600_000)
    #expect(count(.zero, .milliseconds(1)) == 600_000)
    #expect(count(.seconds(100), .nanoseconds(1)) == PBKDF2.iterationLimit)
    #expect(count(.seconds(1), .zero) == PBKDF2.iterationLimit)
    let measured = try PBKDF2.calibratedIterations(for: .milliseconds(1))
    #expect(measured == 600_000)
  }

  @Test func theSelfTestsPass() {
    #expect(CryptoModule.status.failure == nil)
    #expect(CryptoModule.status.isOpen)
  }
}
