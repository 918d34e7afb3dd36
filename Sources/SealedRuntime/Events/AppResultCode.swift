/// Why an authorization failed or was withdrawn; the numbers are those of the runtime that this one
/// stands in for.
public enum AppResultCode: Int, Sendable, CaseIterable {
  /// Nothing failed.
  case none = 0
  /// The vault could not be used.
  case securityError = -100
  /// Activation failed this time.
  case activationFailed = -101
  /// Enterprise activation failed this time.
  case provisioningFailed = -102
  /// The authority was not reached in time.
  case pushConnectionTimeout = -103
  /// The user may use no version of the app; everything is wiped.
  case appDenied = -104
  /// The user may use other versions only.
  case appVersionNotEntitled = -105
  /// Nothing was done for the time of the policy.
  case idleLockout = -300
  /// The app is blocked.
  case blocked = -301
  /// Everything was wiped.
  case wiped = -302
  /// Locked remotely, or after too many wrong passphrases; the unlock key opens it.
  case remoteLockout = -303
  /// The passphrase must be changed.
  case passwordChangeRequired = -304
  /// Programmatic activation failed for an unknown reason.
  case programmaticActivationUnknown = -600
  /// Programmatic activation found no network.
  case programmaticActivationNoNetwork = -601
  /// Programmatic activation was refused for its credentials.
  case programmaticActivationCredentialsFailed = -602
  /// Programmatic activation could not talk to the authority.
  case programmaticActivationServerCommsFailed = -603
  /// Programmatic activation found the app changed.
  case programmaticActivationAppIntegrityFailed = -606
}
