// RocksDB.
#ifndef ROCKSDB_PEER_H
#define ROCKSDB_PEER_H

#include <rocksdb/c.h>

#define ROCKSDB_FUNCTIONS(X) \
  X(open_column_families) X(close) X(write) X(get_pinned) X(pinnableslice_value) X(pinnableslice_destroy) \
  X(batched_multi_get_cf) X(column_family_handle_destroy) X(create_iterator) \
  X(property_int) X(compact_range) X(iter_destroy) X(iter_valid) X(iter_seek_to_first) \
  X(iter_seek_to_last) X(iter_seek) X(iter_next) X(iter_prev) X(iter_key) X(iter_value) \
  X(iter_get_error) X(writebatch_create) X(writebatch_destroy) X(writebatch_clear) \
  X(writebatch_put) X(writebatch_delete) X(options_create) X(options_destroy) \
  X(options_set_create_if_missing) X(options_set_write_buffer_size) \
  X(options_set_max_write_buffer_number) X(options_set_max_background_jobs) \
  X(options_set_compression) X(options_set_block_based_table_factory) \
  X(options_set_max_open_files) X(block_based_options_create) X(block_based_options_destroy) \
  X(block_based_options_set_block_cache) X(block_based_options_set_filter_policy) \
  X(block_based_options_set_data_block_index_type) X(filterpolicy_create_bloom_full) \
  X(cache_create_lru) X(cache_destroy) X(readoptions_create) X(readoptions_destroy) \
  X(writeoptions_create) X(writeoptions_destroy) X(writeoptions_set_sync) X(free)

struct rocksdb_api {
#define X(name) __typeof__(&rocksdb_##name) name;
  ROCKSDB_FUNCTIONS(X)
#undef X
};

/// Fills the table; gives NULL, or a message that says what is missing.
const char *rocksdb_api_load(const char *library, struct rocksdb_api *api);

#endif
