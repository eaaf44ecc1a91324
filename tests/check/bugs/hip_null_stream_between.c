// SPDX-License-Identifier: Apache-2.0
// Two streams race on the same bytes. Between the two accesses the program makes a call on the null stream,
// which orders the first stream, but not the second one.
// EXPECT: ERROR copy-race: read of 4096 byte(s) at 0x... by hipMemcpyAsync on stream ... is unordered with the write by hipMemsetAsync on stream
// EXPECT:     ... race .../hip_null_stream_between.c:38
// EXPECT:     ... race .../hip_null_stream_between.c:28
// EXPECT:     ... main .../hip_null_stream_between.c:49
// EXPECT: ERROR copy-race: read of 4096 byte(s) at 0x... by hipMemcpyAsync on stream ... is unordered with the write by hipMemsetAsync on stream
// EXPECT:     ... main .../hip_null_stream_between.c:50
// EXPECT: ERROR copy-race: read of 4096 byte(s) at 0x... by hipMemcpyAsync on stream ... is unordered with the write by hipMemsetAsync on stream
// EXPECT:     ... main .../hip_null_stream_between.c:51
// EXPECT: ERROR copy-race: read of 4096 byte(s) at 0x... by hipMemcpyAsync on stream ... is unordered with the write by hipMemsetAsync on stream
// EXPECT:     ... main .../hip_null_stream_between.c:52

#include "check/support/hip.h"

enum { BYTES = 4096 };
enum call { FILL, RECORD, WAIT, OTHER_STREAM };

static hipStream_t blocking[2], apart;
static hipEvent_t event;
static void *block, *scratch, *host;

static void race(enum call call) {
    must(hipDeviceSynchronize());
    must(hipMemsetAsync(scratch, 1, BYTES, blocking[0]));
    must(hipDeviceSynchronize());
    must(hipMemsetAsync(block, 1, BYTES, blocking[0]));
    switch (call) {
    case FILL: must(hipMemsetAsync(scratch, 2, BYTES, NULL)); break;
    case RECORD: must(hipEventRecord(event, NULL)); break;
    case WAIT: must(hipStreamWaitEvent(NULL, event, 0)); break;
    case OTHER_STREAM:
        must(hipMemsetAsync(scratch, 2, BYTES, NULL));
        must(hipMemsetAsync(scratch, 3, BYTES, blocking[1]));
        break;
    }
    must(hipMemcpyAsync(host, block, BYTES, hipMemcpyDeviceToHost, apart));
}

int main(void) {
    must(hipStreamCreate(&blocking[0]));
    must(hipStreamCreate(&blocking[1]));
    apart = make_stream();
    must(hipEventCreate(&event));
    must(hipMalloc(&block, BYTES));
    must(hipMalloc(&scratch, BYTES));
    must(hipHostMalloc(&host, BYTES, 0));
    race(FILL);
    race(RECORD);
    race(WAIT);
    race(OTHER_STREAM);
    must(hipDeviceSynchronize());
    must(hipFree(block));
    must(hipFree(scratch));
    must(hipHostFree(host));
    must(hipEventDestroy(event));
    must(hipStreamDestroy(apart));
    for (int i = 0; i < 2; i++) must(hipStreamDestroy(blocking[i]));
    return 0;
}
