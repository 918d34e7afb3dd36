extension PBKDF2 {
  /// What OWASP asks for with HMAC-SHA-256, as of 2026.
  public static let recommendedIterations = 600_000

  /// As many rounds as this machine does in the time given, and never fewer than
  /// `recommendedIterations`, nor more than `iterationLimit`.
  ///
  /// Measures a few short runs and goes by the fastest, since others were disturbed.
  ///
  /// - Throws: `.selfTestFailed`.
  public static func calibratedIterations(for time: Duration) throws(CryptoError) -> Int {
    let password = SecretBytes(count: 32)
    let salt = [UInt8](repeating: 0, count: 32)
    let sample = 10_000
    let clock = ContinuousClock()
    var best = Duration.seconds(3600)
    for _ in 0..<5 {
      let start = clock.now
      _ = try deriveKey(password: password, salt: salt, iterations: sample, count: 32)
      best = min(best, clock.now - start)
    }
    return iterations(in: time, where: sample, take: best)
  }

  /// The count for a time, from what a sample took; in thousands.
  package static func iterations(
    in time: Duration, where sample: Int, take taken: Duration
  ) -> Int {
    let ratio = taken > .zero ? time / taken : .infinity
    let count = (ratio * Double(sample) / 1000).rounded() * 1000
    return count < Double(iterationLimit)
      ? max(recommendedIterations, Int(count)) : iterationLimit
  }
}
