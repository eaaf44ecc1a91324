// SPDX-License-Identifier: Apache-2.0
// A forked worker frees twice a block that it allocated itself.
// EXPECT: ERROR double-free: region R1 [0x...,+...) given to HIAI_DFree again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_double_free_in_child.c:23
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_double_free_in_child.c:21
// EXPECT:   first freed by thread
// EXPECT:     ... main .../hiai_double_free_in_child.c:22

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/hiai.h"

int main(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        begin();
        void *block = take(4096);
        must(HIAI_DFree(block));
        exit(HIAI_DFree(block) == HIAI_OK);
    }
    (void)waitpid(child, &status, 0);
    return status != 0;
}
