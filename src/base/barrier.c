// SPDX-License-Identifier: Apache-2.0
// The barrier of all threads. See barrier.h.
#include "base/barrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/assert.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool works;

static bool call_membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

static void register_process(void) {
    works = call_membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
            call_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

bool tn_barrier_works(void) {
    (void)pthread_once(&once, register_process);
    return works;
}

// A process that is registered stays so, also across fork().
void tn_barrier(void) {
    bool fenced = call_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    TARN_ASSERT(fenced);
    (void)fenced;
}
