// SPDX-License-Identifier: Apache-2.0
// A segment is unmapped and its addresses are freed, but its handle is not released.
// EXPECT: ERROR resource-leak: 1 handle of physical memory of 2097152 byte(s) in all
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_segment_handle_leak.c:11

#include "check/support/hip.h"

int main(void) {
    char *base = reserve(PAGE);
    hipMemGenericAllocationHandle_t page = make_handle(PAGE);
    must(hipMemMap(base, PAGE, 0, page, 0));
    must(hipMemUnmap(base, PAGE));
    must(hipMemAddressFree(base, PAGE));
    return 0;
}
