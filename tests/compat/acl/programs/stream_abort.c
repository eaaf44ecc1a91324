// SPDX-License-Identifier: Apache-2.0
// A transfer whose partner never answers, as a library for transfers sees it: a wait in a stream, a
// thread that waits for the stream, and a time limit. The program drops the work and uses the
// stream again. Then it skips one wait alone, and drops the work of a device.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "support/sample.h"

#define BYTES       ((size_t)1 << 20)
#define ABORTED     107023
#define NOT_IN_TIME 507046

struct transfer {
    aclrtContext context;
    aclrtStream stream;
    atomic_bool waits;
    aclError result;
};

static void *wait_for_transfer(void *arg) {
    struct transfer *transfer = (struct transfer *)arg;
    must(aclrtSetCurrentContext(transfer->context));
    transfer->waits = true;
    transfer->result = aclrtSynchronizeStream(transfer->stream);
    return NULL;
}

static unsigned char byte_at(const char *memory, size_t at) {
    unsigned char byte;
    must(aclrtMemcpy(&byte, 1, memory + at, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    return byte;
}

// Work behind an answer that never comes: the word behind the buffer stays 0.
static void enqueue_transfer(char *memory, int byte, aclrtStream stream) {
    must(aclrtValueWait(memory + BYTES, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    must(aclrtMemsetAsync(memory, BYTES, byte, BYTES, stream));
}

static void abort_late_transfer(char *memory, struct transfer *transfer) {
    pthread_t thread;
    enqueue_transfer(memory, 2, transfer->stream);
    expect(pthread_create(&thread, NULL, wait_for_transfer, transfer) == 0);
    do {
        expect(aclrtSynchronizeStreamWithTimeout(transfer->stream, 100) == NOT_IN_TIME);
    } while (!transfer->waits);
    must(aclrtStreamAbort(transfer->stream));
    expect(pthread_join(thread, NULL) == 0);
    expect(transfer->result == ABORTED);
    must(aclrtSynchronizeStream(transfer->stream));
    expect(byte_at(memory, 0) == 1 && byte_at(memory, BYTES - 1) == 1);
}

static void use_stream_again(char *memory, aclrtStream stream) {
    must(aclrtMemsetAsync(memory, BYTES, 3, BYTES, stream));
    must(aclrtSynchronizeStream(stream));
    expect(byte_at(memory, 0) == 3 && byte_at(memory, BYTES - 1) == 3);
}

static void skip_one_wait(char *memory, aclrtStream stream) {
    enqueue_transfer(memory, 4, stream);
    while (aclrtSynchronizeStreamWithTimeout(stream, 10) == NOT_IN_TIME)
        must(aclrtStreamStop(stream));
    expect(byte_at(memory, 0) == 4 && byte_at(memory, BYTES - 1) == 4);
}

static void abort_device(char *memory, aclrtStream stream) {
    enqueue_transfer(memory, 5, stream);
    enqueue_transfer(memory, 6, NULL);
    must(aclrtDeviceTaskAbort(0, 1000));
    must(aclrtSynchronizeDevice());
    expect(byte_at(memory, 0) == 4 && byte_at(memory, BYTES - 1) == 4);
}

int main(void) {
    struct transfer transfer = {NULL, NULL, false, 0};
    void *memory = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtGetCurrentContext(&transfer.context));
    must(aclrtCreateStream(&transfer.stream));
    must(aclrtMalloc(&memory, BYTES + 64, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(memory, BYTES, 1, BYTES));
    must(aclrtMemset((char *)memory + BYTES, 64, 0, 64));
    abort_late_transfer((char *)memory, &transfer);
    use_stream_again((char *)memory, transfer.stream);
    skip_one_wait((char *)memory, transfer.stream);
    abort_device((char *)memory, transfer.stream);
    must(aclrtFree(memory));
    must(aclrtDestroyStream(transfer.stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("aborted and continued\n");
    return 0;
}
