// SPDX-License-Identifier: Apache-2.0
// The key of exported memory is closed twice, in the process that opened it and in the one that made it.
// EXPECT: ERROR bad-handle: aclrtIpcMemClose of 0x..., which names nothing any more
// EXPECT:     ... close_twice .../acl_ipc_closed_twice.c:
// EXPECT: ERROR bad-handle: aclrtIpcMemClose of 0x..., which names nothing any more
// EXPECT:     ... main .../acl_ipc_closed_twice.c:

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/acl.h"

enum { KEY = 65, BYTES = 4096 };

static void close_twice(int from) {
    char key[KEY];
    void *block = NULL;
    if (read(from, key, KEY) != KEY) exit(2);
    open_device();
    must(aclrtIpcMemImportByKey(&block, key, 0));
    must(aclrtIpcMemClose(key));
    (void)aclrtIpcMemClose(key);
    close_device();
    exit(0);
}

int main(void) {
    int ends[2], status = 0;
    char key[KEY];
    if (pipe(ends) != 0) return 2;
    pid_t child = fork();
    if (child == 0) close_twice(ends[0]);
    open_device();
    char *block = take(BYTES);
    must(aclrtIpcMemGetExportKey(block, BYTES, key, KEY,
                                 ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    if (write(ends[1], key, KEY) != KEY) return 2;
    (void)waitpid(child, &status, 0);
    must(aclrtIpcMemClose(key));
    (void)aclrtIpcMemClose(key);
    must(aclrtFree(block));
    close_device();
    return status != 0;
}
