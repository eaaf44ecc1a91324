// SPDX-License-Identifier: Apache-2.0
// Reports faulting accesses of the CPU; see refused.h. The handler works on a stack of its own,
// because names of code need more than an alternate stack has. Printing calls malloc() and takes
// locks, which the faulting thread itself may hold. It is bounded by a timer: when that expires, or
// when the report itself faults, one line without names is written and the process ends by the
// signal.
#include "check/refused.h"

#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/context.h"
#include "base/variable.h"
#include "check/access.h"
#include "check/describe.h"
#include "check/options.h"
#include "check/report/outlet.h"
#include "stack/unwind.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
    STACK_BYTES = 1 << 20,
    FRAMES = 64,
    SECONDS = 10, // for a report
    SIGNALS = 2,
    PASSED = 0x7a6e // marks a signal that was passed to the program, in si_errno, which is 0
};

static const int numbers[SIGNALS] = {SIGSEGV, SIGBUS};

// The report of one fault at a time.
static struct {
    _Atomic uint32_t thread; // that reports, or 0
    bool fenced;             // pools of this process have fences
    void *stack;
    struct sigaction program[SIGNALS]; // the handlers of the program
    _Atomic bool installing;
    ucontext_t give_up; // where the handler goes on without a report
    volatile bool gave_up;
    timer_t timer;
    bool timed; // the timer runs
    struct sigaction before_timer;
    ucontext_t from; // where it goes on after the report
    ucontext_t to;
    const siginfo_t *info;
    const ucontext_t *machine;
    uintptr_t frames[FRAMES]; // of the faulting thread; the first is one behind the instruction
    size_t count;
} fault;

// ---- a report

static const char *verb(void) { return tn_context_is_write(fault.machine) ? "write" : "read"; }

// The number of bytes is unknown. The address is that of the first byte that faults.
static void describe_fault(char *text, size_t room, uint64_t address) {
    (void)snprintf(text, room, "%s at 0x%" PRIx64 " by the CPU, instruction 0x%" PRIxPTR, verb(),
                   address, tn_context_instruction(fault.machine));
}

// Judges the access by the model.
static void judge_fault(struct tn_check_call *call, uint64_t address) {
    const struct tn_check_access access = {.device = TN_CHECK_ANY_DEVICE,
                                           .lo = address,
                                           .bytes = 1,
                                           .height = 1,
                                           .depth = 1,
                                           .write = tn_context_is_write(fault.machine)};
    enum tn_check_byte_state state = tn_check_byte_state(0, TN_CHECK_ANY_DEVICE, address);
    const struct tn_check_region *live = tn_check_region_containing(0, address);
    if (state == TN_CHECK_BYTE_LIVE && live != NULL) {
        struct tn_check_report *report =
            tn_check_call_report(call, TN_CHECK_KIND_PERMISSION_VIOLATION, "%s", verb());
        tn_check_report_set_range(report, address, 1);
        tn_check_describe_region(report, live, address);
    } else if (state == TN_CHECK_BYTE_UNUSED || state == TN_CHECK_BYTE_FREED) {
        tn_check_access_judge(call, &access);
    }
    if (call->first == NULL) return;
    struct tn_check_report *report = &call->first->report;
    report->access = verb();
    describe_fault(report->what, sizeof report->what, address);
    if (state == TN_CHECK_BYTE_LIVE) {
        struct tn_check_text text = {report->what, strlen(report->what), sizeof report->what};
        tn_check_text_add(&text, ", in a block that the CPU may not %s", verb());
    }
}

// Runs on the stack of this file.
static void report_fault(void) {
    struct tn_check_call call;
    if (!tn_check_call_begin(&call, "access", false)) return; // the checker itself faulted
    call.by.stack = tn_stack_keep(fault.frames, fault.count);
    uint64_t address = (uint64_t)(uintptr_t)fault.info->si_addr;
    judge_fault(&call, address);
    bool explained = call.first != NULL;
    tn_check_call_end(&call);
    if (!explained) {
        char text[128];
        describe_fault(text, sizeof text, address);
        tn_check_refused_fault(address, tn_context_is_write(fault.machine), text, call.by.stack);
    }
}

// ---- the limit

struct search {
    uintptr_t address;
    const char *object;
    uintptr_t offset;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = (struct search *)context;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD &&
            search->address - info->dlpi_addr - part->p_vaddr < part->p_memsz) {
            search->object = info->dlpi_name[0] == '\0' ? program_invocation_name : info->dlpi_name;
            search->offset = search->address - info->dlpi_addr;
            return 1;
        }
    }
    return 0;
}

// Writes one line, without names of functions, and ends the process by the signal.
__attribute__((noreturn)) static void end_without_report(void) {
    char line[768];
    struct search search = {tn_context_instruction(fault.machine), "??", 0};
    (void)dl_iterate_phdr(find_object, &search);
    int length = snprintf(line, sizeof line,
                          "==%d== ERROR %s at 0x%" PRIxPTR " by the CPU, instruction 0x%" PRIxPTR
                          " (%.400s+0x%" PRIxPTR "), not explained: the report did not end\n",
                          (int)getpid(), verb(), (uintptr_t)fault.info->si_addr, search.address,
                          search.object, search.offset);
    tn_check_outlet_emit_last(line, (size_t)length);
    (void)signal(fault.info->si_signo, SIG_DFL);
    sigset_t one;
    (void)sigemptyset(&one);
    (void)sigaddset(&one, fault.info->si_signo);
    (void)pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    (void)raise(fault.info->si_signo);
    _exit(128 + fault.info->si_signo);
}

static void give_up(void) {
    fault.gave_up = true;
    (void)setcontext(&fault.give_up);
}

static void expire(int number) {
    (void)number;
    if (tn_load_relaxed(&fault.thread) == (uint32_t)syscall(SYS_gettid)) give_up();
}

// Starts a timer that signals this thread.
static void start_timer(void) {
    struct sigaction action = {.sa_handler = expire};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX};
    const struct itimerspec limit = {.it_value = {SECONDS, 0}};
    sigset_t one;
    (void)sigemptyset(&one);
    (void)sigaddset(&one, SIGRTMAX);
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    (void)pthread_sigmask(SIG_UNBLOCK, &one, NULL); // until this handler returns
    fault.timed = sigaction(SIGRTMAX, &action, &fault.before_timer) == 0 &&
                  timer_create(CLOCK_MONOTONIC, &event, &fault.timer) == 0 &&
                  timer_settime(fault.timer, 0, &limit, NULL) == 0;
}

// Reports the fault on the stack of this file. Does not return if the time is up.
static void report_in_time(void) {
    start_timer();
    fault.gave_up = false;
    if (getcontext(&fault.give_up) != 0 || fault.gave_up) end_without_report();
    if (getcontext(&fault.to) == 0) {
        fault.to.uc_stack.ss_sp = fault.stack;
        fault.to.uc_stack.ss_size = STACK_BYTES;
        fault.to.uc_link = &fault.from;
        makecontext(&fault.to, report_fault, 0);
        fault.count = tn_unwind_fault(fault.frames, FRAMES, fault.machine);
        (void)swapcontext(&fault.from, &fault.to);
    }
    if (fault.timed) {
        (void)timer_delete(fault.timer);
        (void)sigaction(SIGRTMAX, &fault.before_timer, NULL);
    }
}

// ---- the signal

// Runs the handler of the program as the system would. Without one, the access faults again on
// return and ends the process. A handler that calls the former handler, which is this one, comes
// here a second time.
static void pass_to_program(int number, siginfo_t *info, void *context) {
    unsigned which = number == numbers[1];
    struct sigaction *program = &fault.program[which];
    bool has_handler = (program->sa_flags & SA_SIGINFO) != 0 ||
                       (program->sa_handler != SIG_DFL && program->sa_handler != SIG_IGN);
    if (!has_handler || info->si_errno == PASSED) {
        (void)signal(number, SIG_DFL);
        return;
    }
    info->si_errno = PASSED;
    struct sigaction now = *program;
    if ((now.sa_flags & SA_NODEFER) == 0) (void)sigaddset(&now.sa_mask, number);
    if ((now.sa_flags & (int)SA_RESETHAND) != 0) {
        program->sa_flags &= ~SA_SIGINFO;
        program->sa_handler = SIG_DFL;
    }
    (void)pthread_sigmask(SIG_BLOCK, &now.sa_mask, NULL);
    if ((now.sa_flags & SA_SIGINFO) != 0)
        now.sa_sigaction(number, info, context);
    else
        now.sa_handler(number);
}

// Waits while another thread reports. Returns false if that takes too long: a fork may have copied
// the state of a thread that does not exist in the child.
static bool enter_fault(uint32_t own) {
    const struct timespec pause = {0, 10000000};
    uint32_t none = 0;
    for (int i = 0; i < 200 * SECONDS; i++) {
        if (tn_cas_acquire(&fault.thread, &none, own)) return true;
        none = 0;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    uint32_t own = (uint32_t)syscall(SYS_gettid);
    int error = errno;
    if (tn_load_relaxed(&fault.thread) == own) give_up(); // the report faulted
    bool is_access = info->si_code > 0;                   // otherwise kill() sent it
    if (is_access && info->si_errno != PASSED && enter_fault(own)) {
        fault.info = info;
        fault.machine = (const ucontext_t *)context;
        report_in_time();
        tn_store_release(&fault.thread, 0);
    }
    pass_to_program(number, info, context);
    errno = error;
}

static void install_handlers(void) {
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    (void)sigemptyset(&action.sa_mask);
    if (tn_exchange_acq_rel(&fault.installing, true)) return;
    for (unsigned i = 0; i < SIGNALS; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            ((before.sa_flags & SA_SIGINFO) == 0 || before.sa_sigaction != on_fault)) {
            fault.program[i] = before;
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
    tn_store_release(&fault.installing, false);
}

void tn_check_fault_start(void) {
    if (!tn_check_options()->faults) return;
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) return;
    fault.stack = stack;
    fault.fenced = tn_variable_value("TARN_POOL_FENCE", 0) != 0;
    install_handlers();
}

void tn_check_fault_renew(void) {
    if (__builtin_expect(fault.fenced, 0)) install_handlers();
}
