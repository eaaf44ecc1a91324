// SPDX-License-Identifier: Apache-2.0
// Two streams pass a buffer to and fro by words in device memory, which one writes and the other waits
// for; no event is used. Then a reduction.
#include <string.h>

#include "support/sample.h"

#define BYTES  ((size_t)1 << 16)
#define ROUNDS 16
#define FLOATS 256

static void pass_buffer(aclrtStream ping, aclrtStream pong) {
    char *words = NULL;
    void *memory = NULL, *pinned = NULL;
    must(aclrtMalloc(&memory, BYTES + 64, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMallocHost(&pinned, ROUNDS * BYTES));
    words = (char *)memory + BYTES; // two of 8 bytes
    must(aclrtMemset(words, 64, 0, 64));
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        char *copy = (char *)pinned + (round - 1) * BYTES;
        must(aclrtValueWait(words + 8, round - 1, ACL_STREAM_WAIT_VALUE_GEQ, ping)); // it was read
        must(aclrtMemsetAsync(memory, BYTES, (int32_t)round, BYTES, ping));
        must(aclrtValueWrite(words, round, 0, ping));
        must(aclrtValueWait(words, round, ACL_STREAM_WAIT_VALUE_EQ, pong)); // it is written
        must(aclrtMemcpyAsync(copy, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, pong));
        must(aclrtValueWrite(words + 8, round, 0, pong));
    }
    must(aclrtSynchronizeStream(pong));
    must(aclrtSynchronizeStream(ping));
    for (size_t i = 0; i < ROUNDS * BYTES; i++)
        expect(((unsigned char *)pinned)[i] == i / BYTES + 1);
    must(aclrtFree(memory));
    must(aclrtFreeHost(pinned));
}

static void add_up(aclrtStream stream) {
    float numbers[FLOATS];
    void *sum = NULL, *more = NULL;
    for (int i = 0; i < FLOATS; i++) numbers[i] = (float)i;
    must(aclrtMalloc(&sum, sizeof numbers, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMalloc(&more, sizeof numbers, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemcpy(sum, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE));
    must(aclrtMemcpy(more, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE));
    for (int i = 0; i < 3; i++) {
        must(aclrtReduceAsync(sum, more, sizeof numbers, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                              ACL_FLOAT, stream, NULL));
    }
    must(aclrtSynchronizeStream(stream));
    must(aclrtMemcpy(numbers, sizeof numbers, sum, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < FLOATS; i++) expect(numbers[i] == 4 * (float)i);
    must(aclrtFree(sum));
    must(aclrtFree(more));
}

int main(void) {
    aclrtStream ping, pong;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&ping));
    must(aclrtCreateStream(&pong));
    pass_buffer(ping, pong);
    add_up(ping);
    must(aclrtDestroyStream(ping));
    must(aclrtDestroyStream(pong));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("%d rounds\n", ROUNDS);
    return 0;
}
