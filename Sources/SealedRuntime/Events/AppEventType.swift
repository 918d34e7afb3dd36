/// What an event tells; the numbers are those of the runtime that this one stands in for.
public enum AppEventType: Int, Sendable, CaseIterable {
  /// The user is authorized, or what had withdrawn the authorization is over.
  case authorized = 0
  /// The authorization failed or was withdrawn; the code says why.
  case notAuthorized = 1
  /// The app's configuration changed.
  case remoteSettingsUpdate = 2
  /// The service providers changed.
  case servicesUpdate = 3
  /// The app's policy changed.
  case policyUpdate = 4
  /// Entitlements should be looked at again.
  case entitlementsUpdate = 6
  /// A start in the background was authorized.
  case backgroundAuthorized = 7
  /// A start in the background was not authorized.
  case backgroundNotAuthorized = 8
}
