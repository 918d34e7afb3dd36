extension AESGCM {
  /// Begins to seal a message that comes in pieces.
  ///
  /// - Throws: `.invalidParameter` for an empty nonce, `.limitExceeded`, `.forked`.
  public func sealingStream(
    nonce: [UInt8], aad: [UInt8]
  ) throws(CryptoError) -> SealingStream {
    try countInvocation()
    return SealingStream(try GCMPieces(kernel, nonce: nonce, aad: aad))
  }

  /// Begins to check a message that comes in pieces; it is decrypted afterwards, in a second pass.
  ///
  /// - Throws: as `sealingStream`.
  public func verifyingStream(
    nonce: [UInt8], aad: [UInt8]
  ) throws(CryptoError) -> VerifyingStream {
    VerifyingStream(
      try GCMPieces(kernel, nonce: nonce, aad: aad),
      again: try GCMPieces(kernel, nonce: nonce, aad: aad))
  }

  /// A message that is sealed piece by piece.
  public struct SealingStream: ~Copyable {
    private var pieces: GCMPieces

    fileprivate init(_ pieces: consuming GCMPieces) { self.pieces = pieces }

    /// Seals the next bytes.
    ///
    /// - Parameter ciphertext: as many bytes as `plaintext`; it may be the same memory.
    /// - Throws: `.invalidParameter` where sizes differ, `.limitExceeded` past `messageLimit`,
    ///   `.forked`.
    public mutating func update(
      _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
      try unsafe pieces.crypt(plaintext, into: ciphertext)
      unsafe pieces.absorb(UnsafeRawBufferPointer(ciphertext))
    }

    /// Ends the message and gives its tag.
    public consuming func finish() throws(CryptoError) -> [UInt8] { try pieces.tag() }
  }

  /// A message that is checked piece by piece.
  public struct VerifyingStream: ~Copyable {
    private var pieces: GCMPieces
    private let again: GCMPieces

    fileprivate init(_ pieces: consuming GCMPieces, again: consuming GCMPieces) {
      self.pieces = pieces
      self.again = again
    }

    /// Takes in the next bytes of ciphertext.
    ///
    /// - Throws: `.limitExceeded` past `messageLimit`, `.forked`.
    public mutating func update(_ ciphertext: UnsafeRawBufferPointer) throws(CryptoError) {
      try pieces.count(ciphertext.count)
      unsafe pieces.absorb(ciphertext)
    }

    /// Ends the first pass; the second one may begin.
    ///
    /// - Throws: `.authenticationFailure` where the tag doesn't fit.
    public consuming func finish(tag: [UInt8]) throws(CryptoError) -> OpeningStream {
      try pieces.check(tag)
      return OpeningStream(again, tag: tag)
    }
  }

  /// A checked message that is decrypted piece by piece.
  public struct OpeningStream: ~Copyable {
    private var pieces: GCMPieces
    private let tag: [UInt8]

    fileprivate init(_ pieces: consuming GCMPieces, tag: [UInt8]) {
      self.pieces = pieces
      self.tag = tag
    }

    /// Decrypts the next bytes of the message that was checked.
    ///
    /// - Parameter plaintext: as many bytes as `ciphertext`; it may be the same memory.
    /// - Throws: `.invalidParameter` where sizes differ, `.limitExceeded`, `.forked`.
    public mutating func update(
      _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
      unsafe pieces.absorb(ciphertext)
      try unsafe pieces.crypt(ciphertext, into: plaintext)
    }

    /// Makes sure that the second pass saw what the first one did.
    ///
    /// - Throws: `.authenticationFailure` where it saw another text: what came out is worth nothing.
    public consuming func finish() throws(CryptoError) { try pieces.check(tag) }
  }
}
