// SPDX-License-Identifier: Apache-2.0
// Moves and sets bytes for a device engine. The right to touch them was checked when the operation
// was submitted. When the operation runs, a pool may already have freed the block and marked it as
// inaccessible for ASan or Valgrind. So these tools must not check the move. In a process without
// them the functions are memcpy, memmove and memset behind one branch. Any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/atomic.h"

// The tool that checks accesses in this process. Found at the first move; then constant.
enum tn_watcher { TN_WATCHER_UNKNOWN, TN_WATCHER_NONE, TN_WATCHER_ASAN, TN_WATCHER_VALGRIND };
extern _Atomic int tn_bytes_watcher;

bool tn_bytes_find_watcher(void);
void tn_bytes_move_unseen(void *dst, const void *src, size_t bytes);
void tn_bytes_set_unseen(void *dst, int value, size_t bytes);

// Valgrind takes the bytes for written from now on. Without Valgrind, this does nothing.
void tn_bytes_take_as_written(void *bytes, size_t count);

static inline bool tn_bytes_watched(void) {
    return __builtin_expect(tn_load_relaxed(&tn_bytes_watcher) != TN_WATCHER_NONE, 0) &&
           tn_bytes_find_watcher();
}

static inline void tn_bytes_copy(void *dst, const void *src, size_t bytes) {
    if (tn_bytes_watched())
        tn_bytes_move_unseen(dst, src, bytes);
    else
        memcpy(dst, src, bytes);
}

// Source and destination may overlap.
static inline void tn_bytes_move(void *dst, const void *src, size_t bytes) {
    if (tn_bytes_watched())
        tn_bytes_move_unseen(dst, src, bytes);
    else
        memmove(dst, src, bytes);
}

static inline void tn_bytes_set(void *dst, int value, size_t bytes) {
    if (tn_bytes_watched())
        tn_bytes_set_unseen(dst, value, bytes);
    else
        memset(dst, value, bytes);
}
