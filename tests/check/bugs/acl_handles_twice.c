// SPDX-License-Identifier: Apache-2.0
// A stream and an event are destroyed twice.
// EXPECT: ERROR bad-handle: aclrtDestroyStream of 0x..., which names nothing any more
// EXPECT:   freed by thread ...
// EXPECT:     ... aclrtDestroyStream ...
// EXPECT: ERROR bad-handle: aclrtDestroyEvent of 0x..., which names nothing any more

#include <stdio.h>
#include <stdlib.h>

#include <acl/acl.h>

#define must(call) must_be((call), #call)

static void must_be(aclError error, const char *call) {
    if (error != ACL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", call, (int)error);
        exit(2);
    }
}

int main(void) {
    aclrtStream stream = NULL;
    aclrtEvent event = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&stream));
    must(aclrtCreateEvent(&event));
    must(aclrtDestroyStream(stream));
    must(aclrtDestroyEvent(event));
    (void)aclrtDestroyStream(stream);
    (void)aclrtDestroyEvent(event);
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
