#include "peer_library.h"

#include <dlfcn.h>
#include <stdio.h>

static char message[512];

const char *peer_library_load(const char *library, const struct peer_symbol *symbols,
                              size_t count) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(message, sizeof message, "%s", dlerror());
    return message;
  }
  for (size_t i = 0; i < count; i++) {
    void *symbol = dlsym(handle, symbols[i].name);
    if (!symbol) {
      snprintf(message, sizeof message, "%s has no %s", library, symbols[i].name);
      return message;
    }
    *symbols[i].target = symbol;
  }
  return NULL;
}
