// SPDX-License-Identifier: Apache-2.0
// See handle.h. A handle is generation << 25 | slot << 5 | kind, which allows a million objects
// concurrently and 2^32 uses of each slot. The slot, which is never freed, counts the references to
// its object. So a thread that has only the handle adds one by compare-and-swap while it lives.
#include "compat/face/handle.h"

#include <stdlib.h>

#include <tarn/face.h>

#include "compat/face/fork.h"
#include "compat/face/scope.h"

#define SLOT_BITS  20
#define KIND_BITS  5
#define CHUNK_BITS 8 // slots are allocated in chunks, which never move
#define CHUNK      (1u << CHUNK_BITS)
#define NO_SLOT    UINT32_MAX

// The state of a slot: generation << 32 | LIVE | references. The generation is that of the object,
// or of the next one if there are no references. LIVE: the handle is not closed; it has a reference.
#define GENERATION_SHIFT 32
#define LIVE             (UINT64_C(1) << 31)
#define REFERENCES       (LIVE - 1)

struct slot {
    _Atomic(uint64_t) state;
    struct tn_face_object *object; // constant while there are references
    uint32_t next_free;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all changes, except of references
static _Atomic(struct slot *) chunks[1u << (SLOT_BITS - CHUNK_BITS)];
static uint32_t slot_count;
static uint32_t first_free = NO_SLOT;

_Static_assert(TN_FACE_KINDS <= 1 << KIND_BITS, "kinds fit their bits");

static uint32_t slot_of(uintptr_t handle) {
    return (uint32_t)(handle >> KIND_BITS) & ((1u << SLOT_BITS) - 1);
}

static uint64_t generation_of(uintptr_t handle) {
    return (uint64_t)handle >> (SLOT_BITS + KIND_BITS);
}

// Returns NULL if there is no such slot yet.
static struct slot *slot_at(uint32_t number) {
    struct slot *chunk = atomic_load_explicit(&chunks[number >> CHUNK_BITS], memory_order_acquire);
    return chunk != NULL ? &chunk[number % CHUNK] : NULL;
}

static uint64_t state_of(struct slot *slot) {
    return atomic_load_explicit(&slot->state, memory_order_acquire);
}

uint32_t tn_face_handle_slot(const struct tn_face_object *object) {
    return slot_of(object->handle);
}

// Returns true if the state is that of the live object with this generation.
static bool is_live(uint64_t state, uint64_t generation) {
    return state >> GENERATION_SHIFT == generation && (state & LIVE) != 0;
}

// The same for an object whose handle may be closed.
static bool is_kept(uint64_t state, uint64_t generation) {
    return state >> GENERATION_SHIFT == generation && (state & REFERENCES) != 0;
}

// Returns the slot of a handle of that kind, live or not, or NULL.
static struct slot *find_slot(uintptr_t handle, int kind) {
    return (int)(handle & (TN_FACE_KINDS - 1)) == kind ? slot_at(slot_of(handle)) : NULL;
}

// ---- references

void tn_face_object_begin(struct tn_face_object *object,
                          void (*destroy)(struct tn_face_object *object)) {
    object->destroy = destroy;
    object->references = &object->without_handle;
    atomic_init(&object->without_handle, 1);
}

void tn_face_object_keep(struct tn_face_object *object) {
    (void)atomic_fetch_add_explicit(object->references, 1, memory_order_relaxed);
}

uint64_t tn_face_object_references(const struct tn_face_object *object) {
    return atomic_load_explicit(object->references, memory_order_relaxed) & REFERENCES;
}

// Makes the slot free for another object. A slot whose generations are used up stays unused.
static void free_slot(uint32_t number) {
    struct slot *slot = slot_at(number);
    TN_FACE_LOCKED(&lock);
    uint64_t next = (state_of(slot) >> GENERATION_SHIFT) + 1;
    if (next <= UINT32_MAX) {
        atomic_store_explicit(&slot->state, next << GENERATION_SHIFT, memory_order_relaxed);
        slot->next_free = first_free;
        first_free = number;
    }
}

void tn_face_object_drop(struct tn_face_object *object, uint64_t references) {
    uint64_t before =
        atomic_fetch_sub_explicit(object->references, references, memory_order_acq_rel);
    if ((before & REFERENCES) != references) return;
    if (object->handle != 0) free_slot(slot_of(object->handle));
    object->destroy(object);
}

void tn_face_object_put(struct tn_face_object *object) { tn_face_object_drop(object, 1); }

// ---- handles

// Under the lock. Returns false without host memory, or at the limit.
static bool add_chunk(void) {
    if (slot_count == 1u << SLOT_BITS) return false;
    struct slot *chunk = (struct slot *)calloc(CHUNK, sizeof *chunk);
    if (chunk == NULL) return false;
    for (uint32_t i = 0; i < CHUNK; i++) {
        atomic_init(&chunk[i].state, UINT64_C(1) << GENERATION_SHIFT);
        chunk[i].next_free = i + 1 < CHUNK ? slot_count + i + 1 : first_free;
    }
    atomic_store_explicit(&chunks[slot_count >> CHUNK_BITS], chunk, memory_order_release);
    first_free = slot_count;
    slot_count += CHUNK;
    return true;
}

bool tn_face_handle_reserve(struct tn_face_object *object, int kind,
                            void (*destroy)(struct tn_face_object *object)) {
    (void)pthread_mutex_lock(&lock);
    bool room = first_free != NO_SLOT || add_chunk();
    if (room) {
        uint32_t number = first_free;
        struct slot *slot = slot_at(number);
        uint64_t generation = state_of(slot) >> GENERATION_SHIFT;
        first_free = slot->next_free;
        object->kind = kind;
        object->destroy = destroy;
        object->references = &slot->state;
        object->handle = (uintptr_t)(generation << (SLOT_BITS + KIND_BITS)) |
                         (uintptr_t)number << KIND_BITS | (uintptr_t)kind;
        slot->object = object;
    }
    (void)pthread_mutex_unlock(&lock);
    return room;
}

// The object may end as soon as its handle is live.
uintptr_t tn_face_handle_publish(const struct tn_face_object *object, uint64_t references) {
    uintptr_t handle = object->handle;
    (void)atomic_fetch_or_explicit(object->references, LIVE | references, memory_order_release);
    tarn_annotate_handle_begin(handle);
    return handle;
}

void tn_face_handle_abandon(const struct tn_face_object *object) {
    free_slot(slot_of(object->handle));
}

uintptr_t tn_face_handle_new(struct tn_face_object *object, int kind,
                             void (*destroy)(struct tn_face_object *object)) {
    return tn_face_handle_reserve(object, kind, destroy) ? tn_face_handle_publish(object, 1) : 0;
}

uintptr_t tn_face_handle_new_held(struct tn_face_object *object, int kind,
                                  void (*destroy)(struct tn_face_object *object)) {
    return tn_face_handle_reserve(object, kind, destroy) ? tn_face_handle_publish(object, 2) : 0;
}

// Adds a reference to the object of a handle for which is_usable() is true.
static inline struct tn_face_object *find_object(uintptr_t handle, int kind,
                                                 bool (*is_usable)(uint64_t, uint64_t)) {
    struct slot *slot = find_slot(handle, kind);
    if (slot == NULL) return NULL;
    uint64_t state = atomic_load_explicit(&slot->state, memory_order_relaxed);
    do {
        if (!is_usable(state, generation_of(handle))) return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&slot->state, &state, state + 1,
                                                    memory_order_acquire, memory_order_relaxed));
    return slot->object;
}

struct tn_face_object *tn_face_handle_find(uintptr_t handle, int kind) {
    return find_object(handle, kind, is_live);
}

struct tn_face_object *tn_face_handle_find_kept(uintptr_t handle, int kind) {
    return find_object(handle, kind, is_kept);
}

// Returns true if an object of that kind had the handle, and has ended.
static bool is_stale(uintptr_t handle, int kind) {
    struct slot *slot = find_slot(handle, kind);
    uint64_t generation = generation_of(handle);
    if (slot == NULL || generation == 0) return false;
    uint64_t state = state_of(slot);
    return generation < state >> GENERATION_SHIFT ||
           (generation == state >> GENERATION_SHIFT && (state & REFERENCES) != 0 &&
            (state & LIVE) == 0);
}

struct tn_face_object *tn_face_handle_get(uintptr_t handle, int kind) {
    struct tn_face_object *object = tn_face_handle_find(handle, kind);
    if (object == NULL && is_stale(handle, kind))
        tarn_annotate_stale_handle("a call by handle", handle);
    return object;
}

bool tn_face_handle_live(uintptr_t handle, int kind) {
    struct slot *slot = find_slot(handle, kind);
    return slot != NULL && is_live(state_of(slot), generation_of(handle));
}

struct tn_face_object *tn_face_handle_close(uintptr_t handle, int kind) {
    (void)pthread_mutex_lock(&lock);
    bool live = tn_face_handle_live(handle, kind);
    struct slot *slot = live ? slot_at(slot_of(handle)) : NULL;
    struct tn_face_object *object = live ? slot->object : NULL;
    if (live) (void)atomic_fetch_and_explicit(&slot->state, ~LIVE, memory_order_relaxed);
    (void)pthread_mutex_unlock(&lock);
    if (object != NULL) tarn_annotate_handle_end(handle);
    return object;
}

bool tn_face_handle_end_unused(uintptr_t handle, int kind) {
    uint64_t state = generation_of(handle) << GENERATION_SHIFT | LIVE | 2;
    (void)pthread_mutex_lock(&lock);
    struct slot *slot = find_slot(handle, kind);
    bool ended =
        slot != NULL && atomic_compare_exchange_strong(&slot->state, &state, (state & ~LIVE) - 1);
    (void)pthread_mutex_unlock(&lock);
    if (ended) tarn_annotate_handle_end(handle);
    return ended;
}

struct tn_face_object *tn_face_handle_next(int kind, tn_face_choice chosen, const void *arg,
                                           uint32_t *cursor) {
    struct tn_face_object *object = NULL;
    TN_FACE_LOCKED(&lock);
    while (object == NULL && *cursor < slot_count) {
        struct slot *slot = slot_at((*cursor)++);
        struct tn_face_object *at = (state_of(slot) & LIVE) != 0 ? slot->object : NULL;
        bool wanted = at != NULL && at->kind == kind && (chosen == NULL || chosen(at, arg));
        object = wanted ? at : NULL;
    }
    // No handle is closed under the lock, so the handle's own reference allows to add another.
    if (object != NULL) tn_face_object_keep(object);
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

// In the child every handle is dead. The objects belong to the parent, so they are not destroyed,
// and their slots stay in use.
static void forget_handles(void) {
    for (uint32_t i = 0; i < slot_count; i++)
        (void)atomic_fetch_and_explicit(&slot_at(i)->state, ~LIVE, memory_order_relaxed);
}

TN_FACE_ON_FORK(TN_FACE_FORK_HANDLES, &lock, forget_handles);
