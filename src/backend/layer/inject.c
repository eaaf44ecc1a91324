// SPDX-License-Identifier: Apache-2.0
// The layer that makes calls of a back-end fail: the specs of the option fail= and of TARN_FAIL
// (fail/spec.h). A call that fails has not reached the back-end, so it has changed nothing.
#include "backend/contract/slots.h"
#include "backend/layer/kinds.h"
#include "fail/point.h"

struct inject_layer {
    struct tn_layer layer;
    struct tn_fail_set set; // of the device name
};

#define INJECT(slot, group, parameters, arguments, at, size)                                       \
    static tarn_status inject_##slot parameters {                                                  \
        struct inject_layer *inject = (struct inject_layer *)p;                                    \
        const struct tn_fail_spec *spec = tn_fail_decide(&inject->set, #slot, at, size);           \
        return spec != NULL ? spec->status : TN_LAYER_PASS(&inject->layer, slot, arguments);       \
    }
TN_BACKEND_STATUS_SLOTS(INJECT)

// The specs of the process are read at each call (fail/point.h).
static tarn_status add_inject(const struct tn_fail_set *own, const char *text, const char *source,
                              struct tn_layered *layered) {
    const struct tn_fail_set *process;
    TN_TRY(tn_fail_read(&process));
    if (own->count == 0 && !tn_fail_has_device_calls(process) && !tn_fail_tallies()) return TARN_OK;
    struct inject_layer *inject = (struct inject_layer *)(void *)tn_layer_new(sizeof *inject);
    if (inject == NULL) return TARN_NO_HOST_MEMORY;
#define USE(slot, ...) inject->layer.table.slot = inject_##slot;
    TN_BACKEND_STATUS_SLOTS(USE)
    inject->set = *own;
    tn_layer_push(layered, &tn_layer_inject, &inject->layer, text, source);
    return TARN_OK;
}

const struct tn_layer_kind tn_layer_inject = {
    .key = "fail",
    .help = "calls of the back-end that fail: map:3;phys_create:2-5:as=NO_HANDLES",
    .grammar = &tn_fail_device,
    .add = add_inject,
};
