// SPDX-License-Identifier: Apache-2.0
// Libraries of vendors, opened at run time by one of several names or by an explicit path, with a
// table of functions. An opened library stays open until the process ends, because it may have
// threads and handlers of its own; later calls find it by name. A failed search is remembered too,
// so repeating it is cheap. Any thread.
#pragma once

#include <tarn/base.h>

#define TN_LIBRARY_PATH 256 // bytes of a path, with its end

struct tn_library {
    struct tn_library *next;
    void *handle;
    const char *const *names;   // by which it was found; NULL: by an explicit path
    char path[TN_LIBRARY_PATH]; // the name that was opened
};

// One function, and the offset of its pointer in the target.
struct tn_symbol {
    const char *name;
    size_t offset;
    size_t optional; // 0: the library must export it; otherwise the pointer may stay NULL
};

// Opens `path`, or, if that is NULL or empty, the first of `names` (ends with NULL) that the loader
// finds. `symbol` is a function that the library must export. The library that contains this code
// is refused: a face must not drive itself. UNSUPPORTED with a text that names the attempts and the
// reason. `owner` is for texts.
tarn_status tn_library_open(const char *owner, const char *path, const char *const *names,
                            const char *symbol, const struct tn_library **library);

// Fills the pointers in `target`. UNSUPPORTED: functions are missing. The text names them, and
// nothing is written.
tarn_status tn_library_resolve(const char *owner, const struct tn_library *library,
                               const struct tn_symbol *table, size_t count, void *target);
