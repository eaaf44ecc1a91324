// SPDX-License-Identifier: Apache-2.0
// A thread that loads a model returns early, and its weights are never freed.
// EXPECT: ERROR resource-leak: 1 block of device memory of ... byte(s) in all
// EXPECT:   allocated by thread
// EXPECT:     ... load_model .../acl_error_path_leak.c:14

#include <pthread.h>

#include "check/support/acl.h"

static void *load_model(void *arg) {
    void *workspace = NULL;
    must(aclrtSetDevice(0));
    char *weights = take(3000);
    if (aclrtMalloc(&workspace, (size_t)1 << 50, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
        return arg;
    must(aclrtFree(workspace));
    must(aclrtFree(weights));
    return NULL;
}

int main(void) {
    pthread_t loader;
    open_device();
    if (pthread_create(&loader, NULL, load_model, NULL) != 0) return 2;
    (void)pthread_join(loader, NULL);
    return 0;
}
