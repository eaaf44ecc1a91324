// SPDX-License-Identifier: Apache-2.0
// Counts the differences from the vendor that a program touches, for `tarn run --fidelity`. The list of
// differences is generated from docs/differences and docs/quirks.md. The column "seen" of a row names
// calls with their results, or a place in the code that is marked TN_FACE_DIFFERS(). Any thread may call; no lock.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct tn_fidelity;

// Where this process counts, or NULL if it was not asked to. Set when the library is loaded.
extern struct tn_fidelity *tn_face_fidelity;

// False if a call that succeeds has nothing to do when it leaves. Set when the library is loaded if
// calls are counted, and by the runtime when a thread has a last error.
extern _Atomic(bool) tn_face_leaves_slowly;

static inline bool tn_face_counts(void) { return __builtin_expect(tn_face_fidelity != NULL, 0); }

// Counts the rows that name this call with this result. `text` is that of the failure.
void tn_face_fidelity_call(const char *function, int result, const char *text);

// Counts the row ID of this face, without the name of the face, if `condition` holds. The condition is not looked
// at unless differences are counted and the face has such a row: several faces use the runtime. `row` belongs
// to the place: 0 if it was not looked up yet, the number of the row and 1, or -1 for none.
#define TN_FACE_DIFFERS(id, condition)                                                             \
    do {                                                                                           \
        static _Atomic(int) row;                                                                   \
        if (tn_face_counts() && tn_face_fidelity_find(&row, #id) && (condition))                   \
            tn_face_fidelity_place(row);                                                           \
    } while (0)

// Returns false if the face has no such row.
bool tn_face_fidelity_look_up(_Atomic(int) *row, const char *id);
static inline bool tn_face_fidelity_find(_Atomic(int) *row, const char *id) {
    int found = atomic_load_explicit(row, memory_order_relaxed);
    return found != 0 ? found > 0 : tn_face_fidelity_look_up(row, id);
}
void tn_face_fidelity_place(int row);
