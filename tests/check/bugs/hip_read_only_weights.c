// SPDX-License-Identifier: Apache-2.0
// Weights are made read-only after they were loaded. An in-place update writes to them.
// EXPECT: ERROR permission-violation: write of 4096 byte(s) at 0x... by hipMemcpy, in a mapping of 2097152 byte(s) at 0x... that device 0 may not write; allowed: device 0 read
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_read_only_weights.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_read_only_weights.c:14

#include "check/support/hip.h"

int main(void) {
    char *weights = reserve(PAGE);
    hipMemGenericAllocationHandle_t page = make_handle(PAGE);
    must(hipMemMap(weights, PAGE, 0, page, 0));
    allow(weights, PAGE, hipMemAccessFlagsProtReadWrite);
    must(hipMemset(weights, 1, PAGE));
    must(hipDeviceSynchronize());
    allow(weights, PAGE, hipMemAccessFlagsProtRead);
    (void)hipMemcpy(weights + 4096, weights, 4096, hipMemcpyDeviceToDevice);
    must(hipMemUnmap(weights, PAGE));
    must(hipMemRelease(page));
    must(hipMemAddressFree(weights, PAGE));
    return 0;
}
