#if arch(x86_64)
  internal import Builtin
  internal import _Builtin_intrinsics.intel.cpuid

  /// What this processor, and the system for its wide registers, allow.
  package enum X86Features {
    /// AES-NI, PCLMULQDQ and SSSE3.
    package static let hasAES: Bool = {
      let leaf = feature(leaf: 1)
      return leaf.ecx & (1 << 25) != 0 && leaf.ecx & (1 << 1) != 0 && leaf.ecx & (1 << 9) != 0
    }()

    /// The SHA extensions, and SSE 4.1 beside them.
    package static let hasSHA: Bool =
      hasAES && feature(leaf: 1).ecx & (1 << 19) != 0 && feature(leaf: 7).ebx & (1 << 29) != 0

    /// AVX2, whose registers the system must save.
    package static let hasAVX2: Bool =
      hasAES && saves(0x06) && feature(leaf: 7).ebx & (1 << 5) != 0

    /// VAES and VPCLMULQDQ on registers of 256 bits.
    package static let hasVAES256: Bool = hasAVX2 && feature(leaf: 7).ecx & (3 << 9) == 3 << 9

    /// VAES and VPCLMULQDQ on registers of 512 bits, which the system must save.
    package static let hasVAES512: Bool = {
      // AVX-512 F, DQ, BW, VL.
      let needed: UInt32 = 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31
      return hasVAES256 && saves(0xe6) && feature(leaf: 7).ebx & needed == needed
    }()

    /// Whether the system saves registers (bits of XCR0). Asked for only where OSXSAVE is set.
    private static func saves(_ registers: UInt64) -> Bool {
      guard feature(leaf: 1).ecx & (1 << 27) != 0 else { return false }
      let saved = UInt64(bitPattern: Int64(Builtin.int_x86_xgetbv(UInt32(0)._value)))
      return saved & registers == registers
    }

    private static func feature(leaf: UInt32) -> (ebx: UInt32, ecx: UInt32) {
      var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      guard unsafe __get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx) != 0 else { return (0, 0) }
      return (ebx, ecx)
    }
  }
#endif
