// libargon2.
#ifndef ARGON2_PEER_H
#define ARGON2_PEER_H

#include <argon2.h>

#define ARGON2_FUNCTIONS(X) \
  X(argon2id_hash_raw) X(argon2_error_message)

struct argon2_api {
#define X(name) __typeof__(&name) name;
  ARGON2_FUNCTIONS(X)
#undef X
};

/// Fills the table; gives NULL, or a message that says what is missing.
const char *argon2_api_load(const char *library, struct argon2_api *api);

#endif
