package import SealedCrypto
package import SealedFiles

/// The one error that a store throws.
///
/// `code` says what kind it is, `message` what happened and what to do about it; `file` and
/// `offset` say where on disk, where that is known.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// A kind of error. Libraries above the store add their own by extension.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let rawValue: String
    /// A code of the given name.
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
  }

  /// The kind of error.
  public var code: Code
  /// What happened and what to do.
  public var message: String
  /// The path of the file concerned.
  public var file: String?
  /// The byte in `file` from which on the trouble is.
  public var offset: UInt64?
  /// The process that holds the store, with `.storeInUse`.
  public var processID: Int32?
  /// The system's error number, with `.io` and `.diskFull`.
  public var errorNumber: Int32?
  /// The error below this one.
  public var cause: (any Error)?

  /// An error with its parts.
  public init(
    _ code: Code, _ message: String, file: String? = nil, offset: UInt64? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.offset = offset
    self.cause = cause
  }

  public var description: String {
    var text = "\(code): \(message)"
    if let file { text += " [\(file)" + (offset.map { " at byte \($0)" } ?? "") + "]" }
    return text
  }
}

extension StoreError.Code {
  /// No key slot opens with the credential given.
  public static let wrongKey = Self(rawValue: "wrongKey")
  /// Bytes on disk are not what was written there.
  public static let damaged = Self(rawValue: "damaged")
  /// Bytes on disk were changed by someone without the key.
  public static let tampered = Self(rawValue: "tampered")
  /// There is no store at the path.
  public static let notAStore = Self(rawValue: "notAStore")
  /// The store was written by a newer version of the format.
  public static let newerFormat = Self(rawValue: "newerFormat")
  /// The store was erased.
  public static let erased = Self(rawValue: "erased")
  /// The store's directory is there, its root file is not.
  public static let rootMissing = Self(rawValue: "rootMissing")
  /// Another process, or another handle of this one, holds the store.
  public static let storeInUse = Self(rawValue: "storeInUse")
  /// The store is locked: its keys were zeroed.
  public static let locked = Self(rawValue: "locked")
  /// The store was closed.
  public static let closed = Self(rawValue: "closed")
  /// The store was wiped.
  public static let wiped = Self(rawValue: "wiped")
  /// The store takes no writes at present; reads go on.
  public static let readOnly = Self(rawValue: "readOnly")
  /// A transaction met another's changes.
  public static let conflict = Self(rawValue: "conflict")
  /// The store is older than the anchor given.
  public static let rolledBack = Self(rawValue: "rolledBack")
  /// The store is another branch than the anchor's.
  public static let forked = Self(rawValue: "forked")
  /// The medium has no room left.
  public static let diskFull = Self(rawValue: "diskFull")
  /// The medium failed.
  public static let io = Self(rawValue: "io")
  /// A stated limit would be passed.
  public static let limitExceeded = Self(rawValue: "limitExceeded")
  /// A save over several stores waits for a store that is absent.
  public static let inDoubt = Self(rawValue: "inDoubt")
  /// Whether the commit will be found after reopening can't be told.
  public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
  /// An argument makes no sense.
  public static let invalidArgument = Self(rawValue: "invalidArgument")
  /// A primitive of the cryptography refused to work.
  public static let cryptography = Self(rawValue: "cryptography")
}

extension StoreError {
  /// A failed call to the medium.
  package init(_ error: FileError) {
    if error.isLocked {
      let holder = error.holder.map { "process \($0)" } ?? "another process"
      self.init(
        .storeInUse, "the store is open in \(holder); close it there first", file: error.path,
        cause: error)
      processID = error.holder
    } else {
      self.init(
        error.isDiskFull ? .diskFull : .io, error.description, file: error.path, cause: error)
      errorNumber = error.errno
    }
  }

  /// A refusal of the cryptography below.
  package init(_ error: CryptoError) {
    self.init(error.code == .forked ? .forked : .cryptography, error.message, cause: error)
  }

  static func damaged(_ what: String, file: String, offset: UInt64) -> StoreError {
    StoreError(
      .damaged, "\(what); restore the store from a backup, or salvage it", file: file,
      offset: offset)
  }
}

/// Runs a call to the medium, its error turned into a store's.
@inline(__always)
package func onMedium<R>(_ body: () throws(FileError) -> R) throws(StoreError) -> R {
  do { return try body() } catch { throw StoreError(error) }
}

/// Runs cryptography, its error turned into a store's.
@inline(__always)
package func withCrypto<R>(_ body: () throws(CryptoError) -> R) throws(StoreError) -> R {
  do { return try body() } catch { throw StoreError(error) }
}
