// SPDX-License-Identifier: Apache-2.0
// A forked worker ends a tensor that its parent has ended before the fork.
// EXPECT: ERROR double-free: region R1 [0x...,+100) unregistered again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... main .../mstx_double_free_in_child.c:23
// EXPECT:   allocated by thread
// EXPECT:     ... main .../mstx_double_free_in_child.c:19
// EXPECT:   first freed by thread
// EXPECT:     ... main .../mstx_double_free_in_child.c:20

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/mstx.h"

int main(void) {
    int status = 0;
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t tensor = region(globalDomain, pool, range, 100);
    end_handle(globalDomain, tensor);
    pid_t child = fork();
    if (child == 0) {
        end_handle(globalDomain, tensor);
        exit(0);
    }
    (void)waitpid(child, &status, 0);
    mstxMemHeapUnregister(globalDomain, pool);
    return status != 0;
}
