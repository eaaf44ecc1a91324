// SPDX-License-Identifier: Apache-2.0
// Work for tests of order: gates and counters, and enough workers for them.
#pragma once

#include "support/acl.h"
#include "support/gate.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns when all work that could begin before the call has begun. Workers serve streams in turn,
// and the stream created here is the last.
void let_others_begin(void);

// A test that begins with this is skipped under a seed, which runs host functions, and blocks of a
// kernel, one after another as a device may.
void need_functions_at_once(void);

// Does acl_group_setup() with more workers than the gates of a test can block, on any number of
// CPUs.
int work_group_setup(void **state);

#ifdef __cplusplus
}
#endif
