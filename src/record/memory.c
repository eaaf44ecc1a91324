// SPDX-License-Identifier: Apache-2.0
// Turns events of a program into those of a trace; see memory.h. Memory of the device is a segment.
// If no pool owns it, the program uses it itself, so that it is a block as well, until a heap begins
// in it. Such a block is written with the next entry, unless that begins the heap. Regions of heaps
// are blocks.
#include "record/memory.h"

#include "algo/interval.h"
#include "base/grow.h"
#include "record/events.h"
#include "record/texts.h"

// A live segment or block. The tables hold indexes of these.
struct piece {
    uint64_t addr;
    uint64_t bytes;    // requested
    uint64_t occupied; // of a block
    uint64_t stream;   // numbers in the file
    uint64_t stack;
    uint64_t tag;
    uint64_t number; // of a written block
    uint64_t begun;  // the position of the entry that began it
    uint64_t phys;   // of a mapped segment: its physical memory; 0 if unknown
    uint32_t space;
    int32_t device;
    bool is_block;
    bool is_mapped;
    bool is_alias; // another live segment stands for the same physical memory
    bool is_written;
    bool waits;         // as tn_record_memory.waiting
    uint32_t next_free; // index plus 1 of the next free piece
};

struct heap {
    uint64_t addr;
    uint64_t bytes;
    uint32_t space;
    bool is_segment; // no memory of the device was known there
};

// An address space; see struct tn_mem_event.
struct space {
    uint32_t number;
    struct tn_interval segments;
    struct tn_interval blocks;
};

enum { SPACES = 16 };

struct tn_record_memory {
    struct tn_record_file *file;
    bool writes;
    uint64_t position; // of the entry that is applied
    uint64_t time_ns;  // of the same
    tn_stack_id stack; // of the same
    uint64_t next_number;
    struct piece *pieces;
    size_t piece_count, piece_room;
    uint32_t free_piece; // index plus 1
    uint32_t waiting;    // index plus 1 of a block that may become a heap with the next entry
    struct heap *heaps;
    size_t heap_count, heap_room;
    struct space spaces[SPACES];
    size_t space_count;
    struct tn_interval mappings;    // by physical memory: the number of live segments that map it
    uint64_t tags[TN_RECORD_TEXTS]; // by the number of a text: its number in the file, or 0
};

// ---- pieces

// Returns the index of a piece, or UINT32_MAX if out of memory.
static uint32_t new_piece(struct tn_record_memory *memory, const struct piece *piece) {
    uint32_t index = memory->free_piece - 1;
    if (memory->free_piece != 0) {
        memory->free_piece = memory->pieces[index].next_free;
    } else {
        void *grown = tn_grow(memory->pieces, &memory->piece_room, memory->piece_count + 1,
                              sizeof *memory->pieces);
        if (grown == NULL) return UINT32_MAX;
        memory->pieces = (struct piece *)grown;
        index = (uint32_t)memory->piece_count++;
    }
    memory->pieces[index] = *piece;
    return index;
}

static void free_piece(struct tn_record_memory *memory, uint32_t index) {
    memory->pieces[index].phys = 0;
    memory->pieces[index].next_free = memory->free_piece;
    memory->free_piece = index + 1;
}

// ---- events

static void write_segment(struct tn_record_memory *memory, const struct piece *piece,
                          enum tn_record record) {
    const uint64_t fields[] = {piece->addr, piece->bytes, piece->stream, piece->stack,
                               piece->is_mapped ? 1 : 0};
    tn_record_file_segment(memory->file, record, memory->time_ns, piece->device, fields);
}

static void write_begin(struct tn_record_memory *memory, struct piece *piece) {
    piece->is_written = true;
    if (!piece->is_block) {
        write_segment(memory, piece, TN_RECORD_SEGMENT);
        return;
    }
    piece->number = memory->next_number++;
    tn_record_file_event(memory->file, TN_RECORD_ALLOC, memory->time_ns,
                         TN_FIELDS(piece->addr, piece->bytes, piece->occupied, piece->stream,
                                   piece->stack, piece->tag, 0));
}

// Memory that was written as live is also written as freed while the recording is stopped.
static void write_end(struct tn_record_memory *memory, const struct piece *piece) {
    if (piece->is_written && piece->is_block) {
        tn_record_file_event(memory->file, TN_RECORD_FREE, memory->time_ns, &piece->number, 1);
    } else if (piece->is_written) {
        struct piece returned = *piece;
        returned.stack = tn_record_file_stack(memory->file, memory->stack);
        write_segment(memory, &returned, TN_RECORD_SEGMENT_RETURN);
    }
}

// ---- live memory

static struct space *find_space(struct tn_record_memory *memory, uint32_t number) {
    for (size_t i = 0; i < memory->space_count; i++)
        if (memory->spaces[i].number == number) return &memory->spaces[i];
    if (memory->space_count == SPACES) return &memory->spaces[SPACES - 1];
    struct space *space = &memory->spaces[memory->space_count++];
    space->number = number;
    tn_interval_init(&space->segments);
    tn_interval_init(&space->blocks);
    return space;
}

// ---- physical memory that is mapped more than once

static void set_alias(struct tn_record_memory *memory, struct piece *piece, bool is_alias) {
    if (piece->is_alias == is_alias) return;
    piece->is_alias = is_alias;
    if (is_alias) {
        write_end(memory, piece);
        piece->is_written = false;
    } else if (memory->writes) {
        write_begin(memory, piece);
    }
}

// Changes a segment, and the block that it is as well unless a pool owns it.
static void set_alias_of_segment(struct tn_record_memory *memory, struct piece *segment,
                                 bool is_alias) {
    struct tn_interval_entry found;
    const struct space *space = find_space(memory, segment->space);
    bool has_block = tn_interval_find(&space->blocks, segment->addr, &found) &&
                     found.start == segment->addr && memory->pieces[found.value].is_mapped;
    if (has_block && is_alias) set_alias(memory, &memory->pieces[found.value], true);
    set_alias(memory, segment, is_alias);
    if (has_block && !is_alias) set_alias(memory, &memory->pieces[found.value], false);
}

// Selects the largest mapping to stand for the physical memory, the oldest of several.
static void select_mapping(struct tn_record_memory *memory, uint64_t phys) {
    struct piece *best = NULL;
    for (size_t i = 0; i < memory->piece_count; i++) {
        struct piece *piece = &memory->pieces[i];
        if (piece->phys == phys && (best == NULL || piece->bytes > best->bytes ||
                                    (piece->bytes == best->bytes && piece->begun < best->begun)))
            best = piece;
    }
    for (size_t i = 0; i < memory->piece_count; i++)
        if (memory->pieces[i].phys == phys && &memory->pieces[i] != best)
            set_alias_of_segment(memory, &memory->pieces[i], true);
    if (best != NULL) set_alias_of_segment(memory, best, false);
}

// Returns the number of live mappings after one has begun or ended. Without memory for the count, the
// mappings count as different memory.
static uint64_t count_mappings(struct tn_record_memory *memory, uint64_t phys, bool begins) {
    struct tn_interval_entry known = {.value = 0};
    bool is_known = tn_interval_find(&memory->mappings, phys, &known);
    uint64_t count = begins ? known.value + 1 : is_known ? known.value - 1 : 0;
    if (!is_known)
        (void)(begins && tn_interval_insert(&memory->mappings, phys, phys + 1, count));
    else if (count == 0)
        (void)tn_interval_remove(&memory->mappings, phys, NULL);
    else
        (void)tn_interval_set(&memory->mappings, phys, count);
    return count;
}

static void end_piece(struct tn_record_memory *memory, uint64_t index) {
    struct piece ended = memory->pieces[index];
    write_end(memory, &ended);
    free_piece(memory, (uint32_t)index);
    if (ended.phys != 0 && count_mappings(memory, ended.phys, false) > 0 && !ended.is_alias)
        select_mapping(memory, ended.phys);
}

// ---- live pieces

// Ends the live pieces that start in [lo, hi) and began before an entry.
static void end_old_pieces(struct tn_record_memory *memory, struct tn_interval *table, uint64_t lo,
                           uint64_t hi, uint64_t before) {
    struct tn_interval_entry entry;
    while (tn_interval_next(table, lo, &entry) && entry.start < hi) {
        if (entry.start < lo || memory->pieces[entry.value].begun >= before) {
            lo = entry.end;
            continue;
        }
        (void)tn_interval_remove(table, entry.start, NULL);
        end_piece(memory, entry.value);
    }
}

static void end_pieces(struct tn_record_memory *memory, struct tn_interval *table, uint64_t lo,
                       uint64_t hi) {
    end_old_pieces(memory, table, lo, hi, UINT64_MAX);
}

// Ends the piece around an address, if there is one.
static void end_around(struct tn_record_memory *memory, struct tn_interval *table, uint64_t addr) {
    struct tn_interval_entry entry;
    if (tn_interval_find(table, addr, &entry))
        end_pieces(memory, table, entry.start, entry.start + 1);
}

static void begin_piece(struct tn_record_memory *memory, struct tn_interval *table,
                        const struct piece *piece) {
    uint64_t size = piece->occupied > piece->bytes ? piece->occupied : piece->bytes, end;
    if (size == 0 || __builtin_add_overflow(piece->addr, size, &end)) return;
    bool has_stream = piece->stream != TN_RECORD_NO_STREAM;
    uint32_t index = has_stream ? new_piece(memory, piece) : UINT32_MAX;
    tarn_status status = index == UINT32_MAX ? TARN_NO_HOST_MEMORY
                                             : tn_interval_insert(table, piece->addr, end, index);
    if (status != TARN_OK) { // the ends of the pieces that it overlaps were not seen
        end_around(memory, table, piece->addr);
        end_pieces(memory, table, piece->addr, end);
    }
    if (status == TARN_BUSY) status = tn_interval_insert(table, piece->addr, end, index);
    if (status == TARN_OK && piece->waits)
        memory->waiting = index + 1;
    else if (status == TARN_OK && memory->writes && !piece->is_alias)
        write_begin(memory, &memory->pieces[index]);
    else if (status != TARN_OK && index != UINT32_MAX)
        free_piece(memory, index);
}

static uint64_t find_tag(struct tn_record_memory *memory, uint32_t text) {
    if (text != 0 && memory->tags[text] == 0)
        memory->tags[text] = tn_record_file_text(memory->file, tn_record_text_at(text));
    return memory->tags[text];
}

static struct piece piece_of(struct tn_record_memory *memory, const struct tn_record_entry *entry,
                             bool is_block) {
    return (struct piece){
        .addr = entry->addr,
        .bytes = entry->bytes,
        .occupied = is_block ? entry->other : 0,
        .stream = tn_record_file_stream(memory->file, entry->device, entry->stream),
        .stack = tn_record_file_stack(memory->file, entry->stack),
        .tag = find_tag(memory, entry->text),
        .begun = memory->position,
        .space = entry->space,
        .device = entry->device,
        .is_block = is_block,
        .is_mapped = entry->what == TN_MEM_MAPPING,
    };
}

// ---- entries

static bool is_memory(const struct tn_record_entry *entry) {
    return entry->what == TN_MEM_MEMORY || entry->what == TN_MEM_PINNED ||
           entry->what == TN_MEM_MAPPING;
}

static void begin_memory(struct tn_record_memory *memory, struct space *space,
                         const struct tn_record_entry *entry) {
    struct tn_record_entry plain = *entry;
    if (!is_memory(entry)) return;
    plain.text = 0; // the function's name
    plain.other = entry->bytes;
    struct piece segment = piece_of(memory, &plain, false), block = piece_of(memory, &plain, true);
    block.waits = true;
    segment.phys = entry->what == TN_MEM_MAPPING ? entry->other : 0;
    bool is_again = segment.phys != 0 && count_mappings(memory, segment.phys, true) > 1;
    segment.is_alias = block.is_alias = is_again;
    begin_piece(memory, &space->segments, &segment);
    if ((entry->flags & TN_MEM_OWNED) == 0) begin_piece(memory, &space->blocks, &block);
    if (is_again) select_mapping(memory, segment.phys);
}

static void end_memory(struct tn_record_memory *memory, struct space *space,
                       const struct tn_record_entry *entry) {
    if (is_memory(entry)) {
        uint64_t end = entry->addr + (entry->bytes > 0 ? entry->bytes : 1);
        uint64_t before = (entry->flags & TN_RECORD_OF_VENDOR) != 0 ? entry->other : UINT64_MAX;
        end_old_pieces(memory, &space->blocks, entry->addr, end, before);
        end_old_pieces(memory, &space->segments, entry->addr, end, before);
    }
}

static void begin_heap(struct tn_record_memory *memory, struct space *space,
                       const struct tn_record_entry *entry) {
    bool is_whole = (entry->flags & TN_MEM_WHOLE) != 0;
    struct heap heap = {entry->addr, entry->bytes, entry->space,
                        is_whole && !tn_interval_overlaps(&space->segments, entry->addr,
                                                          entry->addr + entry->bytes)};
    void *grown =
        tn_append(memory->heaps, &memory->heap_count, &memory->heap_room, &heap, sizeof heap);
    if (grown == NULL) return;
    memory->heaps = (struct heap *)grown;
    end_around(memory, &space->blocks, entry->addr);
    if (heap.is_segment) {
        struct piece piece = piece_of(memory, entry, false);
        begin_piece(memory, &space->segments, &piece);
    }
}

// All regions of a heap end with it.
static void end_heap(struct tn_record_memory *memory, struct space *space,
                     const struct tn_record_entry *entry) {
    size_t i = memory->heap_count; // the heap that began last at this address
    while (i > 0 &&
           (memory->heaps[i - 1].addr != entry->addr || memory->heaps[i - 1].space != entry->space))
        i--;
    if (i == 0) return;
    struct heap *heap = &memory->heaps[i - 1];
    end_pieces(memory, &space->blocks, heap->addr, heap->addr + heap->bytes);
    if (entry->kind == TN_MEM_HEAP_RESET) return;
    if (heap->is_segment) end_pieces(memory, &space->segments, heap->addr, heap->addr + 1);
    *heap = memory->heaps[--memory->heap_count];
}

// The block keeps its stream and its stack, as in realloc(). A block that woke is not known any more:
// it ended with the memory that its pool took from it.
static void resize_region(struct tn_record_memory *memory, struct space *space,
                          const struct tn_record_entry *entry) {
    struct tn_interval_entry found;
    bool is_known =
        tn_interval_find(&space->blocks, entry->addr, &found) && found.start == entry->addr;
    struct piece piece = is_known ? memory->pieces[found.value] : piece_of(memory, entry, true);
    piece.bytes = entry->bytes;
    piece.occupied = entry->other;
    piece.is_written = false;
    begin_piece(memory, &space->blocks, &piece);
}

static void add_failure(struct tn_record_memory *memory, const struct tn_record_entry *entry) {
    struct tn_record_pool none = {0}, *pool = (struct tn_record_pool *)(uintptr_t)entry->other;
    const struct tn_record_pool *known = pool != NULL ? pool : &none;
    const uint64_t fields[] = {entry->bytes,
                               entry->addr,
                               tn_record_file_stream(memory->file, entry->device, entry->stream),
                               tn_record_file_stack(memory->file, entry->stack),
                               entry->flags,
                               entry->what,
                               known->held,
                               known->limit,
                               known->free,
                               known->largest,
                               known->waiting};
    if (memory->writes && fields[2] != TN_RECORD_NO_STREAM)
        tn_record_file_event(memory->file, TN_RECORD_FAILURE, memory->time_ns, fields,
                             sizeof fields / sizeof *fields);
    free(pool);
}

// Writes the block that waited for this entry, unless a heap takes its place.
static void end_waiting(struct tn_record_memory *memory, const struct tn_record_entry *entry) {
    if (memory->waiting == 0) return;
    struct piece *piece = &memory->pieces[memory->waiting - 1];
    bool is_heap = entry != NULL && entry->kind == TN_MEM_HEAP_BEGIN &&
                   entry->space == piece->space && entry->addr - piece->addr < piece->bytes;
    memory->waiting = 0;
    if (!is_heap && memory->writes && !piece->is_alias && !piece->is_written)
        write_begin(memory, piece);
}

static void write_unwritten(struct tn_record_memory *memory, const struct tn_interval *table) {
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(table, 0), UINT64_MAX)
        if (!memory->pieces[entry.value].is_written && !memory->pieces[entry.value].is_alias)
            write_begin(memory, &memory->pieces[entry.value]);
}

static void toggle_writing(struct tn_record_memory *memory) {
    memory->writes = !memory->writes;
    for (size_t i = 0; memory->writes && i < memory->space_count; i++) {
        write_unwritten(memory, &memory->spaces[i].segments);
        write_unwritten(memory, &memory->spaces[i].blocks);
    }
}

// Returns the device of the entry, or of the memory around its address if the event has none.
static int32_t find_device(const struct tn_record_memory *memory, const struct space *space,
                           const struct tn_record_entry *entry) {
    struct tn_interval_entry found;
    if (entry->device != TN_RECORD_ANY_DEVICE) return entry->device;
    bool is_known = tn_interval_find(&space->segments, entry->addr, &found);
    return is_known ? memory->pieces[found.value].device : 0;
}

void tn_record_memory_apply(struct tn_record_memory *memory, const struct tn_record_entry *taken) {
    end_waiting(memory, taken);
    struct space *space = find_space(memory, taken->space);
    struct tn_record_entry known = *taken, *entry = &known;
    known.device = find_device(memory, space, taken);
    const char *text = tn_record_text_at(entry->text);
    struct tn_interval_entry ended;
    struct piece piece;
    memory->time_ns = entry->time_ns;
    memory->stack = entry->stack;
    switch (entry->kind) {
    case TN_MEM_RESOURCE_BEGIN: begin_memory(memory, space, entry); break;
    case TN_MEM_RESOURCE_END: end_memory(memory, space, entry); break;
    case TN_MEM_HEAP_BEGIN: begin_heap(memory, space, entry); break;
    case TN_MEM_HEAP_RESET:
    case TN_MEM_HEAP_END: end_heap(memory, space, entry); break;
    case TN_MEM_REGION_BEGIN:
        piece = piece_of(memory, entry, true);
        begin_piece(memory, &space->blocks, &piece);
        break;
    case TN_MEM_REGION_END:
        if (tn_interval_remove(&space->blocks, entry->addr, &ended)) end_piece(memory, ended.value);
        break;
    case TN_MEM_REGION_RESIZE: resize_region(memory, space, entry); break;
    case TN_MEM_SHORTAGE: add_failure(memory, entry); break;
    case TN_MEM_DEVICE: tn_record_file_card(memory->file, entry->device, entry->bytes); break;
    case TN_MEM_MARK:
    case TN_RECORD_PHASE_END:
        if (memory->writes)
            tn_record_file_mark(memory->file,
                                entry->kind == TN_MEM_MARK ? TN_RECORD_MARK : TN_RECORD_MARK_END,
                                entry->time_ns, text);
        break;
    case TN_RECORD_TOGGLE: toggle_writing(memory); break;
    default: break;
    }
    memory->position++;
}

// ---- the beginning and the end

struct tn_record_memory *tn_record_memory_open(struct tn_record_file *file, bool writes) {
    struct tn_record_memory *memory = (struct tn_record_memory *)calloc(1, sizeof *memory);
    if (memory != NULL) {
        memory->file = file;
        memory->writes = writes;
        tn_interval_init(&memory->mappings);
    }
    return memory;
}

void tn_record_memory_close(struct tn_record_memory *memory) {
    if (memory == NULL) return;
    end_waiting(memory, NULL);
    for (size_t i = 0; i < memory->space_count; i++) {
        tn_interval_fini(&memory->spaces[i].segments);
        tn_interval_fini(&memory->spaces[i].blocks);
    }
    tn_interval_fini(&memory->mappings);
    free(memory->pieces);
    free(memory->heaps);
    free(memory);
}
