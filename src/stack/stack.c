// SPDX-License-Identifier: Apache-2.0
// The depot of stacks: an arena of addresses that only grows, and a hash table in front of it, so
// that each stack is stored once. Readers and writers take no lock. A stack is complete before the
// store that publishes it, and never changes afterwards.
#include "stack/stack.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomic.h"
#include "stack/unwind.h"

enum {
    BUCKETS = 1 << 16,
    DEPTH_MAX = 72,
    DEPTH_DEFAULT = 16,
    MACHINERY = 16, // most frames of Tarn between program and checker; a walk leaves them out
    UNIT = 8        // of an id, in bytes of the arena
};

struct record {
    uint32_t next; // id of the next record in the bucket, or 0
    uint32_t hash;
    uint32_t count;
    uint32_t mark;
    uintptr_t frames[];
};

static struct {
    pthread_once_t once;
    char *arena; // NULL if out of memory: no stacks are captured then
    uint64_t bytes;
    _Atomic uint64_t used;            // may exceed `bytes` when the arena is full
    _Atomic uint32_t bucket[BUCKETS]; // a store with release publishes a record
    uintptr_t own_lo, own_hi;         // the code of the checker, if it is a separate library
    uint32_t depth;                   // frames to capture; 0 captures none
    _Atomic unsigned wanted;          // the depth, until the depot is opened
} depot = {.once = PTHREAD_ONCE_INIT, .wanted = DEPTH_DEFAULT};

void tn_stack_limit(unsigned depth) { tn_store_relaxed(&depot.wanted, depth); }

// ---- initialisation

// Pages are allocated on use, so that a large arena costs only addresses.
static void open_arena(void) {
    for (uint64_t bytes = UINT64_C(1) << 30; bytes >= 1 << 20; bytes >>= 3) {
        void *arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (arena != MAP_FAILED) {
            depot.arena = (char *)arena;
            depot.bytes = bytes;
            return;
        }
    }
}

// Stops at the image that contains the checker. The program itself comes first, without a name. A
// checker that is linked into the program (a test) leaves out a fixed number of frames.
static int find_own(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (uintptr_t)&find_own - start < part->p_memsz) {
            depot.own_lo = start;
            depot.own_hi = info->dlpi_name[0] == '\0' ? start : start + part->p_memsz;
            return 1;
        }
    }
    return 0;
}

static void open_depot(void) {
    unsigned depth = tn_load_relaxed(&depot.wanted);
    (void)dl_iterate_phdr(find_own, NULL);
    depot.depth = depth < DEPTH_MAX - MACHINERY ? depth : DEPTH_MAX - MACHINERY;
    tn_store_relaxed(&depot.used, UNIT); // id 0 means no stack
    if (depth > 0) open_arena();
}

// ---- storing

static const struct record *record_of(tn_stack_id id) {
    return (const struct record *)(const void *)(depot.arena + (uint64_t)id * UNIT);
}

static uint32_t hash_of(const uintptr_t *frames, size_t count, uint32_t mark) {
    uint64_t hash = count + ((uint64_t)mark << 8);
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

static tn_stack_id find_stack(tn_stack_id first, tn_stack_id last, uint32_t hash, uint32_t mark,
                              const uintptr_t *frames, size_t count) {
    for (tn_stack_id id = first; id != last; id = record_of(id)->next) {
        const struct record *record = record_of(id);
        if (record->hash == hash && record->count == count && record->mark == mark &&
            memcmp(record->frames, frames, count * sizeof *frames) == 0)
            return id;
    }
    return last;
}

// Returns 0 if the arena is full.
static tn_stack_id write_record(uint32_t hash, uint32_t mark, const uintptr_t *frames,
                                size_t count) {
    uint64_t bytes = sizeof(struct record) + count * sizeof *frames;
    if (tn_load_relaxed(&depot.used) + bytes > depot.bytes) return 0;
    uint64_t at = tn_add_relaxed(&depot.used, bytes);
    if (at + bytes > depot.bytes) return 0;
    struct record *record = (struct record *)(void *)(depot.arena + at);
    record->hash = hash;
    record->count = (uint32_t)count;
    record->mark = mark;
    memcpy(record->frames, frames, count * sizeof *frames);
    return (tn_stack_id)(at / UNIT);
}

static tn_stack_id keep_stack(const uintptr_t *frames, size_t count, uint32_t mark) {
    uint32_t hash = hash_of(frames, count, mark);
    _Atomic uint32_t *bucket = &depot.bucket[hash % BUCKETS];
    uint32_t first = tn_load_acquire(bucket), seen = 0;
    tn_stack_id id = find_stack(first, 0, hash, mark, frames, count);
    if (id != 0) return id;
    id = write_record(hash, mark, frames, count);
    while (id != 0) {
        ((struct record *)(void *)(depot.arena + (uint64_t)id * UNIT))->next = first;
        seen = first;
        if (tn_cas_acq_rel(bucket, &first, id)) return id;
        tn_stack_id other =
            find_stack(first, seen, hash, mark, frames, count); // another thread stored it first
        if (other != seen) return other;
    }
    return 0;
}

// ---- capturing

// The last stacks, by the place of the frame that captured them. A program captures few stacks
// again and again, and often two in turn from one place, such as those of an allocation and a free.
struct memo {
    _Atomic uint32_t busy; // a thread uses the memo; others do without it
    unsigned latest;       // index of the stack that was captured last
    struct known {
        tn_stack_id id;
        struct tn_trail trail;
    } known[2];
};

enum { MEMOS = 256 };

static struct memo memos[MEMOS];

static struct memo *take_memo(uintptr_t frame) {
    struct memo *memo = &memos[(frame * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
    uint32_t free = 0;
    return tn_cas_acquire(&memo->busy, &free, 1) ? memo : NULL;
}

// Returns true if the stack is one of the memo's, which becomes its latest. Otherwise the latest is
// the one to replace.
static bool memo_knows(struct memo *memo, uintptr_t frame) {
    if (tn_trail_holds(&memo->known[memo->latest].trail, frame)) return true;
    memo->latest ^= 1;
    return tn_trail_holds(&memo->known[memo->latest].trail, frame);
}

// Leaves out the frames of the checker.
static tn_stack_id keep_frames(const uintptr_t *frames, size_t count) {
    size_t own = 0;
    while (own < count && frames[own] - depot.own_lo < depot.own_hi - depot.own_lo) own++;
    if (depot.own_hi == depot.own_lo)
        own = count < 2 ? count : 2; // tn_stack_capture() and its caller
    return own == count ? 0 : keep_stack(frames + own, count - own, 0);
}

// Not inlined, so that it has a frame that can be left out.
__attribute__((noinline)) tn_stack_id tn_stack_capture(void) {
    uintptr_t frames[DEPTH_MAX];
    struct tn_trail unused;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    (void)pthread_once(&depot.once, open_depot);
    if (depot.arena == NULL) return 0;
    struct memo *memo = take_memo(here);
    if (memo == NULL) {
        unused.frame = here;
        return keep_frames(frames, tn_unwind(frames, depot.depth + MACHINERY, &unused));
    }
    bool knows = memo_knows(memo, here);
    struct known *known = &memo->known[memo->latest];
    if (!knows) {
        known->trail.frame = here;
        known->id = keep_frames(frames, tn_unwind(frames, depot.depth + MACHINERY, &known->trail));
    }
    tn_stack_id id = known->id;
    tn_store_release(&memo->busy, 0);
    return id;
}

tn_stack_id tn_stack_keep(const uintptr_t *frames, size_t count) {
    (void)pthread_once(&depot.once, open_depot);
    return depot.arena == NULL || count == 0 ? 0 : keep_stack(frames, count, 0);
}

tn_stack_id tn_stack_mark(tn_stack_id id, uint32_t mark) {
    return id == 0 ? 0 : keep_stack(record_of(id)->frames, record_of(id)->count, mark);
}

uint32_t tn_stack_mark_of(tn_stack_id id) { return id == 0 ? 0 : record_of(id)->mark; }

const uintptr_t *tn_stack_frames(tn_stack_id id, size_t *count) {
    *count = id == 0 ? 0 : record_of(id)->count;
    return id == 0 ? NULL : record_of(id)->frames;
}

// ---- reading

static bool has_prefix(const char *text, const char *with) {
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

// The top of a stack. Either it is code of one of Tarn's libraries, where the outermost function is
// the one that the program called, or Tarn is linked into the program.
struct top {
    size_t places;
    size_t skip;
    char library[512]; // "" if none of Tarn's
    bool in_tarn;      // the places so far belong to Tarn
};

static bool is_library_of_tarn(const char *object) {
    return object != NULL &&
           (strstr(object, "/lib/tarn/") != NULL || strstr(object, "/libtarn.so") != NULL ||
            strstr(object, "/libtarn-") != NULL);
}

static bool is_tarn(const struct tn_stack_symbol *symbol) {
    return has_prefix(symbol->function, "tn_") ||
           (symbol->file != NULL && strstr(symbol->file, "src/core/") != NULL);
}

// Returns false at the program's call, or where Tarn ends.
static bool look_at_top(void *context, const struct tn_stack_symbol *symbol) {
    struct top *top = context;
    if (top->places == 0) {
        top->in_tarn = is_tarn(symbol);
        if (is_library_of_tarn(symbol->object) && strlen(symbol->object) < sizeof top->library)
            (void)snprintf(top->library, sizeof top->library, "%s", symbol->object);
    }
    if (top->library[0] != '\0') {
        bool inside = symbol->object != NULL && strcmp(symbol->object, top->library) == 0;
        top->skip = inside ? top->places : top->skip;
        top->places++;
        return inside;
    }
    bool entry = top->in_tarn && has_prefix(symbol->function, "tarn_");
    if (entry || (top->in_tarn && !is_tarn(symbol) && top->skip == 0))
        top->skip = top->places; // the entry, or the first place outside Tarn
    top->places++;
    return top->in_tarn && !entry && top->places < MACHINERY + 4;
}

static struct top find_top(const uintptr_t *frames, size_t count) {
    struct top top = {0};
    for (size_t i = 0; i < count; i++)
        if (!tn_stack_symbol_walk(frames[i], look_at_top, &top)) return top;
    top.skip = top.library[0] != '\0' ? 0 : top.skip; // no caller found: print the whole stack
    return top;
}

struct walk {
    tn_stack_symbol_visit visit;
    void *context;
    size_t skip;
    bool in_tarn; // the first place is in code of Tarn
    bool first;   // no place was passed on so far
};

// Returns true for a function that no program can call. In a library of Tarn these are all functions
// that it does not export, except the entry, whose name may be one of several.
static bool is_internal(const struct tn_stack_symbol *symbol, bool is_entry) {
    Dl_info info;
    if (is_entry || !is_library_of_tarn(symbol->object)) return has_prefix(symbol->function, "tn_");
    return symbol->function == NULL || dladdr((void *)(symbol->address - 1), &info) == 0 ||
           info.dli_sname == NULL || strcmp(info.dli_sname, symbol->function) != 0;
}

static bool pass_on(void *context, const struct tn_stack_symbol *symbol) {
    struct walk *walk = context;
    if (walk->skip > 0) {
        walk->skip--;
        return true;
    }
    bool is_entry = walk->first;
    walk->first = false;
    if (is_internal(symbol, is_entry)) return true;
    struct tn_stack_symbol place = *symbol;
    place.is_of_tarn = is_library_of_tarn(symbol->object) ||
                       (is_entry && walk->in_tarn && has_prefix(symbol->function, "tarn_"));
    return walk->visit(walk->context, &place);
}

void tn_stack_walk(tn_stack_id id, tn_stack_symbol_visit visit, void *context) {
    size_t count;
    const uintptr_t *frames = tn_stack_frames(id, &count);
    struct top top = find_top(frames, count);
    struct walk walk = {visit, context, top.skip, top.in_tarn, true};
    for (size_t i = 0; i < count && i < depot.depth + MACHINERY; i++)
        if (!tn_stack_symbol_walk(frames[i], pass_on, &walk)) return;
}

// ---- threads

// The initial-exec model uses the static thread storage, a few bytes of which are free for
// libraries opened late. The default model would call malloc() at a thread's first access.
static _Thread_local uint32_t thread __attribute__((tls_model("initial-exec")));

static void forget_thread(void) { thread = 0; }

static void watch_forks(void) { (void)pthread_atfork(NULL, NULL, forget_thread); }

uint32_t tn_stack_thread(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (thread == 0) {
        (void)pthread_once(&once, watch_forks);
        thread = (uint32_t)syscall(SYS_gettid);
    }
    return thread;
}
