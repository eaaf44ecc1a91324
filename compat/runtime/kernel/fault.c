// SPDX-License-Identifier: Apache-2.0
// See fault.h. The handlers are installed when a kernel runs, and stay. A handler that finds its
// thread on a guarded fibre makes the thread go on at the base; it passes on every other signal.
#include "compat/runtime/kernel/fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"

static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
#define NUMBERS (sizeof numbers / sizeof numbers[0])
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of a thread that installs handlers
static struct sigaction former[NUMBERS];
#define PASSED 0x6b726e6c // in si_errno of a signal that was passed on

static _Thread_local struct tn_rt_fault *guarded;

// ---- handlers

// Runs the former handler as the system would. Without one, a signal that the thread caused comes
// again on return and ends the process. A handler that calls the former one, which may be this one,
// comes here a second time.
static void pass_on(int number, siginfo_t *info, void *context) {
    size_t i = 0;
    while (numbers[i] != number) i++;
    const struct sigaction *action = &former[i];
    bool has_info = (action->sa_flags & SA_SIGINFO) != 0;
    bool again = info->si_errno == PASSED;
    if (!again && !has_info && action->sa_handler == SIG_IGN && info->si_code <= 0) return;
    info->si_errno = PASSED;
    if (!again && has_info) {
        action->sa_sigaction(number, info, context);
    } else if (!again && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
        action->sa_handler(number);
    } else {
        (void)signal(number, SIG_DFL);
        if (info->si_code <= 0) (void)raise(number);
    }
}

struct tn_rt_fault *tn_rt_fault_of_thread(void) {
    return guarded != NULL && guarded->current != guarded->base ? guarded : NULL;
}

static void handle_signal(int number, siginfo_t *info, void *context) {
    struct tn_rt_fault *fault = tn_rt_fault_of_thread();
    bool own = info->si_code > 0 || number == SIGABRT; // not sent by another process
    if (fault == NULL || !own) {
        pass_on(number, info, context);
        return;
    }
    fault->signal = number;
    fault->code = info->si_code;
    fault->address = (uintptr_t)info->si_addr;
    fault->instruction = tn_rt_fibre_interrupted(context);
    tn_rt_fibre_divert(fault->base, context);
}

static bool is_installed(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
           now.sa_sigaction == handle_signal;
}

// The program may have replaced the handlers since the last kernel.
static void install_handlers(void) {
    struct sigaction action = {.sa_sigaction = handle_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (tn_rt_fibre_watched || is_installed(SIGSEGV)) return;
    (void)sigemptyset(&action.sa_mask);
    TN_FACE_LOCKED(&lock);
    for (size_t i = 0; i < NUMBERS; i++)
        if (!is_installed(numbers[i])) (void)sigaction(numbers[i], &action, &former[i]);
}

// ---- stacks for handlers: a kernel may have filled its own

#define STACK ((size_t)64 << 10)
static pthread_key_t stack_key; // frees a thread's stack when the thread ends
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool has_stack;

static void end_stack(void *stack) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack) (void)sigaltstack(&none, NULL);
    free(stack);
}

static void make_key(void) { (void)pthread_key_create(&stack_key, end_stack); }

// A thread keeps the stack that it got, from the program or here.
static void give_stack(void) {
    stack_t own;
    has_stack = sigaltstack(NULL, &own) == 0 && (own.ss_flags & SS_DISABLE) == 0;
    if (has_stack) return;
    (void)pthread_once(&once, make_key);
    own = (stack_t){.ss_sp = malloc(STACK), .ss_size = STACK};
    if (own.ss_sp == NULL) return;
    has_stack = pthread_setspecific(stack_key, own.ss_sp) == 0;
    if (has_stack)
        (void)sigaltstack(&own, NULL);
    else
        free(own.ss_sp);
}

// ---- guards

void tn_rt_fault_guard(struct tn_rt_fault *fault) {
    install_handlers();
    if (!has_stack) give_stack();
    guarded = fault;
}

void tn_rt_fault_unguard(void) { guarded = NULL; }

// ---- texts

tn_rt_error tn_rt_fault_cause(const struct tn_rt_fault *fault, char *text, size_t size) {
    switch (fault->signal) {
    case SIGFPE:
        (void)snprintf(text, size, "%s",
                       fault->code == FPE_INTDIV ? "a division of an integer by zero, or a "
                                                   "quotient that is too large"
                                                 : "a trap of arithmetic");
        return TN_RT_LAUNCH_FAILURE;
    case SIGABRT: (void)snprintf(text, size, "a failed assertion, or abort()"); return TN_RT_ASSERT;
    case SIGILL:
    case SIGTRAP: (void)snprintf(text, size, "a trap"); return TN_RT_LAUNCH_FAILURE;
    default: break;
    }
    if (tn_rt_fibre_guards(fault->current, fault->address)) {
        (void)snprintf(text, size, "a stack of over %zu bytes", TN_RT_FIBRE_BYTES);
        return TN_RT_LAUNCH_FAILURE;
    }
    if (fault->code == SI_KERNEL) { // the processor does not give the address
        (void)snprintf(text, size, "an access of an address that no memory can have");
        return TN_RT_ILLEGAL_ADDRESS;
    }
    (void)snprintf(text, size, "an access of address 0x%llx, which it must not access",
                   (unsigned long long)fault->address);
    return TN_RT_ILLEGAL_ADDRESS;
}

TN_FACE_ON_FORK(TN_RT_LOCK_FAULT, &lock, NULL);
