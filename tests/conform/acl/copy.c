// SPDX-License-Identifier: Apache-2.0
// Copies and fills: directions, limits of the destination, rows, lists, values and reductions.
#include "begin.h"

#define TN_GROUP "copy"

enum { BYTES = 4096 };

#define KIND(name, kind)                                                                           \
    QUESTION(direction_##name, "aclrtMemcpyKind") {                                                \
        char host[2][64] = {{1}, {2}};                                                             \
        char *a = make_memory(BYTES), *b = make_memory(BYTES);                                     \
        ASK(aclrtMemcpy, host[0], 64, host[1], 64, (aclrtMemcpyKind)(kind));                       \
        ASK(aclrtMemcpy, a, 64, host[1], 64, (aclrtMemcpyKind)(kind));                             \
        ASK(aclrtMemcpy, host[0], 64, a, 64, (aclrtMemcpyKind)(kind));                             \
        ASK(aclrtMemcpy, a, 64, b, 64, (aclrtMemcpyKind)(kind));                                   \
        MUST(aclrtFree, a);                                                                        \
        MUST(aclrtFree, b);                                                                        \
    }                                                                                              \
    QUESTION(async_direction_##name, "aclrtMemcpyAsync") {                                         \
        char *host = make_pinned(BYTES), *a = make_memory(BYTES), *b = make_memory(BYTES);         \
        ASK(aclrtMemcpyAsync, host, 64, host + 64, 64, (aclrtMemcpyKind)(kind), NULL);             \
        ASK(aclrtMemcpyAsync, a, 64, host, 64, (aclrtMemcpyKind)(kind), NULL);                     \
        ASK(aclrtMemcpyAsync, host, 64, a, 64, (aclrtMemcpyKind)(kind), NULL);                     \
        ASK(aclrtMemcpyAsync, a, 64, b, 64, (aclrtMemcpyKind)(kind), NULL);                        \
        MUST(aclrtSynchronizeStream, NULL);                                                        \
        MUST(aclrtFree, a);                                                                        \
        MUST(aclrtFree, b);                                                                        \
        MUST(aclrtFreeHost, host);                                                                 \
    }
KIND(host_to_host, ACL_MEMCPY_HOST_TO_HOST)
KIND(host_to_device, ACL_MEMCPY_HOST_TO_DEVICE)
KIND(device_to_host, ACL_MEMCPY_DEVICE_TO_HOST)
KIND(device_to_device, ACL_MEMCPY_DEVICE_TO_DEVICE)
KIND(by_addresses, ACL_MEMCPY_DEFAULT)
KIND(through_a_buffer, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE)
KIND(inside_a_device, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE)
KIND(between_devices, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE)
KIND(unknown, 99)

QUESTION(arguments, "aclrtMemcpy: 100000") {
    char *ptr = make_memory(BYTES), host[64] = "";
    ASK(aclrtMemcpy, NULL, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy, ptr, 64, NULL, 64, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy, ptr, 64, host, 0, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy, ptr, 63, host, 64, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy, ptr, 0, host, 64, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy, NULL, 0, NULL, 0, ACL_MEMCPY_HOST_TO_DEVICE);
    MUST(aclrtFree, ptr);
}

QUESTION(arguments_of_asynchronous_copies, "aclrtMemcpyAsync: 100000") {
    char *ptr = make_memory(BYTES), *host = make_pinned(BYTES);
    ASK(aclrtMemcpyAsync, NULL, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpyAsync, ptr, 64, NULL, 64, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpyAsync, ptr, 64, host, 0, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpyAsync, ptr, 63, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpyAsync, ptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, (aclrtStream)host);
    MUST(aclrtSynchronizeStream, NULL);
    MUST(aclrtFreeHost, host);
    MUST(aclrtFree, ptr);
}

QUESTION(alignment_of_asynchronous_copies, "aclrtMemcpyAsync: addresses of 64 bytes") {
    char *ptr = make_memory(BYTES), *host = make_pinned(BYTES);
    ASK(aclrtMemcpyAsync, ptr + 1, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpyAsync, ptr, 64, host + 1, 63, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpyAsync, ptr, 64, ptr + 129, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    MUST(aclrtFreeHost, host);
    MUST(aclrtFree, ptr);
}

QUESTION(pageable_memory_in_a_stream, "aclrtMemcpyAsync: memory of aclrtMallocHost") {
    static char host[BYTES];
    char *ptr = make_memory(BYTES);
    ASK(aclrtMemcpyAsync, ptr, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpyAsync, host, BYTES, ptr, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, ptr);
}

QUESTION(beyond_the_end, "aclrtMemcpy") {
    static char host[9 * MIB];
    char *ptr = make_memory(8 * MIB);
    ASK(aclrtMemcpy, ptr, 9 * MIB, host, 9 * MIB, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy, host, 9 * MIB, ptr, 9 * MIB, ACL_MEMCPY_DEVICE_TO_HOST);
    MUST(aclrtFree, ptr);
}

QUESTION(freed_memory, "aclrtMemcpy") {
    char host[64] = "", *ptr = make_memory(64 * MIB);
    MUST(aclrtFree, ptr);
    ASK(aclrtMemcpy, ptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE);
}

QUESTION(bytes_arrive, "aclrtMemcpy") {
    unsigned char sent[64], got[64];
    char *ptr = make_memory(BYTES);
    int wrong = 0;
    for (int i = 0; i < 64; i++) sent[i] = (unsigned char)(3 * i);
    ASK(aclrtMemcpy, ptr, 64, sent, 64, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy, ptr + 1001, 64, ptr, 64, ACL_MEMCPY_DEVICE_TO_DEVICE);
    ASK(aclrtMemcpy, got, 64, ptr + 1001, 64, ACL_MEMCPY_DEVICE_TO_HOST);
    for (int i = 0; i < 64; i++) wrong += got[i] != sent[i];
    SAY("wrong", wrong);
    MUST(aclrtFree, ptr);
}

QUESTION(rows, "aclrtMemcpy2d") {
    char host[512] = "", *ptr = make_memory(BYTES);
    ASK(aclrtMemcpy2d, ptr, 128, host, 128, 100, 3, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy2d, ptr, 99, host, 128, 100, 3, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy2d, ptr, 128, host, 99, 100, 3, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy2d, ptr, 128, host, 128, 0, 3, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy2d, ptr, 128, host, 128, 100, 0, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy2d, NULL, 128, host, 128, 100, 3, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy2d, ptr, 128, NULL, 128, 100, 3, ACL_MEMCPY_HOST_TO_DEVICE);
    ASK(aclrtMemcpy2d, ptr, 128, ptr + 1024, 128, 100, 3, ACL_MEMCPY_DEVICE_TO_DEVICE);
    ASK(aclrtMemcpy2d, host, 128, host + 256, 128, 100, 1, ACL_MEMCPY_HOST_TO_HOST);
    ASK(aclrtMemcpy2d, ptr, 128, host, 128, 100, 3, (aclrtMemcpyKind)99);
    MUST(aclrtFree, ptr);
}

QUESTION(rows_in_a_stream, "aclrtMemcpy2dAsync") {
    char *host = make_pinned(BYTES), *ptr = make_memory(BYTES);
    ASK(aclrtMemcpy2dAsync, ptr, 128, host, 128, 100, 3, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpy2dAsync, ptr, 99, host, 128, 100, 3, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtMemcpy2dAsync, ptr, 128, host, 128, 0, 3, ACL_MEMCPY_HOST_TO_DEVICE, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, ptr);
    MUST(aclrtFreeHost, host);
}

QUESTION(lists, "aclrtMemcpyBatch") {
    char *host = make_pinned(BYTES), *ptr = make_memory(BYTES);
    void *dsts[] = {ptr, ptr + 256}, *srcs[] = {host, host + 256};
    size_t limits[] = {256, 256}, sizes[] = {100, 100}, first = 0, failed = 77;
    aclrtMemcpyBatchAttr attr;
    memset(&attr, 0, sizeof attr);
    attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
    ASK(aclrtMemcpyBatch, dsts, limits, srcs, sizes, 2, &attr, &first, 1, &failed);
    SAY("failed", failed);
    ASK(aclrtMemcpyBatch, dsts, limits, srcs, sizes, 0, &attr, &first, 1, &failed);
    ASK(aclrtMemcpyBatch, dsts, limits, srcs, sizes, 2, &attr, &first, 0, &failed);
    ASK(aclrtMemcpyBatch, dsts, limits, srcs, sizes, 2, &attr, &first, 1, NULL);
    ASK(aclrtMemcpyBatch, NULL, limits, srcs, sizes, 2, &attr, &first, 1, &failed);
    limits[1] = 10;
    ASK(aclrtMemcpyBatch, dsts, limits, srcs, sizes, 2, &attr, &first, 1, &failed);
    SAY("failed", failed);
    MUST(aclrtFree, ptr);
    MUST(aclrtFreeHost, host);
}

QUESTION(lists_in_a_stream, "aclrtMemcpyBatchAsync") {
    char *host = make_pinned(BYTES), *ptr = make_memory(BYTES);
    void *dsts[] = {ptr, ptr + 256}, *srcs[] = {host, host + 256};
    size_t limits[] = {256, 256}, sizes[] = {100, 100}, first = 0, failed = 77;
    aclrtMemcpyBatchAttr attr;
    memset(&attr, 0, sizeof attr);
    attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
    ASK(aclrtMemcpyBatchAsync, dsts, limits, srcs, sizes, 2, &attr, &first, 1, &failed, NULL);
    ASK(aclrtMemcpyBatchAsync, dsts, limits, srcs, sizes, 0, &attr, &first, 1, &failed, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, ptr);
    MUST(aclrtFreeHost, host);
}

QUESTION(fills, "aclrtMemset") {
    unsigned char bytes[8] = {0};
    char *ptr = make_memory(BYTES);
    ASK(aclrtMemset, ptr, BYTES, 0x15a, BYTES);
    MUST(aclrtMemcpy, bytes, 8, ptr, 8, ACL_MEMCPY_DEVICE_TO_HOST);
    SAY("byte", bytes[7]);
    ASK(aclrtMemset, NULL, BYTES, 1, BYTES);
    ASK(aclrtMemset, ptr, BYTES, 1, 0);
    ASK(aclrtMemset, ptr, 63, 1, 64);
    ASK(aclrtMemset, ptr, BYTES, -1, 64);
    ASK(aclrtMemset, ptr, 64 * MIB, 1, 64 * MIB);
    MUST(aclrtFree, ptr);
}

QUESTION(fills_of_the_host, "aclrtMemset") {
    static char host[64];
    char *pinned = make_pinned(64);
    ASK(aclrtMemset, host, 64, 1, 64);
    SAY("byte", host[63]);
    ASK(aclrtMemset, pinned, 64, 2, 64);
    SAY("byte", pinned[63]);
    MUST(aclrtFreeHost, pinned);
}

QUESTION(fills_in_a_stream, "aclrtMemsetAsync") {
    char *ptr = make_memory(BYTES);
    ASK(aclrtMemsetAsync, ptr, BYTES, 1, BYTES, NULL);
    ASK(aclrtMemsetAsync, NULL, BYTES, 1, BYTES, NULL);
    ASK(aclrtMemsetAsync, ptr, 63, 1, 64, NULL);
    ASK(aclrtMemsetAsync, ptr, BYTES, 1, 0, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, ptr);
}

QUESTION(fills_of_words, "aclrtMemsetD32") {
    uint32_t words[2] = {0, 0};
    char *ptr = make_memory(BYTES);
    MUST(aclrtMemset, ptr, BYTES, 0, BYTES);
    ASK(aclrtMemsetD32, ptr, BYTES, 0x12345678, 1);
    MUST(aclrtMemcpy, words, 8, ptr, 8, ACL_MEMCPY_DEVICE_TO_HOST);
    SAY("first", words[0]);
    SAY("second", words[1]);
    ASK(aclrtMemsetD32, ptr + 1, BYTES - 1, 1, 1);
    ASK(aclrtMemsetD32, ptr, 3, 1, 1);
    ASK(aclrtMemsetD32, ptr, BYTES, 1, 0);
    ASK(aclrtMemsetD32, NULL, BYTES, 1, 1);
    ASK(aclrtMemsetD32Async, ptr, BYTES, 1, 1, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, ptr);
}

#define REDUCE(name, kind, type)                                                                   \
    QUESTION(reduction_##name, "aclrtReduceAsync") {                                               \
        char *ptr = make_memory(BYTES);                                                            \
        MUST(aclrtMemset, ptr, BYTES, 1, BYTES);                                                   \
        ASK(aclrtReduceAsync, ptr, ptr + 512, 64, (aclrtReduceKind)(kind), (type), NULL, NULL);    \
        ASK(aclrtSynchronizeStream, NULL);                                                         \
        unsigned char byte = 0;                                                                    \
        MUST(aclrtMemcpy, &byte, 1, ptr, 1, ACL_MEMCPY_DEVICE_TO_HOST);                            \
        SAY("byte", byte);                                                                         \
        MUST(aclrtFree, ptr);                                                                      \
    }
REDUCE(sum_of_floats, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT)
REDUCE(sum_of_halfs, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT16)
REDUCE(sum_of_words, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32)
REDUCE(sum_of_bytes, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT8)
REDUCE(sum_of_doubles, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_DOUBLE)
REDUCE(maximum, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_INT32)
REDUCE(minimum, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN, ACL_INT32)
REDUCE(equal, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_INT32)
REDUCE(unknown, 99, ACL_INT32)

QUESTION(bad_reductions, "aclrtReduceAsync") {
    char *ptr = make_memory(BYTES);
    ASK(aclrtReduceAsync, NULL, ptr, 64, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, NULL, NULL);
    ASK(aclrtReduceAsync, ptr, NULL, 64, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, NULL, NULL);
    ASK(aclrtReduceAsync, ptr, ptr + 512, 0, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, NULL,
        NULL);
    ASK(aclrtReduceAsync, ptr, ptr + 512, 63, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, NULL,
        NULL);
    MUST(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, ptr);
}
