// SPDX-License-Identifier: Apache-2.0
// See asan_report.h. The thread that ASan reports runs these functions, with a lock of ASan held, which
// keeps other threads from reporting. Weak references find ASan.
#include "annotate/asan_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WEAK __attribute__((weak))
extern void __asan_set_error_report_callback(void (*callback)(const char *report)) WEAK;
extern void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t size) WEAK;

#define NEAR (UINT64_C(1) << 20) // an access that is further away missed nothing of ours

static _Atomic(struct tn_block_log *) described;
static _Atomic(tn_asan_describe) describer;

#define PRINT(...) ((void)dprintf(STDERR_FILENO, "tarn: " __VA_ARGS__))

// ---- parts of a report

static void print_call(const struct tn_block_call *call, const char *past) {
    if (call->function == NULL && call->count == 0) return;
    PRINT("%s %s the block:\n", call->function != NULL ? call->function : "a call", past);
    for (unsigned i = 0; i < call->count; i++) {
        char names[1024] = {0}; // of inlined functions too, one after another, if ASan gives them
        if (__sanitizer_symbolize_pc != NULL)
            __sanitizer_symbolize_pc((void *)call->frames[i], "%F %L", names, sizeof names - 1);
        const char *name = names;
        do {
            (void)dprintf(STDERR_FILENO, "    #%u 0x%llx %s\n", i,
                          (unsigned long long)call->frames[i], name);
            name += strlen(name) + 1;
        } while (name < names + sizeof names && name[0] != '\0');
    }
}

static void print_block(uint64_t addr, const struct tn_logged_block *block) {
    uint64_t end = block->addr + block->bytes;
    uint64_t bytes = addr < block->addr ? block->addr - addr
                     : addr < end       ? addr - block->addr
                                        : addr - end;
    const char *where = addr < block->addr ? "before" : addr < end ? "inside" : "behind";
    PRINT("0x%llx is %llu bytes %s the%s block of %llu bytes at 0x%llx (%s)\n",
          (unsigned long long)addr, (unsigned long long)bytes, where, block->live ? "" : " freed",
          (unsigned long long)block->bytes, (unsigned long long)block->addr, block->kind);
    print_call(&block->begun, "allocated");
    print_call(&block->ended, "freed");
}

// Returns the address of the report, or 0. For a fault, only the text has it.
static uint64_t find_address(const char *report) {
    static const char before[] = " address 0x";
    const char *at = strstr(report, before);
    return at != NULL ? strtoull(at + sizeof before - 1, NULL, 16) : 0;
}

static void complete_report(const char *report) {
    struct tn_logged_block block;
    char text[512] = "";
    uint64_t addr = find_address(report);
    tn_asan_describe describe = tn_load_acquire(&describer);
    if (addr != 0 && tn_block_log_find(tn_load_acquire(&described), addr, NEAR, &block))
        print_block(addr, &block);
    if (describe != NULL) describe(text, sizeof text);
    if (text[0] != '\0') PRINT("the thread runs %s\n", text);
}

void tn_asan_report_install(struct tn_block_log *log) {
    struct tn_block_log *none = NULL;
    if (tn_load_relaxed(&described) == NULL && __asan_set_error_report_callback != NULL &&
        tn_cas_acq_rel(&described, &none, log))
        __asan_set_error_report_callback(complete_report);
}

void tn_asan_report_describe_by(tn_asan_describe describe) {
    tn_store_release(&describer, describe);
}
