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

static void finish(hipStream_t stream, hipError_t status, void *data) {
    struct frame *frame = (struct frame *)data;
    expect(stream != NULL && status == hipSuccess && frame->steps == 2);
    frame->steps = 3;
}

static void submit(struct frame *frame, hipStream_t stream) {
    char *half = (char *)frame->device + BYTES / 2;
    must(hipLaunchHostFunc(stream, produce, frame));
    must(hipMemcpyAsync(frame->device, frame->host, BYTES, hipMemcpyHostToDevice, stream));
    must(hipMemsetAsync(half, 99, BYTES / 2, stream));
    must(hipMemcpyAsync(frame->host, frame->device, BYTES, hipMemcpyDeviceToHost, stream));
    must(hipLaunchHostFunc(stream, consume, frame));
    must(hipStreamAddCallback(stream, finish, frame, 0));
}

int main(void) {
    struct frame frames[FRAMES];
    hipStream_t streams[2];
    must(hipStreamCreateWithFlags(&streams[0], hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&streams[1], hipStreamNonBlocking));
    for (int i = 0; i < FRAMES; i++) {
        void *host = NULL;
        frames[i] = (struct frame){NULL, NULL, i, 0};
        must(hipHostMalloc(&host, BYTES, hipHostMallocDefault));
        must(hipMalloc(&frames[i].device, BYTES));
        frames[i].host = (unsigned char *)host;
        submit(&frames[i], streams[i % 2]);
    }
    must(hipDeviceSynchronize());
    for (int i = 0; i < FRAMES; i++) {
        expect(frames[i].steps == 3);
        must(hipFree(frames[i].device));
        must(hipHostFree(frames[i].host));
    }
    must(hipStreamDestroy(streams[0]));
    must(hipStreamDestroy(streams[1]));
    printf("%d frames in 2 streams\n", FRAMES);
    return 0;
}
