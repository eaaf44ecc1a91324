// SPDX-License-Identifier: Apache-2.0
// The machine context of a signal handler.
#include "base/context.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

static sigjmp_buf after;
static volatile bool wrote;
static volatile uintptr_t instruction;

static void look(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    wrote = tn_context_is_write(context);
    instruction = tn_context_instruction(context);
    siglongjmp(after, 1);
}

__attribute__((noinline)) static void touch_page(volatile char *page, bool write) {
    if (sigsetjmp(after, 1) == 0) {
        if (write)
            *page = 1;
        else
            (void)*page;
    }
}

static void a_fault_has_its_instruction(void **state) {
    (void)state;
    struct sigaction action = {.sa_sigaction = look, .sa_flags = SA_SIGINFO}, before;
    assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
    char *page =
        mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    for (int write = 0; write < 2; write++) {
        instruction = 0;
        touch_page(page, write != 0);
        assert_in_range(instruction, (uintptr_t)touch_page, (uintptr_t)touch_page + 4096);
#if defined(__x86_64__)
        assert_int_equal(wrote, write);
#endif
    }
    assert_int_equal(munmap(page, (size_t)sysconf(_SC_PAGESIZE)), 0);
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

#if defined(__aarch64__)

// Appends a record of 16 bytes.
static unsigned char *append_record(unsigned char *at, uint32_t number, uint64_t payload) {
    const uint32_t head[2] = {number, 16};
    memcpy(at, head, sizeof head);
    memcpy(at + sizeof head, &payload, sizeof payload);
    return at + 16;
}

static void the_syndrome_record_states_writes(void **state) {
    enum { SYNDROME = 0x45535201, OTHER = 0x46508001 };
    (void)state;
    static ucontext_t machine; // no record
    assert_false(tn_context_is_write(&machine));
    for (uint64_t write = 0; write < 2; write++) {
        unsigned char *at = append_record(machine.uc_mcontext.__reserved, OTHER, UINT64_MAX);
        append_record(at, SYNDROME, UINT64_C(0x92000007) | write << 6);
        assert_int_equal(tn_context_is_write(&machine), write);
    }
    const uint32_t endless[2] = {OTHER, 0}; // such a record must not be followed
    memcpy(machine.uc_mcontext.__reserved, endless, sizeof endless);
    assert_false(tn_context_is_write(&machine));
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_has_its_instruction),
#if defined(__aarch64__)
        cmocka_unit_test(the_syndrome_record_states_writes),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
