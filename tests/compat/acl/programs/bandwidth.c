// SPDX-License-Identifier: Apache-2.0
// Measures copies in every direction, from pageable and from pinned memory, and checks the bytes.
#include <string.h>

#include "support/sample.h"

#define BYTES  ((size_t)1 << 20)
#define ROUNDS 4

struct timer {
    aclrtStream stream;
    aclrtEvent start, stop;
};

// Copies a few times and returns GB/s.
static double copy_speed(const struct timer *t, void *to, const void *from, aclrtMemcpyKind kind) {
    float ms = -1;
    must(aclrtRecordEvent(t->start, t->stream));
    for (int i = 0; i < ROUNDS; i++)
        must(aclrtMemcpyAsync(to, BYTES, from, BYTES, kind, t->stream));
    must(aclrtRecordEvent(t->stop, t->stream));
    must(aclrtSynchronizeEvent(t->stop));
    must(aclrtEventElapsedTime(&ms, t->start, t->stop));
    expect(ms >= 0);
    return ms > 0 ? (double)BYTES * ROUNDS / ms / 1e6 : 0;
}

// There, across and back again: the same bytes arrive.
static void measure(const struct timer *t, const char *kind, unsigned char *from,
                    unsigned char *to) {
    void *one = NULL, *two = NULL;
    must(aclrtMalloc(&one, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMalloc(&two, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    for (size_t i = 0; i < BYTES; i++) from[i] = (unsigned char)(i * 31 + 7);
    memset(to, 0, BYTES);
    double up = copy_speed(t, one, from, ACL_MEMCPY_HOST_TO_DEVICE);
    double across = copy_speed(t, two, one, ACL_MEMCPY_DEVICE_TO_DEVICE);
    double down = copy_speed(t, to, two, ACL_MEMCPY_DEVICE_TO_HOST);
    printf("%s: to the device %.1f, within it %.1f, to the host %.1f GB/s\n", kind, up, across,
           down);
    expect(memcmp(from, to, BYTES) == 0);
    must(aclrtFree(one));
    must(aclrtFree(two));
}

int main(void) {
    struct timer t;
    void *from = malloc(BYTES), *to = malloc(BYTES);
    expect(from != NULL && to != NULL);
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&t.stream));
    must(aclrtCreateEventWithFlag(&t.start, ACL_EVENT_TIME_LINE));
    must(aclrtCreateEventWithFlag(&t.stop, ACL_EVENT_TIME_LINE));
    measure(&t, "pageable", (unsigned char *)from, (unsigned char *)to);
    free(from);
    free(to);

    must(aclrtMallocHost(&from, BYTES));
    must(aclrtMallocHost(&to, BYTES));
    measure(&t, "pinned", (unsigned char *)from, (unsigned char *)to);
    must(aclrtFreeHost(from));
    must(aclrtFreeHost(to));
    must(aclrtDestroyEvent(t.start));
    must(aclrtDestroyEvent(t.stop));
    must(aclrtDestroyStream(t.stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
