// SPDX-License-Identifier: Apache-2.0
// A scheduler waits for an event that its request destroyed at its end.
// EXPECT: ERROR bad-handle: aclrtStreamWaitEvent with 0x..., which was destroyed
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_stale_event.c:21
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_stale_event.c:17
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_stale_event.c:20

#include "check/support/acl.h"

int main(void) {
    open_device();
    aclrtStream stream = make_stream();
    aclrtEvent done = NULL;
    must(aclrtCreateEvent(&done));
    must(aclrtRecordEvent(done, stream));
    must(aclrtSynchronizeEvent(done));
    must(aclrtDestroyEvent(done));
    (void)aclrtStreamWaitEvent(stream, done);
    must(aclrtDestroyStream(stream));
    close_device();
    return 0;
}
