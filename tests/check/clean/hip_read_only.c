// SPDX-License-Identifier: Apache-2.0
// Weights are loaded, made read-only, read, and made writable again for an update.

#include "check/support/hip.h"

int main(void) {
    static char out[4096];
    char *weights = reserve(PAGE);
    hipMemGenericAllocationHandle_t page = make_handle(PAGE);
    must(hipMemMap(weights, PAGE, 0, page, 0));
    allow(weights, PAGE, hipMemAccessFlagsProtReadWrite);
    must(hipMemset(weights, 1, PAGE));
    must(hipDeviceSynchronize());
    allow(weights, PAGE, hipMemAccessFlagsProtRead);
    must(hipMemcpy(out, weights, sizeof out, hipMemcpyDeviceToHost));
    allow(weights, PAGE, hipMemAccessFlagsProtReadWrite);
    must(hipMemcpy(weights, out, sizeof out, hipMemcpyHostToDevice));
    must(hipMemUnmap(weights, PAGE));
    must(hipMemRelease(page));
    must(hipMemAddressFree(weights, PAGE));
    return 0;
}
