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

// Divides the costs of `unit` and `STEPS * unit` bytes into a part for the call and one for bytes.
static void split_cost(double small, double large, uint64_t unit, double *call, double *byte) {
    *byte = (large - small) / (double)((STEPS - 1) * unit);
    *call = small - *byte * (double)unit;
}

static void measure_memory(struct virtual_clock *clock, uint64_t unit, struct tn_cost *cost) {
    tarn_addr addr = 0;
    double small, large;
    if (tarn_memory_alloc(clock->device, unit, &addr) != TARN_OK) return;
    small = large = clock_lap(clock);
    (void)tarn_memory_free(addr, 0);
    cost->free = clock_lap(clock);
    if (tarn_memory_alloc(clock->device, STEPS * unit, &addr) == TARN_OK) {
        large = clock_lap(clock);
        (void)tarn_memory_free(addr, 0);
    }
    split_cost(small, large, unit, &cost->alloc, &cost->alloc_byte);
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
    (void)tarn_space_release(addr, unit);
}

static void measure_handles(struct virtual_clock *clock, uint64_t unit, struct tn_cost *cost) {
    tarn_phys phys = 0;
    double small, large;
    (void)clock_lap(clock);
    if (tarn_phys_create(clock->device, unit, NULL, &phys) != TARN_OK) return;
    small = large = clock_lap(clock);
    measure_map(clock, unit, phys, cost);
    (void)clock_lap(clock);
    (void)tarn_phys_release(phys);
    cost->release = clock_lap(clock);
    if (tarn_phys_create(clock->device, STEPS * unit, NULL, &phys) == TARN_OK) {
        large = clock_lap(clock);
        (void)tarn_phys_release(phys);
    }
    split_cost(small, large, unit, &cost->create, &cost->create_byte);
}

bool tn_cost_measure(tarn_device *device, struct tn_cost *cost) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    struct virtual_clock clock = {.device = device};
    *cost = (struct tn_cost){0};
    tarn_clear_error();
    if (tarn_device_query(device, &info) == TARN_OK &&
        (info.features & TARN_FEATURE_VIRTUAL_TIME) != 0) {
        (void)clock_lap(&clock);
        measure_memory(&clock, info.granularity_minimum, cost);
        measure_handles(&clock, info.granularity_minimum, cost);
    }
    bool complete = tarn_last_error(NULL) != TARN_NO_HOST_MEMORY;
    tarn_clear_error(); // of calls that the device does not support
    return complete;
}

uint64_t tn_cost_of_calls(const struct tn_cost *cost, const struct tn_trace_calls *calls) {
    double ns = cost->alloc * (double)calls->allocs + cost->alloc_byte * (double)calls->alloc_bytes;
    ns += cost->free * (double)calls->frees;
    ns += (cost->create + cost->map) * (double)calls->creates;
    ns += cost->create_byte * (double)calls->create_bytes;
    ns += (cost->unmap + cost->release) * (double)calls->releases;
    return (uint64_t)(ns + 0.5);
}
