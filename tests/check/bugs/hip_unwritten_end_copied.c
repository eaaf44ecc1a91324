// SPDX-License-Identifier: Apache-2.0
// Only the first half of a block of a pool was set. It is copied behind a header, and the host reads the
// copy. The end of the block, which nothing wrote, is elsewhere now.
// EXPECT: ERROR uninitialised-read: 512 of 1088 byte(s) at 0x... never written since registration
// of R1, copied to R2 unwritten, read by hipMemcpyAsync

#include "check/support/hip.h"

int main(void) {
    static char out[64 + 1024];
    char *block = NULL, *packet = NULL;
    hipStream_t stream = NULL;
    must(hipStreamCreate(&stream));
    must(hipMallocAsync((void **)&block, 1024, stream));
    must(hipMallocAsync((void **)&packet, 4096, stream));
    must(hipMemsetAsync(block, 1, 512, stream));
    must(hipMemsetAsync(packet, 2, 64, stream));
    must(hipMemcpyAsync(packet + 64, block, 1024, hipMemcpyDeviceToDevice, stream));
    must(hipMemcpyAsync(out, packet, sizeof out, hipMemcpyDeviceToHost, stream));
    must(hipStreamSynchronize(stream));
    must(hipFreeAsync(block, stream));
    must(hipFreeAsync(packet, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
