// SPDX-License-Identifier: Apache-2.0
// See work.h.
#include "support/work.h"

#include <stdlib.h>
#include <unistd.h>

void let_others_begin(void) {
    hipStream_t apart = NULL;
    _Atomic(int) counter = 0;
    if (getenv("TARN_SEED") != NULL) { // under a seed each call before has let them begin
        (void)usleep(1000);
        return;
    }
    assert_hip_ok(hipStreamCreateWithFlags(&apart, hipStreamNonBlocking));
    for (int i = 0; i < 8; i++) {
        assert_hip_ok(hipLaunchHostFunc(apart, count, &counter));
        assert_hip_ok(hipStreamSynchronize(apart));
    }
    assert_hip_ok(hipStreamDestroy(apart));
}

void need_functions_at_once(void) {
    if (getenv("TARN_SEED") != NULL) skip();
}

int work_group_setup(void **state) {
    int failed = hip_group_setup(state);
    return failed != 0 ? failed
                       : setenv("TARN_HIP_DEVICE", "host:0,devices=2,memory=1G,workers=6", 1);
}
