// SPDX-License-Identifier: Apache-2.0
// A program makes a mistake and replaces itself by itself, with an argument, which makes it again.
// EXPECT: ERROR bad-argument: ...
// EXPECT: ERROR bad-argument: ...
// EXPECT: SUMMARY: 1 error(s), ...
// EXPECT: tarn check: 1 process(es) ended without a summary
// EXPECT: tarn check: 2 processes: 2 error(s), ...

#include <unistd.h>

#include "check/support/mstx.h"

int main(int argc, char **argv) {
    char second[] = "the second time";
    char *arguments[] = {argv[0], second, NULL};
    (void)mstxMemHeapRegister(globalDomain, NULL);
    return argc > 1 ? 0 : execv("/proc/self/exe", arguments);
}
