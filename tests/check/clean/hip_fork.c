// SPDX-License-Identifier: Apache-2.0
// A forked worker uses the device by itself. What its parent allocates later is no leak of the
// worker.

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/hip.h"

static void use_device(int value) {
    void *block = NULL;
    must(hipMalloc(&block, 4096));
    must(hipMemset(block, value, 4096));
    must(hipFree(block));
}

int main(void) {
    int status = 0;
    pid_t child = fork();
    use_device(child == 0);
    if (child == 0) exit(0);
    (void)waitpid(child, &status, 0);
    return status != 0;
}
