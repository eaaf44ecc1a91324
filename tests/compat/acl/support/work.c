// SPDX-License-Identifier: Apache-2.0
// See work.h.
#include "support/work.h"

#include <stdlib.h>
#include <unistd.h>

void let_others_begin(void) {
    aclrtStream apart = NULL;
    _Atomic(int) counter = 0;
    if (getenv("TARN_SEED") != NULL) { // under a seed each call before has let them begin
        (void)usleep(1000);
        return;
    }
    assert_acl_ok(aclrtCreateStream(&apart));
    for (int i = 0; i < 8; i++) {
        assert_acl_ok(aclrtLaunchHostFunc(apart, count, &counter));
        assert_acl_ok(aclrtSynchronizeStream(apart));
    }
    assert_acl_ok(aclrtDestroyStream(apart));
}

void need_functions_at_once(void) {
    if (getenv("TARN_SEED") != NULL) skip();
}

int work_group_setup(void **state) {
    int failed = acl_group_setup(state);
    return failed != 0
               ? failed
               : setenv("TARN_ACL_DEVICE", "host:0,devices=2,memory=1G,access=strict,workers=6", 1);
}
