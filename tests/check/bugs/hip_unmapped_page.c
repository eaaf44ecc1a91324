// SPDX-License-Identifier: Apache-2.0
// An expandable segment gives back its second page, and a fill still covers both.
// EXPECT: ERROR use-after-free: write of 128 byte(s) at 0x..., wrong from 0x... on by hipMemset, in a mapping of 2097152 byte(s) at 0x... that was unmapped
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_unmapped_page.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_unmapped_page.c:17
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_unmapped_page.c:20

#include "check/support/hip.h"

int main(void) {
    char *base = reserve(2 * PAGE);
    hipMemGenericAllocationHandle_t pages[2] = {make_handle(PAGE), make_handle(PAGE)};
    must(hipMemMap(base, PAGE, 0, pages[0], 0));
    must(hipMemMap(base + PAGE, PAGE, 0, pages[1], 0));
    allow(base, 2 * PAGE, hipMemAccessFlagsProtReadWrite);
    must(hipMemset(base, 0, 2 * PAGE));
    must(hipMemUnmap(base + PAGE, PAGE));
    must(hipMemRelease(pages[1]));
    (void)hipMemset(base + PAGE - 64, 1, 128);
    must(hipMemUnmap(base, PAGE));
    must(hipMemRelease(pages[0]));
    must(hipMemAddressFree(base, 2 * PAGE));
    return 0;
}
