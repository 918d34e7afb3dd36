import Foundation
import SealedCrypto
import SealedFiles
import SealedLog
import SealedRuntime
import TestSupport

/// A directory with a vault in it, cheap to open.
struct RuntimeFixture {
  let directory: TemporaryDirectory
  var vault: String { directory.path("vault") }

  init() throws { directory = try TemporaryDirectory() }

  func runtime() -> SecureRuntime {
    SecureRuntime(fileSystem: PosixFileSystem(), iterations: 10)
  }

  func activated(
    unlockKey: SecretBytes? = nil, attemptLimit: Int = 3
  ) throws -> SecureRuntime {
    let runtime = runtime()
    try runtime.activate(
      vault: vault, passphrase: secret("right"), unlockKey: unlockKey,
      attemptLimit: attemptLimit)
    return runtime
  }

  func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: vault)) }

  func put(_ bytes: Data) throws { try bytes.write(to: URL(fileURLWithPath: vault)) }
}

func secret(_ text: String) -> SecretBytes { SecretBytes(Array(text.utf8)) }

/// The code of the error that `body` throws; nil where it throws none.
func code(_ body: () throws -> Void) -> StoreError.Code? {
  do {
    try body()
    return nil
  } catch { return (error as? StoreError)?.code }
}
