import BenchmarkSupport
import Foundation

/// What a durable commit can cost at best: bytes written to a file, and `fdatasync`.
final class RawFile {
  private static let size = 32 << 20

  private let descriptor: CInt
  private let frame: [UInt8]
  private let appends: Bool
  private var offset = 0

  /// A file that is overwritten from its beginning, its blocks written and synced before; or one
  /// that grows.
  init(path: String, frameSize: Int, appends: Bool) throws {
    self.appends = appends
    frame = (0..<frameSize).map { UInt8(truncatingIfNeeded: $0) }
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw BenchmarkError("\(path) can't be made") }
    if !appends {
      let zeros = [UInt8](repeating: 0, count: 1 << 20)
      for start in stride(from: 0, to: Self.size, by: zeros.count) {
        guard pwrite(descriptor, zeros, zeros.count, off_t(start)) == zeros.count else {
          throw BenchmarkError("\(path) can't be written")
        }
      }
      guard fsync(descriptor) == 0 else { throw BenchmarkError("\(path) can't be synced") }
    }
  }

  deinit { Foundation.close(descriptor) }

  /// Writes a frame and waits until it is on the medium.
  func commit() throws {
    if !appends, offset + frame.count > Self.size { offset = 0 }
    guard pwrite(descriptor, frame, frame.count, off_t(offset)) == frame.count,
      fdatasync(descriptor) == 0
    else { throw BenchmarkError("writing failed") }
    offset += frame.count
  }
}
