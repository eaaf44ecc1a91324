// SPDX-License-Identifier: Apache-2.0
// Unwinding. The exception tables of the program describe how to undo the frame at each
// instruction. The compiler's runtime library reads them again for each frame, which takes
// microseconds, so this file caches the rule for each return address in one word. If a frame needs
// more than a stack pointer and a frame pointer, the runtime library unwinds the stack.
//
// If a library is unloaded and another takes its place, the cached words are wrong: such a stack
// has wrong addresses, but nothing outside the stack is read.
#include "stack/unwind.h"

#include <pthread.h>
#include <ucontext.h>
#include <unwind.h>

#include "base/atomic.h"
#include "base/context.h"

// Prevents a tail call of unwind_slowly(), which skips the frame of its caller.
#define NO_TAIL_CALL __asm__ volatile("" ::: "memory")

// ---- by the compiler's runtime library

struct trace {
    uintptr_t *frames;
    size_t count;
    size_t room;
    unsigned skip; // frames of this file
};

static _Unwind_Reason_Code trace_frame(struct _Unwind_Context *context, void *argument) {
    struct trace *trace = argument;
    uintptr_t address = _Unwind_GetIP(context);
    if (trace->skip > 0) {
        trace->skip--;
        return _URC_NO_REASON;
    }
    if (address == 0 || trace->count == trace->room) return _URC_END_OF_STACK;
    trace->frames[trace->count++] = address;
    return _URC_NO_REASON;
}

__attribute__((noinline)) static size_t unwind_slowly(uintptr_t *frames, size_t room) {
    struct trace trace = {frames, 0, room, 2};
    (void)_Unwind_Backtrace(trace_frame, &trace);
    return trace.count;
}

#if defined(__x86_64__) && defined(__linux__)

// ---- by the cached words

enum { WORDS = 1 << 15, TAG_BITS = 32 };

// Indexed by return address. A word holds the high bits of the address as a tag, then the rule for
// its frame. Zero is empty.
static _Atomic uint64_t words[WORDS];

enum { UNDO_FAST = 1, UNDO_SLOW = 2, UNDO_END = 3 };

// An unpacked word.
struct undo {
    unsigned how;         // UNDO_ constants
    bool by_frame;        // `end` is relative to the frame pointer, else to the stack pointer
    uint32_t end;         // the end of the frame, in units of 8 bytes
    uint32_t saved_frame; // of the caller's frame pointer, below the end; 0 if unchanged
};

static uint64_t pack_undo(uintptr_t address, const struct undo *undo) {
    return (uint64_t)(address / WORDS) << (64 - TAG_BITS) | (uint64_t)undo->how << 30 |
           (uint64_t)undo->by_frame << 29 | (uint64_t)undo->saved_frame << 20 | undo->end;
}

static struct undo unpack_undo(uint64_t word) {
    return (struct undo){.how = (word >> 30) & 3,
                         .by_frame = (word >> 29) & 1,
                         .saved_frame = (word >> 20) & 0x1ff,
                         .end = word & 0xfffff};
}

__attribute__((noinline, cold)) static struct undo learn_undo(uintptr_t address) {
    struct tn_cfi_row row;
    struct undo undo = {.how = UNDO_SLOW};
    bool found = tn_cfi_find(address, &row);
    bool frame_good =
        found &&
        (row.saved_frame == TN_CFI_SAME ||
         (row.saved_frame < 0 && row.saved_frame % 8 == 0 && row.saved_frame > -8 * 0x200));
    if (found && row.outermost) {
        undo.how = UNDO_END;
    } else if (frame_good && row.saved_return == -8 && row.end > 0 && row.end % 8 == 0 &&
               row.end < 8 * 0x100000) {
        undo.how = UNDO_FAST;
        undo.by_frame = row.by_frame;
        undo.end = (uint32_t)(row.end / 8);
        undo.saved_frame = row.saved_frame == TN_CFI_SAME ? 0 : (uint32_t)(-row.saved_frame / 8);
    }
    tn_store_relaxed(&words[address % WORDS], pack_undo(address, &undo));
    return undo;
}

static struct undo undo_of(uintptr_t address) {
    uint64_t word = tn_load_relaxed(&words[address % WORDS]);
    return word != 0 && word >> (64 - TAG_BITS) == (uint32_t)(address / WORDS)
               ? unpack_undo(word)
               : learn_undo(address);
}

// The highest address that the stack can have. The descriptor of a thread lies behind its stack,
// and the stack of the first thread ends with the address space. A library function would call
// malloc(), so none is used.
extern void *__libc_stack_end;

static uintptr_t top_of(uintptr_t stack) {
    uintptr_t own = (uintptr_t)pthread_self();
    uintptr_t first = (uintptr_t)__libc_stack_end + 4096;
    if (own > stack && (own < first || first < stack)) return own;
    return first > stack ? first : stack + (1 << 20); // a stack that the program allocated
}

// The frame pointer, and the word of the stack that it was read from; NULL: it is the caller's own.
struct frame {
    uintptr_t value;
    const uintptr_t *from;
};

static void extend_trail(struct tn_trail *trail, const uintptr_t *at, uintptr_t value) {
    if (trail->count < TN_TRAIL_WORDS) {
        trail->words[trail->count].at = at;
        trail->words[trail->count].value = value;
    }
    trail->count++;
}

// A frame pointer matters only where it determines the end of a frame.
static void depend_on_frame(struct tn_trail *trail, const struct frame *frame) {
    if (frame->from != NULL)
        extend_trail(trail, frame->from, frame->value);
    else if (frame->value != trail->frame)
        trail->count = TN_TRAIL_WORDS + 1; // it may differ at the next call
}

// Returns 0 if a frame needs the compiler's runtime library.
__attribute__((noinline, no_sanitize("address"))) static size_t
unwind_quickly(uintptr_t *frames, size_t room, uintptr_t stack, struct frame frame,
               uintptr_t address, struct tn_trail *trail) {
    uintptr_t top = top_of(stack);
    size_t count = 0;
    while (count < room && address != 0) {
        struct undo undo = undo_of(address);
        frames[count++] = address;
        uintptr_t end = (undo.by_frame ? frame.value : stack) + 8 * (uintptr_t)undo.end;
        if (undo.how == UNDO_END) return count;
        if (undo.how != UNDO_FAST || end <= stack || end > top || end % 8 != 0 ||
            end - 8 * (uintptr_t)undo.saved_frame < stack)
            return 0;
        if (undo.by_frame) depend_on_frame(trail, &frame);
        if (undo.saved_frame != 0) {
            frame.from = (const uintptr_t *)(end - 8 * (uintptr_t)undo.saved_frame);
            frame.value = *frame.from;
        }
        address = *(const uintptr_t *)(end - 8);
        extend_trail(trail, (const uintptr_t *)(end - 8), address);
        stack = end;
    }
    return count;
}

__attribute__((noinline, no_sanitize("address"))) size_t tn_unwind(uintptr_t *frames, size_t room,
                                                                   struct tn_trail *trail) {
    const uintptr_t *own = (const uintptr_t *)__builtin_frame_address(0);
    const struct frame frame = {own[0], NULL};
    trail->count = 0;
    size_t count = unwind_quickly(frames, room, (uintptr_t)(own + 2), frame, own[1], trail);
    if (count == 0 || trail->count > TN_TRAIL_WORDS) trail->count = 0;
    if (count == 0) {
        count = unwind_slowly(frames, room);
        NO_TAIL_CALL;
    }
    return count;
}

static size_t unwind_machine(uintptr_t *frames, size_t room, const ucontext_t *machine) {
    const greg_t *registers = machine->uc_mcontext.gregs;
    const struct frame frame = {(uintptr_t)registers[REG_RBP], NULL};
    struct tn_trail unused = {0};
    return unwind_quickly(frames, room, (uintptr_t)registers[REG_RSP], frame,
                          (uintptr_t)registers[REG_RIP] + 1, &unused);
}

#else

static size_t unwind_machine(uintptr_t *frames, size_t room, const ucontext_t *machine) {
    (void)frames, (void)room, (void)machine;
    return 0;
}

__attribute__((noinline)) size_t tn_unwind(uintptr_t *frames, size_t room, struct tn_trail *trail) {
    trail->count = 0;
    size_t count = unwind_slowly(frames, room);
    NO_TAIL_CALL;
    return count;
}

#endif

// The runtime library also finds the frames of the signal handler, which are left out.
size_t tn_unwind_fault(uintptr_t *frames, size_t room, const void *machine) {
    uintptr_t all[128];
    const uintptr_t instruction = tn_context_instruction(machine);
    size_t count = unwind_machine(frames, room, (const ucontext_t *)machine);
    if (count > 0) return count;
    size_t found = unwind_slowly(all, sizeof all / sizeof *all), skip = 0;
    while (skip < found && all[skip] != instruction) skip++;
    frames[0] = instruction + 1;
    for (count = 1; count < room && skip + count < found; count++)
        frames[count] = all[skip + count];
    return count;
}

__attribute__((no_sanitize("address"))) bool tn_trail_holds(const struct tn_trail *trail,
                                                            uintptr_t frame) {
    bool holds = trail->count != 0 && trail->frame == frame;
    for (unsigned i = 0; holds && i < trail->count; i++)
        holds = *trail->words[i].at == trail->words[i].value;
    return holds;
}
