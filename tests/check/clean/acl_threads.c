// SPDX-License-Identifier: Apache-2.0
// Each of three threads allocates, fills, copies and frees on a stream of its own.

#include <pthread.h>

#include "check/support/acl.h"

enum { THREADS = 3, BYTES = 5000 };

static void *work(void *arg) {
    char out[BYTES];
    must(aclrtSetDevice(0));
    aclrtStream stream = make_stream();
    char *block = take(BYTES);
    must(aclrtMemsetAsync(block, BYTES, 1, BYTES, stream));
    must(aclrtMemcpyAsync(out, BYTES, block, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtFree(block));
    must(aclrtDestroyStream(stream));
    return arg;
}

int main(void) {
    pthread_t threads[THREADS];
    open_device();
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0) return 2;
    for (int i = 0; i < THREADS; i++) (void)pthread_join(threads[i], NULL);
    close_device();
    return 0;
}
