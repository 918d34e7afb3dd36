"""Times AES-256-GCM of the OpenSSL that PyPI's `cryptography` brings: seal|open, bytes.

Prints one line of JSON for sealed-bench. Python's own share is some 200 ns a call, which matters
for short messages only.
"""

import json
import statistics
import sys
import time

from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SLICES = 41
SLICE_SECONDS = 0.005
ADDITIONAL_DATA = bytes(16)


def main() -> None:
    mode, size = sys.argv[1], int(sys.argv[2])
    cipher = AESGCM(bytes(range(32)))
    plaintext = bytearray(size)
    sealed = bytearray(size + 16)
    nonce = bytes(12)
    cipher.encrypt_into(nonce, plaintext, ADDITIONAL_DATA, sealed)

    def seal(count: int) -> None:
        for number in range(count):
            cipher.encrypt_into(
                number.to_bytes(12, "big"), plaintext, ADDITIONAL_DATA, sealed
            )

    def open_(count: int) -> None:
        for _ in range(count):
            cipher.decrypt_into(nonce, sealed, ADDITIONAL_DATA, plaintext)

    work = seal if mode == "seal" else open_
    count = 1
    while True:
        begin = time.thread_time()
        work(count)
        elapsed = time.thread_time() - begin
        if elapsed > SLICE_SECONDS / 4:
            break
        count *= 2
    count = max(1, int(count * SLICE_SECONDS / elapsed))
    costs = []
    for _ in range(SLICES):
        begin = time.thread_time()
        work(count)
        costs.append((time.thread_time() - begin) / count)
    done = count * SLICES
    print(
        json.dumps(
            {
                "operations": done,
                "seconds": statistics.median(costs) * done,
                "version": backend.openssl_version_text(),
                "settings": "through Python's cryptography, in and out of buffers of the caller",
            }
        )
    )


main()
