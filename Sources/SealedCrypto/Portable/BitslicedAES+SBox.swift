extension BitslicedAES {
  /// The S-box.
  @inline(__always)
  static func substituteBytes(_ s: inout State) {
    SBoxCircuit.apply(&s)
    // The bits of `SBoxCircuit.constant`.
    s.0 = ~s.0
    s.1 = ~s.1
    s.5 = ~s.5
    s.6 = ~s.6
  }

  /// The inverse S-box: the inverse of the affine map before and after the S-box itself.
  static func unsubstituteBytes(_ s: inout State) {
    unsafe unmap(&s)
    unsafe substituteBytes(&s)
    unsafe unmap(&s)
  }

  private static func unmap(_ s: inout State) {
    let (q0, q1, q5, q6) = (~s.0, ~s.1, ~s.5, ~s.6)
    let (q2, q3, q4, q7) = (s.2, s.3, s.4, s.7)
    s.7 = q1 ^ q4 ^ q6
    s.6 = q0 ^ q3 ^ q5
    s.5 = q7 ^ q2 ^ q4
    s.4 = q6 ^ q1 ^ q3
    s.3 = q5 ^ q0 ^ q2
    s.2 = q4 ^ q7 ^ q1
    s.1 = q3 ^ q6 ^ q0
    s.0 = q2 ^ q5 ^ q7
  }
}
