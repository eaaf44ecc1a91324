// SPDX-License-Identifier: Apache-2.0
// Computes the bands of a picture; see bands.h. A column shows the moment in it with the most
// live bytes, so that no peak disappears.
#include "trace/study/bands.h"

#include <stdlib.h>

#include "base/error.h"

static void choose_moments(struct tn_bands *bands) {
    size_t count = bands->levels.count;
    for (size_t column = 0; column < TN_BAND_COLUMNS; column++) {
        size_t from = column * count / TN_BAND_COLUMNS;
        size_t to = (column + 1) * count / TN_BAND_COLUMNS;
        bands->moments[column] = from;
        for (size_t at = from; at < to; at++)
            if (bands->levels.live[at] > bands->levels.live[bands->moments[column]])
                bands->moments[column] = at;
    }
}

static size_t band_of(const struct tn_bands *bands, const struct tn_tables *keys, uint32_t block) {
    uint64_t key = tn_holder_key(keys, TN_HOLD_BY_FUNCTION, block);
    for (size_t i = 0; i < TN_BANDS && i < bands->holders.count; i++)
        if (bands->holders.list[i].key == key) return i;
    return bands->count - 1;
}

static void sum_columns(struct tn_bands *bands, const struct tn_tables *keys) {
    const struct tn_trace *trace = bands->trace;
    const struct tn_trace_device *device = bands->device;
    uint64_t sums[TN_BANDS + 1] = {0};
    for (size_t i = 0; i < device->starting_count; i++) {
        uint32_t block = (uint32_t)(device->first_starting + i);
        sums[band_of(bands, keys, block)] += trace->blocks[block].size;
    }
    for (size_t at = 0, column = 0; at < bands->levels.count; at++) {
        const struct tn_event *event = at > 0 ? &trace->events[device->first_event + at - 1] : NULL;
        if (event != NULL && event->kind == TN_EVENT_ALLOC)
            sums[band_of(bands, keys, event->item)] += trace->blocks[event->item].size;
        if (event != NULL && event->kind == TN_EVENT_FREE)
            sums[band_of(bands, keys, event->item)] -= trace->blocks[event->item].size;
        for (; column < TN_BAND_COLUMNS && bands->moments[column] == at; column++)
            for (size_t band = 0; band < bands->count; band++)
                bands->bytes[band][column] = sums[band];
    }
}

tarn_status tn_bands_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                          bool innermost, struct tn_bands *bands) {
    *bands = (struct tn_bands){.trace = trace, .device = device};
    struct tn_tables keys = {.trace = trace, .owners = &bands->owners};
    bands->lives = tn_lives_make(trace);
    TN_REFUSE(bands->lives == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the picture");
    keys.lives = bands->lives;
    TN_TRY(tn_owners_make_by(trace, innermost, &bands->owners));
    TN_TRY(tn_levels_make(trace, device, &bands->levels));
    TN_TRY(tn_phases_make(trace, device, &bands->phases));
    TN_TRY(tn_moment_make(trace, device, bands->lives, bands->levels.peak, &bands->peak));
    TN_TRY(tn_holders_make(&keys, TN_HOLD_BY_FUNCTION, bands->peak.blocks, bands->peak.block_count,
                           &bands->holders));
    bands->count = (bands->holders.count < TN_BANDS ? bands->holders.count : TN_BANDS) + 1;
    choose_moments(bands);
    sum_columns(bands, &keys);
    return TARN_OK;
}

void tn_bands_release(struct tn_bands *bands) {
    tn_holders_release(&bands->holders);
    tn_moment_release(&bands->peak);
    tn_phases_release(&bands->phases);
    tn_levels_release(&bands->levels);
    tn_owners_release(&bands->owners);
    free(bands->lives);
}
