import DynamicsNames
import SealedRuntime
import Testing

/// Code written for BlackBerry Dynamics finds its names and numbers.
@Suite struct DynamicsNamesTests {
  /// The skeleton of the vendor's guide: an app starts once, and goes on after each unlock.
  private struct Application {
    var starts = 0
    var isAuthorized = false
    var reasons: [Int] = []

    mutating func handle(_ event: GDAppEvent) {
      switch event.type {
      case .authorized:
        isAuthorized = true
        if starts == 0 { starts += 1 }
      case .notAuthorized: note(event.code)
      case .remoteSettingsUpdate, .servicesUpdate, .policyUpdate, .entitlementsUpdate,
        .backgroundAuthorized, .backgroundNotAuthorized:
        break
      }
    }

    private mutating func note(_ code: GDAppResultCode) {
      switch code {
      case GDErrorIdleLockout, GDErrorBlocked, GDErrorPasswordChangeRequired: break
      default: isAuthorized = false
      }
      reasons.append(code.rawValue)
    }
  }

  @Test func theGuidesSkeletonStartsOnce() {
    var application = Application()
    func tell(_ type: GDAppEventType, _ code: GDAppResultCode) {
      application.handle(GDAppEvent(type: type, code: code, message: ""))
    }
    tell(.authorized, GDErrorNone)
    tell(.notAuthorized, GDErrorIdleLockout)
    #expect(application.isAuthorized)
    tell(.authorized, GDErrorNone)
    tell(.notAuthorized, GDErrorRemoteLockout)
    #expect(!application.isAuthorized)
    #expect(application.starts == 1)
    #expect(application.reasons == [-300, -303])
  }

  @Test func numbersAreThePublishedOnes() {
    let codes = [
      GDErrorNone, GDErrorSecurityError, GDErrorActivationFailed, GDErrorProvisioningFailed,
      GDErrorPushConnectionTimeout, GDErrorAppDenied, GDErrorAppVersionNotEntitled,
      GDErrorIdleLockout, GDErrorBlocked, GDErrorWiped, GDErrorRemoteLockout,
      GDErrorPasswordChangeRequired,
    ]
    #expect(
      codes.map(\.rawValue) == [
        0, -100, -101, -102, -103, -104, -105, -300, -301, -302, -303, -304,
      ])
    #expect(GDAppEventType.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 6, 7, 8])
  }

  @Test func theRuntimeIsTheSharedOne() {
    #expect(GDiOS.sharedInstance() === SecureRuntime.shared)
  }
}
