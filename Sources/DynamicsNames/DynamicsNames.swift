public import SealedStore

/// `GDSecureModelConfiguration` of BlackBerry Dynamics.
public typealias GDSecureModelConfiguration = SecureModelConfiguration
/// `GDSecureModelContainer` of BlackBerry Dynamics.
public typealias GDSecureModelContainer = SecureModelContainer
