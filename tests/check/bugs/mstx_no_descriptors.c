// SPDX-License-Identifier: Apache-2.0
// A program makes a mistake while it may open no more descriptors. The report arrives, and the limit is
// as before. Frames have no lines.
// OPTIONS: --json
// EXPECT: ERROR bad-argument: ...
// EXPECT:     #0 0x...mstx_no_descriptors+0x...)
// EXPECT: SUMMARY: 1 error(s), ...
// EXPECT: "summary": {"errors": 1,
// EXIT: 77

#include <sys/resource.h>
#include <unistd.h>

#include "check/support/mstx.h"

int main(void) {
    struct rlimit limit;
    (void)heap(globalDomain, range, RANGE);
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 3;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    (void)mstxMemHeapRegister(globalDomain, NULL);
    return dup(0) == -1 ? 0 : 2;
}
