// SPDX-License-Identifier: Apache-2.0
// See races.h. Each access is made in a moment: of a thread of a block, between two barriers, two
// meetings of its warp and two fences. Memory of a block, such as variables that are shared, is used
// again by later blocks, so that only accesses of one block are compared there. Stacks and memory that
// the kernel allocated are left out. What is forgotten hides races and makes none.
#include "compat/runtime/kernel/races.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/address.h>
#include <tarn/annotate.h>

#include "compat/face/scope.h"
#include "src/stack/stack.h"

enum {
    FRAMES = 4, // of the stack of an access
    STACK_BUCKETS = 1024,
    KEPT = 4,             // accesses of a cell
    GRANULE = 8,          // bytes of a cell
    CELLS_MAX = 1 << 22,  // then further bytes are not watched
    RANGES_MAX = 1 << 16, // of the accesses of a launch; with more, these are not known
    KINDS = 4,            // of an access: the bits TN_RT_ACCESS_WRITE and TN_RT_ACCESS_ATOMIC
    SPARE_BYTES_MAX = 1 << 25,
    REPORTS_MAX = 64 // of a launch
};

// Where bytes are: on a stack or unknown, in memory of a block, or in memory of all blocks.
enum place { PLACE_IGNORED, PLACE_OF_BLOCK, PLACE_OF_ALL };

struct moment {
    uint64_t fences; // of all threads
    uint32_t block;  // in `blocks`
    uint32_t thread;
    uint32_t barriers;
    uint32_t meetings;
    uint32_t grids;
    uint32_t unused; // leaves no padding
};

struct block {
    uint64_t number;
    uint64_t fence; // the last one, or 0
};

// Return addresses, innermost first, and 0 behind the last one.
struct stack {
    uintptr_t frames[FRAMES];
    uint32_t next; // of the bucket, plus 1
};

struct access {
    uint32_t stack;  // in `stacks`
    uint32_t moment; // in `moments`
    uint8_t bytes;   // one bit for each; 0: unused
    uint8_t kind;
};

struct cell {
    uint64_t granule;
    uint8_t place;       // an enum place
    uint8_t turn;        // the access to replace next
    uint8_t made[KINDS]; // the bytes that were accessed, by kind
    struct access kept[KEPT];
};

// A place of the hash table of cells.
struct slot {
    uint32_t record; // that has a cell there; another one: unused
    uint32_t cell;
};

// The accesses to the bytes of one cell.
struct trace {
    uint64_t granule;
    uint8_t made[KINDS];
};

// Lists are reused: `number` counts the records that were made with them, and memory that is new costs more
// than a small kernel.
struct tn_rt_races {
    pthread_mutex_t
        lock; // guards the rest if the launch is cooperative: its blocks run in several threads
    struct tn_rt_launch launch;
    char kernel[128];   // "kernel scale"
    const char *failed; // the reason why accesses are not known, or NULL
    size_t seen;        // accesses that came
    uint64_t fences;
    struct moment *moments;
    struct block *blocks;
    uint64_t base, bytes; // memory of Tarn that was accessed last
    struct stack *stacks;
    uint32_t buckets[STACK_BUCKETS]; // the last stack, plus 1
    uint32_t number;
    struct slot *slots;
    struct cell *cells;
    struct trace *traces; // two for each cell
    tarn_check_range *ranges;
    size_t moment_count, moment_room, block_count, block_room, stack_count, stack_room;
    size_t slot_room, cell_count, cell_room, trace_room, range_count, range_room;
    uint32_t reported[REPORTS_MAX][2]; // stacks
    unsigned report_count;
};

// Of a thread of the CPU while it runs a team, or a function of the program in stream order.
struct watch {
    struct tn_rt_races *races;     // NULL: nothing is recorded
    const struct tn_rt_team *team; // NULL: a function
    uint32_t block;
    struct moment now;
    uint32_t index; // of `now`
    bool begun;
    uint64_t fences[TN_RT_THREADS_PER_BLOCK]; // the last one of each thread
};
static _Thread_local struct watch *watch;
static struct watch unwatched; // of kernels whose accesses are not recorded
static const char out_of_memory[] = "there is no host memory for its accesses";

// ---- tables

static bool grow(void **list, size_t count, size_t *room, size_t bytes) {
    if (count < *room) return true;
    size_t wanted = *room == 0 ? 256 : *room * 2;
    void *grown = realloc(*list, wanted * bytes);
    if (grown == NULL) return false;
    *list = grown;
    *room = wanted;
    return true;
}

// Returns the slot of the granule, or the unused one where it belongs.
static struct slot *find_slot(const struct tn_rt_races *races, uint64_t granule) {
    size_t mask = races->slot_room - 1;
    size_t at = (size_t)(granule * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (races->slots[at].record == races->number &&
           races->cells[races->slots[at].cell].granule != granule)
        at = (at + 1) & mask;
    return &races->slots[at];
}

static bool grow_slots(struct tn_rt_races *races) {
    size_t room = races->slot_room == 0 ? 512 : races->slot_room * 2;
    struct slot *slots = (struct slot *)calloc(room, sizeof *slots);
    if (slots == NULL) return false;
    free(races->slots);
    races->slots = slots;
    races->slot_room = room;
    for (size_t i = 0; i < races->cell_count; i++)
        *find_slot(races, races->cells[i].granule) = (struct slot){races->number, (uint32_t)i};
    return true;
}

// Makes all slots unused.
static void forget_cells(struct tn_rt_races *races) {
    races->cell_count = 0;
    if (++races->number != 0) return;
    if (races->slots != NULL) memset(races->slots, 0, races->slot_room * sizeof *races->slots);
    races->number = 1;
}

// Finds or adds the stack whose innermost frame is given. Frames of other code may lack a pointer.
// Returns false without memory.
static bool find_stack(struct tn_rt_races *races, const uintptr_t *frame, uint32_t *found) {
    const uintptr_t begin = (uintptr_t)watch->team->fault.current->stack;
    struct stack stack = {.frames = {0}};
    uintptr_t hash = 0;
    for (unsigned i = 0; i < FRAMES && frame != NULL; i++) {
        stack.frames[i] = frame[1];
        hash = (hash ^ frame[1]) * UINT64_C(0x9e3779b97f4a7c15);
        const uintptr_t next = frame[0];
        if (next <= (uintptr_t)frame || next - begin >= TN_RT_FIBRE_BYTES - 2 * sizeof next ||
            next % sizeof next != 0)
            break;
        frame = (const uintptr_t *)next;
    }
    uint32_t *bucket = &races->buckets[(hash >> 32) % STACK_BUCKETS];
    for (uint32_t at = *bucket; at != 0; at = races->stacks[at - 1].next)
        if (memcmp(races->stacks[at - 1].frames, stack.frames, sizeof stack.frames) == 0) {
            *found = at - 1;
            return true;
        }
    if (!grow((void **)&races->stacks, races->stack_count, &races->stack_room,
              sizeof *races->stacks))
        return false;
    stack.next = *bucket;
    *found = (uint32_t)races->stack_count++;
    races->stacks[*found] = stack;
    *bucket = *found + 1;
    return true;
}

// ---- places

struct image_search {
    uintptr_t address;
    enum place place;
};

static int find_in_image(struct dl_phdr_info *info, size_t size, void *context) {
    struct image_search *search = (struct image_search *)context;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        bool is_own = part->p_type == PT_TLS && info->dlpi_tls_data != NULL &&
                      search->address - (uintptr_t)info->dlpi_tls_data < part->p_memsz;
        if (is_own) search->place = PLACE_OF_BLOCK;
        if (part->p_type == PT_LOAD &&
            search->address - info->dlpi_addr - part->p_vaddr < part->p_memsz)
            search->place = PLACE_OF_ALL;
    }
    return search->place != PLACE_IGNORED;
}

static enum place place_of(struct tn_rt_races *races, uintptr_t address) {
    struct image_search search = {address, PLACE_IGNORED};
    tarn_address_info info = TARN_INIT(tarn_address_info);
    if (watch->team != NULL && address - (uintptr_t)watch->team->shared < TN_RT_SHARED_BYTES)
        return PLACE_OF_BLOCK;
    if (address - races->base < races->bytes) return PLACE_OF_ALL;
    if (tarn_address_query(address, &info) == TARN_OK && info.kind != TARN_ADDRESS_UNKNOWN &&
        info.kind != TARN_ADDRESS_RETIRED) {
        races->base = info.base;
        races->bytes = info.bytes;
        return PLACE_OF_ALL;
    }
    if (watch->team == NULL) return PLACE_IGNORED; // the host orders its own memory by other means
    if (address - (uintptr_t)races->launch.closure < races->launch.closure_bytes)
        return PLACE_IGNORED;
    (void)dl_iterate_phdr(find_in_image, &search);
    return search.place;
}

// Returns the cell, or NULL if there is no room.
static struct cell *take_cell(struct tn_rt_races *races, uint64_t granule) {
    bool has_room = races->cell_count * 2 < races->slot_room || grow_slots(races);
    struct slot *slot = has_room ? find_slot(races, granule) : NULL;
    if (slot != NULL && slot->record == races->number) return &races->cells[slot->cell];
    if (races->cell_count == CELLS_MAX) {
        races->failed = "it accesses over 32 MiB, and the rest is not watched";
        return NULL;
    }
    if (slot == NULL ||
        !grow((void **)&races->cells, races->cell_count, &races->cell_room, sizeof *races->cells)) {
        races->failed = out_of_memory;
        return NULL;
    }
    struct cell *cell = &races->cells[races->cell_count];
    *slot = (struct slot){races->number, (uint32_t)races->cell_count++};
    *cell = (struct cell){.granule = granule, .place = (uint8_t)place_of(races, granule * GRANULE)};
    return cell;
}

// ---- order

static bool is_ordered(const struct tn_rt_races *races, const struct moment *old) {
    const struct moment *now = &watch->now;
    if (old->block != now->block)
        return old->grids != now->grids || (races->blocks[old->block].fence > old->fences &&
                                            races->blocks[now->block].fence > old->fences);
    return old->thread == now->thread || old->barriers != now->barriers ||
           (old->thread / 64 == now->thread / 64 && old->meetings != now->meetings) ||
           (watch->fences[old->thread] > old->fences && watch->fences[now->thread] > old->fences);
}

static uint64_t number_of(const struct tn_rt_dim *at, const struct tn_rt_dim *extent) {
    return ((uint64_t)at->z * extent->y + at->y) * extent->x + at->x;
}

// Makes `now` the moment of the thread that runs. Returns false without memory.
static bool enter_moment(struct tn_rt_races *races) {
    const struct tn_rt_host_block *block = &watch->team->block;
    uint64_t number = number_of(&block->index, &block->grid);
    uint32_t thread = (uint32_t)number_of(block->thread, &block->block);
    if (!watch->begun || races->blocks[watch->block].number != number) {
        if (!grow((void **)&races->blocks, races->block_count, &races->block_room,
                  sizeof *races->blocks))
            return false;
        watch->block = (uint32_t)races->block_count++;
        races->blocks[watch->block] = (struct block){.number = number};
    }
    const struct moment now = {.fences = races->fences,
                               .block = watch->block,
                               .thread = thread,
                               .barriers = watch->team->barrier_count,
                               .meetings = watch->team->warps[thread / 32].meeting_count,
                               .grids = watch->team->grid_count};
    if (watch->begun && memcmp(&now, &watch->now, sizeof now) == 0) return true;
    if (!grow((void **)&races->moments, races->moment_count, &races->moment_room,
              sizeof *races->moments))
        return false;
    watch->begun = true;
    watch->now = now;
    watch->index = (uint32_t)races->moment_count++;
    races->moments[watch->index] = now;
    return true;
}

// ---- reports

static void describe_actor(const struct tn_rt_races *races, const struct moment *moment,
                           char text[96]) {
    const struct tn_rt_dim *b = &races->launch.block;
    const struct tn_rt_dim *g = &races->launch.grid;
    uint64_t block = races->blocks[moment->block].number;
    (void)snprintf(text, 96, "thread (%u, %u, %u) of block (%u, %u, %u)", moment->thread % b->x,
                   moment->thread / b->x % b->y, moment->thread / b->x / b->y,
                   (uint32_t)(block % g->x), (uint32_t)(block / g->x % g->y),
                   (uint32_t)(block / g->x / g->y));
}

bool tn_rt_is_of_headers(const struct tn_stack_symbol *symbol) {
    static const char *const folders[] = {"/hip/detail/", "/cuda/detail/",
                                          "/compat/kernel/include/", "/compat/hip/kernel/",
                                          "/compat/cuda/kernel/"};
    for (size_t i = 0; symbol->file != NULL && i < sizeof folders / sizeof *folders; i++)
        if (strstr(symbol->file, folders[i]) != NULL) return true;
    return false;
}

static bool is_of_program(void *context, const struct tn_stack_symbol *symbol) {
    bool *found = (bool *)context;
    *found = !tn_rt_is_of_headers(symbol);
    return !*found;
}

// Returns the number of frames up to the innermost one outside of a face's headers, which ends the stack.
static size_t count_frames(const uintptr_t *frames) {
    bool found = false;
    size_t count = 0;
    while (count < FRAMES && frames[count] != 0 && !found)
        (void)tn_stack_symbol_walk(frames[count++], is_of_program, &found);
    return count;
}

static const char *const actions[] = {"read", "write", "atomic read",
                                      "atomic write", [TN_RT_ACCESS_TYPED] = "access"};

// Returns true for two stacks that have not been reported together. UINT32_MAX is no stack.
static bool is_new(struct tn_rt_races *races, uint32_t now, uint32_t old) {
    for (unsigned i = 0; i < races->report_count; i++)
        if (races->reported[i][0] == now && races->reported[i][1] == old) return false;
    if (races->report_count == REPORTS_MAX) return false;
    races->reported[races->report_count][0] = now;
    races->reported[races->report_count++][1] = old;
    return true;
}

static void report_misaligned(struct tn_rt_races *races, uint32_t stack, uintptr_t address,
                              size_t bytes, unsigned described) {
    const bool typed = described == TN_RT_ACCESS_TYPED;
    const size_t alignment = bytes < 8 || typed ? bytes : 8;
    char actor[96];
    if (alignment == 0 || address % alignment == 0 || !is_new(races, stack, UINT32_MAX)) return;
    describe_actor(races, &watch->now, actor);
    const uintptr_t *frames = races->stacks[stack].frames;
    const tarn_check_access access = {actor, actions[typed ? described : described % KINDS], frames,
                                      count_frames(frames)};
    tarn_check_misaligned(address, bytes, alignment, races->kernel, &access);
}

static void report_race(struct tn_rt_races *races, const struct cell *cell,
                        const struct access *old, const struct access *now) {
    char actors[2][96];
    char work[160];
    if (!is_new(races, now->stack, old->stack)) return;
    (void)snprintf(work, sizeof work, "%s%.60s",
                   cell->place == PLACE_OF_BLOCK ? "shared memory of " : "", races->kernel);
    describe_actor(races, &watch->now, actors[0]);
    describe_actor(races, &races->moments[old->moment], actors[1]);
    const uintptr_t *frames[] = {races->stacks[now->stack].frames,
                                 races->stacks[old->stack].frames};
    const tarn_check_access accesses[] = {
        {actors[0], actions[now->kind], frames[0], count_frames(frames[0])},
        {actors[1], actions[old->kind], frames[1], count_frames(frames[1])}};
    unsigned both = old->bytes & now->bytes;
    tarn_check_race(cell->granule * GRANULE + (unsigned)__builtin_ctz(both),
                    (unsigned)__builtin_popcount(both), work, accesses);
}

// ---- accesses

static bool is_conflict(const struct access *old, const struct access *now) {
    return (old->bytes & now->bytes) != 0 && ((old->kind | now->kind) & TN_RT_ACCESS_WRITE) != 0 &&
           (old->kind & now->kind & TN_RT_ACCESS_ATOMIC) == 0;
}

// Every race with the old access that may follow is one with the new access, too.
static bool covers(const struct access *now, const struct access *old) {
    return (old->bytes & ~now->bytes) == 0 &&
           (now->kind & TN_RT_ACCESS_WRITE) >= (old->kind & TN_RT_ACCESS_WRITE) &&
           (now->kind & TN_RT_ACCESS_ATOMIC) <= (old->kind & TN_RT_ACCESS_ATOMIC);
}

static void access_cell(struct tn_rt_races *races, struct cell *cell, const struct access *now) {
    struct access *place = NULL;
    for (unsigned i = 0; i < KEPT; i++) {
        struct access *old = &cell->kept[i];
        if (old->bytes == 0) {
            place = place == NULL ? old : place;
            continue;
        }
        const struct moment *then = &races->moments[old->moment];
        bool gone = cell->place == PLACE_OF_BLOCK && then->block != watch->now.block;
        bool ordered = gone || is_ordered(races, then);
        if (!ordered && is_conflict(old, now)) report_race(races, cell, old, now);
        if (gone || (ordered && covers(now, old))) {
            old->bytes = 0;
            place = old;
        } else if (old->moment == now->moment && covers(old, now)) {
            return;
        }
    }
    // Reads are forgotten first.
    for (unsigned i = 0; i < KEPT && place == NULL; i++)
        if ((cell->kept[i].kind & TN_RT_ACCESS_WRITE) == 0) place = &cell->kept[i];
    if (place == NULL) place = &cell->kept[cell->turn++ % KEPT];
    *place = *now;
}

static bool is_on_stack(const struct tn_rt_team *team, uintptr_t address) {
    return address - (uintptr_t)team->fault.current->stack < TN_RT_FIBRE_BYTES ||
           address - (uintptr_t)team->block.thread < sizeof *team->block.thread;
}

// Atomic accesses of functions count in all memory, because threads of the host synchronise by them.
static void access_bytes(struct tn_rt_races *races, uint32_t stack, uintptr_t address, size_t bytes,
                         unsigned kind) {
    for (uintptr_t end = address + bytes; address < end;) {
        unsigned first = (unsigned)(address % GRANULE);
        unsigned count = GRANULE - first;
        if (count > end - address) count = (unsigned)(end - address);
        const struct access now = {stack, watch->index, (uint8_t)(((1u << count) - 1) << first),
                                   (uint8_t)kind};
        struct cell *cell = take_cell(races, address / GRANULE);
        address += count;
        if (cell == NULL) continue;
        if (watch->team == NULL && (kind & TN_RT_ACCESS_ATOMIC) != 0) cell->place = PLACE_OF_ALL;
        if (cell->place == PLACE_IGNORED) continue;
        cell->made[kind] |= now.bytes;
        if (watch->team != NULL) access_cell(races, cell, &now);
    }
}

// ---- footprints

static uint32_t how_of(unsigned kind) {
    return ((kind & TN_RT_ACCESS_WRITE) != 0 ? TARN_CHECK_WRITE : TARN_CHECK_READ) |
           ((kind & TN_RT_ACCESS_ATOMIC) != 0 ? TARN_CHECK_ATOMIC : 0u);
}

// `open`: the range of each kind that the next byte may extend, plus 1.
static bool add_bytes(struct tn_rt_races *races, size_t open[KINDS], unsigned kind,
                      uintptr_t address, size_t bytes) {
    tarn_check_range *range = open[kind] != 0 ? &races->ranges[open[kind] - 1] : NULL;
    if (range != NULL && range->addr + range->bytes == address) {
        range->bytes += bytes;
        return true;
    }
    if (races->range_count == RANGES_MAX || !grow((void **)&races->ranges, races->range_count,
                                                  &races->range_room, sizeof *races->ranges))
        return false;
    races->ranges[races->range_count++] = (tarn_check_range){address, bytes, how_of(kind)};
    open[kind] = races->range_count;
    return true;
}

static bool add_trace(struct tn_rt_races *races, size_t open[KINDS], const struct trace *trace) {
    uint8_t made[KINDS];
    memcpy(made, trace->made, sizeof made);
    // A plain write races with all that the others race with, and a write with all that a read does.
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kind != TN_RT_ACCESS_WRITE) made[kind] &= (uint8_t)~made[TN_RT_ACCESS_WRITE];
    made[TN_RT_ACCESS_ATOMIC] &=
        (uint8_t) ~(made[TN_RT_ACCESS_ATOMIC | TN_RT_ACCESS_WRITE] | made[0]);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (made[kind] == (1u << GRANULE) - 1) {
            if (!add_bytes(races, open, kind, trace->granule * GRANULE, GRANULE)) return false;
            continue;
        }
        for (unsigned byte = 0; made[kind] >> byte != 0; byte++)
            if ((made[kind] >> byte & 1) != 0 &&
                !add_bytes(races, open, kind, trace->granule * GRANULE + byte, 1))
                return false;
    }
    return true;
}

// Sorts the traces by a radix of 8 bits; the second list is of the same size. Returns the one that
// has the result.
static struct trace *sort_traces(struct trace *traces, struct trace *other, size_t count) {
    enum { BITS = 8, DIGITS = 1 << BITS };
    uint64_t varying = 0;
    for (size_t i = 1; i < count; i++) varying |= traces[i].granule ^ traces[0].granule;
    for (unsigned shift = 0; shift < 64; shift += BITS) {
        size_t begin[DIGITS] = {0};
        if ((varying >> shift & (DIGITS - 1)) == 0) continue;
        for (size_t i = 0; i < count; i++) begin[traces[i].granule >> shift & (DIGITS - 1)]++;
        for (size_t digit = 0, at = 0; digit < DIGITS; digit++) {
            size_t next = at + begin[digit];
            begin[digit] = at;
            at = next;
        }
        for (size_t i = 0; i < count; i++)
            other[begin[traces[i].granule >> shift & (DIGITS - 1)]++] = traces[i];
        struct trace *sorted = other;
        other = traces;
        traces = sorted;
    }
    return traces;
}

// Writes the accesses to memory of all blocks as ranges. Returns false without room.
static bool find_ranges(struct tn_rt_races *races) {
    size_t open[KINDS] = {0};
    size_t count = 0;
    races->range_count = 0;
    while (races->trace_room < races->cell_count * 2)
        if (!grow((void **)&races->traces, races->trace_room, &races->trace_room,
                  sizeof *races->traces))
            return false;
    for (size_t i = 0; i < races->cell_count; i++) {
        const struct cell *cell = &races->cells[i];
        if (cell->place != PLACE_OF_ALL) continue;
        races->traces[count].granule = cell->granule;
        memcpy(races->traces[count++].made, cell->made, sizeof cell->made);
    }
    const struct trace *sorted = sort_traces(races->traces, races->traces + count, count);
    for (size_t i = 0; i < count; i++)
        if (!add_trace(races, open, &sorted[i])) return false;
    return true;
}

static void report_accesses(struct tn_rt_races *races) {
    static const tarn_check_range none;
    if (!tarn_annotate_subscribed()) return;
    bool known = races->failed == NULL && find_ranges(races);
    tarn_check_accesses(!known                   ? NULL
                        : races->range_count > 0 ? races->ranges
                                                 : &none,
                        known ? races->range_count : races->seen, races->kernel);
}

// ---- hooks

static void record_access(struct tn_rt_races *races, uintptr_t address, size_t bytes,
                          unsigned described, const uintptr_t *frame) {
    const unsigned kind = described % KINDS;
    races->seen++;
    if (races->failed != NULL) return;
    uint32_t stack = 0;
    if (watch->team != NULL) {
        if (is_on_stack(watch->team, address)) return;
        if (!enter_moment(races) || !find_stack(races, frame, &stack)) {
            races->failed = out_of_memory;
            return;
        }
        if ((described & (TN_RT_ACCESS_ALIGNED | TN_RT_ACCESS_TYPED)) != 0)
            report_misaligned(races, stack, address, bytes, described);
    }
    if ((described & TN_RT_ACCESS_TYPED) != 0) return;
    access_bytes(races, stack, address, bytes, kind);
    // Another thread may observe an atomic write, and come after what the function did before.
    if (watch->team == NULL && kind == (TN_RT_ACCESS_WRITE | TN_RT_ACCESS_ATOMIC)) {
        report_accesses(races);
        forget_cells(races);
    }
}

void tn_rt_races_access(uintptr_t address, size_t bytes, unsigned kind, const uintptr_t *frame) {
    if (watch == NULL) {
        if ((kind & TN_RT_ACCESS_TYPED) == 0) tarn_check_host(address, bytes, how_of(kind), frame);
        return;
    }
    struct tn_rt_races *races = watch->races;
    if (races == NULL || (watch->team != NULL && watch->team->block.thread == NULL)) return;
    if (!races->launch.cooperative) {
        record_access(races, address, bytes, kind, frame);
        return;
    }
    TN_FACE_LOCKED(&races->lock);
    record_access(races, address, bytes, kind, frame);
}

void tn_rt_races_fence(void) {
    if (watch == NULL || watch->team == NULL || watch->team->block.thread == NULL) return;
    struct tn_rt_races *races = watch->races;
    TN_FACE_LOCKED(&races->lock);
    if (races->failed != NULL || !enter_moment(races)) return;
    races->blocks[watch->block].fence = watch->fences[watch->now.thread] = ++races->fences;
}

// ---- launches

static void report_unwatched(const struct tn_rt_launch *launch, const char *kernel,
                             const char *why) {
    char text[256];
    (void)snprintf(text, sizeof text, "races within %s are not found: %s", kernel, why);
    tarn_check_race((uintptr_t)launch->kernel, 0, text, NULL);
}

static _Atomic(struct tn_rt_races *) spare; // of a launch that has ended

static struct tn_rt_races *take_record(void) {
    struct tn_rt_races *races = atomic_exchange(&spare, NULL);
    if (races == NULL) {
        races = (struct tn_rt_races *)calloc(1, sizeof *races);
        if (races == NULL) return NULL;
        (void)pthread_mutex_init(&races->lock, NULL);
    }
    forget_cells(races);
    races->failed = NULL;
    races->seen = 0;
    races->fences = races->base = races->bytes = 0;
    races->moment_count = races->block_count = races->stack_count = 0;
    memset(races->buckets, 0, sizeof races->buckets);
    races->report_count = 0;
    return races;
}

static void put_record(struct tn_rt_races *races) {
    struct tn_rt_races *none = NULL;
    size_t bytes =
        races->slot_room * sizeof *races->slots + races->cell_room * sizeof *races->cells +
        races->moment_room * sizeof *races->moments + races->trace_room * sizeof *races->traces;
    if (bytes <= SPARE_BYTES_MAX && atomic_compare_exchange_strong(&spare, &none, races)) return;
    free(races->moments);
    free(races->blocks);
    free(races->stacks);
    free(races->slots);
    free(races->cells);
    free(races->traces);
    free(races->ranges);
    (void)pthread_mutex_destroy(&races->lock);
    free(races);
}

struct tn_rt_races *tn_rt_races_begin(const struct tn_rt_launch *launch, const char *kernel) {
    struct tn_rt_races *races = take_record();
    if (races == NULL) {
        if (launch->kernel != NULL) report_unwatched(launch, kernel, out_of_memory);
        tarn_check_accesses(NULL, 1, kernel);
        return NULL;
    }
    races->launch = *launch;
    (void)snprintf(races->kernel, sizeof races->kernel, "%s", kernel);
    return races;
}

void tn_rt_races_end(struct tn_rt_races *races, bool complete) {
    if (races == NULL) return;
    if (races->seen == 0) races->failed = "it was compiled without --kernel-races";
    if (races->failed != NULL) report_unwatched(&races->launch, races->kernel, races->failed);
    if (!complete) races->failed = "it failed";
    report_accesses(races);
    put_record(races);
}

void tn_rt_races_watch(struct tn_rt_races *races, const struct tn_rt_team *team) {
    watch = &unwatched;
    if (races == NULL) return;
    TN_FACE_LOCKED(&races->lock);
    struct watch *own = (struct watch *)calloc(1, sizeof *own);
    if (own == NULL) {
        races->failed = out_of_memory;
        return;
    }
    own->races = races;
    own->team = team;
    watch = own;
}

void tn_rt_races_unwatch(void) {
    if (watch != &unwatched) free(watch);
    watch = NULL;
}

void tn_rt_races_function(void (*fn)(void *arg), void *arg) {
    const struct tn_rt_launch none = {.run = NULL};
    struct watch *before = watch;
    if (tarn_annotate_subscribed())
        tn_rt_races_watch(tn_rt_races_begin(&none, "a host function"), NULL);
    fn(arg);
    if (watch == before) return;
    struct tn_rt_races *races = watch->races;
    tn_rt_races_unwatch();
    watch = before;
    if (races == NULL) return;
    if (races->seen > 0) report_accesses(races);
    put_record(races);
}
