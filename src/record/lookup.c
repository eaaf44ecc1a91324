// SPDX-License-Identifier: Apache-2.0
// dlsym() of a recorded program: it returns the recorder's replacements for the functions of
// vendors' libraries. In all other cases the C library's function answers. That function finds its
// caller by the return address, for RTLD_NEXT and RTLD_DEFAULT. So dlsym() is written in assembler:
// it returns the answer, or jumps to the C library's function as if the program had called it.
// Any thread.
#include <dlfcn.h>
#include <string.h>

#include "record/vendor.h"

// Returned in two registers.
struct answer {
    tn_record_dlsym jump; // NULL: return the value
    void *value;
};
struct answer tn_record_answer_dlsym(void *handle, const char *symbol)
    __attribute__((visibility("hidden"), used));

static struct tn_record_function *find_row(const char *symbol,
                                           const struct tn_record_vendor **vendor) {
    static const struct tn_record_vendor *const vendors[] = {&tn_record_cuda, &tn_record_hip,
                                                             &tn_record_acl};
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++) {
        if (strncmp(symbol, vendors[i]->prefix, strlen(vendors[i]->prefix)) == 0) {
            *vendor = vendors[i];
            return tn_record_find_row(vendors[i], symbol);
        }
    }
    return NULL;
}

// A program that looks in all libraries finds the replacement, even if no library of the vendor is
// loaded. Then the search behind this library fails, with the C library's error.
static void *answer_row(const struct tn_record_vendor *vendor, struct tn_record_function *row,
                        void *handle) {
    void *found = tn_record_next_dlsym()(handle, row->symbol), *own = NULL;
    memcpy(&own, &row->replacement, sizeof own);
    if (found == own && tn_record_find_next(vendor, row) == NULL)
        return tn_record_next_dlsym()(RTLD_NEXT, row->symbol);
    if (found != NULL && found != own) tn_record_replace(row, &found);
    return found;
}

// A library that asks for the next function is in front of the vendor's, and behind this one.
struct answer tn_record_answer_dlsym(void *handle, const char *symbol) {
    const struct tn_record_vendor *vendor = NULL;
    struct tn_record_function *row =
        symbol != NULL && handle != RTLD_NEXT ? find_row(symbol, &vendor) : NULL;
    tn_record_dlsym next = tn_record_next_dlsym();
    if (row == NULL || next == NULL) return (struct answer){next, NULL};
    return (struct answer){NULL, answer_row(vendor, row, handle)};
}

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    pushq %rdi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %rsi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    call tn_record_answer_dlsym\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rsi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rdi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    testq %rax, %rax\n"
        "    jz 1f\n"
        "    jmp *%rax\n"
        "1:  movq %rdx, %rax\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size dlsym, . - dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        "    .cfi_startproc\n"
        "    hint #34\n" // bti c
        "    stp x29, x30, [sp, #-32]!\n"
        "    .cfi_def_cfa_offset 32\n"
        "    .cfi_offset 29, -32\n"
        "    .cfi_offset 30, -24\n"
        "    mov x29, sp\n"
        "    stp x0, x1, [sp, #16]\n"
        "    bl tn_record_answer_dlsym\n"
        "    mov x16, x0\n"
        "    mov x17, x1\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    .cfi_restore 29\n"
        "    .cfi_restore 30\n"
        "    .cfi_def_cfa_offset 0\n"
        "    cbz x16, 1f\n"
        "    br x16\n"
        "1:  mov x0, x17\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size dlsym, . - dlsym\n");
#endif
