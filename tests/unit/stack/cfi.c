// SPDX-License-Identifier: Apache-2.0
// Rows of call frame information, against code whose frames this file describes by hand. x86-64
// only.
#include "stack/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#if defined(__x86_64__) && defined(__linux__)

// Each label stands behind an instruction, as a return address stands behind its call.
__asm__(".pushsection .text\n"
        ".type described, @function\n"
        "described:\n"
        ".cfi_startproc\n"
        "nop\n"
        ".globl at_entry\nat_entry:\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "nop\n"
        ".globl at_pushed\nat_pushed:\n"
        ".cfi_remember_state\n"
        ".cfi_def_cfa %rbp, 32\n"
        "nop\n"
        ".globl at_based\nat_based:\n"
        ".cfi_remember_state\n"
        ".cfi_restore %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "nop\n"
        ".globl at_popped\nat_popped:\n"
        ".cfi_restore_state\n"
        "nop\n"
        ".globl at_inner_restored\nat_inner_restored:\n"
        ".cfi_restore_state\n"
        "nop\n"
        ".globl at_outer_restored\nat_outer_restored:\n"
        ".cfi_same_value %rbp\n"
        ".cfi_def_cfa_offset 4096\n"
        "nop\n"
        ".globl at_same\nat_same:\n"
        ".cfi_undefined %rip\n"
        "nop\n"
        ".globl at_outermost\nat_outermost:\n"
        ".cfi_endproc\n"
        ".type computed, @function\n"
        "computed:\n"
        ".cfi_startproc\n"
        ".cfi_register %rbp, %rax\n"
        "nop\n"
        ".globl at_register\nat_register:\n"
        ".cfi_endproc\n"
        ".type based_elsewhere, @function\n"
        "based_elsewhere:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa %rbx, 8\n"
        "nop\n"
        ".globl at_other_base\nat_other_base:\n"
        ".cfi_endproc\n"
        ".popsection\n");

extern const char at_entry[], at_pushed[], at_based[], at_popped[], at_inner_restored[];
extern const char at_outer_restored[], at_same[], at_outermost[], at_register[], at_other_base[];

static struct tn_cfi_row row_at(const char *label) {
    struct tn_cfi_row row;
    assert_true(tn_cfi_find((uintptr_t)label, &row));
    return row;
}

static void assert_row(const char *label, bool by_frame, int64_t end, int64_t saved_frame) {
    const struct tn_cfi_row row = row_at(label);
    assert_int_equal(row.by_frame, by_frame);
    assert_int_equal(row.end, end);
    assert_int_equal(row.saved_frame, saved_frame);
    assert_int_equal(row.saved_return, -8);
    assert_false(row.outermost);
}

static void a_row_follows_the_instructions(void **state) {
    (void)state;
    assert_row(at_entry, false, 8, TN_CFI_SAME);
    assert_row(at_pushed, false, 16, -16);
    assert_row(at_based, true, 32, -16);
    assert_row(at_popped, false, 8, TN_CFI_SAME);
    assert_row(at_same, false, 4096, TN_CFI_SAME);
}

static void restored_states_are_the_remembered_ones(void **state) {
    (void)state;
    assert_row(at_inner_restored, true, 32, -16);
    assert_row(at_outer_restored, false, 16, -16);
}

static void a_function_without_a_caller_is_outermost(void **state) {
    (void)state;
    assert_true(row_at(at_outermost).outermost);
}

static void a_frame_that_no_row_describes_is_refused(void **state) {
    (void)state;
    struct tn_cfi_row row;
    assert_false(tn_cfi_find((uintptr_t)at_register, &row));
    assert_false(tn_cfi_find((uintptr_t)at_other_base, &row));
    assert_false(tn_cfi_find((uintptr_t)&row, &row)); // no code
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_follows_the_instructions),
        cmocka_unit_test(restored_states_are_the_remembered_ones),
        cmocka_unit_test(a_function_without_a_caller_is_outermost),
        cmocka_unit_test(a_frame_that_no_row_describes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <stdio.h>

int main(void) {
    puts("skipped: call frame information is read on x86-64 only");
    return 77;
}

#endif
