/// The S-box of AES as a circuit of 113 gates (J. Boyar, R. Peralta, "A new combinational logic
/// minimization technique with applications to cryptology", 2009; names as in the paper).
enum SBoxCircuit {
  /// What the circuit leaves out: its last four gates are inversions, of the bits that are set
  /// here. Who calls it adds this to its output, or to the round key behind.
  static let constant: UInt8 = 0x63

  /// Bit i of all bytes in word i; the S-box but for `constant`.
  @inline(__always)
  static func apply<Word: SlicedWord>(
    _ s: inout (Word, Word, Word, Word, Word, Word, Word, Word)
  ) {
    let (x7, x6, x5, x4, x3, x2, x1, x0) = s
    // The linear layer on top.
    let y14 = x3 ^ x5
    let y13 = x0 ^ x6
    let y9 = x0 ^ x3
    let y8 = x0 ^ x5
    let t0 = x1 ^ x2
    let y1 = t0 ^ x7
    let y4 = y1 ^ x3
    let y12 = y13 ^ y14
    let y2 = y1 ^ x0
    let y5 = y1 ^ x6
    let y3 = y5 ^ y8
    let t1 = x4 ^ y12
    let y15 = t1 ^ x5
    let y20 = t1 ^ x1
    let y6 = y15 ^ x7
    let y10 = y15 ^ t0
    let y11 = y20 ^ y9
    let y7 = x7 ^ y11
    let y17 = y10 ^ y11
    let y19 = y10 ^ y8
    let y16 = t0 ^ y11
    let y21 = y13 ^ y16
    let y18 = x0 ^ y16
    // The shared inversion in the middle.
    let t2 = y12 & y15
    let t4 = (y3 & y6) ^ t2
    let t6 = (y4 & x7) ^ t2
    let t7 = y13 & y16
    let t9 = (y5 & y1) ^ t7
    let t11 = (y2 & y7) ^ t7
    let t12 = y9 & y11
    let t14 = (y14 & y17) ^ t12
    let t16 = (y8 & y10) ^ t12
    let t21 = t4 ^ t14 ^ y20
    let t22 = t6 ^ t16 ^ y19
    let t23 = t9 ^ t14 ^ y21
    let t24 = t11 ^ t16 ^ y18
    let t25 = t21 ^ t22
    let t26 = t21 & t23
    let t27 = t24 ^ t26
    let t29 = (t25 & t27) ^ t22
    let t30 = t23 ^ t24
    let t31 = t22 ^ t26
    let t33 = (t31 & t30) ^ t24
    let t34 = t23 ^ t33
    let t35 = t27 ^ t33
    let t36 = t24 & t35
    let t37 = t36 ^ t34
    let t38 = t27 ^ t36
    let t40 = t25 ^ (t29 & t38)
    let t41 = t40 ^ t37
    let t42 = t29 ^ t33
    let t43 = t29 ^ t40
    let t44 = t33 ^ t37
    let t45 = t42 ^ t41
    let z0 = t44 & y15
    let z1 = t37 & y6
    let z2 = t33 & x7
    let z3 = t43 & y16
    let z4 = t40 & y1
    let z5 = t29 & y7
    let z6 = t42 & y11
    let z7 = t45 & y17
    let z8 = t41 & y10
    let z9 = t44 & y12
    let z10 = t37 & y3
    let z11 = t33 & y4
    let z12 = t43 & y13
    let z13 = t40 & y5
    let z14 = t29 & y2
    let z15 = t42 & y9
    let z16 = t45 & y14
    let z17 = t41 & y8
    // The linear layer at the bottom.
    let t46 = z15 ^ z16
    let t47 = z10 ^ z11
    let t48 = z5 ^ z13
    let t49 = z9 ^ z10
    let t50 = z2 ^ z12
    let t51 = z2 ^ z5
    let t52 = z7 ^ z8
    let t53 = z0 ^ z3
    let t54 = z6 ^ z7
    let t55 = z16 ^ z17
    let t56 = z12 ^ t48
    let t57 = t50 ^ t53
    let t58 = z4 ^ t46
    let t59 = z3 ^ t54
    let t60 = t46 ^ t57
    let t61 = z14 ^ t57
    let t62 = t52 ^ t58
    let t63 = t49 ^ t58
    let t64 = z4 ^ t59
    let t65 = t61 ^ t62
    let t66 = z1 ^ t63
    let t67 = t64 ^ t65
    let s3 = t53 ^ t66
    s.7 = t59 ^ t63
    s.6 = t64 ^ s3
    s.5 = t55 ^ t67
    s.4 = s3
    s.3 = t51 ^ t66
    s.2 = t47 ^ t65
    s.1 = t56 ^ t62
    s.0 = t48 ^ t60
  }
}
