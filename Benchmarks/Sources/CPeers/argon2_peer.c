#include "argon2_peer.h"

#include "peer_library.h"

const char *argon2_api_load(const char *library, struct argon2_api *api) {
  const struct peer_symbol symbols[] = {
#define X(name) {"" #name, (void **)&api->name},
      ARGON2_FUNCTIONS(X)
#undef X
  };
  return peer_library_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}
