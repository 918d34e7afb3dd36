public import SealedRuntime

// The constants of `GDAppResultCode`, as Swift sees those of BlackBerry Dynamics; they may be
// compared with and stand behind `case`.

/// Nothing failed.
public let GDErrorNone = AppResultCode.none
/// The secure store could not be unlocked.
public let GDErrorSecurityError = AppResultCode.securityError
/// Activation failed this time.
public let GDErrorActivationFailed = AppResultCode.activationFailed
/// Enterprise activation failed this time.
public let GDErrorProvisioningFailed = AppResultCode.provisioningFailed
/// The authority was not reached in time.
public let GDErrorPushConnectionTimeout = AppResultCode.pushConnectionTimeout
/// The user may use no version of the app; everything is wiped.
public let GDErrorAppDenied = AppResultCode.appDenied
/// The user may use other versions only.
public let GDErrorAppVersionNotEntitled = AppResultCode.appVersionNotEntitled
/// Nothing was done for the time of the policy.
public let GDErrorIdleLockout = AppResultCode.idleLockout
/// The app is blocked.
public let GDErrorBlocked = AppResultCode.blocked
/// Everything was wiped.
public let GDErrorWiped = AppResultCode.wiped
/// Locked remotely, or after too many wrong passphrases.
public let GDErrorRemoteLockout = AppResultCode.remoteLockout
/// The passphrase must be changed.
public let GDErrorPasswordChangeRequired = AppResultCode.passwordChangeRequired
