// SPDX-License-Identifier: Apache-2.0
// A vector grows: its new block gets the bytes of the old one, which nothing wrote, and the host reads
// them. The copy inside the device is no error, and the report names it.
// EXPECT: ERROR uninitialised-read: 1000 of 1000 byte(s) at 0x... never written since registration
// of R1, copied to R2 unwritten, read by hipMemcpy
// EXPECT:   unwritten memory allocated by
// EXPECT: main .../hip_unwritten_resized.c:18
// EXPECT:   unwritten memory copied by
// EXPECT: main .../hip_unwritten_resized.c:20

#include "check/support/hip.h"

int main(void) {
    static char out[1000];
    char *old = NULL, *new = NULL;
    hipStream_t stream = NULL;
    must(hipStreamCreate(&stream));
    must(hipMalloc((void **)&old, sizeof out));
    must(hipMalloc((void **)&new, 2 * sizeof out));
    must(hipMemcpyAsync(new, old, sizeof out, hipMemcpyDeviceToDevice, stream));
    must(hipStreamSynchronize(stream));
    must(hipFree(old));
    must(hipMemcpy(out, new, sizeof out, hipMemcpyDeviceToHost));
    must(hipFree(new));
    must(hipStreamDestroy(stream));
    return 0;
}
