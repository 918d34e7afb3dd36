// An app imports `SealedStore` alone.
@_exported public import SealedCrypto
@_exported public import SealedLog
@_exported public import SealedModel
@_exported public import SealedRuntime
