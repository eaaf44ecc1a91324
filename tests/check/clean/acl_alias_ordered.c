// SPDX-License-Identifier: Apache-2.0
// The handle of a mapped page is retained and mapped again. The two addresses take turns by an event,
// and one of them outlives the other.

#include "check/support/acl.h"

int main(void) {
    const size_t bytes = 2 << 20;
    aclrtPhysicalMemProp prop = {0};
    aclrtDrvMemHandle page = NULL, again = NULL;
    aclrtEvent done = NULL;
    void *one = NULL, *other = NULL;
    open_device();
    aclrtStream stream[2] = {make_stream(), make_stream()};
    char *out = take(4096);
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    must(aclrtCreateEventExWithFlag(&done, ACL_EVENT_SYNC));
    must(aclrtMallocPhysical(&page, bytes, &prop, 0));
    must(aclrtReserveMemAddress(&one, bytes, 0, NULL, 0));
    must(aclrtReserveMemAddress(&other, bytes, 0, NULL, 0));
    must(aclrtMapMem(one, bytes, 0, page, 0));
    must(aclrtMemRetainAllocationHandle(one, &again));
    must(aclrtMapMem(other, bytes, 0, again, 0));
    must(aclrtMemsetAsync(one, 4096, 1, 4096, stream[0]));
    must(aclrtRecordEvent(done, stream[0]));
    must(aclrtStreamWaitEvent(stream[1], done));
    must(aclrtMemcpyAsync(out, 4096, other, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE, stream[1]));
    must(aclrtSynchronizeStream(stream[1]));
    must(aclrtMemset(one, bytes, 0, bytes));
    must(aclrtUnmapMem(one));
    must(aclrtMemcpy(out, 4096, other, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE));
    must(aclrtUnmapMem(other));
    must(aclrtFreePhysical(page));
    must(aclrtFreePhysical(again));
    must(aclrtReleaseMemAddress(one));
    must(aclrtReleaseMemAddress(other));
    must(aclrtFree(out));
    must(aclrtDestroyEvent(done));
    for (int i = 0; i < 2; i++) must(aclrtDestroyStream(stream[i]));
    close_device();
    return 0;
}
