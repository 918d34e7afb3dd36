public import SealedLog

extension StoreError.Code {
  /// The runtime holds no root key: authorize first.
  public static let notAuthorized = Self(rawValue: "notAuthorized")
  /// There is no vault at the path.
  public static let notAVault = Self(rawValue: "notAVault")
  /// There is a vault at the path already.
  public static let alreadyActivated = Self(rawValue: "alreadyActivated")
  /// Too many passphrases were wrong, or the vault was locked remotely: the unlock key is needed.
  public static let lockedOut = Self(rawValue: "lockedOut")
}
