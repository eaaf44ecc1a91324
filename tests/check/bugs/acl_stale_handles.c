// SPDX-License-Identifier: Apache-2.0
// A stream and an event are used after they were destroyed, and the address of a variable is freed.
// EXPECT: ERROR bad-handle: aclrtSynchronizeStream with 0x..., which was destroyed
// EXPECT:   access by thread
// EXPECT: acl_stale_handles.c:
// EXPECT:   allocated by thread
// EXPECT: aclrtCreateStream
// EXPECT:   freed by thread
// EXPECT: aclrtDestroyStream
// EXPECT: ERROR bad-handle: aclrtSynchronizeEvent with 0x..., which was destroyed
// EXPECT: ERROR invalid-free: aclrtFree of 0x..., which is no block that can be freed

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
    int variable = 0;
    aclrtStream stream = NULL;
    aclrtEvent event = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&stream));
    must(aclrtCreateEvent(&event));
    must(aclrtDestroyStream(stream));
    must(aclrtDestroyEvent(event));
    (void)aclrtSynchronizeStream(stream);
    (void)aclrtSynchronizeEvent(event);
    (void)aclrtFree(&variable);
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
