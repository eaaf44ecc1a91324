// SPDX-License-Identifier: Apache-2.0
// See handle.h. A handle is generation << 25 | slot << 5 | kind, which allows a million objects
// concurrently and 2^39 uses of each slot.
#include "compat/face/handle.h"

#include <stdlib.h>

#include <tarn/annotate.h>

#include "compat/face/fork.h"

#define SLOT_BITS 20
#define KIND_BITS 5
#define NO_SLOT   UINT32_MAX

struct slot {
    struct tn_face_object *object; // NULL: free
    uint64_t generation;           // of the object, or of the next one
    uint32_t next_free;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static struct slot *slots;
static uint32_t slot_count;
static uint32_t first_free = NO_SLOT;

_Static_assert(TN_FACE_KINDS <= 1 << KIND_BITS, "kinds fit their bits");

static uintptr_t handle_of(uint32_t slot, int kind) {
    return (uintptr_t)(slots[slot].generation << (SLOT_BITS + KIND_BITS)) |
           (uintptr_t)slot << KIND_BITS | (uintptr_t)kind;
}

static uint32_t slot_of(uintptr_t handle) {
    return (uint32_t)(handle >> KIND_BITS) & ((1u << SLOT_BITS) - 1);
}

uint32_t tn_face_handle_slot(const struct tn_face_object *object) {
    return slot_of(object->handle);
}

// Under the lock. Returns the slot of a live object with that handle, or NULL.
static struct slot *find_slot(uintptr_t handle, int kind) {
    uint32_t slot = slot_of(handle);
    if (slot >= slot_count || slots[slot].object == NULL || slots[slot].object->kind != kind ||
        slots[slot].object->handle != handle)
        return NULL;
    return &slots[slot];
}

// Under the lock. Returns false without host memory, or at the limit.
static bool grow_slots(void) {
    uint32_t count = slot_count == 0 ? 64 : slot_count * 2;
    if (count > 1u << SLOT_BITS) return false;
    struct slot *bigger = (struct slot *)realloc(slots, count * sizeof *slots);
    if (bigger == NULL) return false;
    slots = bigger;
    while (slot_count < count) {
        slots[slot_count] = (struct slot){NULL, 1, first_free};
        first_free = slot_count++;
    }
    return true;
}

bool tn_face_handle_new(struct tn_face_object *object, int kind,
                        void (*destroy)(struct tn_face_object *object)) {
    (void)pthread_mutex_lock(&lock);
    bool room = first_free != NO_SLOT || grow_slots();
    if (room) {
        uint32_t slot = first_free;
        first_free = slots[slot].next_free;
        object->kind = kind;
        object->destroy = destroy;
        object->handle = handle_of(slot, kind);
        atomic_store_explicit(&object->refs, 1, memory_order_relaxed);
        slots[slot].object = object;
    }
    (void)pthread_mutex_unlock(&lock);
    if (room) tarn_annotate_handle_begin(object->handle);
    return room;
}

// Under the lock. Returns true if an object of that kind had the handle, and has ended.
static bool is_stale(uintptr_t handle, int kind) {
    uint32_t slot = slot_of(handle);
    uint64_t generation = (uint64_t)handle >> (SLOT_BITS + KIND_BITS);
    return slot < slot_count && (int)(handle & (TN_FACE_KINDS - 1)) == kind && generation != 0 &&
           generation < slots[slot].generation;
}

static struct tn_face_object *get_object(uintptr_t handle, int kind, bool *stale) {
    (void)pthread_mutex_lock(&lock);
    struct slot *slot = find_slot(handle, kind);
    struct tn_face_object *object = slot != NULL ? slot->object : NULL;
    if (object != NULL) tn_face_object_keep(object);
    *stale = object == NULL && is_stale(handle, kind);
    (void)pthread_mutex_unlock(&lock);
    return object;
}

struct tn_face_object *tn_face_handle_get(uintptr_t handle, int kind) {
    bool stale = false;
    struct tn_face_object *object = get_object(handle, kind, &stale);
    if (stale) tarn_annotate_stale_handle("a call by handle", handle);
    return object;
}

struct tn_face_object *tn_face_handle_find(uintptr_t handle, int kind) {
    bool stale = false;
    return get_object(handle, kind, &stale);
}

bool tn_face_handle_live(uintptr_t handle, int kind) {
    (void)pthread_mutex_lock(&lock);
    bool live = find_slot(handle, kind) != NULL;
    (void)pthread_mutex_unlock(&lock);
    return live;
}

void tn_face_object_keep(struct tn_face_object *object) {
    (void)atomic_fetch_add_explicit(&object->refs, 1, memory_order_relaxed);
}

void tn_face_object_put(struct tn_face_object *object) {
    if (atomic_fetch_sub_explicit(&object->refs, 1, memory_order_acq_rel) == 1)
        object->destroy(object);
}

struct tn_face_object *tn_face_handle_close(uintptr_t handle, int kind) {
    (void)pthread_mutex_lock(&lock);
    struct slot *slot = find_slot(handle, kind);
    struct tn_face_object *object = slot != NULL ? slot->object : NULL;
    if (slot != NULL) {
        slot->object = NULL;
        slot->generation++;
        slot->next_free = first_free;
        first_free = (uint32_t)(slot - slots);
    }
    (void)pthread_mutex_unlock(&lock);
    if (object != NULL) tarn_annotate_handle_end(handle);
    return object;
}

struct tn_face_object *tn_face_handle_next(int kind, tn_face_choice chosen, const void *arg,
                                           uint32_t *cursor) {
    struct tn_face_object *object = NULL;
    (void)pthread_mutex_lock(&lock);
    while (object == NULL && *cursor < slot_count) {
        struct tn_face_object *at = slots[(*cursor)++].object;
        bool wanted = at != NULL && at->kind == kind && (chosen == NULL || chosen(at, arg));
        object = wanted ? at : NULL;
    }
    if (object != NULL) tn_face_object_keep(object);
    (void)pthread_mutex_unlock(&lock);
    return object;
}

void tn_face_handle_refuse(uintptr_t handle) {
    tarn_annotate_refused_handle("a release by handle", handle);
}

static bool end_if_live(uintptr_t handle, int kind) {
    struct tn_face_object *object = tn_face_handle_close(handle, kind);
    if (object != NULL) tn_face_object_put(object);
    return object != NULL;
}

bool tn_face_handle_end(uintptr_t handle, int kind) {
    bool live = end_if_live(handle, kind);
    if (!live) tn_face_handle_refuse(handle);
    return live;
}

void tn_face_handle_end_all(int kind, tn_face_choice chosen, const void *arg) {
    uint32_t cursor = 0;
    struct tn_face_object *object;
    while ((object = tn_face_handle_next(kind, chosen, arg, &cursor)) != NULL) {
        (void)end_if_live(object->handle, kind); // another thread may have ended it
        tn_face_object_put(object);
    }
}

// In the child every handle is dead. The objects belong to the parent, so they are not destroyed.
static void forget_handles(void) {
    for (uint32_t i = 0; i < slot_count; i++) {
        if (slots[i].object != NULL) {
            slots[i].object = NULL;
            slots[i].generation++;
            slots[i].next_free = first_free;
            first_free = i;
        }
    }
}

TN_FACE_ON_FORK(TN_FACE_FORK_HANDLES, &lock, forget_handles);
