// SPDX-License-Identifier: Apache-2.0
// The layer that makes calls of a back-end fail: the specs of the option fail= and of TARN_FAIL
// (fail/spec.h). A call that fails has not reached the back-end, so it has changed nothing.
#include <stdlib.h>

#include "backend/layer/calls.h"
#include "backend/layer/kinds.h"
#include "base/error.h"
#include "fail/point.h"

struct fault_layer {
    struct tn_layer layer;
    struct tn_fail_set set; // of the device name
};

#define FAULT(slot, parameters, arguments, at, size)                                               \
    static tarn_status fault_##slot parameters {                                                   \
        struct fault_layer *fault = (struct fault_layer *)p;                                       \
        const struct tn_fail_spec *spec = tn_fail_decide(&fault->set, #slot, at, size);            \
        p = fault->layer.next_p;                                                                   \
        return spec != NULL ? spec->status : fault->layer.next->slot arguments;                    \
    }
TN_LAYER_STATUS_SLOTS(FAULT)
#undef FAULT

static tarn_status add_fault(const char *value, struct tn_layered *layered) {
    struct tn_fail_set own;
    const struct tn_fail_set *process;
    TN_TRY(tn_fail_parse(value, &tn_fail_device, &own));
    TN_TRY(tn_fail_read(&process));
    if (own.count == 0 && !tn_fail_has_device_calls(process) && !tn_fail_tallies()) return TARN_OK;
    struct fault_layer *fault = (struct fault_layer *)(void *)tn_layer_new(sizeof *fault);
    if (fault == NULL) return TARN_NO_HOST_MEMORY;
#define USE(slot, ...) fault->layer.table.slot = fault_##slot;
    TN_LAYER_STATUS_SLOTS(USE)
#undef USE
    fault->set = own;
    tn_layer_push(layered, &tn_layer_fault, &fault->layer, value, "uri");
    return TARN_OK;
}

static void destroy_fault(struct tn_layer *layer) { free(layer); }

const struct tn_layer_kind tn_layer_fault = {
    .key = "fail",
    .help = "calls of the back-end that fail: map:3;phys_create:2-5:as=NO_HANDLES",
    .add = add_fault,
    .destroy = destroy_fault,
};
