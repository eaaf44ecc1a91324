// SPDX-License-Identifier: Apache-2.0
// A program makes a mistake when it can open no descriptors any more. The report is in its own standard
// error, and the program itself exits with the status for errors.
// EXPECT: ERROR bad-argument: ...
// EXPECT:     #0 0x...mstx_no_descriptors_ever+0x...)
// EXPECT: SUMMARY: 1 error(s), ...
// EXPECT: tarn check: 1 process(es) ended without a summary
// EXIT: 77

#include <sys/resource.h>

#include "check/support/mstx.h"

int main(void) {
    const struct rlimit limit = {3, 3};
    (void)heap(globalDomain, range, RANGE);
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    (void)mstxMemHeapRegister(globalDomain, NULL);
    return 0;
}
