// SPDX-License-Identifier: Apache-2.0
// The slots array_map and array_copy: now, on the spot, or later.
#include <stdlib.h>
#include <string.h>

#include "backend/host/array.h"
#include "backend/host/engine_parts.h"
#include "backend/host/sys.h"
#include "base/error.h"

tarn_status tn_host_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                              size_t count) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_op op = {.kind = TN_HOST_OP_REMAP};
    tarn_status status = tn_host_remap_new(h, items, count, &op.u.remap);
    if (status != TARN_OK) {
        return status;
    }
    if (stream == NULL) {
        tn_host_remap_run(h, op.u.remap);
        free(op.u.remap);
        return TARN_OK;
    }
    bool small = tn_host_remap_entries(op.u.remap) <= TN_HOST_ON_THE_SPOT_ROWS;
    status = tn_host_give_or_run((struct tn_host_stream *)stream, &op, small);
    if (status != TARN_OK) {
        tn_host_remap_drop(h, op.u.remap, false);
        free(op.u.remap);
    }
    return status;
}

tarn_status tn_host_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc) {
    struct tn_host_op op = {.kind = TN_HOST_OP_BOX};
    if (stream == NULL) {
        return tn_host_box_now(p, desc);
    }
    op.u.box = (tarn_backend_array_copy *)tn_host_sys_alloc(sizeof *desc);
    if (op.u.box == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for a copy of a box");
    }
    *op.u.box = *desc;
    uint64_t rows = desc->extent[1] * desc->extent[2];
    bool small = rows <= TN_HOST_ON_THE_SPOT_ROWS &&
                 desc->extent[0] * desc->element_bytes <= TN_HOST_ON_THE_SPOT_BYTES / rows;
    tarn_status status = tn_host_give_or_run((struct tn_host_stream *)stream, &op, small);
    if (status != TARN_OK) {
        free(op.u.box);
    }
    return status;
}
