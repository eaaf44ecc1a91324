// SPDX-License-Identifier: Apache-2.0
// A process opens a handle twice and closes it as often, and then opens it once more.

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/hip.h"

static void open_twice(int from) {
    hipIpcMemHandle_t handle;
    void *one = NULL, *other = NULL;
    if (read(from, &handle, sizeof handle) != (ssize_t)sizeof handle) exit(2);
    must(hipIpcOpenMemHandle(&one, handle, hipIpcMemLazyEnablePeerAccess));
    must(hipIpcOpenMemHandle(&other, handle, hipIpcMemLazyEnablePeerAccess));
    must(hipIpcCloseMemHandle(one));
    must(hipMemset(other, 1, 64));
    must(hipIpcCloseMemHandle(other));
    must(hipIpcOpenMemHandle(&one, handle, hipIpcMemLazyEnablePeerAccess));
    must(hipIpcCloseMemHandle(one));
    exit(0);
}

int main(void) {
    int ends[2], status = 0;
    hipIpcMemHandle_t handle;
    void *block = NULL;
    if (pipe(ends) != 0) return 2;
    pid_t child = fork();
    if (child == 0) open_twice(ends[0]);
    must(hipMalloc(&block, 4096));
    must(hipIpcGetMemHandle(&handle, block));
    must(hipIpcGetMemHandle(&handle, block));
    if (write(ends[1], &handle, sizeof handle) != (ssize_t)sizeof handle) return 2;
    (void)waitpid(child, &status, 0);
    must(hipFree(block));
    return status != 0;
}
