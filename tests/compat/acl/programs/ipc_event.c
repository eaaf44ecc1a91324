// SPDX-License-Identifier: Apache-2.0
// A stream of the child waits for an event that a stream of the parent records: the child's copy finds what
// the parent's fill wrote, although neither process waits for the other in between.
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

#include "support/sample.h"

#define BYTES ((size_t)1 << 18)
#define KEY   65

struct shared {
    char key[KEY];
    aclrtIpcEventHandle event;
};

static void child_main(int from_parent, int to_parent) {
    struct shared shared;
    aclrtStream stream;
    aclrtEvent filled;
    void *memory = NULL, *pinned = NULL;
    char submitted = 's';
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&stream));
    must(aclrtMallocHost(&pinned, BYTES));
    pipe_receive(from_parent, &shared, sizeof shared);
    must(aclrtIpcMemImportByKey(&memory, shared.key, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
    must(aclrtIpcOpenEventHandle(shared.event, &filled));
    must(aclrtStreamWaitEvent(stream, filled));
    must(aclrtMemcpyAsync(pinned, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    pipe_send(to_parent, &submitted, 1);
    must(aclrtSynchronizeStream(stream));
    for (size_t i = 0; i < BYTES; i++) expect(((unsigned char *)pinned)[i] == 77);
    must(aclrtDestroyEvent(filled));
    must(aclrtIpcMemClose(shared.key));
    must(aclrtFreeHost(pinned));
    must(aclrtDestroyStream(stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
}

static void wait_for_gate(void *gate) {
    while (!atomic_load((atomic_bool *)gate)) usleep(100);
}

// The fill is held up until the child has submitted its copy.
static void parent_main(int from_child, int to_child, pid_t child) {
    struct shared shared;
    atomic_bool gate = false;
    aclrtStream stream;
    aclrtEvent filled;
    void *memory = NULL;
    char submitted = 0;
    int status = -1;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&stream));
    must(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(memory, BYTES, 1, BYTES));
    must(aclrtCreateEventExWithFlag(&filled, ACL_EVENT_IPC));
    memset(&shared, 0, sizeof shared);
    must(aclrtIpcMemGetExportKey(memory, BYTES, shared.key, KEY,
                                 ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    must(aclrtIpcGetEventHandle(filled, &shared.event));
    must(aclrtLaunchHostFunc(stream, wait_for_gate, &gate));
    must(aclrtMemsetAsync(memory, BYTES, 77, BYTES, stream));
    must(aclrtRecordEvent(filled, stream));
    pipe_send(to_child, &shared, sizeof shared);
    pipe_receive(from_child, &submitted, 1);
    atomic_store(&gate, true);
    expect(waitpid(child, &status, 0) == child && status == 0);
    must(aclrtSynchronizeStream(stream));
    must(aclrtDestroyEvent(filled));
    must(aclrtDestroyStream(stream));
    must(aclrtFree(memory));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("the child has waited for the parent's fill\n");
}

int main(void) {
    int down[2], up[2];
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
    parent_main(up[0], down[1], child);
    return 0;
}
