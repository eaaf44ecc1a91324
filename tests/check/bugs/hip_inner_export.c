// SPDX-License-Identifier: Apache-2.0
// A chunk inside a block is exported, whose importer would get the start of the block; then the block after
// its free.
// EXPECT: WARN inner-export: hipIpcGetMemHandle of 0x..., which is 4096 byte(s) inside a block of device memory of 8192 byte(s)
// EXPECT:     ... main .../hip_inner_export.c:
// EXPECT:   allocated by thread
// EXPECT: ERROR use-after-free: hipIpcGetMemHandle of 0x..., in a block of device memory of 8192 byte(s) that was freed

#include "check/support/hip.h"

int main(void) {
    hipIpcMemHandle_t handle;
    void *block = NULL;
    must(hipMalloc(&block, 8192));
    must(hipIpcGetMemHandle(&handle, (char *)block + 4096));
    must(hipFree(block));
    (void)hipIpcGetMemHandle(&handle, block);
    return 0;
}
