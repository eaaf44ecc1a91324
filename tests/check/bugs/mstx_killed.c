// SPDX-License-Identifier: Apache-2.0
// A program repeats a mistake and is killed. The report, most of its repetitions and the missing
// summary are known.
// EXPECT: ERROR bad-argument: ...
// EXPECT: was ended by signal 9
// EXPECT: tarn check: 1 process(es) ended without a summary
// EXPECT: tarn check: 1 processes: 64 error(s), ...

#include <signal.h>

#include "check/support/mstx.h"

int main(void) {
    for (int i = 0; i < 100; i++) (void)mstxMemHeapRegister(globalDomain, NULL);
    return raise(SIGKILL);
}
