// SPDX-License-Identifier: Apache-2.0
// Who touched which bytes last. Ranges, not bytes: an access of a gigabyte costs as much as one of
// four. For each range the last write and some reads since are kept; a read beyond those replaces
// the oldest, so a race with that one can be missed, never invented. The caller serialises.
#ifndef TARN_CHECK_SHADOW_H
#define TARN_CHECK_SHADOW_H

#include "algo/interval.h"
#include "check/clocks.h"
#include "check/stack.h"

enum { TN_CHECK_SHADOW_READS = 3 };

enum tn_check_touch_kind {
    TN_CHECK_TOUCH_NONE,
    TN_CHECK_TOUCH_READ,
    TN_CHECK_TOUCH_WRITE,
    TN_CHECK_TOUCH_ALLOCATE // the bytes were allocated in order of a stream
};

// One access.
struct tn_check_touch {
    struct tn_check_moment moment;
    uint64_t stream;  // handle; 0: the host
    const char *name; // static text of the teller
    tn_check_stack_id stack;
    uint32_t thread;
    enum tn_check_touch_kind kind;
};

struct tn_check_shadow_cell {
    struct tn_check_touch write;
    struct tn_check_touch reads[TN_CHECK_SHADOW_READS];
};

struct tn_check_shadow_space;

// Zeroed is empty.
struct tn_check_shadow {
    struct tn_check_shadow_space *spaces;
    struct tn_check_shadow_cell *cells;
    uint32_t *unused; // places of cells that are free
    uint32_t unused_count;
    uint32_t cell_count;
    uint32_t cell_capacity;
    uint64_t forgotten; // times that all was dropped for want of room
};

void tn_check_shadow_fini(struct tn_check_shadow *shadow);

// Calls visit for every touch kept of a part of [lo, hi), until it returns false.
void tn_check_shadow_visit(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo, uint64_t hi,
                           bool (*visit)(void *arg, const struct tn_check_touch *touch, uint64_t lo,
                                         uint64_t hi),
                           void *arg);

// The range was written (or born): nothing before that counts any more.
void tn_check_shadow_write(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo, uint64_t hi,
                           const struct tn_check_touch *touch);

// The range was read. Reads that the reader knows of are replaced by this one.
void tn_check_shadow_read(struct tn_check_shadow *shadow, const struct tn_check_clocks *clocks,
                          uint32_t space, uint64_t lo, uint64_t hi,
                          const struct tn_check_touch *touch);

// Nothing is known of the range any more.
void tn_check_shadow_forget(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo,
                            uint64_t hi);

#endif
