// SPDX-License-Identifier: Apache-2.0
// A block that another process opened is used after it was closed there.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by hipMemset, in a block of device memory of 4096 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT:     ... use_closed .../hip_ipc_after_close.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... use_closed .../hip_ipc_after_close.c:20
// EXPECT:   freed by thread
// EXPECT:     ... use_closed .../hip_ipc_after_close.c:21

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/hip.h"

static void use_closed(int from) {
    hipIpcMemHandle_t handle;
    void *block = NULL;
    if (read(from, &handle, sizeof handle) != (ssize_t)sizeof handle) exit(2);
    must(hipIpcOpenMemHandle(&block, handle, hipIpcMemLazyEnablePeerAccess));
    must(hipIpcCloseMemHandle(block));
    (void)hipMemset(block, 1, 64);
    exit(0);
}

int main(void) {
    int ends[2], status = 0;
    hipIpcMemHandle_t handle;
    void *block = NULL;
    if (pipe(ends) != 0) return 2;
    pid_t child = fork();
    if (child == 0) use_closed(ends[0]);
    must(hipMalloc(&block, 4096));
    must(hipMemset(block, 0, 4096));
    must(hipIpcGetMemHandle(&handle, block));
    if (write(ends[1], &handle, sizeof handle) != (ssize_t)sizeof handle) return 2;
    (void)waitpid(child, &status, 0);
    must(hipFree(block));
    return status != 0;
}
