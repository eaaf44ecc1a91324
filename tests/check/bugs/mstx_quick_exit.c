// SPDX-License-Identifier: Apache-2.0
// A program that leaks a region ends by quick_exit().
// EXPECT: ERROR leak: 100 byte(s) in 1 region(s)
// EXPECT: SUMMARY: 1 error(s), 0 warning(s), 100 byte(s) leaked in 1 region(s), 0 suppressed

#include <stdlib.h>

#include "check/support/mstx.h"

int main(void) {
    (void)region(globalDomain, heap(globalDomain, range, RANGE), range + 512, 100);
    quick_exit(0);
}
