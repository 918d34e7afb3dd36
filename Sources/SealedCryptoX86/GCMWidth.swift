#if arch(x86_64)
  /// The widest registers that a message may use.
  package enum GCMWidth: Sendable {
    /// AES-NI and PCLMULQDQ.
    case bits128
    /// VAES and VPCLMULQDQ on AVX2's registers; where `X86Features.hasVAES256`.
    case bits256
    /// The same on AVX-512's registers; where `X86Features.hasVAES512`.
    case bits512
  }
#endif
