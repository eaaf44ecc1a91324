// SPDX-License-Identifier: Apache-2.0
// A forked worker frees twice what it allocated itself.
// EXPECT: ERROR double-free: region R1 [0x...,+1000) given to tarn_pool_free again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_double_free_in_child.c:24
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_double_free_in_child.c:22
// EXPECT:   first freed by thread
// EXPECT:     ... main .../tarn_double_free_in_child.c:23

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/tarn.h"

int main(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        tarn_device *device = open_device();
        tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
        tarn_addr block = take(pool, 1000);
        must(tarn_pool_free(pool, block));
        (void)tarn_pool_free(pool, block);
        end_pool(device, pool);
        exit(0);
    }
    (void)waitpid(child, &status, 0);
    return status != 0;
}
