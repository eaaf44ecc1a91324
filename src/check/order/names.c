// SPDX-License-Identifier: Apache-2.0
// See names.h. A handle is kept until it is released and nothing of it is mapped; memory until it has
// neither a handle nor a name. Records refer to each other by their places, because tables move.
#include "check/order/names.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/atomic.h"

#define KEY_BITS 42 // of the keys of one memory; larger memory has no second name
#define NONE     UINT32_MAX

enum { IDENTITIES = 4 }; // of one memory; a further one is not known

struct memory {
    uint64_t keys; // the first one, or 0 if it has had one name at a time
    uint64_t identity[IDENTITIES];
    uint32_t identities;
    uint32_t handles;
    uint32_t names;
    uint32_t first_name;
    bool had_name; // a name that no pool owned has ended
};

struct handle {
    uint64_t id;
    uint32_t image;
    uint32_t memory;
    uint32_t mappings;
    bool live; // the program or a pool may map it
};

struct name {
    uint64_t lo;
    uint64_t hi;
    uint32_t space;
    uint32_t memory;
    uint32_t handle; // or NONE
    uint32_t next;   // of the same memory, or NONE
    bool owned;      // by a pool
    bool in_space;   // the map of its space contains it
};

static struct memory *memory_at(const struct tn_check_names *names, uint32_t place) {
    return (struct memory *)names->memories.records + place;
}

static struct handle *handle_at(const struct tn_check_names *names, uint32_t place) {
    return (struct handle *)names->handles.records + place;
}

static struct name *name_at(const struct tn_check_names *names, uint32_t place) {
    return (struct name *)names->names.records + place;
}

void tn_check_names_fini(struct tn_check_names *names) {
    tn_check_maps_fini(&names->maps);
    tn_check_table_fini(&names->memories);
    tn_check_table_fini(&names->handles);
    tn_check_table_fini(&names->names);
    tn_check_handle_map_fini(&names->by_handle);
    tn_check_handle_map_fini(&names->by_start);
    tn_check_handle_map_fini(&names->by_identity);
    tn_store_relaxed(&names->several, 0);
}

// ---- memory

static bool has_several(const struct memory *memory) {
    return memory->keys != 0 || memory->had_name;
}

static uint32_t new_memory(struct tn_check_names *names) {
    uint32_t place = NONE;
    if (!tn_check_table_add(&names->memories, sizeof(struct memory), &place)) return NONE;
    memory_at(names, place)->first_name = NONE;
    return place;
}

// Removes the memory if nothing refers to it.
static void drop_memory(struct tn_check_names *names, uint32_t place) {
    struct memory *memory = memory_at(names, place);
    if (memory->handles != 0 || memory->names != 0) return;
    if (has_several(memory)) (void)tn_sub_relaxed(&names->several, 1);
    for (uint32_t i = 0; i < memory->identities; i++)
        (void)tn_check_handle_map_remove(&names->by_identity, 0, memory->identity[i], NULL);
    tn_check_table_remove(&names->memories, place);
}

static void add_identity(struct tn_check_names *names, uint32_t place, uint64_t identity) {
    struct memory *memory = memory_at(names, place);
    if (memory->identities < IDENTITIES &&
        tn_check_handle_map_set(&names->by_identity, 0, identity, place))
        memory->identity[memory->identities++] = identity;
}

// ---- handles

static uint32_t find_handle(const struct tn_check_names *names, uint32_t image, uint64_t id) {
    uint32_t place = NONE;
    return tn_check_handle_map_find(&names->by_handle, image, id, &place) ? place : NONE;
}

// `memory` is NONE for that of a new handle.
static uint32_t make_handle(struct tn_check_names *names, uint32_t image, uint64_t id,
                            uint32_t memory) {
    uint32_t place = NONE;
    uint32_t of = memory != NONE ? memory : new_memory(names);
    if (of == NONE) return NONE;
    if (!tn_check_table_add(&names->handles, sizeof(struct handle), &place)) {
        place = NONE;
    } else if (!tn_check_handle_map_set(&names->by_handle, image, id, place)) {
        tn_check_table_remove(&names->handles, place);
        place = NONE;
    } else {
        *handle_at(names, place) = (struct handle){.id = id, .image = image, .memory = of};
        memory_at(names, of)->handles++;
    }
    if (place == NONE) drop_memory(names, of);
    return place;
}

// Removes the handle if nobody can map it and nothing of it is mapped.
static void drop_handle(struct tn_check_names *names, uint32_t place) {
    const struct handle handle = *handle_at(names, place);
    if (handle.live || handle.mappings != 0) return;
    (void)tn_check_handle_map_remove(&names->by_handle, handle.image, handle.id, NULL);
    tn_check_table_remove(&names->handles, place);
    memory_at(names, handle.memory)->handles--;
    drop_memory(names, handle.memory);
}

// ---- names

// From now on the name is found by each of its addresses.
static void enter_space(struct tn_check_names *names, uint32_t place) {
    struct name *name = name_at(names, place);
    struct tn_interval *map = name->in_space ? NULL : tn_check_maps_get(&names->maps, name->space);
    name->in_space = name->in_space ||
                     (map != NULL && tn_interval_insert(map, name->lo, name->hi, place) == TARN_OK);
}

// Gives keys to memory that gets its second name.
static void give_keys(struct tn_check_names *names, struct memory *memory,
                      struct tn_check_renaming *renaming) {
    const struct name *first = name_at(names, memory->first_name);
    if (!has_several(memory)) (void)tn_add_relaxed(&names->several, 1);
    memory->keys = ++names->serial << KEY_BITS;
    renaming->from = (struct tn_check_piece){first->space, first->lo, first->hi, 0};
    renaming->to = memory->keys;
    enter_space(names, memory->first_name);
}

static void end_name(struct tn_check_names *names, uint32_t place,
                     struct tn_check_renaming *renaming) {
    const struct name name = *name_at(names, place);
    struct memory *memory = memory_at(names, name.memory);
    uint32_t *link = &memory->first_name;
    while (*link != place) link = &name_at(names, *link)->next;
    *link = name.next;
    (void)tn_check_handle_map_remove(&names->by_start, name.space, name.lo, NULL);
    if (name.in_space)
        (void)tn_interval_remove(tn_check_maps_find(&names->maps, name.space), name.lo, NULL);
    tn_check_table_remove(&names->names, place);
    if (!name.owned && !has_several(memory)) (void)tn_add_relaxed(&names->several, 1);
    memory->had_name = memory->had_name || !name.owned;
    if (--memory->names == 0 && memory->keys != 0) {
        uint64_t end = memory->keys + (UINT64_C(1) << KEY_BITS);
        renaming->gone = (struct tn_check_piece){TN_CHECK_PHYSICAL, memory->keys, end, 0};
        memory->keys = 0;
        if (!has_several(memory)) (void)tn_sub_relaxed(&names->several, 1);
    }
    if (name.handle != NONE) {
        handle_at(names, name.handle)->mappings--;
        drop_handle(names, name.handle);
    } else {
        drop_memory(names, name.memory);
    }
}

// Ends the names that begin in the range. A name whose end had no event ends with the next one at its
// start.
static void end_names(struct tn_check_names *names, const struct tn_mem_event *event,
                      struct tn_check_renaming *renaming) {
    uint32_t place;
    if (tn_check_handle_map_find(&names->by_start, event->space, event->addr, &place))
        end_name(names, place, renaming);
}

static void begin_name(struct tn_check_names *names, const struct tn_mem_event *event, uint32_t of,
                       uint32_t handle, struct tn_check_renaming *renaming) {
    uint32_t place;
    struct memory *memory = memory_at(names, of);
    uint64_t hi = event->addr + event->bytes;
    if (hi <= event->addr || event->bytes >> KEY_BITS != 0 ||
        !tn_check_table_add(&names->names, sizeof(struct name), &place))
        return;
    if (!tn_check_handle_map_set(&names->by_start, event->space, event->addr, place)) {
        tn_check_table_remove(&names->names, place);
        return;
    }
    *name_at(names, place) = (struct name){.lo = event->addr,
                                           .hi = hi,
                                           .space = event->space,
                                           .memory = of,
                                           .handle = handle,
                                           .next = NONE,
                                           .owned = (event->flags & TN_MEM_OWNED) != 0};
    if (memory->names != 0 && memory->keys == 0) give_keys(names, memory, renaming);
    name_at(names, place)->next = memory->first_name;
    memory->first_name = place;
    memory->names++;
    if (handle != NONE) handle_at(names, handle)->mappings++;
    if (has_several(memory)) enter_space(names, place);
}

// ---- events

static void begin_resource(struct tn_check_names *names, const struct tn_mem_event *event,
                           struct tn_check_renaming *renaming) {
    if (event->what != TN_MEM_PHYS) end_names(names, event, renaming);
    if (event->what == TN_MEM_MEMORY) return; // it has no second name before an identity
    uint32_t handle = find_handle(names, event->image, event->object);
    if (handle == NONE) handle = make_handle(names, event->image, event->object, NONE);
    if (handle == NONE) return;
    if (event->what == TN_MEM_PHYS)
        handle_at(names, handle)->live = true;
    else
        begin_name(names, event, handle_at(names, handle)->memory, handle, renaming);
}

static void end_resource(struct tn_check_names *names, const struct tn_mem_event *event,
                         struct tn_check_renaming *renaming) {
    uint32_t handle =
        event->what == TN_MEM_PHYS ? find_handle(names, event->image, event->object) : NONE;
    if (event->what != TN_MEM_PHYS) {
        end_names(names, event, renaming);
    } else if (handle != NONE) {
        handle_at(names, handle)->live = false;
        drop_handle(names, handle);
    }
}

// Finds the memory of the handle or of the block that the event is about.
static uint32_t memory_of(const struct tn_check_names *names, const struct tn_mem_event *event) {
    uint32_t place;
    uint32_t handle =
        event->what == TN_MEM_PHYS ? find_handle(names, event->image, event->object) : NONE;
    if (handle != NONE) return handle_at(names, handle)->memory;
    return event->what == TN_MEM_MEMORY &&
                   tn_check_handle_map_find(&names->by_start, event->space, event->addr, &place)
               ? name_at(names, place)->memory
               : NONE;
}

// Lets a handle or block name the memory with the event's identity, if nothing else names its own
// memory yet, as after an import. Otherwise its own memory gets the identity.
static void identify(struct tn_check_names *names, const struct tn_mem_event *event,
                     struct tn_check_renaming *renaming) {
    uint32_t own = memory_of(names, event);
    uint32_t same = NONE;
    bool known = tn_check_handle_map_find(&names->by_identity, 0, event->other, &same);
    if (known && own != NONE && own != same && event->what == TN_MEM_PHYS &&
        memory_at(names, own)->names == 0 && memory_at(names, own)->handles == 1) {
        uint32_t handle = find_handle(names, event->image, event->object);
        memory_at(names, same)->handles++;
        handle_at(names, handle)->memory = same;
        memory_at(names, own)->handles--;
        drop_memory(names, own);
    } else if (event->what == TN_MEM_MEMORY && own == NONE) {
        own = known ? same : new_memory(names);
        if (own == NONE) return;
        begin_name(names, event, own, NONE, renaming);
        if (!known) add_identity(names, own, event->other);
        drop_memory(names, own); // without room for the name
    } else if (!known && own != NONE) {
        add_identity(names, own, event->other);
    }
}

void tn_check_names_event(struct tn_check_names *names, const struct tn_mem_event *event,
                          struct tn_check_renaming *renaming) {
    *renaming = (struct tn_check_renaming){0};
    switch (event->kind) {
    case TN_MEM_RESOURCE_BEGIN: begin_resource(names, event, renaming); break;
    case TN_MEM_RESOURCE_END: end_resource(names, event, renaming); break;
    default: identify(names, event, renaming); break;
    }
}

// ---- look-up

// Finds the piece, and the memory whose keys it has, or NULL.
static const struct memory *find_piece(const struct tn_check_names *names, uint32_t space,
                                       uint64_t lo, uint64_t hi, struct tn_check_piece *piece) {
    struct tn_interval_entry entry;
    const struct tn_interval *map =
        tn_load_relaxed(&names->several) != 0 ? tn_check_maps_find(&names->maps, space) : NULL;
    bool any = map != NULL && tn_interval_next(map, lo, &entry) && entry.start < hi;
    *piece = (struct tn_check_piece){space, lo, hi, 0};
    if (!any) return NULL;
    if (entry.start > lo) {
        piece->hi = entry.start;
        return NULL;
    }
    piece->hi = hi < entry.end ? hi : entry.end;
    const struct memory *memory = memory_at(names, name_at(names, (uint32_t)entry.value)->memory);
    if (memory->keys == 0) return memory;
    uint64_t shift = entry.start - memory->keys;
    *piece = (struct tn_check_piece){TN_CHECK_PHYSICAL, lo - shift, piece->hi - shift, shift};
    return memory;
}

void tn_check_names_find(const struct tn_check_names *names, uint32_t space, uint64_t lo,
                         uint64_t hi, struct tn_check_piece *piece) {
    TARN_ASSERT(lo < hi);
    (void)find_piece(names, space, lo, hi, piece);
}

void tn_check_names_visit(const struct tn_check_names *names, uint32_t space, uint64_t lo,
                          uint64_t hi,
                          void (*visit)(void *arg, uint32_t space, uint64_t lo, uint64_t hi),
                          void *arg) {
    struct tn_check_piece piece;
    for (; lo < hi; lo += piece.hi - piece.lo) {
        const struct memory *memory = find_piece(names, space, lo, hi, &piece);
        if (piece.space != TN_CHECK_PHYSICAL) {
            visit(arg, space, piece.lo, piece.hi);
            continue;
        }
        for (uint32_t at = memory->first_name; at != NONE; at = name_at(names, at)->next) {
            const struct name *name = name_at(names, at);
            uint64_t from = name->lo + (piece.lo - memory->keys);
            uint64_t to = name->lo + (piece.hi - memory->keys);
            if (from < name->hi) visit(arg, name->space, from, to < name->hi ? to : name->hi);
        }
    }
}

bool tn_check_names_keep(const struct tn_check_names *names, uint32_t space, uint64_t lo,
                         uint64_t hi) {
    struct tn_check_piece piece;
    bool keep = false;
    for (; lo < hi && !keep; lo += piece.hi - piece.lo)
        keep = find_piece(names, space, lo, hi, &piece) != NULL;
    return keep;
}
