// SPDX-License-Identifier: Apache-2.0
// Double buffering: each stream waits for the event that the other one recorded behind its work.

#include "check/support/acl.h"

enum { BYTES = 65536 };

int main(void) {
    open_device();
    aclrtStream load = make_stream(), compute = make_stream();
    aclrtEvent loaded = NULL, used = NULL;
    char *buffer = take(BYTES), *sum = take(BYTES);
    must(aclrtCreateEvent(&loaded));
    must(aclrtCreateEvent(&used));
    for (int round = 0; round < 3; round++) {
        must(aclrtMemsetAsync(buffer, BYTES, round, BYTES, load));
        must(aclrtRecordEvent(loaded, load));
        must(aclrtStreamWaitEvent(compute, loaded));
        must(aclrtMemcpyAsync(sum, BYTES, buffer, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, compute));
        must(aclrtRecordEvent(used, compute));
        must(aclrtStreamWaitEvent(load, used));
    }
    must(aclrtSynchronizeStream(load));
    must(aclrtSynchronizeStream(compute));
    must(aclrtDestroyEvent(loaded));
    must(aclrtDestroyEvent(used));
    must(aclrtFree(buffer));
    must(aclrtFree(sum));
    must(aclrtDestroyStream(load));
    must(aclrtDestroyStream(compute));
    close_device();
    return 0;
}
