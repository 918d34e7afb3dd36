internal import CZlib

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// How the blocks of a keyspace's last level are stored.
///
/// Compressing before sealing shows, by the sizes of files, how alike neighbouring records are: who
/// can write records and watch sizes learns from it (SECURITY.md). Logs and upper levels are never
/// compressed.
public enum Compression: Sendable, Equatable {
  case none
  /// Raw deflate (RFC 1951), at level 1, a block at a time, where it pays.
  case zlib
}

/// Compresses blocks, one after the other, with one set of zlib's tables.
///
/// zlib's memory holds what it compressed: it is zeroed before it is given back.
@safe struct Deflater: ~Copyable {
  /// Higher levels save two per cent more and take half as long again, measured on text records.
  private static let level: Int32 = 1
  private static let memoryLevel: Int32 = 8

  // zlib keeps a pointer to the stream: it has a place of its own.
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Throws: `.io` where zlib gets no memory.
  init() throws(StoreError) {
    let made = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe made.initialize(to: makeStream())
    let code = unsafe deflateInit2_(
      made, Self.level, Z_DEFLATED, -MAX_WBITS, Self.memoryLevel, Z_DEFAULT_STRATEGY,
      zlibVersion(), Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      unsafe made.deallocate()
      throw StoreError(.io, "zlib can't be started (\(code)): no memory")
    }
    unsafe stream = made
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses `plain` into `target`; nil where it would take more than `target` has.
  mutating func deflate(
    _ plain: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard unsafe deflateReset(stream) == Z_OK else { return nil }
    unsafe stream.pointee.setInput(plain, output: target)
    guard unsafe CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END else { return nil }
    return unsafe target.count - Int(stream.pointee.avail_out)
  }
}

/// Decompresses a block that authenticated into exactly `target`; false where it doesn't fit.
func inflateBlock(
  _ stored: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
) -> Bool {
  var stream = unsafe makeStream()
  let started = unsafe inflateInit2_(
    &stream, -MAX_WBITS, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
  guard started == Z_OK else { return false }
  defer { unsafe inflateEnd(&stream) }
  unsafe stream.setInput(stored, output: target)
  return unsafe inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0
    && stream.avail_in == 0
}

/// A stream whose memory is zeroed when zlib gives it back: it holds plaintext.
private func makeStream() -> z_stream {
  var stream = unsafe z_stream()
  unsafe stream.zalloc = { _, count, size in
    let bytes = Int(count) * Int(size)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes + 16, alignment: 16)
    unsafe memset(memory, 0, bytes + 16)
    unsafe memory.storeBytes(of: bytes + 16, as: Int.self)
    return unsafe memory + 16
  }
  unsafe stream.zfree = { _, address in
    guard let address = unsafe address else { return }
    let memory = unsafe address - 16
    unsafe memset(memory, 0, memory.load(as: Int.self))
    unsafe memory.deallocate()
  }
  return unsafe stream
}

extension z_stream {
  fileprivate mutating func setInput(
    _ input: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer
  ) {
    // zlib's older headers take the input as mutable; it isn't written.
    unsafe next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe avail_in = UInt32(input.count)
    unsafe next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe avail_out = UInt32(output.count)
  }
}
