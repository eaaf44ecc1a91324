// SPDX-License-Identifier: Apache-2.0
// A forked child inherits a region. It ends without freeing it, by exit() and by _exit(), during a step
// and after one. None of that is a leak.
// OPTIONS: --leaks step

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/mstx.h"

static void do_step(void) { mstxRangeEnd(mstxRangeStartA("step start", NULL)); }

static void run_child(int steps, void (*end)(int)) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < steps; i++) do_step();
        end(0);
    }
    (void)waitpid(child, &status, 0);
    if (status != 0) exit(2);
}

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    do_step();
    mstxMemRegionHandle_t inherited = region(globalDomain, pool, range, 256);
    run_child(0, exit);
    run_child(0, _exit);
    run_child(3, exit);
    run_child(3, _exit);
    end_handle(globalDomain, inherited);
    return 0;
}
