#if arch(x86_64)
  internal import Builtin
  internal import _Builtin_intrinsics.intel

  /// Two 64-bit words in one register.
  ///
  /// The standard library's own operators on SIMD types become loops over the lanes, so everything
  /// here goes straight to the instruction.
  typealias Vector128 = SIMD2<Int64>

  /// The low and high halves that a carry-less multiplication takes.
  enum Halves {
    case lowLow, lowHigh, highLow, highHigh
  }

  extension Vector128 {
    @inline(__always)
    static var zero128: Vector128 { Vector128(0, 0) }

    @inline(__always)
    static func load(_ base: UnsafeRawPointer, _ offset: Int = 0) -> Vector128 {
      unsafe base.loadUnaligned(fromByteOffset: offset, as: Vector128.self)
    }

    @inline(__always)
    func store(_ base: UnsafeMutableRawPointer, _ offset: Int = 0) {
      unsafe base.storeBytes(of: self, toByteOffset: offset, as: Vector128.self)
    }

    @inline(__always)
    private var bits: Builtin.Vec2xInt64 {
      unsafe unsafeBitCast(self, to: Builtin.Vec2xInt64.self)
    }

    @inline(__always)
    private init(bits: Builtin.Vec2xInt64) {
      self = unsafe unsafeBitCast(bits, to: Vector128.self)
    }

    @inline(__always)
    func xor(_ other: Vector128) -> Vector128 {
      Vector128(bits: Builtin.xor_Vec2xInt64(bits, other.bits))
    }

    /// The carry-less product of one half of each (PCLMULQDQ).
    ///
    /// The header offers it as a macro only, which Swift doesn't import; the selector must be a
    /// constant, hence the four calls.
    @inline(__always)
    func multiplied(by other: Vector128, _ halves: Halves) -> Vector128 {
      switch halves {
      case .lowLow:
        Vector128(bits: Builtin.int_x86_pclmulqdq(bits, other.bits, UInt8(0x00)._value))
      case .lowHigh:
        Vector128(bits: Builtin.int_x86_pclmulqdq(bits, other.bits, UInt8(0x10)._value))
      case .highLow:
        Vector128(bits: Builtin.int_x86_pclmulqdq(bits, other.bits, UInt8(0x01)._value))
      case .highHigh:
        Vector128(bits: Builtin.int_x86_pclmulqdq(bits, other.bits, UInt8(0x11)._value))
      }
    }

    /// The sixteen bytes in reverse.
    @inline(__always)
    var reversed: Vector128 {
      _mm_shuffle_epi8(self, Vector128(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607))
    }

    /// The halves exchanged.
    @inline(__always)
    var swapped: Vector128 { Vector128(self[1], self[0]) }

    /// The sum with the lowest 32 bits counting on their own.
    @inline(__always)
    func advanced(_ count: Int64) -> Vector128 { _mm_add_epi32(self, Vector128(count, 0)) }
  }
#endif
