// SPDX-License-Identifier: Apache-2.0
// Work in several streams: each copies its slice to the device, fills half of it there and copies it
// back. Then events: one that has not come yet, one that another stream waits for, the time between two.
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "support/sample.h"

#define STREAMS 4
#define SLICE   ((size_t)1 << 18)

static void run_slices(void) {
    aclrtStream stream[STREAMS];
    void *memory = NULL, *pinned = NULL;
    must(aclrtMallocHost(&pinned, STREAMS * SLICE));
    must(aclrtMalloc(&memory, STREAMS * SLICE, ACL_MEM_MALLOC_HUGE_FIRST));
    unsigned char *host = (unsigned char *)pinned, *device = (unsigned char *)memory;
    for (size_t s = 0; s < STREAMS; s++) {
        size_t at = s * SLICE;
        memset(host + at, (int)(s + 1), SLICE);
        must(aclrtCreateStream(&stream[s]));
        must(aclrtMemcpyAsync(device + at, SLICE, host + at, SLICE, ACL_MEMCPY_HOST_TO_DEVICE,
                              stream[s]));
        must(aclrtMemsetAsync(device + at + SLICE / 2, SLICE / 2, 100 + (int)s, SLICE / 2,
                              stream[s]));
        must(aclrtMemcpyAsync(host + at, SLICE, device + at, SLICE, ACL_MEMCPY_DEVICE_TO_HOST,
                              stream[s]));
    }
    for (size_t s = 0; s < STREAMS; s++) {
        must(aclrtSynchronizeStream(stream[s]));
        must(aclrtDestroyStream(stream[s]));
    }
    for (size_t i = 0; i < STREAMS * SLICE; i++) {
        size_t s = i / SLICE;
        expect(host[i] == (i % SLICE < SLICE / 2 ? s + 1 : 100 + s));
    }
    must(aclrtFree(memory));
    must(aclrtFreeHost(pinned));
}

static void wait_for_gate(void *gate) {
    while (!atomic_load((atomic_bool *)gate)) usleep(100);
}

static int has_come(aclrtEvent event) {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    must(aclrtQueryEventStatus(event, &status));
    return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

// The consumer's fill comes after the producer's, which the host holds up.
static void order_by_event(void) {
    atomic_bool gate = false;
    aclrtStream producer, consumer;
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    aclrtEvent produced, consumed;
    void *memory = NULL;
    unsigned char first = 0;
    float ms = -1;
    must(aclrtCreateStream(&producer));
    must(aclrtCreateStream(&consumer));
    must(aclrtCreateEventWithFlag(&produced, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    must(aclrtCreateEventWithFlag(&consumed, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    must(aclrtMalloc(&memory, SLICE, ACL_MEM_MALLOC_HUGE_FIRST));

    must(aclrtLaunchHostFunc(producer, wait_for_gate, &gate));
    must(aclrtMemsetAsync(memory, SLICE, 1, SLICE, producer));
    must(aclrtRecordEvent(produced, producer));
    must(aclrtStreamWaitEvent(consumer, produced));
    must(aclrtMemsetAsync(memory, SLICE, 2, SLICE, consumer));
    must(aclrtRecordEvent(consumed, consumer));
    must(aclrtStreamQuery(consumer, &status));
    expect(!has_come(produced) && status == ACL_STREAM_STATUS_NOT_READY);
    expect(aclrtSynchronizeStreamWithTimeout(consumer, 1) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    atomic_store(&gate, true);
    must(aclrtSynchronizeEvent(consumed));
    expect(has_come(produced));
    must(aclrtEventElapsedTime(&ms, produced, consumed));
    must(aclrtMemcpy(&first, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("%d, %.3f ms after the producer\n", first, (double)ms);
    expect(first == 2 && ms >= 0);

    must(aclrtFree(memory));
    must(aclrtDestroyEvent(produced));
    must(aclrtDestroyEvent(consumed));
    must(aclrtDestroyStream(producer));
    must(aclrtDestroyStream(consumer));
}

int main(void) {
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    run_slices();
    order_by_event();
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
