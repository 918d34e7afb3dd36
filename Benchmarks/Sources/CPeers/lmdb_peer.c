#include "lmdb_peer.h"

#include "peer_library.h"

const char *lmdb_api_load(const char *library, struct lmdb_api *api) {
  const struct peer_symbol symbols[] = {
#define X(name) {"mdb_" #name, (void **)&api->name},
      LMDB_FUNCTIONS(X)
#undef X
  };
  return peer_library_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}
