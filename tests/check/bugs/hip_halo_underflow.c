// SPDX-License-Identifier: Apache-2.0
// A halo exchange sends the row above the first row of a field, which has no such row.
// EXPECT: ERROR heap-underflow: read of 256 byte(s) at 0x... by hipMemcpyAsync
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_halo_underflow.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_halo_underflow.c:17

#include "check/support/hip.h"

enum { WIDTH = 256, ROWS = 16 };

int main(void) {
    hipStream_t stream = make_stream();
    void *field = NULL, *halo = NULL;
    must(hipMallocAsync(&halo, WIDTH, stream));
    must(hipMallocAsync(&field, WIDTH * ROWS, stream));
    must(hipMemsetAsync(field, 1, WIDTH * ROWS, stream));
    must(hipMemcpyAsync(halo, (char *)field - 16, WIDTH, hipMemcpyDeviceToDevice, stream));
    must(hipFreeAsync(field, stream));
    must(hipFreeAsync(halo, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
