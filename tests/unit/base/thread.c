// SPDX-License-Identifier: Apache-2.0
// Claims about threads of the library: which signals reach them, and that the caller's mask stays.
#include "base/thread.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void *read_mask(void *arg) {
    (void)pthread_sigmask(SIG_SETMASK, NULL, (sigset_t *)arg);
    return NULL;
}

static void a_thread_blocks_all_signals_but_its_faults(void **state) {
    pthread_t thread;
    sigset_t before;
    sigset_t inside;
    sigset_t after;
    (void)state;
    (void)read_mask(&before);
    assert_int_equal(tn_thread_create(&thread, read_mask, &inside), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)read_mask(&after);
    assert_int_equal(sigismember(&inside, SIGINT), 1);
    assert_int_equal(sigismember(&inside, SIGCHLD), 1);
    assert_int_equal(sigismember(&inside, SIGSEGV), 0);
    assert_int_equal(sigismember(&inside, SIGBUS), 0);
    for (int signal = 1; signal < 32; signal++)
        assert_int_equal(sigismember(&before, signal), sigismember(&after, signal));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_blocks_all_signals_but_its_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
