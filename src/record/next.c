// SPDX-License-Identifier: Apache-2.0
// Finds dlsym() by dlvsym(), which is not replaced; see next.h.
#include "record/next.h"

#include <dlfcn.h>
#include <string.h>

#include "base/atomic.h"

// The first version of the function, which every later C library has too.
#if defined(__x86_64__)
#define DLSYM_VERSION "GLIBC_2.2.5"
#else
#define DLSYM_VERSION "GLIBC_2.17"
#endif

tn_record_dlsym tn_record_next_dlsym(void) {
    static _Atomic(tn_record_dlsym) next;
    tn_record_dlsym function = tn_load_relaxed(&next);
    if (function == NULL) {
        void *found = dlvsym(RTLD_NEXT, "dlsym", DLSYM_VERSION);
        memcpy(&function, &found, sizeof function);
        tn_store_relaxed(&next, function);
    }
    return function;
}
