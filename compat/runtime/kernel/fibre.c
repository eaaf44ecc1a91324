// SPDX-License-Identifier: Apache-2.0
// See fibre.h. The switch saves the registers that a called function must preserve, on the stack
// that it leaves. It is code of ours because swapcontext() makes a system call for each switch, and
// because a library of such functions would be a dependency of every build for these few lines. The
// rounding mode is not saved: kernels share it.
#include "compat/runtime/kernel/fibre.h"

#include <string.h>

#include <sys/mman.h>
#include <ucontext.h>

#include "src/base/tsan.h"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(start, end) 0
#endif

#define GUARD_BYTES ((size_t)64 << 10) // a page of any size

// ---- the switch

// The label expects the stack pointer in the register of the second argument.
void tn_rt_fibre_resume(void);
void tn_rt_fibre_enter(void); // calls the function in one register with the two arguments in others

#if defined(__x86_64__)
#define SAVED_WORDS 7
enum { ARG_WORD = 1, FIBRE_WORD = 2, ENTRY_WORD = 3, LINK_WORD = 6 }; // r14, r13, r12
__asm__(".text\n"
        ".globl tn_rt_fibre_swap, tn_rt_fibre_resume, tn_rt_fibre_enter\n"
        ".hidden tn_rt_fibre_swap, tn_rt_fibre_resume, tn_rt_fibre_enter\n"
        ".type tn_rt_fibre_swap, @function\n"
        "tn_rt_fibre_swap:\n"
        "    endbr64\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "tn_rt_fibre_resume:\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    popq %rcx\n"
        "    jmp *%rcx\n" // a return would be predicted wrong
        ".size tn_rt_fibre_swap, . - tn_rt_fibre_swap\n"
        ".type tn_rt_fibre_enter, @function\n"
        "tn_rt_fibre_enter:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined %rip\n" // the outermost frame
        "    movq %r13, %rdi\n"
        "    movq %r14, %rsi\n"
        "    call *%r12\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size tn_rt_fibre_enter, . - tn_rt_fibre_enter\n");

static void divert(ucontext_t *context, void *to) {
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)&tn_rt_fibre_resume;
    context->uc_mcontext.gregs[REG_RSI] = (greg_t)to;
}

static uintptr_t instruction(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

#elif defined(__aarch64__)
#define SAVED_WORDS 20
enum { ENTRY_WORD, FIBRE_WORD, ARG_WORD, LINK_WORD = 11 }; // x19, x20, x21
__asm__(".text\n"
        ".globl tn_rt_fibre_swap, tn_rt_fibre_resume, tn_rt_fibre_enter\n"
        ".hidden tn_rt_fibre_swap, tn_rt_fibre_resume, tn_rt_fibre_enter\n"
        ".type tn_rt_fibre_swap, %function\n"
        "tn_rt_fibre_swap:\n"
        "    hint #34\n" // bti c
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "tn_rt_fibre_resume:\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size tn_rt_fibre_swap, . - tn_rt_fibre_swap\n"
        ".type tn_rt_fibre_enter, %function\n"
        "tn_rt_fibre_enter:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined x30\n" // the outermost frame
        "    hint #36\n"           // bti j
        "    mov x0, x20\n"
        "    mov x1, x21\n"
        "    blr x19\n"
        "    brk #1\n"
        "    .cfi_endproc\n"
        ".size tn_rt_fibre_enter, . - tn_rt_fibre_enter\n");

static void divert(ucontext_t *context, void *to) {
    context->uc_mcontext.pc = (uintptr_t)&tn_rt_fibre_resume;
    context->uc_mcontext.regs[1] = (uintptr_t)to;
}

static uintptr_t instruction(const ucontext_t *context) { return context->uc_mcontext.pc; }

#else
#error "fibres need a switch for this processor"
#endif

// ---- sanitizers: their functions, if the process has them

#define WEAK __attribute__((weak, visibility("default")))
WEAK void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
WEAK void __sanitizer_finish_switch_fiber(void *save, const void **bottom, size_t *size);
WEAK void __asan_poison_memory_region(const volatile void *address, size_t size);
WEAK void __asan_unpoison_memory_region(const volatile void *address, size_t size);
bool tn_rt_fibre_watched;

__attribute__((constructor)) static void find_sanitizers(void) {
    tn_rt_fibre_watched = __sanitizer_start_switch_fiber != NULL || __tsan_switch_to_fiber != NULL;
}

static void finish_switch(struct tn_rt_fibre *now) {
    const void *bottom;
    size_t bytes;
    if (__sanitizer_finish_switch_fiber == NULL) return;
    __sanitizer_finish_switch_fiber(now->fake_stack, &bottom, &bytes);
    if (now->previous->stack != NULL) return;
    now->previous->bottom = bottom;
    now->previous->bytes = bytes;
}

// ---- fibres

void tn_rt_fibre_of_thread(struct tn_rt_fibre *fibre) {
    *fibre = (struct tn_rt_fibre){
        .tsan = __tsan_get_current_fiber != NULL ? __tsan_get_current_fiber() : NULL};
}

void tn_rt_fibre_begin(struct tn_rt_fibre *fibre) { finish_switch(fibre); }

void tn_rt_fibre_watched_swap(struct tn_rt_fibre *from, struct tn_rt_fibre *to, bool leaves) {
    to->previous = from;
    if (__sanitizer_start_switch_fiber != NULL)
        __sanitizer_start_switch_fiber(leaves ? NULL : &from->fake_stack, to->bottom, to->bytes);
    if (__tsan_switch_to_fiber != NULL) {
        if (to->tsan == NULL) { // only now, because it takes long and few fibres are used
            to->tsan = __tsan_create_fiber(0);
            __tsan_set_fiber_name(to->tsan, "thread of a kernel");
        }
        __tsan_switch_to_fiber(to->tsan, 0);
    }
    tn_rt_fibre_swap(&from->sp, to->sp);
    finish_switch(from);
}

void tn_rt_fibre_divert(const struct tn_rt_fibre *to, void *context) {
    divert((ucontext_t *)context, to->sp);
}

uintptr_t tn_rt_fibre_interrupted(const void *context) {
    return instruction((const ucontext_t *)context);
}

void tn_rt_fibre_bound(void *memory, size_t used, size_t size) {
    if (__asan_poison_memory_region == NULL) return;
    __asan_unpoison_memory_region(memory, used);
    __asan_poison_memory_region((char *)memory + used, size - used);
}

bool tn_rt_fibre_guards(const struct tn_rt_fibre *fibre, uintptr_t address) {
    return (uintptr_t)fibre->stack - address - 1 < GUARD_BYTES;
}

// ---- stacks

#define FIBRES 32 // are created at once
#define LINE   64 // bytes of the processor's cache

// The places at which functions begin differ between stacks, so that not all stacks use the same
// lines of the cache.
static void **first_frame(struct tn_rt_fibre *fibre) {
    size_t colour = (uintptr_t)fibre->stack / (GUARD_BYTES + TN_RT_FIBRE_BYTES) * 5 % 61;
    uintptr_t top = ((uintptr_t)fibre & ~(uintptr_t)(LINE - 1)) - colour * LINE;
    return (void **)top;
}

void tn_rt_fibre_restart(struct tn_rt_fibre *fibre, void (*entry)(struct tn_rt_fibre *, void *),
                         void *arg) {
    void **words = first_frame(fibre) - SAVED_WORDS;
    if (__asan_unpoison_memory_region != NULL)
        __asan_unpoison_memory_region(fibre->stack, TN_RT_FIBRE_BYTES);
    if (fibre->tsan != NULL) {
        __tsan_destroy_fiber(fibre->tsan);
        tn_tsan_forget((uintptr_t)fibre->stack, TN_RT_FIBRE_BYTES);
    }
    fibre->tsan = NULL;
    fibre->fake_stack = NULL;
    memset(words, 0, SAVED_WORDS * sizeof *words);
    memcpy(&words[ENTRY_WORD], &entry, sizeof entry);
    words[LINK_WORD] = (void *)(uintptr_t)&tn_rt_fibre_enter;
    words[FIBRE_WORD] = fibre;
    words[ARG_WORD] = arg;
    fibre->sp = words;
}

// Linux 6.13 guards a page without dividing the mapping, of which a process has a limited number.
// QEMU's user-mode emulation ignores every advice that it does not know, and returns success.
static bool guard_stack(unsigned char *page) {
    const int install_guard = 102; // MADV_GUARD_INSTALL
    const int undefined = -1;
    bool guarded = madvise(page, GUARD_BYTES, install_guard) == 0 &&
                   madvise(page, GUARD_BYTES, undefined) != 0;
    return guarded || mprotect(page, GUARD_BYTES, PROT_NONE) == 0;
}

bool tn_rt_fibres_create(struct tn_rt_fibre **idle, void (*entry)(struct tn_rt_fibre *, void *),
                         void *arg) {
    const size_t stride = GUARD_BYTES + TN_RT_FIBRE_BYTES;
    void *memory = mmap(NULL, FIBRES * stride, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return false;
    for (size_t i = 0; i < FIBRES; i++) {
        if (guard_stack((unsigned char *)memory + i * stride)) continue;
        (void)munmap(memory, FIBRES * stride);
        return false;
    }
    for (size_t i = FIBRES; i-- > 0;) {
        unsigned char *stack = (unsigned char *)memory + i * stride + GUARD_BYTES;
        struct tn_rt_fibre *fibre =
            (struct tn_rt_fibre *)(void *)(stack + TN_RT_FIBRE_BYTES - sizeof *fibre);
        (void)VALGRIND_STACK_REGISTER(stack, stack + TN_RT_FIBRE_BYTES);
        *fibre = (struct tn_rt_fibre){
            .stack = stack, .bottom = stack, .bytes = TN_RT_FIBRE_BYTES, .next = *idle};
        tn_rt_fibre_restart(fibre, entry, arg);
        *idle = fibre;
    }
    return true;
}
