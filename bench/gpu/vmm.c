// SPDX-License-Identifier: Apache-2.0
// Creating, mapping, granting, unmapping and releasing chunks of 2 to 512 MiB: by Tarn, and by the
// driver's own calls. Medians of single calls, nanoseconds.
#include <stdio.h>

#include "gpu.h"
#include "measure.h"

enum step { CREATE, MAP, ACCESS, UNMAP, RELEASE, STEPS };
static const char *const step_names[STEPS] = {"create", "map", "access", "unmap", "release"};

typedef double samples[STEPS][ROUNDS_MOST];

static uint64_t lap_ns(uint64_t *last) {
    uint64_t now = now_ns();
    uint64_t took = now - *last;
    *last = now;
    return took;
}

static void tarn_round(const struct run *run, tarn_addr addr, uint64_t bytes, samples took, int i) {
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, run->info.ordinal}, TARN_ACCESS_READ_WRITE};
    tarn_phys phys = 0;
    uint64_t at = now_ns();
    check(tarn_phys_create(run->device, bytes, NULL, &phys), "create");
    took[CREATE][i] = (double)lap_ns(&at);
    check(tarn_map(addr, bytes, phys), "map");
    took[MAP][i] = (double)lap_ns(&at);
    check(tarn_map_set_access(addr, bytes, &grant, 1), "access");
    took[ACCESS][i] = (double)lap_ns(&at);
    check(tarn_unmap(addr, bytes, TARN_NO_WAIT), "unmap");
    took[UNMAP][i] = (double)lap_ns(&at);
    check(tarn_phys_release(phys), "release");
    took[RELEASE][i] = (double)lap_ns(&at);
}

static int driver_round(const struct driver *d, uint64_t addr, uint64_t bytes, samples took,
                        int i) {
    const struct cu_allocation what = {.type = CU_ALLOCATION_PINNED,
                                       .location = {CU_LOCATION_DEVICE, d->device}};
    const struct cu_access access = {{CU_LOCATION_DEVICE, d->device}, CU_ACCESS_READ_WRITE};
    unsigned long long handle = 0;
    int bad = 0;
    uint64_t at = now_ns();
    bad |= d->create(&handle, bytes, &what, 0);
    took[CREATE][i] = (double)lap_ns(&at);
    bad |= d->map(addr, bytes, 0, handle, 0);
    took[MAP][i] = (double)lap_ns(&at);
    bad |= d->set_access(addr, bytes, &access, 1);
    took[ACCESS][i] = (double)lap_ns(&at);
    bad |= d->unmap(addr, bytes);
    took[UNMAP][i] = (double)lap_ns(&at);
    bad |= d->destroy(handle);
    took[RELEASE][i] = (double)lap_ns(&at);
    return bad;
}

static void report_steps(const struct run *run, const char *who, uint64_t bytes, samples took,
                         int rounds) {
    for (int s = 0; s < STEPS; s++) {
        char column[64];
        (void)snprintf(column, sizeof column, "%s %s", who, step_names[s]);
        result(run, "vmm", size_name(bytes), column, median(took[s], rounds), "ns");
    }
}

static void measure_tarn(const struct run *run, uint64_t bytes) {
    static samples took;
    tarn_addr addr = 0;
    int rounds = rounds_of(run, 41);
    check(tarn_space_reserve(run->device, bytes, 0, 0, &addr), "reserve");
    for (int i = -1; i < rounds; i++) // the first one warms up
        tarn_round(run, addr, bytes, took, i < 0 ? 0 : i);
    check(tarn_space_release(addr), "release");
    report_steps(run, "Tarn", bytes, took, rounds);
}

static void measure_driver(const struct run *run, uint64_t bytes) {
    static samples took;
    const struct driver *d = &run->driver;
    uint64_t addr = 0;
    int rounds = rounds_of(run, 41);
    int bad = 0;
    if (!d->there || d->reserve == NULL || d->create == NULL ||
        d->reserve(&addr, bytes, 0, 0, 0) != 0)
        return;
    for (int i = -1; i < rounds && bad == 0; i++)
        bad = driver_round(d, addr, bytes, took, i < 0 ? 0 : i);
    (void)d->unreserve(addr, bytes);
    if (bad == 0) report_steps(run, "driver", bytes, took, rounds);
}

void measure_vmm(const struct run *run) {
    uint64_t left = 0;
    check(tarn_device_query_memory(run->device, &left, NULL), "memory");
    if ((run->info.features & TARN_FEATURE_VMM) == 0) return;
    for (uint64_t bytes = 2u << 20; bytes <= 512u << 20 && bytes <= left; bytes *= 2) {
        measure_tarn(run, bytes);
        measure_driver(run, bytes);
    }
}
