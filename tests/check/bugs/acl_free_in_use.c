// SPDX-License-Identifier: Apache-2.0
// Device memory is freed while a fill of it is queued. aclrtFree() does not wait for the fill.
// EXPECT: ERROR free-in-flight: 4096 byte(s) at 0x... that aclrtMemsetAsync on stream 0x... may still write, in a block of device memory of 4096 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_free_in_use.c:27

#include "check/support/acl.h"

enum { BYTES = 4096 };

static _Atomic(int) freed;

static void wait_until_freed(void *arg) {
    (void)arg;
    while (!freed) {
    }
}

int main(void) {
    open_device();
    aclrtStream stream = make_stream();
    char *block = take(BYTES);
    char *other = take(BYTES);
    must(aclrtMemsetAsync(other, BYTES, 1, BYTES, stream));
    must(aclrtLaunchHostFunc(stream, wait_until_freed, NULL));
    must(aclrtMemsetAsync(block, BYTES, 1, BYTES, stream));
    must(aclrtFree(block));
    freed = 1;
    (void)aclrtSynchronizeStream(stream);
    must(aclrtFreeWithDevSync(other));
    must(aclrtDestroyStream(stream));
    close_device();
    return 0;
}
