// SPDX-License-Identifier: Apache-2.0
// Handles that programs hold: streams, events, graphs, pools and the like. A handle is a number, a
// slot and a generation, never an address, so that a stale or invented one is refused and none is
// ever used twice. The object behind it is counted: whoever gets it keeps it alive until the put,
// whatever others close meanwhile. One lock, held for a few loads. Each face has a table of its
// own.
#ifndef TARN_COMPAT_FACE_HANDLE_H
#define TARN_COMPAT_FACE_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/face/fork.h"

// Kinds are the face's own, from 1 on.
#define TN_FACE_KINDS 16

// First member of every object. `destroy` gets it with no reference left and no lock held.
struct tn_face_object {
    int kind;
    _Atomic(uint32_t) refs;
    uintptr_t handle;
    void (*destroy)(struct tn_face_object *object);
};

// Names an object, which comes with one reference: the name's own. false: no host memory, nothing
// done. object->handle is never 0, 1 or 2.
bool tn_face_handle_new(struct tn_face_object *object, int kind,
                        void (*destroy)(struct tn_face_object *object));

// The object of that kind by that name, with one more reference. NULL: none alive.
struct tn_face_object *tn_face_handle_get(uintptr_t handle, int kind);

// One more reference to an object that the caller holds already; and back.
void tn_face_object_keep(struct tn_face_object *object);
void tn_face_object_put(struct tn_face_object *object);

// Takes the name away, once: the caller gets the name's reference. NULL: none alive.
struct tn_face_object *tn_face_handle_close(uintptr_t handle, int kind);

// The next object of that kind after *cursor (0 to begin), with one more reference. NULL: no more.
// Objects made or closed meanwhile may be missed, or not.
struct tn_face_object *tn_face_handle_next(int kind, uint32_t *cursor);

// For the face's list of what fork() asks for.
void tn_face_handle_fork(enum tn_face_fork step);

#endif
