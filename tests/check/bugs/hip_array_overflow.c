// SPDX-License-Identifier: Apache-2.0
// A row too many is read from a block into an array.
// EXPECT: ERROR heap-overflow: read of 64 byte(s) at 0x... by hipMemcpy2DToArrayAsync
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_array_overflow.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_array_overflow.c:19

#include "check/support/hip.h"

enum { WIDTH = 64, ROWS = 8 };

int main(void) {
    hipChannelFormatDesc format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
    hipStream_t stream = make_stream();
    hipArray_t array = NULL;
    void *block = NULL;
    must(hipMallocArray(&array, &format, WIDTH, ROWS + 1, 0));
    must(hipMallocAsync(&block, WIDTH * ROWS, stream));
    must(hipMemsetAsync(block, 0, WIDTH * ROWS, stream));
    must(hipStreamSynchronize(stream));
    (void)hipMemcpy2DToArrayAsync(array, 0, 0, block, WIDTH, WIDTH, ROWS + 1,
                                  hipMemcpyDeviceToDevice, stream);
    must(hipFreeAsync(block, stream));
    must(hipStreamSynchronize(stream));
    must(hipFreeArray(array));
    must(hipStreamDestroy(stream));
    return 0;
}
