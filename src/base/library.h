// SPDX-License-Identifier: Apache-2.0
// A vendor's library, opened while the program runs: one of several names, or an explicit path, and
// a table of its functions. Opened libraries stay for the life of the process, because they have
// threads and handlers of their own; so they are opened once, remembered by name, and never closed.
// That none of the usual names is there is remembered too, which makes asking again cheap. Any
// thread.
#ifndef TARN_BASE_LIBRARY_H
#define TARN_BASE_LIBRARY_H

#include <tarn/base.h>

#define TN_LIBRARY_PATH 256 // bytes of a path, with its end

struct tn_library {
    struct tn_library *next;
    void *handle;
    const char *const *names;   // it was found by these; NULL: by an explicit path
    char path[TN_LIBRARY_PATH]; // the name that was found
};

// One function: where its pointer goes, as an offset into the target.
struct tn_symbol {
    const char *name;
    size_t offset;
    bool optional; // stays NULL when it is not there
};

// Opens `path`, or, when that is NULL or empty, the first of `names` (ends with NULL) that the
// loader finds. `symbol` is a function that it must have; when that turns out to be part of the
// library that this code is part of, it is refused: a face must not drive itself. UNSUPPORTED with
// a text that says what was tried and why it failed. `owner` is for texts.
tarn_status tn_library_open(const char *owner, const char *path, const char *const *names,
                            const char *symbol, const struct tn_library **library);

// Fills the pointers in `target`. UNSUPPORTED: functions are missing, which the text names; nothing
// is written then.
tarn_status tn_library_resolve(const char *owner, const struct tn_library *library,
                               const struct tn_symbol *table, size_t count, void *target);

#endif
