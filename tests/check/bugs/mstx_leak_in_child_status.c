// SPDX-License-Identifier: Apache-2.0
// A forked child leaks a region, and exits with the status that an option gives to such children.
// OPTIONS: --child-exitcode 9
// EXPECT: ERROR leak: 100 byte(s) in 1 region(s)
// EXPECT: tarn check: 2 processes: 1 error(s), 0 warning(s), 100 byte(s) leaked in 1 region(s)

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/mstx.h"

int main(void) {
    int status = 0;
    mstxMarkA("before", NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)region(globalDomain, heap(globalDomain, range, RANGE), range + 512, 100);
        exit(5);
    }
    (void)waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 9) {
        fprintf(stderr, "the child did not exit with 9\n");
        return 2;
    }
    return 0;
}
