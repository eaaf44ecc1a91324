// SPDX-License-Identifier: Apache-2.0
// Work for tests of order: gates and counters, and streams enough for them.
#pragma once

#include "support/gate.h"
#include "support/hip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whatever could have begun before this call has begun when it returns: workers take streams in
// turn, and the one made here comes last.
void let_others_begin(void);

// A test that begins with this is skipped under a seed, which runs host functions, and blocks of a
// kernel, one after another as a device may.
void need_functions_at_once(void);

// hip_group_setup() with more workers than the gates of a test can block, however few CPUs there
// are.
int work_group_setup(void **state);

#ifdef __cplusplus
}
#endif
