// SPDX-License-Identifier: Apache-2.0
// The slots copy, fill, array_copy and array_map of a simulated platform. Any thread.
#include "backend/sim/reach.h"
#include "base/error.h"

// Without a stream a violation is the failure of the call, with a stream it is the failure of the
// stream.
static tarn_status submit_or_run(void *p, void *stream, const struct tn_sim_op *op) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_violation violation;
    if (stream != NULL) return tn_sim_op_submit(sim, (struct tn_sim_stream *)stream, op);
    bool permitted = op->kind == TN_SIM_OP_BOX ? tn_sim_box_run(sim, &op->of.box, &violation)
                                               : tn_sim_move_run(sim, op, &violation);
    return permitted ? TARN_OK : tn_fail(violation.status, "%s", violation.text);
}

tarn_status tn_sim_copy(void *p, void *stream, const tarn_backend_copy *desc) {
    const struct tn_sim_op op = {.kind = TN_SIM_OP_COPY, .of.copy = *desc};
    return submit_or_run(p, stream, &op);
}

tarn_status tn_sim_fill(void *p, void *stream, const tarn_backend_fill *desc) {
    const struct tn_sim_op op = {.kind = TN_SIM_OP_FILL, .of.fill = *desc};
    return submit_or_run(p, stream, &op);
}

tarn_status tn_sim_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc) {
    const struct tn_sim_op op = {.kind = TN_SIM_OP_BOX, .of.box = *desc};
    return submit_or_run(p, stream, &op);
}

tarn_status tn_sim_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                             size_t count) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_op op = {.kind = TN_SIM_OP_REMAP};
    TN_TRY(tn_sim_remap_new(items, count, &op.of.remap));
    if (stream == NULL) {
        tn_sim_remap_run(sim, op.of.remap);
        return TARN_OK;
    }
    return tn_sim_op_submit(sim, (struct tn_sim_stream *)stream, &op);
}
