/// Keys from keys: HKDF with SHA-256 (RFC 5869).
public enum HKDF {
  /// The most bytes that one `expand` gives: 255 blocks.
  public static let outputLimit = 255 * SHA256.digestSize

  /// The pseudorandom key of an input key and a salt.
  public static func extract(
    salt: [UInt8], inputKey: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen()
    return extracted(salt: salt, inputKey: inputKey)
  }

  /// The same without asking for the self tests: they call it.
  static func extracted(salt: [UInt8], inputKey: SecretBytes) -> SecretBytes {
    var code = HMACSHA256(keyed: SecretBytes(salt))
    unsafe inputKey.withUnsafeBytes { unsafe code.update($0) }
    return result(&code)
  }

  /// Key bytes for one purpose, which `info` names.
  ///
  /// - Throws: `.limitExceeded` past `outputLimit`.
  public static func expand(
    pseudorandomKey: SecretBytes, info: [UInt8], count: Int
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen()
    guard count >= 0, count <= outputLimit else {
      throw CryptoError(.limitExceeded, "HKDF gives at most \(outputLimit) bytes, not \(count)")
    }
    return expanded(pseudorandomKey, info: info, count: count)
  }

  /// The same for a count known to be right, and without asking for the self tests: they call it.
  static func expanded(_ pseudorandomKey: SecretBytes, info: [UInt8], count: Int) -> SecretBytes {
    let output = SecretBytes(count: count)
    let keyed = HMACSHA256(keyed: pseudorandomKey)
    var previous = SecretBytes(count: 0)
    var done = 0
    var counter: UInt8 = 1
    while done < count {
      var code = keyed.fork()
      unsafe previous.withUnsafeBytes { unsafe code.update($0) }
      code.update(info)
      code.update([counter])
      previous = result(&code)
      let part = min(SHA256.digestSize, count - done)
      unsafe output.withUnsafeMutableBytes { target in
        unsafe previous.withUnsafeBytes { source in
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[done..<done + part])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<part]))
        }
      }
      done += part
      counter &+= 1
    }
    return output
  }

  private static func result(_ code: inout HMACSHA256) -> SecretBytes {
    let bytes = SecretBytes(count: SHA256.digestSize)
    unsafe bytes.withUnsafeMutableBytes { target in
      if let base = target.baseAddress { unsafe code.finalize(into: base) }
    }
    return bytes
  }
}
