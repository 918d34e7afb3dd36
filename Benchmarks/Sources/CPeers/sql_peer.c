#include "sql_peer.h"

#include "peer_library.h"

const char *sql_api_load(const char *library, struct sql_api *api) {
  const struct peer_symbol symbols[] = {
#define X(name) {"sqlite3_" #name, (void **)&api->name},
      SQL_FUNCTIONS(X)
#undef X
  };
  return peer_library_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}
