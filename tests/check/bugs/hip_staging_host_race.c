// SPDX-License-Identifier: Apache-2.0
// A staging buffer is refilled by the host while the upload of the batch before still reads it.
// EXPECT: ERROR host-race: write of 1048576 byte(s) at 0x... by hipMemcpy on the host is unordered with the read by hipMemcpyAsync on stream 0x..., in a block of pinned memory of 1048576 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_staging_host_race.c:23
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_staging_host_race.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_staging_host_race.c:19

#include "check/support/hip.h"

enum { BATCH = 1 << 20 };

int main(void) {
    hipStream_t upload = make_stream();
    static char next[BATCH];
    void *staging = NULL, *device = NULL;
    must(hipHostMalloc(&staging, BATCH, 0));
    must(hipMalloc(&device, BATCH));
    memset(staging, 1, BATCH);
    must(hipMemcpyAsync(device, staging, BATCH, hipMemcpyHostToDevice, upload));
    must(hipMemcpy(staging, next, BATCH, hipMemcpyHostToHost));
    must(hipStreamSynchronize(upload));
    must(hipFree(device));
    must(hipHostFree(staging));
    must(hipStreamDestroy(upload));
    return 0;
}
