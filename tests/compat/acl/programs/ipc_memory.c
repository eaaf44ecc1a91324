// SPDX-License-Identifier: Apache-2.0
// Two processes work in one allocation: the parent fills it and admits the child, which imports it by its
// key, checks it and answers in place.
#include <string.h>
#include <sys/wait.h>

#include "support/sample.h"

#define BYTES ((size_t)1 << 18)
#define KEY   65

static void child_main(int from_parent, int to_parent) {
    static unsigned char bytes[BYTES];
    char key[KEY], done = 'd';
    void *memory = NULL;
    int32_t pid = 0;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtDeviceGetBareTgid(&pid));
    pipe_send(to_parent, &pid, sizeof pid);
    pipe_receive(from_parent, key, sizeof key);
    must(aclrtIpcMemImportByKey(&memory, key, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
    must(aclrtMemcpy(bytes, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    for (size_t i = 0; i < BYTES; i++) {
        expect(bytes[i] == (unsigned char)(i % 251));
        bytes[i] = (unsigned char)~bytes[i];
    }
    must(aclrtMemcpy(memory, BYTES, bytes, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
    must(aclrtIpcMemClose(key));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    pipe_send(to_parent, &done, 1);
}

static void parent_main(int from_child, int to_child) {
    static unsigned char bytes[BYTES];
    char key[KEY] = "", done = 0;
    void *memory = NULL;
    int32_t pid = 0;
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (unsigned char)(i % 251);
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemcpy(memory, BYTES, bytes, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
    must(aclrtIpcMemGetExportKey(memory, BYTES, key, sizeof key,
                                 ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT));
    pipe_receive(from_child, &pid, sizeof pid);
    must(aclrtIpcMemSetImportPid(key, &pid, 1));
    pipe_send(to_child, key, sizeof key);
    pipe_receive(from_child, &done, 1);
    must(aclrtMemcpy(bytes, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    for (size_t i = 0; i < BYTES; i++) expect(bytes[i] == (unsigned char)~(i % 251));
    must(aclrtIpcMemClose(key));
    must(aclrtFree(memory));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("the child has answered in the parent's %zu bytes\n", BYTES);
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
    parent_main(up[0], down[1]);
    expect(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
