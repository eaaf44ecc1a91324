// SPDX-License-Identifier: Apache-2.0
// Machine contexts of signal handlers; see context.h.
#include "base/context.h"

#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

bool tn_context_is_write(const void *context) {
    const ucontext_t *machine = context;
    return (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0;
}

uintptr_t tn_context_instruction(const void *context) {
    const ucontext_t *machine = context;
    return (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
}

#elif defined(__aarch64__)

// The kernel appends records: a number and a size of 32 bits each, then the payload. That of the
// syndrome register has it as 64 bits, of which bit 6 is set for writes.
bool tn_context_is_write(const void *context) {
    enum { SYNDROME = 0x45535201, WRITES = 1 << 6, RECORD_MIN = 16 };
    const ucontext_t *machine = context;
    const unsigned char *at = machine->uc_mcontext.__reserved;
    const unsigned char *end = at + sizeof machine->uc_mcontext.__reserved;
    while (end - at >= RECORD_MIN) {
        uint32_t head[2];
        uint64_t syndrome;
        memcpy(head, at, sizeof head);
        memcpy(&syndrome, at + sizeof head, sizeof syndrome);
        if (head[0] == SYNDROME) return (syndrome & WRITES) != 0;
        if (head[0] == 0 || head[1] < RECORD_MIN || head[1] > (size_t)(end - at)) return false;
        at += head[1];
    }
    return false;
}

uintptr_t tn_context_instruction(const void *context) {
    const ucontext_t *machine = context;
    return (uintptr_t)machine->uc_mcontext.pc;
}

#else

bool tn_context_is_write(const void *context) {
    (void)context;
    return false;
}

uintptr_t tn_context_instruction(const void *context) {
    (void)context;
    return 0;
}

#endif
