// SPDX-License-Identifier: Apache-2.0
// A forked child leaks a reservation and a block of a pool. What its parent began is no leak of the
// child, and the parent releases it.
// EXPECT: ERROR leak: 4096 byte(s) in 1 region(s)
// EXPECT: ERROR resource-leak: 1 reservation of 2097152 byte(s) in all
// EXPECT: SUMMARY: 2 error(s), ...
// EXPECT: SUMMARY: 0 error(s), ...

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/tarn.h"

static tarn_addr reserve(tarn_device *device) {
    tarn_addr addr = 0;
    must(tarn_space_reserve(device, 2 << 20, 0, 0, &addr));
    return addr;
}

int main(void) {
    int status = 0;
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(pool, 512), range = reserve(device);
    pid_t child = fork();
    if (child == 0) {
        tarn_device *own = open_device();
        (void)take(make_pool(own, TARN_POOL_EXPANDABLE), 4096);
        (void)reserve(own);
        exit(0);
    }
    (void)waitpid(child, &status, 0);
    must(tarn_pool_free(pool, block));
    must(tarn_space_release(range));
    end_pool(device, pool);
    return status == 0 ? 0 : 2;
}
