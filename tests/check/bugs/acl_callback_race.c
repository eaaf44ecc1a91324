// SPDX-License-Identifier: Apache-2.0
// A callback copies out what another stream may still be writing. It runs after the host has waited
// for that stream.
// EXPECT: ERROR host-race: read of 4096 byte(s) at 0x... by aclrtMemcpy on the host is unordered with the write by aclrtMemsetAsync on stream 0x..., in a block of device memory of 4096 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... copy_out .../acl_callback_race.c:24
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../acl_callback_race.c:42

#include "check/support/acl.h"

#include <pthread.h>

enum { BYTES = 4096 };

static char out[BYTES];
static char *block;
static _Atomic(int) written, called;

static void copy_out(void *arg) {
    (void)arg;
    while (!written) {
    }
    must(aclrtMemcpy(out, BYTES, block, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    called = 1;
}

static void *serve(void *arg) {
    must(aclrtSetDevice(0));
    while (!called) (void)aclrtProcessReport(100);
    return arg;
}

int main(void) {
    pthread_t server;
    open_device();
    aclrtStream writes = make_stream(), calls = make_stream();
    block = take(BYTES);
    if (pthread_create(&server, NULL, serve, NULL) != 0) return 2;
    must(aclrtSubscribeReport((uint64_t)server, calls));
    must(aclrtLaunchCallback(copy_out, NULL, ACL_CALLBACK_NO_BLOCK, calls));
    must(aclrtMemsetAsync(block, BYTES, 1, BYTES, writes));
    must(aclrtSynchronizeStream(writes));
    written = 1;
    must(aclrtSynchronizeStream(calls));
    if (pthread_join(server, NULL) != 0) return 2;
    must(aclrtUnSubscribeReport((uint64_t)server, calls));
    must(aclrtFree(block));
    must(aclrtDestroyStream(calls));
    must(aclrtDestroyStream(writes));
    close_device();
    return 0;
}
