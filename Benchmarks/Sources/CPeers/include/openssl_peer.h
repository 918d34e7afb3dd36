// OpenSSL's libcrypto.
#ifndef OPENSSL_PEER_H
#define OPENSSL_PEER_H

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#define OPENSSL_FUNCTIONS(X) \
  X(OpenSSL_version) X(EVP_CIPHER_CTX_new) X(EVP_CIPHER_CTX_free) X(EVP_CIPHER_fetch) \
  X(EVP_CIPHER_free) X(EVP_EncryptInit_ex) X(EVP_EncryptUpdate) X(EVP_EncryptFinal_ex) \
  X(EVP_DecryptInit_ex) X(EVP_DecryptUpdate) X(EVP_DecryptFinal_ex) X(EVP_CIPHER_CTX_ctrl) \
  X(EVP_MD_fetch) X(EVP_MD_CTX_new) X(EVP_MD_CTX_free) X(EVP_DigestInit_ex) \
  X(EVP_DigestUpdate) X(EVP_DigestFinal_ex) X(PKCS5_PBKDF2_HMAC)

struct openssl_api {
#define X(name) __typeof__(&name) name;
  OPENSSL_FUNCTIONS(X)
#undef X
};

/// Fills the table; gives NULL, or a message that says what is missing.
const char *openssl_api_load(const char *library, struct openssl_api *api);

#endif
