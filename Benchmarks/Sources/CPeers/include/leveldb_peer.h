// LevelDB.
#ifndef LEVELDB_PEER_H
#define LEVELDB_PEER_H

#include <leveldb/c.h>

#define LEVELDB_FUNCTIONS(X) \
  X(open) X(close) X(write) X(get) X(create_iterator) X(property_value) X(compact_range) \
  X(iter_destroy) X(iter_valid) X(iter_seek_to_first) X(iter_seek_to_last) X(iter_seek) \
  X(iter_next) X(iter_prev) X(iter_key) X(iter_value) X(iter_get_error) X(writebatch_create) \
  X(writebatch_destroy) X(writebatch_clear) X(writebatch_put) X(writebatch_delete) \
  X(options_create) X(options_destroy) X(options_set_create_if_missing) \
  X(options_set_write_buffer_size) X(options_set_cache) X(options_set_compression) \
  X(options_set_filter_policy) X(filterpolicy_create_bloom) X(filterpolicy_destroy) \
  X(cache_create_lru) X(cache_destroy) X(readoptions_create) X(readoptions_destroy) \
  X(writeoptions_create) X(writeoptions_destroy) X(writeoptions_set_sync) X(free) \
  X(major_version) X(minor_version)

struct leveldb_api {
#define X(name) __typeof__(&leveldb_##name) name;
  LEVELDB_FUNCTIONS(X)
#undef X
};

/// Fills the table; gives NULL, or a message that says what is missing.
const char *leveldb_api_load(const char *library, struct leveldb_api *api);

#endif
