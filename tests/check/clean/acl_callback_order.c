// SPDX-License-Identifier: Apache-2.0
// A callback that blocks its stream copies out what the stream has written before it, and the stream
// writes again behind it.

#include "check/support/acl.h"

#include <pthread.h>

enum { BYTES = 4096 };

static char out[BYTES];
static char *block;
static _Atomic(int) called;

static void copy_out(void *arg) {
    (void)arg;
    must(aclrtMemcpy(out, BYTES, block, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    called = 1;
}

static void *serve(void *arg) {
    (void)arg;
    must(aclrtSetDevice(0));
    while (!called) (void)aclrtProcessReport(100);
    return NULL;
}

int main(void) {
    pthread_t server;
    open_device();
    aclrtStream stream = make_stream();
    block = take(BYTES);
    if (pthread_create(&server, NULL, serve, NULL) != 0) return 2;
    must(aclrtSubscribeReport((uint64_t)server, stream));
    must(aclrtMemsetAsync(block, BYTES, 1, BYTES, stream));
    must(aclrtLaunchCallback(copy_out, NULL, ACL_CALLBACK_BLOCK, stream));
    must(aclrtMemsetAsync(block, BYTES, 2, BYTES, stream));
    must(aclrtSynchronizeStream(stream));
    if (pthread_join(server, NULL) != 0) return 2;
    must(aclrtUnSubscribeReport((uint64_t)server, stream));
    must(aclrtFree(block));
    must(aclrtDestroyStream(stream));
    close_device();
    return 0;
}
