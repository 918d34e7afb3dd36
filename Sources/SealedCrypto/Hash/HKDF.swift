/// Keys from keys: HKDF with SHA-256 (RFC 5869).
public enum HKDF {
  /// The most bytes that one `expand` gives: 255 blocks.
  public static let outputLimit = 255 * SHA256.digestSize

  /// The pseudorandom key of an input key and a salt.
  ///
  /// - Throws: `.forked`, `.selfTestFailed`.
  public static func extract(
    salt: [UInt8], inputKey: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen()
    try inputKey.checkIntact()
    return extracted(salt: salt, inputKey: inputKey)
  }

  /// The same without asking for the self tests: they call it.
  static func extracted(salt: [UInt8], inputKey: SecretBytes) -> SecretBytes {
    var code = HMACSHA256()
    unsafe salt.withRaw { unsafe code.setKey($0) }
    unsafe inputKey.withUnsafeBytes { unsafe code.update($0) }
    let key = SecretBytes(count: SHA256.digestSize)
    unsafe key.withUnsafeMutableBytes { target in
      if let base = target.baseAddress { unsafe code.finalize(into: base) }
    }
    return key
  }

  /// Key bytes for one purpose, which `info` names.
  ///
  /// - Throws: `.limitExceeded` past `outputLimit`, `.forked`, `.selfTestFailed`.
  public static func expand(
    pseudorandomKey: SecretBytes, info: [UInt8], count: Int
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen()
    try pseudorandomKey.checkIntact()
    guard count >= 0, count <= outputLimit else {
      throw CryptoError(.limitExceeded, "HKDF gives at most \(outputLimit) bytes, not \(count)")
    }
    return expanded(pseudorandomKey, info: info, count: count)
  }

  /// The same for a count known to be right, and without asking for the self tests: they call it.
  static func expanded(_ pseudorandomKey: SecretBytes, info: [UInt8], count: Int) -> SecretBytes {
    let output = SecretBytes(count: count)
    var code = HMACSHA256(keyed: pseudorandomKey)
    unsafe output.withUnsafeMutableBytes { output in
      unsafe withUnsafeTemporaryAllocation(
        byteCount: SHA256.digestSize, alignment: 16
      ) { last in
        guard let base = last.baseAddress, let target = output.baseAddress else { return }
        var done = 0
        var counter: UInt8 = 1
        while done < count {
          // Each block enters the next.
          if done > 0 { unsafe code.update(UnsafeRawBufferPointer(last)) }
          code.update(info)
          unsafe withUnsafeBytes(of: counter) { unsafe code.update($0) }
          unsafe code.finalize(into: base)
          let part = min(SHA256.digestSize, count - done)
          unsafe (target + done).copyMemory(from: base, byteCount: part)
          done += part
          counter &+= 1
        }
        unsafe zeroize(last)
      }
    }
    return output
  }
}
