/// What a primitive refused to do.
///
/// An authentication failure says nothing more, on purpose.
public struct CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A kind of refusal.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the code.
    public let rawValue: String
    /// A code of the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A tag, or an integrity check, does not fit.
    public static let authenticationFailure = Self(rawValue: "authenticationFailure")
    /// A length or count is past what the standard allows.
    public static let limitExceeded = Self(rawValue: "limitExceeded")
    /// A key, nonce or buffer has a size that the primitive does not take.
    public static let invalidParameter = Self(rawValue: "invalidParameter")
    /// A self test failed: the library is closed.
    public static let selfTestFailed = Self(rawValue: "selfTestFailed")
    /// The system gave no random bytes.
    public static let randomSource = Self(rawValue: "randomSource")
    /// The system has not the memory that was asked for.
    public static let outOfMemory = Self(rawValue: "outOfMemory")
    /// The process was forked, and its child has no keys.
    public static let forked = Self(rawValue: "forked")
    /// The algorithm is none that FIPS 140-3 lists, and only those were asked for.
    public static let notApproved = Self(rawValue: "notApproved")
    /// The library is in use: how it works can't be chosen any more.
    public static let alreadyInUse = Self(rawValue: "alreadyInUse")
  }

  /// The kind of refusal.
  public var code: Code
  /// What was refused.
  public var message: String

  /// An error with its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(code.rawValue): \(message)" }

  static let forked = CryptoError(
    .forked, "the keys are the parent process's; a forked child opens the store anew")

  static let authentication = CryptoError(
    .authenticationFailure, "the data does not authenticate")
}
