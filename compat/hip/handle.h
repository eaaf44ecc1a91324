// SPDX-License-Identifier: Apache-2.0
// Handles that programs hold: streams, events, graphs, pools and the like. A handle is a number, a
// slot and a generation, never an address, so that a stale or invented one is refused and none is
// ever used twice. The object behind it is counted: whoever gets it keeps it alive until the put,
// whatever others close meanwhile. One lock, held for a few loads.
#ifndef TARN_COMPAT_HIP_HANDLE_H
#define TARN_COMPAT_HIP_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum tn_hip_kind {
    TN_HIP_STREAM = 1,
    TN_HIP_EVENT,
    TN_HIP_GRAPH,
    TN_HIP_GRAPH_EXEC,
    TN_HIP_GRAPH_NODE,
    TN_HIP_POOL,
    TN_HIP_CONTEXT,
    TN_HIP_ARRAY,
    TN_HIP_MIPMAP,
    TN_HIP_PROGRAM,
    TN_HIP_KINDS
};

// First member of every object. `destroy` gets it with no reference left and no lock held.
struct tn_hip_object {
    enum tn_hip_kind kind;
    _Atomic(uint32_t) refs;
    uintptr_t handle;
    void (*destroy)(struct tn_hip_object *object);
};

// Names an object, which comes with one reference: the name's own. false: no host memory, nothing
// done. object->handle is never 0, 1 or 2.
bool tn_hip_handle_new(struct tn_hip_object *object, enum tn_hip_kind kind,
                       void (*destroy)(struct tn_hip_object *object));

// The object of that kind by that name, with one more reference. NULL: none alive.
struct tn_hip_object *tn_hip_handle_get(uintptr_t handle, enum tn_hip_kind kind);

// One more reference to an object that the caller holds already; and back.
void tn_hip_object_keep(struct tn_hip_object *object);
void tn_hip_object_put(struct tn_hip_object *object);

// Takes the name away, once: the caller gets the name's reference. NULL: none alive.
struct tn_hip_object *tn_hip_handle_close(uintptr_t handle, enum tn_hip_kind kind);

// The next object of that kind after *cursor (0 to begin), with one more reference. NULL: no more.
// Objects made or closed meanwhile may be missed, or not.
struct tn_hip_object *tn_hip_handle_next(enum tn_hip_kind kind, uint32_t *cursor);

#endif
