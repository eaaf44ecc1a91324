// SPDX-License-Identifier: Apache-2.0
// A notify orders the second stream behind the first one. The third stream, which uses the same
// memory, waits for neither.
// EXPECT: ERROR copy-race: write of 1048576 byte(s) at 0x... is unordered with the read by ...

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
    must(aclInit(NULL));
    must(aclrtSetDevice(0));

    aclrtStream one = NULL, two = NULL, three = NULL;
    aclrtNotify notify = NULL;
    void *from = NULL, *to = NULL;
    must(aclrtCreateStream(&one));
    must(aclrtCreateStream(&two));
    must(aclrtCreateStream(&three));
    must(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    must(aclrtMalloc(&from, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMalloc(&to, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(from, 1 << 20, 0, 1 << 20));
    must(aclrtMemcpyAsync(to, 1 << 20, from, 1 << 20, ACL_MEMCPY_DEVICE_TO_DEVICE, one));
    must(aclrtRecordNotify(notify, one));
    must(aclrtWaitAndResetNotify(notify, two, 30));
    must(aclrtMemsetAsync(to, 1 << 20, 1, 1 << 20, two));
    must(aclrtMemsetAsync(from, 1 << 20, 1, 1 << 20, three));
    must(aclrtDestroyStream(one));
    must(aclrtDestroyStream(two));
    must(aclrtDestroyStream(three));
    must(aclrtDestroyNotify(notify));
    must(aclrtFree(from));
    must(aclrtFree(to));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
