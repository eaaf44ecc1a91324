// SPDX-License-Identifier: Apache-2.0
// Two processes take turns on the device without waiting on the CPU: each round the parent's stream fills
// shared memory and sets one notify, and the child's stream waits for it, copies and sets the other.
#include <string.h>
#include <sys/wait.h>

#include "support/sample.h"

#define BYTES  ((size_t)1 << 16)
#define ROUNDS 10
#define KEY    65

struct keys {
    char memory[KEY], filled[KEY], copied[KEY];
};

static void child_main(int from_parent, int to_parent) {
    struct keys keys;
    aclrtStream stream;
    aclrtNotify filled, copied;
    void *memory = NULL, *pinned = NULL;
    char ready = 'r';
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&stream));
    must(aclrtMallocHost(&pinned, ROUNDS * BYTES));
    pipe_receive(from_parent, &keys, sizeof keys);
    must(aclrtIpcMemImportByKey(&memory, keys.memory, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
    must(aclrtNotifyImportByKey(&filled, keys.filled, ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT));
    must(aclrtNotifyImportByKey(&copied, keys.copied, ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT));
    for (int i = 0; i < ROUNDS; i++) {
        char *copy = (char *)pinned + (size_t)i * BYTES;
        must(aclrtWaitAndResetNotify(filled, stream, 30));
        must(aclrtMemcpyAsync(copy, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        must(aclrtRecordNotify(copied, stream));
    }
    pipe_send(to_parent, &ready, 1);
    must(aclrtSynchronizeStream(stream));
    for (size_t i = 0; i < ROUNDS * BYTES; i++)
        expect(((unsigned char *)pinned)[i] == i / BYTES + 1);
    must(aclrtDestroyNotify(filled));
    must(aclrtDestroyNotify(copied));
    must(aclrtIpcMemClose(keys.memory));
    must(aclrtFreeHost(pinned));
    must(aclrtDestroyStream(stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
}

// Returns the shared memory, which is freed when the child has ended.
static void *parent_main(int from_child, int to_child) {
    struct keys keys;
    aclrtStream stream;
    aclrtNotify filled, copied;
    void *memory = NULL;
    char ready = 0;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&stream));
    must(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtCreateNotify(&filled, ACL_NOTIFY_DEFAULT));
    must(aclrtCreateNotify(&copied, ACL_NOTIFY_DEFAULT));
    memset(&keys, 0, sizeof keys);
    must(aclrtIpcMemGetExportKey(memory, BYTES, keys.memory, KEY,
                                 ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    must(aclrtNotifyGetExportKey(filled, keys.filled, KEY,
                                 ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    must(aclrtNotifyGetExportKey(copied, keys.copied, KEY,
                                 ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    pipe_send(to_child, &keys, sizeof keys);
    pipe_receive(from_child, &ready, 1);
    for (int i = 0; i < ROUNDS; i++) {
        must(aclrtMemsetAsync(memory, BYTES, i + 1, BYTES, stream));
        must(aclrtRecordNotify(filled, stream));
        must(aclrtWaitAndResetNotify(copied, stream, 30));
    }
    must(aclrtSynchronizeStream(stream));
    must(aclrtDestroyNotify(filled));
    must(aclrtDestroyNotify(copied));
    must(aclrtDestroyStream(stream));
    return memory;
}

int main(void) {
    int down[2], up[2], status = -1;
    expect(pipe(down) == 0 && pipe(up) == 0);
    pid_t child = fork(); // before the first call of AscendCL
    expect(child >= 0);
    if (child == 0) {
        close(down[1]);
        close(up[0]);
        child_main(down[0], up[1]);
        return 0;
    }
    close(down[0]);
    close(up[1]);
    void *memory = parent_main(up[0], down[1]);
    expect(waitpid(child, &status, 0) == child && status == 0);
    must(aclrtFree(memory));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("%d rounds in two processes\n", ROUNDS);
    return 0;
}
