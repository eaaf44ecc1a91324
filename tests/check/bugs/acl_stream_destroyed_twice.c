// SPDX-License-Identifier: Apache-2.0
// A stream and an event are destroyed twice each.
// EXPECT: ERROR bad-handle: aclrtDestroyEvent of 0x..., which names nothing any more
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_stream_destroyed_twice.c:26
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_stream_destroyed_twice.c:24
// EXPECT:   first freed by thread
// EXPECT:     ... main .../acl_stream_destroyed_twice.c:25
// EXPECT: ERROR bad-handle: aclrtDestroyStream of 0x..., which names nothing any more
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_stream_destroyed_twice.c:28
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_stream_destroyed_twice.c:22
// EXPECT:   first freed by thread
// EXPECT:     ... main .../acl_stream_destroyed_twice.c:27

#include "check/support/acl.h"

int main(void) {
    open_device();
    aclrtStream stream = make_stream();
    aclrtEvent event = NULL;
    must(aclrtCreateEvent(&event));
    must(aclrtDestroyEvent(event));
    (void)aclrtDestroyEvent(event);
    must(aclrtDestroyStream(stream));
    (void)aclrtDestroyStream(stream);
    close_device();
    return 0;
}
