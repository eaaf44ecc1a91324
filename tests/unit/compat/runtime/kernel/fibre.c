// SPDX-License-Identifier: Apache-2.0
// Fibres: each keeps its stack and its registers while others run, and has a guard below its stack.
#include "compat/runtime/kernel/fibre.h"

#include <signal.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

#include "support/api.h"

enum { FIBRES = 100, ROUNDS = 50 };

static struct tn_rt_fibre base;
static struct tn_rt_fibre *of[FIBRES];
static unsigned long long sums[FIBRES];

static void create_fibres(void (*entry)(struct tn_rt_fibre *, void *)) {
    struct tn_rt_fibre *idle = NULL;
    tn_rt_fibre_of_thread(&base);
    for (uint32_t i = 0; i < FIBRES; i++) {
        if (idle == NULL) assert_true(tn_rt_fibres_create(&idle, entry, sums));
        of[i] = idle;
        of[i]->user = i;
        idle = idle->next;
    }
}

// Adds numbers of its own to its sum, and goes on in the base after each.
static void add_numbers(struct tn_rt_fibre *fibre, void *arg) {
    unsigned long long *all = (unsigned long long *)arg;
    unsigned long long own[100];
    double real = fibre->user;
    tn_rt_fibre_begin(fibre);
    for (unsigned i = 0; i < 100; i++) own[i] = fibre->user * 1000 + i;
    for (unsigned i = 0;; i = (i + 1) % 100) {
        all[fibre->user] += own[i] + (unsigned long long)real;
        real += 1;
        tn_rt_fibre_switch(fibre, &base, false);
    }
}

static void fibres_keep_their_stacks(void **state) {
    (void)state;
    memset(sums, 0, sizeof sums);
    create_fibres(add_numbers);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < FIBRES; i++) tn_rt_fibre_switch(&base, of[i], false);
    for (unsigned long long i = 0; i < FIBRES; i++)
        assert_true(sums[i] == ROUNDS * i * 1001 + ROUNDS * (ROUNDS - 1));
}

static void leave_at_once(struct tn_rt_fibre *fibre, void *arg) {
    unsigned long long *all = (unsigned long long *)arg;
    tn_rt_fibre_begin(fibre);
    all[fibre->user]++;
    tn_rt_fibre_switch(fibre, &base, true);
}

static void a_fibre_that_was_left_starts_again(void **state) {
    (void)state;
    memset(sums, 0, sizeof sums);
    create_fibres(leave_at_once);
    for (int i = 0; i < 3; i++) {
        tn_rt_fibre_switch(&base, of[7], false);
        tn_rt_fibre_restart(of[7], leave_at_once, sums);
    }
    assert_int_equal(sums[7], 3);
}

static void stacks_have_guards(void **state) {
    (void)state;
    create_fibres(add_numbers);
    for (int i = 0; i < FIBRES; i++) {
        uintptr_t bottom = (uintptr_t)of[i]->stack;
        assert_true(tn_rt_fibre_guards(of[i], bottom - 1));
        assert_false(tn_rt_fibre_guards(of[i], bottom));
        of[i]->stack[0] = 1;
        for (int j = 0; j < i; j++) assert_true(of[i]->stack != of[j]->stack);
    }
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        ((volatile unsigned char *)of[0]->stack)[-1] = 1;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fibres_keep_their_stacks),
        cmocka_unit_test(a_fibre_that_was_left_starts_again),
        cmocka_unit_test(stacks_have_guards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
