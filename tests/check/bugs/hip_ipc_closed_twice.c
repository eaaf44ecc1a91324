// SPDX-License-Identifier: Apache-2.0
// Memory of another process is freed by hipFree, closed from its inside, and closed once too often.
// EXPECT: ERROR wrong-family-free: hipFree of 0x..., which is a block of device memory of 4096 byte(s) that was imported
// EXPECT: ERROR invalid-free: hipIpcCloseMemHandle of 0x..., which is 256 byte(s) inside a block of device memory of 4096 byte(s)
// EXPECT: ERROR double-free: hipIpcCloseMemHandle of 0x... again, a block of device memory of 4096 byte(s)
// EXPECT:     ... close_twice .../hip_ipc_closed_twice.c:
// EXPECT:   first freed by thread
// EXPECT: ERROR wrong-family-free: hipIpcCloseMemHandle of 0x..., which is a block of device memory of 4096 byte(s) that this process allocated

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/hip.h"

static void close_twice(int from) {
    hipIpcMemHandle_t handle;
    void *block = NULL;
    if (read(from, &handle, sizeof handle) != (ssize_t)sizeof handle) exit(2);
    must(hipIpcOpenMemHandle(&block, handle, hipIpcMemLazyEnablePeerAccess));
    (void)hipFree(block);
    (void)hipIpcCloseMemHandle((char *)block + 256);
    must(hipIpcCloseMemHandle(block));
    (void)hipIpcCloseMemHandle(block);
    exit(0);
}

int main(void) {
    int ends[2], status = 0;
    hipIpcMemHandle_t handle;
    void *block = NULL;
    if (pipe(ends) != 0) return 2;
    pid_t child = fork();
    if (child == 0) close_twice(ends[0]);
    must(hipMalloc(&block, 4096));
    must(hipIpcGetMemHandle(&handle, block));
    if (write(ends[1], &handle, sizeof handle) != (ssize_t)sizeof handle) return 2;
    (void)waitpid(child, &status, 0);
    (void)hipIpcCloseMemHandle(block);
    must(hipFree(block));
    return status != 0;
}
