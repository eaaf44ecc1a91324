// SPDX-License-Identifier: Apache-2.0
// Functions of the CPU in a stream: a pipeline whose stages are copies, fills and functions, which finds
// each step done before the next one begins.
#include <string.h>

#include "support/sample.h"

#define BYTES  ((size_t)1 << 20)
#define FRAMES 6

struct frame {
    unsigned char *host; // pinned
    void *device;
    int number;
    int steps; // how many steps have been seen
};

static void produce(void *data) {
    struct frame *frame = (struct frame *)data;
    expect(frame->steps == 0);
    memset(frame->host, 10 + frame->number, BYTES);
    frame->steps = 1;
}

// The copies before it are done: the bytes came back, with the second half filled on the device.
static void consume(void *data) {
    struct frame *frame = (struct frame *)data;
    expect(frame->steps == 1);
    expect(frame->host[0] == 10 + frame->number &&
           frame->host[BYTES / 2 - 1] == 10 + frame->number);
    expect(frame->host[BYTES / 2] == 99 && frame->host[BYTES - 1] == 99);
    frame->steps = 2;
}

static void submit(struct frame *frame, aclrtStream stream) {
    char *half = (char *)frame->device + BYTES / 2;
    must(aclrtLaunchHostFunc(stream, produce, frame));
    must(aclrtMemcpyAsync(frame->device, BYTES, frame->host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE,
                          stream));
    must(aclrtMemsetAsync(half, BYTES / 2, 99, BYTES / 2, stream));
    must(aclrtMemcpyAsync(frame->host, BYTES, frame->device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST,
                          stream));
    must(aclrtLaunchHostFunc(stream, consume, frame));
}

int main(void) {
    struct frame frames[FRAMES];
    aclrtStream streams[2];
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&streams[0]));
    must(aclrtCreateStreamWithConfig(&streams[1], 0, ACL_STREAM_FAST_LAUNCH));
    for (int i = 0; i < FRAMES; i++) {
        void *host = NULL;
        frames[i] = (struct frame){NULL, NULL, i, 0};
        must(aclrtMallocHost(&host, BYTES));
        must(aclrtMalloc(&frames[i].device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
        frames[i].host = (unsigned char *)host;
        submit(&frames[i], streams[i % 2]);
    }
    must(aclrtSynchronizeDevice());
    for (int i = 0; i < FRAMES; i++) {
        expect(frames[i].steps == 2);
        must(aclrtFree(frames[i].device));
        must(aclrtFreeHost(frames[i].host));
    }
    must(aclrtDestroyStream(streams[0]));
    must(aclrtDestroyStream(streams[1]));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("%d frames in 2 streams\n", FRAMES);
    return 0;
}
