/// GCM on one of the backends, chosen once for a key and switched on once a message.
enum GCMKernel: Sendable {
  case portable(PortableGCM)
  #if arch(x86_64)
    case x86(X86GCM)
  #endif

  /// Expands a key of 16 or 32 bytes.
  init(
    _ key: UnsafeRawBufferPointer, backend: CryptoBackend, slab: SecretSlab
  ) throws(CryptoError) {
    #if arch(x86_64)
      if backend != .portable, backend.isAvailable {
        self = .x86(try unsafe X86GCM(key, backend: backend, slab: slab))
        return
      }
    #endif
    self = .portable(try unsafe PortableGCM(key, slab: slab))
  }

  /// Whether the expanded key is still there.
  @inline(__always)
  var isIntact: Bool {
    switch self {
    case .portable(let gcm): gcm.isIntact
    #if arch(x86_64)
      case .x86(let gcm): gcm.isIntact
    #endif
    }
  }

  @inline(__always)
  func seal(
    _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) {
    switch self {
    case .portable(let gcm):
      unsafe gcm.seal(plaintext, into: ciphertext, nonce: nonce, aad: aad, tag: tag)
    #if arch(x86_64)
      case .x86(let gcm):
        unsafe gcm.seal(plaintext, into: ciphertext, nonce: nonce, aad: aad, tag: tag)
    #endif
    }
  }

  /// Whether the tag holds; where it doesn't, the caller wipes `plaintext`.
  @inline(__always)
  func open(
    _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer
  ) -> Bool {
    switch self {
    case .portable(let gcm):
      unsafe gcm.open(ciphertext, into: plaintext, nonce: nonce, aad: aad, tag: tag)
    #if arch(x86_64)
      case .x86(let gcm):
        unsafe gcm.open(ciphertext, into: plaintext, nonce: nonce, aad: aad, tag: tag)
    #endif
    }
  }
}
