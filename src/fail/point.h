// SPDX-License-Identifier: Apache-2.0
// The points at which a call can be made to fail, and the specs of the process: those of the
// environment variable TARN_FAIL, which is read at the first point. A process that asks for no
// failure pays one load and one untaken branch for each point. Any thread may call.
#pragma once

#include "base/atomic.h"
#include "base/error.h"
#include "fail/spec.h"

enum { TN_FAIL_UNREAD, TN_FAIL_OFF, TN_FAIL_ON };
extern _Atomic int tn_fail_state;

// Returns false if the process asks for no failure.
static inline bool tn_fail_asked(void) {
    return __builtin_expect(tn_load_relaxed(&tn_fail_state) != TN_FAIL_OFF, 0);
}

// Counts the call in the specs of the process and in those of `set`, which may be NULL. Returns
// NULL, or the spec by which the call fails; the firing is logged and recorded as the last failure
// of the thread with the spec's status. BAD_CONFIG is recorded if TARN_FAIL is wrong: every call
// fails then. `address` and `bytes` are 0 if the call has none.
const struct tn_fail_spec *tn_fail_decide(struct tn_fail_set *set, const char *name,
                                          tarn_addr address, uint64_t bytes);

// The same for a public function, which returns to `caller`: a call that is in no set but that of the
// process. Waits for the turn of the thread (turns.h). Returns the status.
tarn_status tn_fail_at(const char *name, tarn_addr address, uint64_t bytes, const void *caller);

// Reads TARN_FAIL, if that is still to be done. BAD_CONFIG: it is wrong. `set` receives the specs
// of the process.
tarn_status tn_fail_read(const struct tn_fail_set **set);

// Returns true if calls are to be counted although no spec names them.
bool tn_fail_tallies(void);

// The first statement of a public function that can be made to fail.
#define TN_FAIL_POINT(address, bytes)                                                              \
    do {                                                                                           \
        tarn_status injected = tn_fail_asked() ? tn_fail_at(__func__, (address), (bytes),          \
                                                            __builtin_return_address(0))           \
                                               : TARN_OK;                                          \
        if (injected != TARN_OK) return TN_FAILED(injected);                                       \
    } while (0)
