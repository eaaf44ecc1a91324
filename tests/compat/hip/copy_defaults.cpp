// SPDX-License-Identifier: Apache-2.0
// In C++ the stream may be left out, as in HIP.
#include "support/hip.h"

static void the_stream_may_be_left_out(void **state) {
    unsigned char from[64];
    unsigned char to[64] = {0};
    (void)state;
    memset(from, 0x5a, sizeof from);
    assert_hip_ok(hipMemcpyAsync(to, from, 16, hipMemcpyDefault));
    assert_hip_ok(hipMemcpyPeerAsync(to + 16, 0, from, 1, 16));
    assert_hip_ok(hipMemcpy2DAsync(to + 32, 8, from, 8, 8, 2, hipMemcpyDefault));
    hipMemcpy3DParms parms = {};
    parms.srcPtr = make_hipPitchedPtr(from, 8, 8, 2);
    parms.dstPtr = make_hipPitchedPtr(to + 48, 8, 8, 2);
    parms.extent = make_hipExtent(8, 2, 1);
    assert_hip_ok(hipMemcpy3DAsync(&parms));
    assert_memory_equal(to, from, sizeof to);
}

static void so_it_may_in_fills(void **state) {
    (void)state;
    assert_hip_ok(hipMemsetAsync(NULL, 0, 0));
    assert_hip_ok(hipMemsetD32Async(NULL, 0, 0));
    assert_hip_ok(hipMemset2DAsync(NULL, 0, 0, 0, 0));
    assert_hip_ok(hipMemset3DAsync(hipPitchedPtr(), 0, hipExtent()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stream_may_be_left_out),
        cmocka_unit_test(so_it_may_in_fills),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
