import Foundation
import SealedCrypto
import TestSupport
import Testing

/// BLAKE2b and Argon2id against published vectors, and each other's kernels.
@Suite struct Argon2Tests {
  private struct BLAKE2Case: Decodable {
    var hash: String
    var `in`: String
    var key: String
    var out: String
  }

  @Test func blake2b() throws {
    let name = "blake2/blake2b-kat.json"
    guard let data = try VectorFiles.data(name) else { return }
    var ran = 0
    for test in try JSONDecoder().decode([BLAKE2Case].self, from: data) {
      ran += 1
      let (message, output) = (hex(test.in), hex(test.out))
      let key = test.key.isEmpty ? nil : SecretBytes(hex(test.key))
      let digest = try BLAKE2b.hash(message, digestSize: output.count, key: key)
      #expect(digest == output, "\(message.count) bytes")
      // The same byte by byte, so that blocks are put together.
      var hash = try BLAKE2b(digestSize: output.count, key: key)
      for byte in message { hash.update([byte]) }
      #expect(hash.finalize() == output, "\(message.count) bytes")
    }
    VectorFiles.report(name, ran: ran)
    #expect(ran > 0)
  }

  @Test func blake2bGivesOtherLengths() throws {
    // RFC 7693, appendix E: the hash of hashes of all lengths, with and without key.
    func sequence(_ count: Int, seed: Int) -> [UInt8] {
      var a = UInt32(truncatingIfNeeded: 0xdead_4bad * seed)
      var b: UInt32 = 1
      return (0..<count).map { _ in
        let next = a &+ b
        a = b
        b = next
        return UInt8(truncatingIfNeeded: next >> 24)
      }
    }
    var all = try BLAKE2b(digestSize: 32)
    for size in [20, 32, 48, 64] {
      for count in [0, 3, 128, 129, 255, 1024] {
        let message = sequence(count, seed: count)
        all.update(try BLAKE2b.hash(message, digestSize: size))
        let key = SecretBytes(sequence(size, seed: size))
        all.update(try BLAKE2b.hash(message, digestSize: size, key: key))
      }
    }
    #expect(
      all.finalize() == hex("c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475"))
  }

  @Test(arguments: CryptoBackend.available.prefix(2))
  func argon2id(backend: CryptoBackend) throws {
    let name = "rfc/argon2id.txt"
    guard let data = try VectorFiles.data(name) else { return }
    var ran = 0
    for test in ResponseFile(data).cases {
      guard let lanes = test.number("lanes"), let memory = test.number("memcost") else { continue }
      ran += 1
      let secret = test.bytes("secret")
      let key = try Argon2id.derive(
        password: SecretBytes(test.bytes("pass")), salt: test.bytes("salt"),
        parameters: .init(memoryKiB: memory, passes: test.number("iter") ?? 0, lanes: lanes),
        secret: secret.isEmpty ? nil : SecretBytes(secret), associatedData: test.bytes("ad"),
        count: test.number("length") ?? 0, backend: backend)
      #expect(key == SecretBytes(test.bytes("output")), "\(test.fields)")
    }
    VectorFiles.report("\(name) (\(backend))", ran: ran)
    #expect(ran > 0)
  }

  @Test(.enabled(if: CryptoBackend.aesni.isAvailable))
  func argon2idIsTheSameOnEveryKernel() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<40 {
      let lanes = Int.random(in: 1...3, using: &random)
      let parameters = Argon2id.Parameters(
        memoryKiB: Int.random(in: 8 * lanes...900, using: &random),
        passes: Int.random(in: 1...3, using: &random), lanes: lanes)
      let password = SecretBytes(random.bytes(Int.random(in: 0...70, using: &random)))
      let salt = random.bytes(Int.random(in: 8...40, using: &random))
      let count = Int.random(in: 4...200, using: &random)
      let keys = try [CryptoBackend.portable, .aesni].map {
        try Argon2id.derive(
          password: password, salt: salt, parameters: parameters, count: count, backend: $0)
      }
      #expect(keys[0] == keys[1], "seed 11: \(parameters), \(count) bytes")
    }
  }

  @Test func parametersOutOfRangeAreRefused() {
    let salt = [UInt8](repeating: 0, count: 16)
    func refuse(_ memory: Int, _ passes: Int, _ lanes: Int, salt: [UInt8], count: Int = 32) {
      #expect(throws: CryptoError.self) {
        try Argon2id.deriveKey(
          password: SecretBytes([1]), salt: salt,
          parameters: .init(memoryKiB: memory, passes: passes, lanes: lanes), count: count)
      }
    }
    refuse(7, 1, 1, salt: salt)
    refuse(31, 1, 4, salt: salt)
    refuse(1 << 32, 1, 1, salt: salt)
    refuse(8, 0, 1, salt: salt)
    refuse(8, 1, 0, salt: salt)
    refuse(8, 1, -1, salt: salt)
    refuse(8, 1, 1, salt: [1, 2, 3])
    refuse(8, 1, 1, salt: salt, count: 3)
    #expect(throws: CryptoError.self) { try BLAKE2b.hash([], digestSize: 0) }
    #expect(throws: CryptoError.self) { try BLAKE2b.hash([], digestSize: 65) }
    #expect(throws: CryptoError.self) { try BLAKE2b.hash([], key: SecretBytes(count: 65)) }
  }
}
