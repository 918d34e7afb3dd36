import Foundation
import SealedCrypto
import Testing

/// The limits of the standards, each refused by an error of its own code before any work.
@Suite struct LimitTests {
  private static let key = [UInt8](repeating: 7, count: 32)
  private static let nonce = [UInt8](repeating: 1, count: 12)

  private func code(_ body: () throws -> Void) -> CryptoError.Code? {
    do {
      try body()
      return nil
    } catch let error as CryptoError { return error.code } catch { return nil }
  }

  /// Memory that is said to be far longer than it is: nothing may touch it.
  private func claimed(
    _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    var byte: UInt8 = 0
    try unsafe withUnsafeMutableBytes(of: &byte) { one in
      try unsafe body(UnsafeMutableRawBufferPointer(start: one.baseAddress, count: count))
    }
    #expect(byte == 0)
  }

  @Test(arguments: CryptoBackend.available)
  func messagesOfGCM(backend: CryptoBackend) throws {
    let gcm = try GCMHarness(key: Self.key, backend: backend).gcm
    let tooLong = Int(AESGCM.messageLimit) + 1
    var tag = [UInt8](repeating: 0, count: 16)
    let sealing = code {
      try unsafe claimed(tooLong) { text in
        try unsafe Self.nonce.withUnsafeBytes { nonce in
          try unsafe tag.withUnsafeMutableBytes { tag in
            try unsafe gcm.seal(
              UnsafeRawBufferPointer(text), into: text, nonce: nonce,
              aad: UnsafeRawBufferPointer(start: nil, count: 0), tag: tag)
          }
        }
      }
    }
    #expect(sealing == .limitExceeded)
    let opening = code {
      try unsafe claimed(tooLong) { text in
        try unsafe Self.nonce.withUnsafeBytes { nonce in
          try unsafe tag.withUnsafeBytes { tag in
            try unsafe gcm.open(
              UnsafeRawBufferPointer(text), into: text, nonce: nonce,
              aad: UnsafeRawBufferPointer(start: nil, count: 0), tag: tag)
          }
        }
      }
    }
    #expect(opening == .limitExceeded)
    let streaming = code {
      var stream = try gcm.sealingStream(nonce: Self.nonce, aad: [])
      try unsafe claimed(tooLong) {
        try unsafe stream.update(UnsafeRawBufferPointer($0), into: $0)
      }
    }
    #expect(streaming == .limitExceeded)
    let verifying = code {
      var stream = try gcm.verifyingStream(nonce: Self.nonce, aad: [])
      try unsafe claimed(tooLong) { try unsafe stream.update(UnsafeRawBufferPointer($0)) }
    }
    #expect(verifying == .limitExceeded)
  }

  @Test func streamsOfCounterMode() throws {
    let long = code {
      var stream = try AESCounterMode(
        key: SecretBytes(Self.key), counter: [UInt8](repeating: 0, count: 16))
      try unsafe claimed(Int(AESCounterMode.streamLimit) + 1) {
        try unsafe stream.crypt(UnsafeRawBufferPointer($0), into: $0)
      }
    }
    #expect(long == .limitExceeded)
  }

  @Test func keysFromKeysAndPassphrases() {
    let key = SecretBytes(Self.key)
    let salt = [UInt8](repeating: 0, count: 16)
    #expect(
      code { _ = try HKDF.expand(pseudorandomKey: key, info: [], count: HKDF.outputLimit) } == nil)
    #expect(
      code { _ = try HKDF.expand(pseudorandomKey: key, info: [], count: HKDF.outputLimit + 1) }
        == .limitExceeded)
    #expect(
      code { _ = try HKDF.expand(pseudorandomKey: key, info: [], count: -1) } == .limitExceeded)
    for (iterations, count) in [(0, 32), (-1, 32), (PBKDF2.iterationLimit + 1, 32), (1, 0)] {
      let result = code {
        _ = try PBKDF2.deriveKey(
          password: key, salt: salt, iterations: iterations, count: count)
      }
      #expect(result == .limitExceeded, "\(iterations) rounds, \(count) bytes")
    }
    let tooLong = code {
      _ = try PBKDF2.deriveKey(
        password: key, salt: salt, iterations: 1, count: (Int(UInt32.max) + 1) * 32)
    }
    #expect(tooLong == .limitExceeded)
  }

  /// Some systems promise any amount, and end the process that uses it.
  private static let promisesAnything: Bool = {
    let file = FileHandle(forReadingAtPath: "/proc/sys/vm/overcommit_memory")
    return file?.availableData.first == UInt8(ascii: "1")
  }()

  @Test(.disabled(if: promisesAnything))
  func memoryThatTheSystemHasNot() {
    let result = code {
      _ = try Argon2id.deriveKey(
        password: SecretBytes(Self.key), salt: Self.key,
        parameters: .init(memoryKiB: Int(UInt32.max) & ~3, passes: 1), count: 32)
    }
    // Four tebibytes.
    #expect(result == .outOfMemory)
  }

  @Test func keysOfOtherLengths() {
    for count in [0, 1, 15, 17, 24, 31, 33, 64] {
      let key = [UInt8](repeating: 1, count: count)
      for backend in CryptoBackend.available {
        #expect(
          code { _ = try GCMHarness(key: key, backend: backend) } == .invalidParameter,
          "\(count) bytes on \(backend)")
      }
      let wrapping = code {
        _ = try AESKeyWrap.wrap(SecretBytes(Self.key), with: SecretBytes(key))
      }
      #expect(wrapping == .invalidParameter, "\(count) bytes")
    }
  }
}
