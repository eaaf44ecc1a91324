// SPDX-License-Identifier: Apache-2.0
// A handler of the program that calls the former handler, which is the checker's: the process ends by
// the signal, with one report.
// OPTIONS: --fence
// EXPECT: ERROR use-after-free: write at 0x...
// EXPECT: tarn_fence_handlers.c:
// EXPECT: the program's handler runs
// EXPECT: was ended by signal 11
// EXPECT: tarn check: 1 processes: 1 error(s), ...

#include <signal.h>
#include <unistd.h>

#include "check/support/tarn.h"

static struct sigaction former;

static void call_former(int number, siginfo_t *info, void *context) {
    static const char text[] = "the program's handler runs\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    former.sa_sigaction(number, info, context);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = call_former, .sa_flags = SA_SIGINFO};
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    volatile char *bytes = (volatile char *)(uintptr_t)take(pool, 4096);
    (void)sigaction(SIGSEGV, &action, &former);
    (void)take(pool, 4096);
    must(tarn_pool_free(pool, TARN_ADDR(bytes)));
    *bytes = 1;
    return 0;
}
