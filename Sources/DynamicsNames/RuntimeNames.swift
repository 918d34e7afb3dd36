public import SealedRuntime

/// `GDiOS` of BlackBerry Dynamics.
public typealias GDiOS = SecureRuntime
/// `GDiOSDelegate` of BlackBerry Dynamics.
public typealias GDiOSDelegate = RuntimeDelegate
/// `GDAppEvent` of BlackBerry Dynamics.
public typealias GDAppEvent = AppEvent
/// `GDAppEventType` of BlackBerry Dynamics; the numbers are the same.
public typealias GDAppEventType = AppEventType
/// `GDAppResultCode` of BlackBerry Dynamics; the numbers are the same.
public typealias GDAppResultCode = AppResultCode

extension SecureRuntime {
  /// The runtime of the app: `shared` under the name it has in BlackBerry Dynamics.
  public static func sharedInstance() -> SecureRuntime { shared }
}
