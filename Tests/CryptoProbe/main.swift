import Glibc
import SealedCrypto

// What can only be seen from outside, or by a process of its own: choices that must come before the
// first use, failed self tests, forks, guard pages. The tests run it and read what it prints.

func fail(_ message: String) -> Never {
  print("failed:", message)
  exit(1)
}

/// The code of the error that a call throws.
func code(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "none"
  } catch let error as CryptoError { return error.code.rawValue } catch { return "\(error)" }
}

let key = (0..<32).map { UInt8($0) }

/// Every call that the library has, by name.
let calls: [(name: String, call: () throws -> Void)] = [
  ("AESGCM", { _ = try unsafe key.withUnsafeBytes { try unsafe AESGCM(key: $0) } }),
  (
    "AESCounterMode",
    { _ = try AESCounterMode(key: SecretBytes(key), counter: Array(key.prefix(16))) }
  ),
  ("wrap", { _ = try AESKeyWrap.wrap(SecretBytes(key), with: SecretBytes(key)) }),
  ("unwrap", { _ = try AESKeyWrap.unwrap(key + key, with: SecretBytes(key)) }),
  ("wrapPadded", { _ = try AESKeyWrap.wrapPadded(SecretBytes(key), with: SecretBytes(key)) }),
  ("unwrapPadded", { _ = try AESKeyWrap.unwrapPadded(key, with: SecretBytes(key)) }),
  ("SHA256", { _ = try SHA256.hash(key) }),
  ("HMACSHA256", { _ = try HMACSHA256.authenticationCode(for: key, key: SecretBytes(key)) }),
  ("HKDF.extract", { _ = try HKDF.extract(salt: key, inputKey: SecretBytes(key)) }),
  (
    "HKDF.expand",
    { _ = try HKDF.expand(pseudorandomKey: SecretBytes(key), info: [], count: 32) }
  ),
  (
    "PBKDF2",
    {
      _ = try PBKDF2.deriveKey(
        password: SecretBytes(key), salt: key, iterations: 1, count: 32)
    }
  ),
  ("SystemRandom", { _ = try SystemRandom.bytes(8) }),
  ("SecretBytes.random", { _ = try SecretBytes.random(count: 8) }),
  ("BLAKE2b", { _ = try BLAKE2b.hash(key) }),
  (
    "Argon2id",
    {
      _ = try Argon2id.deriveKey(
        password: SecretBytes(key), salt: key, parameters: .init(memoryKiB: 8, passes: 1),
        count: 32)
    }
  ),
]

@MainActor func printCalls() {
  for (name, call) in calls { print(name, code(call)) }
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case ("names", _):
  for name in CryptoModule.selfTestNames { print(name) }
case ("falsify", .some(let name)):
  try CryptoModule.falsifySelfTest(name)
  printCalls()
  print("open", CryptoModule.status.isOpen, CryptoModule.status.failure ?? "none")
case ("approved", _):
  try CryptoModule.requireApprovedOnly()
  try CryptoModule.requireApprovedOnly()
  printCalls()
  // Asked for again once in use it is still right; anything else comes too late.
  print("again", code { try CryptoModule.requireApprovedOnly() })
  print("limit", code { try CryptoModule.limitBackend(to: .portable) })
  print("isApprovedOnly", CryptoModule.status.isApprovedOnly)
case ("late", _):
  _ = try SHA256.hash(key)
  print("approved", code { try CryptoModule.requireApprovedOnly() })
case ("limit", .some(let name)):
  guard let backend = CryptoBackend.allCases.first(where: { "\($0)" == name }) else {
    fail("no backend \(name)")
  }
  try CryptoModule.limitBackend(to: backend)
  print(CryptoModule.status)
case ("fork", _): try forkTest()
case ("overrun", _): overrun()
case ("unlocked", _): try unlockedTest()
default: fail("no such check")
}

/// What a forked child gets of its parent's keys.
@MainActor func forkTest() throws {
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork") else {
    fail("no fork")
  }
  let fork = unsafe unsafeBitCast(symbol, to: Fork.self)
  let secret = try SecretBytes.random(count: 32)
  let gcm = try unsafe key.withUnsafeBytes { try unsafe AESGCM(key: $0) }
  var text = key
  func seal() throws {
    try unsafe text.withUnsafeMutableBytes { text in
      try unsafe key.withUnsafeBytes { key in
        var tag: (UInt64, UInt64) = (0, 0)
        try unsafe withUnsafeMutableBytes(of: &tag) { tag in
          try unsafe gcm.seal(
            UnsafeRawBufferPointer(text), into: text,
            nonce: UnsafeRawBufferPointer(rebasing: key[0..<12]), aad: key, tag: tag)
        }
      }
    }
  }
  print("parent", code(seal))
  fflush(nil)
  let child = fork()
  if child == 0 {
    print("child seals:", code(seal))
    let isWiped = unsafe secret.withUnsafeBytes { unsafe $0.allSatisfy { $0 == 0 } }
    print("child's secret is wiped:", isWiped)
    print("child derives:", code { _ = try HKDF.extract(salt: key, inputKey: secret) })
    fflush(nil)
    // At once: the parent's things aren't the child's to tidy up.
    _exit(0)
  }
  var status: Int32 = 0
  unsafe waitpid(child, &status, 0)
  print("parent goes on:", code(seal))
}

/// Reads over the end of a key with pages of its own; the system ends the process.
func overrun() {
  guard let secret = try? SecretBytes.random(count: 32) else { fail("no secret") }
  let sum = unsafe secret.withUnsafeBytes { bytes in
    var sum = 0
    guard let base = bytes.baseAddress else { return 0 }
    // The cell's last word and alignment lie between the key and the end of its pages.
    for offset in 0..<128 { sum += Int(unsafe base.load(fromByteOffset: offset, as: UInt8.self)) }
    return sum
  }
  fail("read \(sum) over the end")
}

/// Without leave to lock memory keys work all the same, and are counted.
@MainActor func unlockedTest() throws {
  var limit = rlimit(rlim_cur: 0, rlim_max: 0)
  guard unsafe setrlimit(__rlimit_resource_t(8), &limit) == 0 else { fail("no limit") }
  // The system's superuser has no limit.
  if geteuid() == 0, setuid(65_534) != 0 { fail("can't leave the superuser's rights") }
  let secret = try SecretBytes.random(count: 32)
  let status = CryptoModule.status
  print("unlocked:", status.unlockedBytes > 0, "locked:", status.lockedBytes)
  print("derives:", code { _ = try HKDF.extract(salt: key, inputKey: secret) })
}
