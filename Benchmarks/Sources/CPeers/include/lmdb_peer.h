// LMDB.
#ifndef LMDB_PEER_H
#define LMDB_PEER_H

#include <lmdb.h>

#define LMDB_FUNCTIONS(X) \
  X(version) X(strerror) X(env_create) X(env_set_mapsize) X(env_set_maxreaders) X(env_open) \
  X(env_close) X(env_sync) X(txn_begin) X(txn_commit) X(txn_abort) X(txn_reset) X(txn_renew) \
  X(dbi_open) X(get) X(put) X(del) X(cursor_open) X(cursor_close) X(cursor_get) \
  X(cursor_renew)

struct lmdb_api {
#define X(name) __typeof__(&mdb_##name) name;
  LMDB_FUNCTIONS(X)
#undef X
};

/// Fills the table; gives NULL, or a message that says what is missing.
const char *lmdb_api_load(const char *library, struct lmdb_api *api);

#endif
