internal import Synchronization

/// Class to entity without a lock: open addressing; entries are only added, under the registry's
/// lock, key after value.
@safe struct TypeTable: @unchecked Sendable {
  // Sendable: the pointers never change; what they point to is atomic.
  static let shared = TypeTable()
  private static let capacity = 4096
  private let keys: UnsafeMutablePointer<Atomic<UInt>>
  private let values: UnsafeMutablePointer<Atomic<UInt>>

  private init() {
    unsafe keys = .allocate(capacity: Self.capacity)
    unsafe values = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity {
      unsafe (keys + index).initialize(to: Atomic(0))
      unsafe (values + index).initialize(to: Atomic(0))
    }
  }

  private static func key(_ type: ModelObject.Type) -> UInt {
    UInt(bitPattern: ObjectIdentifier(type))
  }

  @inline(__always) func find(_ type: ModelObject.Type) -> Entity? {
    let key = Self.key(type)
    var index = Int(truncatingIfNeeded: key &>> 4) & (Self.capacity - 1)
    while true {
      let found = unsafe keys[index].load(ordering: .acquiring)
      if found == key {
        let value = unsafe values[index].load(ordering: .relaxed)
        return unsafe Unmanaged<Entity>.fromOpaque(
          UnsafeRawPointer(bitPattern: value).unsafelyUnwrapped
        ).takeUnretainedValue()
      }
      if found == 0 { return nil }
      index = (index + 1) & (Self.capacity - 1)
    }
  }

  func add(_ type: ModelObject.Type, _ entity: Entity) {
    let key = Self.key(type)
    var index = Int(truncatingIfNeeded: key &>> 4) & (Self.capacity - 1)
    while unsafe keys[index].load(ordering: .relaxed) != 0 {
      index = (index + 1) & (Self.capacity - 1)
    }
    let value = unsafe UInt(bitPattern: Unmanaged.passRetained(entity).toOpaque())
    unsafe values[index].store(value, ordering: .relaxed)
    unsafe keys[index].store(key, ordering: .releasing)
  }
}
