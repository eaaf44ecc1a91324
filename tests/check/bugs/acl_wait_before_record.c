// SPDX-License-Identifier: Apache-2.0
// A stream waits for an event that is only recorded afterwards, so that the copy behind is a race.
// EXPECT: NOTE wait-without-record: stream 0x... waits for event 0x..., which was never recorded
// EXPECT:   wait by thread
// EXPECT:     ... main .../acl_wait_before_record.c:25
// EXPECT: ERROR copy-race: read of 1048576 byte(s) at 0x... by aclrtMemcpyAsync on stream 0x... is unordered with the write by aclrtMemsetAsync on stream 0x..., in a block of device memory of ... byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_wait_before_record.c:28
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../acl_wait_before_record.c:26
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_wait_before_record.c:22

#include "check/support/acl.h"

enum { BYTES = 1 << 20 };

int main(void) {
    open_device();
    aclrtStream produce = make_stream(), consume = make_stream();
    aclrtEvent ready = NULL;
    char *from = take(BYTES), *to = take(BYTES);
    must(aclrtCreateEvent(&ready));
    must(aclrtMemset(from, BYTES, 0, BYTES));
    must(aclrtStreamWaitEvent(consume, ready));
    must(aclrtMemsetAsync(from, BYTES, 1, BYTES, produce));
    must(aclrtRecordEvent(ready, produce));
    must(aclrtMemcpyAsync(to, BYTES, from, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, consume));
    must(aclrtSynchronizeDevice());
    must(aclrtDestroyEvent(ready));
    must(aclrtFree(from));
    must(aclrtFree(to));
    must(aclrtDestroyStream(produce));
    must(aclrtDestroyStream(consume));
    close_device();
    return 0;
}
