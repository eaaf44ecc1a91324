// SPDX-License-Identifier: Apache-2.0
// A forked child leaks a region, and inherits one from its parent, which is no leak of the child.
// The child reports, and keeps its own exit status.
// EXPECT: ERROR leak: 100 byte(s) in 1 region(s)
// EXPECT: SUMMARY: 1 error(s), 0 warning(s), 100 byte(s) leaked in 1 region(s), 0 suppressed
// EXPECT: SUMMARY: 0 error(s), 0 warning(s), 0 byte(s) leaked in 0 region(s), 0 suppressed
// EXPECT: tarn check: 2 processes: 1 error(s), 0 warning(s), 100 byte(s) leaked in 1 region(s)

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/mstx.h"

int main(void) {
    int status = 0;
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t inherited = region(globalDomain, pool, range, 256);
    pid_t child = fork();
    if (child == 0) {
        (void)region(globalDomain, pool, range + 512, 100);
        exit(5);
    }
    (void)waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 5) {
        fprintf(stderr, "the child did not exit with 5\n");
        return 2;
    }
    end_handle(globalDomain, inherited);
    return 0;
}
