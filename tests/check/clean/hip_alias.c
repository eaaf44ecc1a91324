// SPDX-License-Identifier: Apache-2.0
// A ring buffer maps one page twice. A write across its end is in both mappings, and each use
// waits.

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    char *ring = reserve(2 * PAGE);
    hipMemGenericAllocationHandle_t page = make_handle(PAGE);
    must(hipMemMap(ring, PAGE, 0, page, 0));
    must(hipMemMap(ring + PAGE, PAGE, 0, page, 0));
    allow(ring, 2 * PAGE, hipMemAccessFlagsProtReadWrite);
    must(hipMemsetAsync(ring, 0, PAGE, stream));
    must(hipMemsetAsync(ring + PAGE - 64, 1, 128, stream));
    must(hipMemcpyAsync(ring + 4096, ring + PAGE, 64, hipMemcpyDeviceToDevice, stream));
    must(hipStreamSynchronize(stream));
    must(hipMemUnmap(ring, PAGE));
    must(hipMemsetAsync(ring + PAGE, 2, PAGE, stream));
    must(hipStreamSynchronize(stream));
    must(hipMemUnmap(ring + PAGE, PAGE));
    must(hipMemRelease(page));
    must(hipMemAddressFree(ring, 2 * PAGE));
    must(hipStreamDestroy(stream));
    return 0;
}
