// SPDX-License-Identifier: Apache-2.0
// See work.h.
#include "support/work.h"

void let_others_begin(void) {
    aclrtStream apart = NULL;
    _Atomic(int) counter = 0;
    assert_acl_ok(aclrtCreateStream(&apart));
    for (int i = 0; i < 8; i++) {
        assert_acl_ok(aclrtLaunchHostFunc(apart, count, &counter));
        assert_acl_ok(aclrtSynchronizeStream(apart));
    }
    assert_acl_ok(aclrtDestroyStream(apart));
}

int work_group_setup(void **state) {
    int failed = acl_group_setup(state);
    return failed != 0
               ? failed
               : setenv("TARN_ACL_DEVICE", "host:0,devices=2,memory=1G,access=strict,workers=6", 1);
}
