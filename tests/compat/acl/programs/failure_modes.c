// SPDX-License-Identifier: Apache-2.0
// Work that fails: a wait for a notify that nobody records, for one second. In mode 0 the work
// behind the failure runs. In mode 1 the streams of the context stop, and the program continues
// with another context.
#include "support/sample.h"

#define BYTES     ((size_t)1 << 16)
#define TIMED_OUT 107019

static void fill(void *memory, int byte, aclrtStream stream) {
    must(aclrtMemsetAsync(memory, BYTES, byte, BYTES, stream));
}

static void expect_bytes(const void *memory, unsigned char byte) {
    static unsigned char copy[BYTES];
    must(aclrtMemcpy(copy, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    for (size_t i = 0; i < BYTES; i++) expect(copy[i] == byte);
}

static void continue_after_failure(void *memory, aclrtNotify notify) {
    aclrtStream stream;
    must(aclrtCreateStream(&stream));
    must(aclrtWaitAndResetNotify(notify, stream, 1));
    fill(memory, 2, stream);
    expect(aclrtSynchronizeStream(stream) == TIMED_OUT);
    must(aclrtSynchronizeStream(stream)); // a failure is reported once
    expect_bytes(memory, 2);
    must(aclrtDestroyStream(stream));
}

static void stop_at_failure(void *memory, aclrtNotify notify) {
    aclrtStreamAttrValue value = {.failureMode = 1};
    aclrtContext context, first;
    aclrtStream stream, other;
    must(aclrtGetCurrentContext(&first));
    must(aclrtCreateContext(&context, 0));
    must(aclrtCreateStream(&stream));
    must(aclrtCreateStream(&other));
    must(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
    must(aclrtWaitAndResetNotify(notify, stream, 1));
    fill(memory, 3, stream);
    expect(aclrtSynchronizeStream(stream) == TIMED_OUT);
    expect(aclrtSynchronizeStream(stream) != 0); // for good
    expect(aclrtMemsetAsync(memory, BYTES, 3, BYTES, other) != 0);
    expect(aclrtSynchronizeStream(other) != 0);
    expect_bytes(memory, 2);
    must(aclrtDestroyStream(stream));
    must(aclrtDestroyStream(other));
    must(aclrtDestroyContext(context));
    must(aclrtSetCurrentContext(first));
    fill(memory, 4, NULL);
    must(aclrtSynchronizeStream(NULL));
    expect_bytes(memory, 4);
}

int main(void) {
    aclrtNotify notify;
    void *memory = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    must(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    continue_after_failure(memory, notify);
    stop_at_failure(memory, notify);
    must(aclrtFree(memory));
    must(aclrtDestroyNotify(notify));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("failed and continued\n");
    return 0;
}
