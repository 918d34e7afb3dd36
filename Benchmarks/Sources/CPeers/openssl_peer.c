#include "openssl_peer.h"

#include "peer_library.h"

const char *openssl_api_load(const char *library, struct openssl_api *api) {
  const struct peer_symbol symbols[] = {
#define X(name) {"" #name, (void **)&api->name},
      OPENSSL_FUNCTIONS(X)
#undef X
  };
  return peer_library_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}
