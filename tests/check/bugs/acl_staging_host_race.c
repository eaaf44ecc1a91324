// SPDX-License-Identifier: Apache-2.0
// The host reads a result from pinned memory before the download has ended.
// EXPECT: ERROR host-race: read of 1048576 byte(s) at 0x... by aclrtMemcpy on the host is unordered with the write by aclrtMemcpyAsync on stream 0x..., in a block of pinned memory of 1048576 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_staging_host_race.c:24
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../acl_staging_host_race.c:23
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_staging_host_race.c:21

#include "check/support/acl.h"

enum { BYTES = 1 << 20 };

int main(void) {
    open_device();
    aclrtStream stream = make_stream();
    static char result[BYTES];
    char *device = take(BYTES);
    void *pinned = NULL;
    must(aclrtMallocHost(&pinned, BYTES));
    must(aclrtMemset(device, BYTES, 1, BYTES));
    must(aclrtMemcpyAsync(pinned, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    must(aclrtMemcpy(result, BYTES, pinned, BYTES, ACL_MEMCPY_HOST_TO_HOST));
    must(aclrtSynchronizeStream(stream));
    must(aclrtFreeHost(pinned));
    must(aclrtFree(device));
    must(aclrtDestroyStream(stream));
    close_device();
    return 0;
}
