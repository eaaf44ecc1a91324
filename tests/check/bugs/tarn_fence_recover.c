// SPDX-License-Identifier: Apache-2.0
// A program that handles faults itself, by a handler that it installed after its first block, on a
// small alternate stack of a thread: each faulting access is reported, then the handler runs. A signal
// that another process could send is passed to it without a report.
// OPTIONS: --fence
// EXPECT: ERROR use-after-free: read at 0x... by the CPU, instruction 0x...
// EXPECT:     #0 0x... read_once ...
// EXPECT: ERROR heap-overflow: write at 0x...
// EXPECT:     #0 0x... write_once ...
// EXPECT: recovered 3 times
// EXPECT: SUMMARY: 2 error(s), ...

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "check/support/tarn.h"

static sigjmp_buf before;
static volatile char *freed, *live;

static void recover(int number) {
    (void)number;
    siglongjmp(before, 1);
}

__attribute__((noinline)) static void read_once(void) {
    (void)*freed;
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void write_once(void) {
    live[4096] = 1;
    __asm__ volatile("" ::: "memory");
}

static void raise_once(void) { (void)raise(SIGSEGV); }

static void *do_all(void *argument) {
    static char small[16384];
    void (*const steps[])(void) = {read_once, write_once, raise_once};
    const stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
    volatile unsigned recovered = 0;
    (void)sigaltstack(&stack, NULL);
    for (volatile unsigned i = 0; i < 3; i++)
        if (sigsetjmp(before, 1) == 0)
            steps[i]();
        else
            recovered++;
    fprintf(stderr, "recovered %u times\n", recovered);
    return argument;
}

int main(void) {
    struct sigaction action = {.sa_handler = recover, .sa_flags = SA_ONSTACK};
    pthread_t thread;
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    freed = (volatile char *)(uintptr_t)take(pool, 4096);
    (void)sigaction(SIGSEGV, &action, NULL);
    live = (volatile char *)(uintptr_t)take(pool, 4096);
    must(tarn_pool_free(pool, TARN_ADDR(freed)));
    (void)pthread_create(&thread, NULL, do_all, NULL);
    (void)pthread_join(thread, NULL);
    must(tarn_pool_free(pool, TARN_ADDR(live)));
    end_pool(device, pool);
    return 0;
}
