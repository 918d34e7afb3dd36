#include "leveldb_peer.h"

#include "peer_library.h"

const char *leveldb_api_load(const char *library, struct leveldb_api *api) {
  const struct peer_symbol symbols[] = {
#define X(name) {"leveldb_" #name, (void **)&api->name},
      LEVELDB_FUNCTIONS(X)
#undef X
  };
  return peer_library_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}
