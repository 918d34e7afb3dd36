// The peers' functions as tables that are filled at run time: see peer_library.h.
#ifndef CPEERS_H
#define CPEERS_H

#include "argon2_peer.h"
#include "leveldb_peer.h"
#include "lmdb_peer.h"
#include "openssl_peer.h"
#include "peer_library.h"
#include "rocksdb_peer.h"
#include "sql_peer.h"

#endif
