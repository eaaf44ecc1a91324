// SPDX-License-Identifier: Apache-2.0
// A forked worker uses HIAI by itself, and so does its parent.

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/hiai.h"

static void use_blocks(void) {
    begin();
    char *one = take(4096), *other = take(10000);
    memset(one, 1, 4096);
    memset(other, 1, 10000);
    must(HIAI_DFree(other));
    must(HIAI_DFree(one));
}

int main(void) {
    int status = 0;
    pid_t child = fork();
    use_blocks();
    if (child == 0) exit(0);
    (void)waitpid(child, &status, 0);
    return status != 0;
}
