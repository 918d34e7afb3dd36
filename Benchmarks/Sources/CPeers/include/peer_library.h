// How a peer's library is reached: its functions are listed once by a macro, from which come the
// fields of a table, typed by the peer's own header, and the look-ups that fill it.
//
// Nothing is linked: a measuring process maps only the library it measures, so that peers whose
// symbols clash (SQLite, SQLCipher) never meet, and memory figures show one engine.
#ifndef PEER_LIBRARY_H
#define PEER_LIBRARY_H

#include <stddef.h>

struct peer_symbol {
  const char *name;
  void **target;
};

/// Opens the library and fills the targets; gives NULL, or a message that stays valid.
const char *peer_library_load(const char *library, const struct peer_symbol *symbols, size_t count);

#endif
