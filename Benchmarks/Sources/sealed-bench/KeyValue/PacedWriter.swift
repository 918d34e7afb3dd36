import BenchmarkSupport
import Foundation
import Synchronization

/// Overwrites random keys beside a reader at a fixed pace, so that a fast engine isn't given more
/// to do than a slow one.
final class PacedWriter<Engine: KeyValueEngine>: @unchecked Sendable {
  // The engine's handle is used by the thread alone, until `stop` has waited for it.
  private let engine: Engine
  private let keys: [UInt32]
  private let isStopping = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)

  /// Puts a second, in batches of a hundred.
  static var putsPerSecond: Int { 10_000 }
  static var batchSize: Int { 100 }

  init(_ engine: Engine, _ order: WorkerOrder) throws {
    self.engine = engine
    keys = KeySequence.random(
      count: 1_000_000, keyCount: order.itemCount, seed: order.seed &+ 17)
  }

  func start() {
    Thread.detachNewThread { [self] in
      do { try write() } catch { failure.withLock { $0 = error } }
      ended.signal()
    }
  }

  private func write() throws {
    let format = KeyFormat()
    let pool = ValuePool(valueSize: FillWork.valueSize)
    let key = UnsafeMutableRawBufferPointer.allocate(byteCount: KeyFormat.size, alignment: 16)
    defer { key.deallocate() }
    let interval = UInt64(1_000_000_000 * Self.batchSize / Self.putsPerSecond)
    var due = nanoseconds()
    var position = 0
    while !isStopping.load(ordering: .relaxed) {
      try engine.write { batch in
        for _ in 0..<Self.batchSize {
          let number = Int(keys[position % keys.count])
          position += 1
          format.write(number, to: key.baseAddress!)
          try batch.put(UnsafeRawBufferPointer(key), pool.value(key: number, version: 3))
        }
      }
      due += interval
      sleep(untilNanoseconds: due)
    }
  }

  /// Ends the thread; throws what ended it before.
  func stop() throws {
    isStopping.store(true, ordering: .relaxed)
    ended.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
