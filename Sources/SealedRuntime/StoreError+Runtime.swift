public import SealedLog

extension StoreError.Code {
  /// There is no vault yet.
  public static let notActivated = Self(rawValue: "notActivated")
  /// There is a vault already.
  public static let alreadyActivated = Self(rawValue: "alreadyActivated")
  /// Nobody is authorized.
  public static let notAuthorized = Self(rawValue: "notAuthorized")
  /// Too many wrong passphrases; only the unlock key opens the vault.
  public static let lockedOut = Self(rawValue: "lockedOut")
}
