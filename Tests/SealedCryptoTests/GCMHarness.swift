import SealedCrypto

/// AES-GCM over arrays, for one backend.
struct GCMHarness {
  let gcm: AESGCM

  init(gcm: AESGCM) { self.gcm = gcm }

  init(key: [UInt8], backend: CryptoBackend) throws {
    gcm = try unsafe key.withUnsafeBytes { try unsafe AESGCM(key: $0, backend: backend) }
  }

  func seal(
    _ text: [UInt8], nonce: [UInt8], aad: [UInt8]
  ) throws -> (text: [UInt8], tag: [UInt8]) {
    var output = [UInt8](repeating: 0xee, count: text.count)
    var tag = [UInt8](repeating: 0, count: 16)
    unsafe try text.withUnsafeBytes { text in
      unsafe try output.withUnsafeMutableBytes { output in
        unsafe try nonce.withUnsafeBytes { nonce in
          unsafe try aad.withUnsafeBytes { aad in
            unsafe try tag.withUnsafeMutableBytes { tag in
              try unsafe gcm.seal(text, into: output, nonce: nonce, aad: aad, tag: tag)
            }
          }
        }
      }
    }
    return (output, tag)
  }

  /// Opens into `output`, so that a test sees what a failure leaves there.
  func open(
    _ text: [UInt8], nonce: [UInt8], aad: [UInt8], tag: [UInt8], into output: inout [UInt8]
  ) throws {
    unsafe try text.withUnsafeBytes { text in
      unsafe try output.withUnsafeMutableBytes { output in
        unsafe try nonce.withUnsafeBytes { nonce in
          unsafe try aad.withUnsafeBytes { aad in
            unsafe try tag.withUnsafeBytes { tag in
              try unsafe gcm.open(text, into: output, nonce: nonce, aad: aad, tag: tag)
            }
          }
        }
      }
    }
  }

  func open(_ text: [UInt8], nonce: [UInt8], aad: [UInt8], tag: [UInt8]) throws -> [UInt8] {
    var output = [UInt8](repeating: 0xee, count: text.count)
    try open(text, nonce: nonce, aad: aad, tag: tag, into: &output)
    return output
  }

  /// Opens bytes without additional data where they are.
  func openInPlace(_ text: inout [UInt8], nonce: [UInt8], tag: [UInt8]) throws {
    unsafe try text.withUnsafeMutableBytes { text in
      unsafe try nonce.withUnsafeBytes { nonce in
        unsafe try tag.withUnsafeBytes { tag in
          try unsafe gcm.open(
            UnsafeRawBufferPointer(text), into: text, nonce: nonce,
            aad: UnsafeRawBufferPointer(start: nil, count: 0), tag: tag)
        }
      }
    }
  }
}
