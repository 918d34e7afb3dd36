import SealedCrypto

// Runs the cryptography over secrets that were never initialized. Under valgrind's memcheck
// every branch and every address that depends on them is reported (the technique of A. Langley's
// ctgrind): `Scripts/check-constant-time` expects no report. With the argument `--leak` a branch on a
// secret is taken on purpose, to show that one would be found.

/// Memory that valgrind takes for undefined.
func secret(_ count: Int) -> UnsafeMutableRawBufferPointer {
  .allocate(byteCount: count, alignment: 16)
}

/// A public input.
func known(_ count: Int) -> UnsafeMutableRawBufferPointer {
  let buffer = unsafe secret(count)
  unsafe buffer.initializeMemory(as: UInt8.self, repeating: 1)
  return unsafe buffer
}

// The self tests run on first use, over public data.
guard CryptoModule.status.isOpen else { fatalError("the self tests failed") }

let nonce = unsafe UnsafeRawBufferPointer(known(12))
let aad = unsafe UnsafeRawBufferPointer(known(20))
// Valgrind knows AES-NI, AVX2 and the SHA extensions, but not VAES: the processor it shows has none.
for backend in CryptoBackend.available {
  for keyCount in [16, 32] {
    let cipher = try unsafe AESGCM(
      key: UnsafeRawBufferPointer(secret(keyCount)), backend: backend)
    for count in [0, 1, 16, 100, 1000, 5000] {
      let text = unsafe secret(count)
      unsafe try cipher.seal(
        UnsafeRawBufferPointer(text), into: text, nonce: nonce, aad: aad, tag: secret(16))
    }
  }
  var counter = try AESCounterMode(
    key: unsafe SecretBytes(copying: UnsafeRawBufferPointer(secret(32))),
    counter: [UInt8](repeating: 1, count: 16), backend: backend)
  for count in [1, 30, 200, 3000] {
    let text = unsafe secret(count)
    try unsafe counter.crypt(UnsafeRawBufferPointer(text), into: text)
  }
  var hash = SHA256(backend: backend)
  unsafe hash.update(UnsafeRawBufferPointer(secret(300)))
  print(backend, "ran:", hash.finalize().count)
}

// BLAKE2b, and with it the beginning and the end of Argon2id. Its memory is addressed by what depends
// on the passphrase from the second half of the first pass on, by design: that isn't checked.
var blake = try BLAKE2b(
  digestSize: 32, key: unsafe SecretBytes(copying: UnsafeRawBufferPointer(secret(32))))
unsafe blake.update(UnsafeRawBufferPointer(secret(300)))
print("BLAKE2b ran:", blake.finalize().count)

// A message in pieces.
func seal() throws -> [UInt8] {
  let cipher = try unsafe AESGCM(key: UnsafeRawBufferPointer(secret(32)))
  var stream = try cipher.sealingStream(nonce: [UInt8](repeating: 1, count: 12), aad: [1, 2])
  for count in [1, 30, 200] {
    let text = unsafe secret(count)
    try unsafe stream.update(UnsafeRawBufferPointer(text), into: text)
  }
  return try stream.finish()
}
print("stream ran:", try seal().count)

// Single blocks both ways, for key wrap.
let key = try unsafe AESKey(UnsafeRawBufferPointer(secret(32)))
let block = unsafe secret(16)
if let base = unsafe block.baseAddress {
  unsafe key.encrypt(base)
  unsafe key.decrypt(base)
}

// Passwords and keys of codes.
let password = unsafe SecretBytes(copying: UnsafeRawBufferPointer(secret(20)))
let derived = try PBKDF2.deriveKey(
  password: password, salt: [1, 2, 3, 4], iterations: 3, count: 40)
let extracted = try HKDF.extract(salt: [1, 2, 3], inputKey: derived)
let wrapped = try AESKeyWrap.wrap(
  HKDF.expand(pseudorandomKey: extracted, info: [1], count: 32), with: extracted)

let equal = unsafe constantTimeEquals(
  UnsafeRawBufferPointer(secret(32)), UnsafeRawBufferPointer(secret(32)))

if CommandLine.arguments.contains("--leak"), equal { print("they were equal") }
print("key wrap ran:", wrapped.count)
