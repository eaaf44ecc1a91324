// SPDX-License-Identifier: Apache-2.0
// A thread of the program fills memory that the main thread freed before.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by aclrtMemset, in a block of device memory of ... byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT:     ... fill_late .../acl_thread_after_free.c:17
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_thread_after_free.c:24
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_thread_after_free.c:25

#include <pthread.h>

#include "check/support/acl.h"

static void *fill_late(void *block) {
    must(aclrtSetDevice(0));
    (void)aclrtMemset(block, 64, 1, 64);
    return NULL;
}

int main(void) {
    pthread_t thread;
    open_device();
    char *block = take(4096);
    must(aclrtFree(block));
    if (pthread_create(&thread, NULL, fill_late, block) != 0) return 2;
    (void)pthread_join(thread, NULL);
    close_device();
    return 0;
}
