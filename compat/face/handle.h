// SPDX-License-Identifier: Apache-2.0
// Handles that programs hold: streams, events, graphs, pools and the like. A handle is a number
// made of a slot and a generation, never an address. So a stale or invented handle is refused, and
// none is ever used twice. The object behind it is reference-counted: a thread that gets it keeps
// it alive until the put, even if another thread closes the handle. Each face has its own table. One
// lock guards its changes; a look-up takes no lock.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// The face numbers its kinds of objects from 1.
#define TN_FACE_KINDS 32

// First member of every object. destroy() is called without locks when no reference is left.
struct tn_face_object {
    int kind;
    unsigned owner;                // the face's; set before the object gets its handle
    uintptr_t handle;              // 0: it never had one
    _Atomic(uint64_t) *references; // in the slot, or the following word
    _Atomic(uint64_t) without_handle;
    void (*destroy)(struct tn_face_object *object);
};

// Gives one reference to an object that has no handle.
void tn_face_object_begin(struct tn_face_object *object,
                          void (*destroy)(struct tn_face_object *object));

// Gives an object a handle and one reference, which belongs to the handle. Returns the handle, which
// is never 0, 1 or 2; 0 without host memory, with no effect. From then on another thread may end the
// object, as a reset of the device does. The second function adds a reference for the caller.
uintptr_t tn_face_handle_new(struct tn_face_object *object, int kind,
                             void (*destroy)(struct tn_face_object *object));
uintptr_t tn_face_handle_new_held(struct tn_face_object *object, int kind,
                                  void (*destroy)(struct tn_face_object *object));

// The same in two steps, for an object whose handle must be known before it is complete. The first
// step gives it no reference, and no look-up finds it. The second step is either to publish the
// handle, with a number of references, or to give it back.
bool tn_face_handle_reserve(struct tn_face_object *object, int kind,
                            void (*destroy)(struct tn_face_object *object));
uintptr_t tn_face_handle_publish(const struct tn_face_object *object, uint64_t references);
void tn_face_handle_abandon(const struct tn_face_object *object);

// Returns the live object of that kind with that handle and adds a reference, or returns NULL. If
// the object has ended, that is reported to a checker.
struct tn_face_object *tn_face_handle_get(uintptr_t handle, int kind);

// The same for a handle that the program has not just passed. Reports nothing.
struct tn_face_object *tn_face_handle_find(uintptr_t handle, int kind);

// The same, also if the handle is closed while other references keep the object.
struct tn_face_object *tn_face_handle_find_kept(uintptr_t handle, int kind);

// Returns the slot of a live object: a small number that no other live object has.
uint32_t tn_face_handle_slot(const struct tn_face_object *object);

// Adds a reference to an object on which the caller has one already. Drops one; the last drop ends
// the object.
void tn_face_object_keep(struct tn_face_object *object);
void tn_face_object_put(struct tn_face_object *object);

// Drops several references at once, which the caller has.
void tn_face_object_drop(struct tn_face_object *object, uint64_t references);

// Returns the number of references at this moment, with those of a live handle and of the caller.
uint64_t tn_face_object_references(const struct tn_face_object *object);

// Ends a handle. The first caller gets the handle's reference; later callers get NULL.
struct tn_face_object *tn_face_handle_close(uintptr_t handle, int kind);

// Reports to a checker that the program passed this handle to a call that ends an object, and that
// no live object has it.
void tn_face_handle_refuse(uintptr_t handle);

// Ends a handle and drops its reference. Returns false, after a report, if it was not live.
bool tn_face_handle_end(uintptr_t handle, int kind);

// Ends a live handle if its reference and the caller's are the only ones. Else returns false, with no
// effect.
bool tn_face_handle_end_unused(uintptr_t handle, int kind);

// Selects objects. Called under the lock of the table; it reads only what is fixed before the object
// gets its handle.
typedef bool (*tn_face_choice)(const struct tn_face_object *object, const void *arg);

// Ends the handles of all live objects of a kind for which chosen(object, arg) is true.
void tn_face_handle_end_all(int kind, tn_face_choice chosen, const void *arg);

// Returns true if a live object has that handle now.
bool tn_face_handle_live(uintptr_t handle, int kind);

// Returns the next live object of that kind for which chosen(object, arg) is true and adds a
// reference, or returns NULL at the end. A NULL `chosen` selects all. Other objects get no
// reference, so that their last one is dropped where their users expect it. *cursor is 0 for the
// first call. Objects that are made or closed meanwhile may be missing.
struct tn_face_object *tn_face_handle_next(int kind, tn_face_choice chosen, const void *arg,
                                           uint32_t *cursor);
