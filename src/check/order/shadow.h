// SPDX-License-Identifier: Apache-2.0
// The last accesses of each byte, stored by ranges: an access of a gigabyte costs as much as one of
// four bytes. Bytes are stored by their keys (names.h). For each range it stores the last write and some reads since then. A further read
// replaces the oldest, so a race with that one may be missed; no false race is reported. The owner
// serialises every call.
#pragma once

#include "check/order/clocks.h"
#include "check/order/names.h"
#include "stack/stack.h"

enum { TN_CHECK_SHADOW_READS = 3 };

enum tn_check_touch_kind {
    TN_CHECK_TOUCH_NONE,
    TN_CHECK_TOUCH_READ,
    TN_CHECK_TOUCH_WRITE,
    TN_CHECK_TOUCH_ALLOCATE,    // a stream allocated the bytes
    TN_CHECK_TOUCH_FREE_SHARED, // a block that further streams used was freed
    TN_CHECK_TOUCH_WATCHED      // an argument of work that reports its accesses when it has run
};

// One access.
struct tn_check_touch {
    struct tn_check_moment moment;
    uint64_t stream;  // handle, or 0 for the host
    uint64_t shift;   // what is added to a key to get the address that it used
    const char *name; // a static string of the emitting image
    tn_stack_id stack;
    uint32_t thread;
    enum tn_check_touch_kind kind;
    bool atomic; // READ and WRITE: by atomic operations, which do not race with each other
};

// Atomic writes are among the reads, because one does not replace another.
struct tn_check_shadow_cell {
    struct tn_check_touch write;
    struct tn_check_touch reads[TN_CHECK_SHADOW_READS];
};

// Zeroed is empty.
struct tn_check_shadow {
    struct tn_check_maps maps; // to indexes in `cells`
    struct tn_check_table cells;
    const struct tn_check_names *names; // or NULL: each address is a key
    uint64_t forgotten;                 // how often everything was dropped for lack of room
};

// Called for a stored access to the bytes [lo, hi), in addresses of the range that is visited. `was` is
// the address by which the stored access used the first of them. Returns false to end the visit.
typedef bool tn_check_shadow_visitor(void *arg, const struct tn_check_touch *touch, uint64_t lo,
                                     uint64_t hi, uint64_t was);

void tn_check_shadow_fini(struct tn_check_shadow *shadow);

// Calls visit() for every stored access to a part of [lo, hi), until it returns false.
void tn_check_shadow_visit(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo, uint64_t hi,
                           tn_check_shadow_visitor *visit, void *arg);

// Records a write or an allocation. Earlier accesses to the range are forgotten.
void tn_check_shadow_write(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo, uint64_t hi,
                           const struct tn_check_touch *touch);

// Records a read or an atomic write. It replaces those that certainly came before, behind the same
// conditions, if it races with everything that they race with.
void tn_check_shadow_read(struct tn_check_shadow *shadow, const struct tn_check_point *before,
                          uint32_t space, uint64_t lo, uint64_t hi,
                          const struct tn_check_touch *touch);

// Forgets every access to the range.
void tn_check_shadow_forget(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo,
                            uint64_t hi);

// Stores what is stored for one piece for other keys of the same memory.
void tn_check_shadow_move(struct tn_check_shadow *shadow, const struct tn_check_piece *from,
                          uint32_t space, uint64_t to);

// Forgets every access to a piece, which need not have a name any more.
void tn_check_shadow_forget_piece(struct tn_check_shadow *shadow,
                                  const struct tn_check_piece *piece);
