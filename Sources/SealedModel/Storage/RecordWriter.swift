import Foundation

/// Writes records one after the other into memory that grows and is reused.
@safe public struct RecordWriter: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0
  private var start = 0
  private var headSize = 0
  private var field: RecordLayout.Field?

  init() {
    capacity = 1 << 12
    unsafe base = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  /// Where the next record begins.
  var position: Int { count }

  /// Written bytes, good until the next write.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  mutating func removeAll() { count = 0 }

  /// Takes back what was written from `position` on.
  mutating func truncate(to position: Int) { count = position }

  mutating func begin(_ layout: RecordLayout) {
    start = count
    headSize = layout.headSize
    grow(headSize)
    unsafe (base + start).initializeMemory(as: UInt8.self, repeating: 0, count: headSize)
    unsafe (base + start).storeBytes(of: layout.number.littleEndian, as: UInt16.self)
    count += headSize
  }

  /// What is put next belongs to this property; every property has its turn, in order.
  mutating func begin(_ field: RecordLayout.Field) {
    self.field = field
    if field.isVariable { setEnd(field) }
  }

  mutating func put(reference: Reference) {
    guard let field else { return }
    markPresent(field)
    unsafe (base + start + field.offset).storeBytes(
      of: reference.local.littleEndian, as: UInt64.self)
    unsafe (base + start + field.offset + 8).storeBytes(
      of: reference.entity.littleEndian, as: UInt16.self)
  }

  /// Copies a property's stored form from another record.
  mutating func put(copying value: StoredValue) {
    guard let field, value.isPresent else { return }
    markPresent(field)
    if field.isVariable {
      unsafe append(value.bytes)
      setEnd(field)
    } else if unsafe value.bytes.count == field.width, let source = unsafe value.bytes.baseAddress {
      unsafe (base + start + field.offset).copyMemory(from: source, byteCount: field.width)
    }
  }

  mutating func put<T: BitwiseCopyable>(fixed value: T) {
    guard let field, field.width == MemoryLayout<T>.size, !field.isVariable else { return }
    markPresent(field)
    unsafe (base + start + field.offset).storeBytes(of: value, as: T.self)
  }

  mutating func put(utf8 text: String) {
    guard let field else { return }
    markPresent(field)
    var text = text
    text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
    setEnd(field)
  }

  mutating func put(data: Data) {
    guard let field else { return }
    markPresent(field)
    unsafe data.withUnsafeBytes { unsafe append($0) }
    setEnd(field)
  }

  /// Values that have no form of their own: the bytes of a `Codable` value, a URL's string, tagged
  /// scalars.
  mutating func put(_ scalar: Scalar) {
    switch scalar {
    case .null: break
    case .encoded(let data): put(data: data)
    case .string(let text): put(utf8: text)
    default:
      guard let field else { return }
      var bytes: [UInt8] = []
      scalar.append(to: &bytes)
      markPresent(field)
      unsafe bytes.withUnsafeBytes { unsafe append($0) }
      setEnd(field)
    }
  }

  private mutating func markPresent(_ field: RecordLayout.Field) {
    let address = unsafe base + start + field.presenceByte
    unsafe address.storeBytes(
      of: address.load(as: UInt8.self) | field.presenceMask, as: UInt8.self)
  }

  private mutating func setEnd(_ field: RecordLayout.Field) {
    let end = UInt32(truncatingIfNeeded: count - start - headSize)
    unsafe (base + start + field.offset).storeBytes(of: end.littleEndian, as: UInt32.self)
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    grow(bytes.count)
    unsafe (base + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  private mutating func grow(_ more: Int) {
    guard count + more > capacity else { return }
    let wanted = max(capacity * 2, count + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 8)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity = wanted
  }
}
