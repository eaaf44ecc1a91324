// SPDX-License-Identifier: Apache-2.0
// Functions that tests of order give to streams: one that blocks until it is let go, one that
// counts, and one that looks whether another has run.
#ifndef TARN_COMPAT_ACL_SUPPORT_WORK_H
#define TARN_COMPAT_ACL_SUPPORT_WORK_H

#include <stdatomic.h>

#include "support/acl.h"

// Blocks the stream that it is given to until `open`.
struct gate {
    _Atomic(bool) open;
    _Atomic(int) passed;
};
void pass_gate(void *gate);

// Adds one to an _Atomic(int).
void count(void *counter);

// What a stream saw of a gate when its turn came.
struct seen {
    struct gate *gate;
    _Atomic(int) passed;
};
void see(void *seen);

// Whatever could have begun before this call has begun when it returns: workers take streams in
// turn, and the one made here comes last.
void let_others_begin(void);

// acl_group_setup() with more workers than the gates of a test can block, however few CPUs there
// are.
int work_group_setup(void **state);

#endif
