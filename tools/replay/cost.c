// SPDX-License-Identifier: Apache-2.0
// The cost of device calls; see cost.h.
#include "tools/replay/cost.h"

enum { STEPS = 64 }; // the longer of two sizes, in granules

struct virtual_clock {
    tarn_device *device;
    uint64_t last;
};

// Returns the virtual nanoseconds since the last call.
static double clock_lap(struct virtual_clock *clock) {
    tarn_platform_stats stats = {.struct_size = sizeof stats};
    (void)tarn_platform_query_stats(clock->device, &stats);
    uint64_t spent = stats.virtual_ns - clock->last;
    clock->last = stats.virtual_ns;
    return (double)spent;
}

static void measure_map(struct virtual_clock *clock, uint64_t unit, tarn_phys phys,
                        struct tn_cost *cost) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    (void)tarn_device_query(clock->device, &info);
    tarn_grant grant = {{TARN_LOCATION_DEVICE, info.ordinal}, TARN_ACCESS_READ_WRITE};
    tarn_addr addr = 0;
    if (tarn_space_reserve(clock->device, unit, 0, 0, &addr) != TARN_OK) return;
    (void)clock_lap(clock);
    if (tarn_map(addr, unit, phys) == TARN_OK &&
        tarn_map_set_access(addr, unit, &grant, 1) == TARN_OK)
        cost->map = clock_lap(clock);
    if (tarn_unmap(addr, unit, 0) == TARN_OK) cost->unmap = clock_lap(clock);
    (void)tarn_space_release(addr);
}

static tarn_status take_kind(const struct virtual_clock *clock, bool handle, uint64_t bytes,
                             uint64_t *taken) {
    return handle ? tarn_phys_create(clock->device, bytes, NULL, taken)
                  : tarn_memory_alloc(clock->device, bytes, taken);
}

static void return_kind(bool handle, uint64_t taken) {
    (void)(handle ? tarn_phys_release(taken) : tarn_memory_free(taken, 0));
}

// Measures the calls for memory, or for a handle and its mapping. Two sizes divide the cost into a
// part for the call and one for each byte.
static void measure_pair(struct virtual_clock *clock, bool handle, uint64_t unit,
                         struct tn_cost_pair *pair, struct tn_cost *cost) {
    uint64_t taken = 0;
    (void)clock_lap(clock);
    if (take_kind(clock, handle, unit, &taken) != TARN_OK) return;
    double small = clock_lap(clock), large = small;
    if (handle) measure_map(clock, unit, taken, cost);
    (void)clock_lap(clock);
    return_kind(handle, taken);
    pair->back = clock_lap(clock);
    if (take_kind(clock, handle, STEPS * unit, &taken) == TARN_OK) {
        large = clock_lap(clock);
        return_kind(handle, taken);
    }
    pair->take_byte = (large - small) / (double)((STEPS - 1) * unit);
    pair->take = small - pair->take_byte * (double)unit;
}

bool tn_cost_measure(tarn_device *device, struct tn_cost *cost) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    struct virtual_clock clock = {.device = device};
    *cost = (struct tn_cost){0};
    tarn_clear_error();
    if (tarn_device_query(device, &info) == TARN_OK &&
        (info.features & TARN_FEATURE_VIRTUAL_TIME) != 0) {
        measure_pair(&clock, false, info.granularity_minimum, &cost->memory, cost);
        measure_pair(&clock, true, info.granularity_minimum, &cost->handles, cost);
    }
    bool complete = tarn_last_error(NULL) != TARN_NO_HOST_MEMORY;
    tarn_clear_error(); // of calls that the device does not support
    return complete;
}

uint64_t tn_cost_of_calls(const struct tn_cost *cost, const struct tn_trace_calls *calls) {
    const struct tn_cost_pair *memory = &cost->memory, *handles = &cost->handles;
    double ns = memory->take * (double)calls->allocs;
    ns += memory->take_byte * (double)calls->alloc_bytes;
    ns += memory->back * (double)calls->frees;
    ns += (handles->take + cost->map) * (double)calls->creates;
    ns += handles->take_byte * (double)calls->create_bytes;
    ns += (cost->unmap + handles->back) * (double)calls->releases;
    return (uint64_t)(ns + 0.5);
}
