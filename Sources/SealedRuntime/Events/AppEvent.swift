/// What a runtime tells its delegate.
public struct AppEvent: Sendable, Equatable {
  /// What happened.
  public let type: AppEventType
  /// Why, with `.notAuthorized`; `.none` otherwise.
  public let code: AppResultCode
  /// A sentence that may be shown.
  public let message: String

  /// An event with its parts.
  public init(type: AppEventType, code: AppResultCode, message: String) {
    self.type = type
    self.code = code
    self.message = message
  }
}

/// Hears of a runtime's events.
public protocol RuntimeDelegate: AnyObject, Sendable {
  /// Called for each event once, in order, on the main actor.
  @MainActor func handle(_ event: AppEvent)
}
