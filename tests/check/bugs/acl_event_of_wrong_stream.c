// SPDX-License-Identifier: Apache-2.0
// Double buffering: the event that guards the buffer is recorded on the wrong stream.
// EXPECT: ERROR copy-race: read of 1048576 byte(s) at 0x... by aclrtMemcpyAsync on stream 0x... is unordered with the write by aclrtMemsetAsync on stream 0x..., in a block of device memory of ... byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_event_of_wrong_stream.c:24
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../acl_event_of_wrong_stream.c:21
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_event_of_wrong_stream.c:19

#include "check/support/acl.h"

enum { BYTES = 1 << 20 };

int main(void) {
    open_device();
    aclrtStream load = make_stream(), compute = make_stream();
    aclrtEvent loaded = NULL;
    char *front = take(BYTES), *back = take(BYTES);
    must(aclrtCreateEvent(&loaded));
    must(aclrtMemsetAsync(front, BYTES, 1, BYTES, load));
    must(aclrtRecordEvent(loaded, compute));
    must(aclrtStreamWaitEvent(compute, loaded));
    must(aclrtMemcpyAsync(back, BYTES, front, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, compute));
    must(aclrtSynchronizeDevice());
    must(aclrtDestroyEvent(loaded));
    must(aclrtFree(front));
    must(aclrtFree(back));
    must(aclrtDestroyStream(load));
    must(aclrtDestroyStream(compute));
    close_device();
    return 0;
}
