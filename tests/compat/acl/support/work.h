// SPDX-License-Identifier: Apache-2.0
// Work for tests of order: gates and counters, and streams enough for them.
#ifndef TARN_COMPAT_ACL_SUPPORT_WORK_H
#define TARN_COMPAT_ACL_SUPPORT_WORK_H

#include "support/acl.h"
#include "support/gate.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whatever could have begun before this call has begun when it returns: workers take streams in
// turn, and the one made here comes last.
void let_others_begin(void);

// acl_group_setup() with more workers than the gates of a test can block, however few CPUs there
// are.
int work_group_setup(void **state);

#ifdef __cplusplus
}
#endif
#endif
