// SPDX-License-Identifier: Apache-2.0
// Secondary allocation: divides one block of aclrtMalloc() by the rule in AscendCL's documentation,
// fills the segments from pinned host memory and reads them back. The program uses AscendCL only.
// Tarn runs it without an NPU: tarn run --as acl -- acl_pool
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acl/acl.h>

enum { SEGMENTS = 5, BLOCK = 1376, ALIGNMENT = 64, SLACK = 32, UNIT = 32 };

static const size_t lengths[SEGMENTS] = {1, 31, 32, 33, 1000};

// Returns the start of the next segment behind *cursor, or SIZE_MAX if the block is full. A segment
// starts at a multiple of 64. Its size is the length rounded up to 32, plus 32 bytes, because vector
// units may read past the end.
static size_t place(size_t *cursor, size_t length) {
    size_t start = (*cursor + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t size = (length + UNIT - 1) / UNIT * UNIT + SLACK;
    if (length == 0 || start > BLOCK || size > BLOCK - start) return SIZE_MAX;
    *cursor = start + size;
    return start;
}

#define CHECK(call) check((call), #call)

static void check(aclError error, const char *call) {
    if (error == ACL_SUCCESS) return;
    const char *text = aclGetRecentErrMsg();
    fprintf(stderr, "%s: %d %s\n", call, error, text != NULL ? text : "");
    _Exit(1);
}

static unsigned char byte_of(int segment, size_t i) {
    return (unsigned char)(segment * 50 + (int)(i % 50) + 1);
}

static bool is_back(const unsigned char *host, const size_t *starts) {
    for (int s = 0; s < SEGMENTS; s++)
        for (size_t i = 0; i < lengths[s]; i++)
            if (host[starts[s] + i] != byte_of(s, i)) return false;
    return true;
}

int main(void) {
    void *pinned, *block;
    aclrtStream stream;
    size_t starts[SEGMENTS], cursor = 0;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    CHECK(aclrtMallocHost(&pinned, BLOCK));
    CHECK(aclrtMalloc(&block, BLOCK, ACL_MEM_MALLOC_HUGE_FIRST));

    unsigned char *host = pinned, *device = block;
    for (int s = 0; s < SEGMENTS; s++) {
        starts[s] = place(&cursor, lengths[s]);
        if (starts[s] == SIZE_MAX) return 1;
        printf("segment %d: %4zu bytes at %4zu\n", s, lengths[s], starts[s]);
        for (size_t i = 0; i < lengths[s]; i++) host[starts[s] + i] = byte_of(s, i);
        CHECK(aclrtMemcpyAsync(device + starts[s], lengths[s], host + starts[s], lengths[s],
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
    }
    CHECK(aclrtSynchronizeStream(stream)); // before the host writes there again
    memset(host, 0, BLOCK);
    for (int s = 0; s < SEGMENTS; s++)
        CHECK(aclrtMemcpyAsync(host + starts[s], lengths[s], device + starts[s], lengths[s],
                               ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtSynchronizeStream(stream));
    bool good = is_back(host, starts);
    printf("%zu of %d bytes used; %s\n", cursor, BLOCK, good ? "all came back" : "BROKEN");

    CHECK(aclrtFree(block));
    CHECK(aclrtFreeHost(pinned));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return good && cursor == BLOCK ? 0 : 1;
}
