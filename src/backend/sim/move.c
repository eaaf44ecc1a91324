// SPDX-License-Identifier: Apache-2.0
// Copies and fills of a simulated platform. They are checked and charged; bytes move only from host
// memory to host memory. Takes the platform's lock while it checks.
#include "backend/sim/reach.h"
#include "base/bytes.h"

static unsigned char *host_pointer(tarn_addr addr) { return (unsigned char *)(uintptr_t)addr; }

// Returns the virtual time for so many bytes. At a rate of 0 they cost nothing.
static uint64_t time_for(uint64_t bytes, double bytes_per_ns) {
    const double longest = 1e18; // thirty years
    double ns = bytes_per_ns > 0 ? (double)bytes / bytes_per_ns : 0;
    return (uint64_t)(ns < longest ? ns : longest);
}

// ---- copies

void tn_sim_charge_copy(struct tn_sim *sim, uint64_t bytes, bool inside) {
    double rate = inside ? sim->config.copy_bytes_per_ns : sim->config.link_bytes_per_ns;
    tn_sim_charge(sim, sim->config.copy_ns + time_for(bytes, rate));
}

static bool run_copy(struct tn_sim *sim, const tarn_backend_copy *copy,
                     struct tn_sim_violation *violation) {
    const int devices[3] = {copy->device, copy->peers[0], copy->peers[1]};
    const struct tn_sim_box from = {copy->src,       copy->width, copy->height,
                                    copy->src_pitch, copy->depth, copy->src_slice_pitch};
    const struct tn_sim_box to = {copy->dst,       copy->width, copy->height,
                                  copy->dst_pitch, copy->depth, copy->dst_slice_pitch};
    if (!tn_sim_reach(sim, &from, TARN_ACCESS_READ, devices, violation) ||
        !tn_sim_reach(sim, &to, TARN_ACCESS_READ_WRITE, devices, violation))
        return false;
    if (!tn_sim_is_number(copy->dst) && !tn_sim_is_number(copy->src)) {
        for (uint64_t slice = 0; slice < copy->depth; slice++) {
            for (uint64_t row = 0; row < copy->height; row++)
                tn_bytes_copy(
                    host_pointer(copy->dst + slice * copy->dst_slice_pitch + row * copy->dst_pitch),
                    host_pointer(copy->src + slice * copy->src_slice_pitch + row * copy->src_pitch),
                    copy->width);
        }
    }
    tn_sim_charge_copy(sim, copy->width * copy->height * copy->depth,
                       tn_sim_is_number(copy->dst) && tn_sim_is_number(copy->src));
    return true;
}

// ---- fills

static void fill_row(unsigned char *row, const tarn_backend_fill *fill) {
    uint32_t value = fill->value;
    if (fill->element_bytes == 1) {
        tn_bytes_set(row, (int)(value & 0xff), fill->width);
        return;
    }
    for (uint64_t i = 0; i < fill->width; i += fill->element_bytes) {
        // The low bytes come first: both supported machines are little-endian.
        tn_bytes_copy(row + i, &value, fill->element_bytes);
    }
}

static bool run_fill(struct tn_sim *sim, const tarn_backend_fill *fill,
                     struct tn_sim_violation *violation) {
    const int devices[3] = {fill->device, -1, -1};
    const struct tn_sim_box to = {fill->dst,   fill->width, fill->height,
                                  fill->pitch, fill->depth, fill->slice_pitch};
    bool inside = tn_sim_is_number(fill->dst);
    if (!tn_sim_reach(sim, &to, TARN_ACCESS_READ_WRITE, devices, violation)) return false;
    for (uint64_t slice = 0; !inside && slice < fill->depth; slice++)
        for (uint64_t row = 0; row < fill->height; row++)
            fill_row(host_pointer(fill->dst + slice * fill->slice_pitch + row * fill->pitch), fill);
    double rate = inside ? sim->config.fill_bytes_per_ns : sim->config.link_bytes_per_ns;
    tn_sim_charge(sim,
                  sim->config.copy_ns + time_for(fill->width * fill->height * fill->depth, rate));
    return true;
}

bool tn_sim_move_run(struct tn_sim *sim, const struct tn_sim_op *op,
                     struct tn_sim_violation *violation) {
    return op->kind == TN_SIM_OP_COPY ? run_copy(sim, &op->of.copy, violation)
                                      : run_fill(sim, &op->of.fill, violation);
}
