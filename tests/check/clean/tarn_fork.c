// SPDX-License-Identifier: Apache-2.0
// A forked worker uses the device by itself. What its parent holds at the fork is no leak of it.

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/tarn.h"

static void use_device(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(pool, 1000);
    must(tarn_fill(device, block, 1, 1, 1000, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
}

int main(void) {
    int status = 0;
    pid_t child = fork();
    use_device();
    if (child == 0) exit(0);
    (void)waitpid(child, &status, 0);
    return status != 0;
}
