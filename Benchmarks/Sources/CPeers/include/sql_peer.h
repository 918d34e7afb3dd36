// SQLite's interface, which SQLCipher offers too.
#ifndef SQL_PEER_H
#define SQL_PEER_H

#include <sqlite3.h>

#define SQL_FUNCTIONS(X) \
  X(libversion) X(open_v2) X(close) X(exec) X(errmsg) X(free) X(prepare_v2) X(finalize) \
  X(step) X(reset) X(bind_blob) X(bind_int64) X(bind_text) X(bind_double) X(column_blob) \
  X(column_bytes) X(column_int64) X(column_int) X(column_double) X(column_text) \
  X(wal_checkpoint_v2)

struct sql_api {
#define X(name) __typeof__(&sqlite3_##name) name;
  SQL_FUNCTIONS(X)
#undef X
};

/// Fills the table; gives NULL, or a message that says what is missing.
const char *sql_api_load(const char *library, struct sql_api *api);

#endif
