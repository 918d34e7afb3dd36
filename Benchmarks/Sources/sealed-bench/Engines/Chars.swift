extension UnsafeRawBufferPointer {
  /// The bytes as C's characters.
  var chars: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}
