#include "rocksdb_peer.h"

#include "peer_library.h"

const char *rocksdb_api_load(const char *library, struct rocksdb_api *api) {
  const struct peer_symbol symbols[] = {
#define X(name) {"rocksdb_" #name, (void **)&api->name},
      ROCKSDB_FUNCTIONS(X)
#undef X
  };
  return peer_library_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}
