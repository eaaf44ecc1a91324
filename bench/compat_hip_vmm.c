// SPDX-License-Identifier: Apache-2.0
// Virtual memory management through HIP's functions and through Tarn's own API, alternating in one
// process. Each side opens its own devices. Figures are medians over rounds of the mean per call.
// Usage: bench_compat_hip_vmm [--json]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>
#include <tarn/tarn.h>

#include "measure.h"

enum { CALLS = 500, ROUNDS = 61 };

enum step { CREATE, MAP, ACCESS, GET, RETAIN, UNMAP, RELEASE, STEPS };
static const char *const step_names[STEPS] = {
    "create", "map", "set access", "get access", "retain + release", "unmap", "release"};

struct samples {
    double ns[STEPS][ROUNDS];
};

static void need(hipError_t error, const char *what) {
    if (error != hipSuccess) {
        (void)fprintf(stderr, "%s: %s: %s\n", what, hipGetErrorName(error),
                      hipExtGetLastErrorText());
        exit(1);
    }
}

static double lap(double *since) {
    double now = (double)now_ns();
    double each = (now - *since) / CALLS;
    *since = (double)now_ns();
    return each;
}

// ---- through the face

static void hip_calls(char *base, size_t chunk, int round, struct samples *out) {
    static hipMemGenericAllocationHandle_t handles[CALLS];
    const hipMemLocation place = {hipMemLocationTypeDevice, 0};
    const hipMemAccessDesc grant = {place, hipMemAccessFlagsProtReadWrite};
    hipMemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.location = place;
    double at = (double)now_ns();
    for (size_t i = 0; i < CALLS; i++)
        need(hipMemCreate(&handles[i], chunk, &prop, 0), "hipMemCreate");
    out->ns[CREATE][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++)
        need(hipMemMap(base + i * chunk, chunk, 0, handles[i], 0), "hipMemMap");
    out->ns[MAP][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++)
        need(hipMemSetAccess(base + i * chunk, chunk, &grant, 1), "hipMemSetAccess");
    out->ns[ACCESS][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) {
        unsigned long long flags = 0;
        need(hipMemGetAccess(&flags, &place, base + i * chunk), "hipMemGetAccess");
    }
    out->ns[GET][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) {
        hipMemGenericAllocationHandle_t again = NULL;
        need(hipMemRetainAllocationHandle(&again, base + i * chunk), "hipMemRetain...");
        need(hipMemRelease(again), "hipMemRelease");
    }
    out->ns[RETAIN][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) need(hipMemUnmap(base + i * chunk, chunk), "hipMemUnmap");
    out->ns[UNMAP][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) need(hipMemRelease(handles[i]), "hipMemRelease");
    out->ns[RELEASE][round] = lap(&at);
}

// ---- Tarn's own API

static void tarn_calls(tarn_device *device, tarn_addr base, uint64_t chunk, int round,
                       struct samples *out) {
    static tarn_phys handles[CALLS];
    const tarn_location place = {TARN_LOCATION_DEVICE, 0};
    const tarn_grant grant = {place, TARN_ACCESS_READ_WRITE};
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    desc.location = place;
    double at = (double)now_ns();
    for (size_t i = 0; i < CALLS; i++)
        check(tarn_phys_create(device, chunk, &desc, &handles[i]), "tarn_phys_create");
    out->ns[CREATE][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++)
        check(tarn_map(base + i * chunk, chunk, handles[i]), "tarn_map");
    out->ns[MAP][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++)
        check(tarn_map_set_access(base + i * chunk, chunk, &grant, 1), "tarn_map_set_access");
    out->ns[ACCESS][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) {
        tarn_access access = TARN_ACCESS_NONE;
        check(tarn_map_get_access(base + i * chunk, place, &access), "tarn_map_get_access");
    }
    out->ns[GET][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) {
        tarn_phys again = 0;
        check(tarn_map_retain(base + i * chunk, &again), "tarn_map_retain");
        check(tarn_phys_release(again), "tarn_phys_release");
    }
    out->ns[RETAIN][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) check(tarn_unmap(base + i * chunk, chunk, 0), "tarn_unmap");
    out->ns[UNMAP][round] = lap(&at);
    for (size_t i = 0; i < CALLS; i++) check(tarn_phys_release(handles[i]), "tarn_phys_release");
    out->ns[RELEASE][round] = lap(&at);
}

// ---- report

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof values[0], by_value);
    return values[ROUNDS / 2];
}

static void report(size_t chunk, struct samples *hip, struct samples *tarn, bool json) {
    double mib = (double)chunk / (1 << 20);
    for (int s = 0; s < STEPS; s++) {
        double h = median(hip->ns[s]);
        double t = median(tarn->ns[s]);
        if (json) {
            printf("{\"bench\":\"compat_hip_vmm\",\"chunk_bytes\":%zu,\"step\":\"%s\","
                   "\"hip_ns\":%.0f,\"tarn_ns\":%.0f,\"added_ns\":%.0f,\"hip_ns_per_mib\":%.0f}\n",
                   chunk, step_names[s], h, t, h - t, h / mib);
        } else {
            printf("%8zu  %-18s %9.0f %9.0f %9.0f %11.0f\n", chunk >> 10, step_names[s], h, t,
                   h - t, h / mib);
        }
    }
}

static void run(tarn_device *device, size_t chunk, bool json) {
    static struct samples hip;
    static struct samples tarn;
    void *hip_base = NULL;
    tarn_addr tarn_base = 0;
    need(hipMemAddressReserve(&hip_base, CALLS * chunk, 0, NULL, 0), "hipMemAddressReserve");
    check(tarn_space_reserve(device, CALLS * chunk, 0, 0, &tarn_base), "tarn_space_reserve");
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 2 == 0) // the order alternates
            hip_calls(hip_base, chunk, round, &hip);
        tarn_calls(device, tarn_base, chunk, round, &tarn);
        if (round % 2 != 0) hip_calls(hip_base, chunk, round, &hip);
    }
    report(chunk, &hip, &tarn, json);
    need(hipMemAddressFree(hip_base, CALLS * chunk), "hipMemAddressFree");
    check(tarn_space_release(tarn_base), "tarn_space_release");
}

int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    tarn_device *device = NULL;
    if (setenv("TARN_HIP_DEVICE", "host:0", 1) != 0) return 1;
    check(tarn_device_open("host:0", &device), "tarn_device_open");
    if (!json) {
        printf("untouched chunks; ns per call, median of %d rounds of %d calls\n", ROUNDS, CALLS);
        printf("%8s  %-18s %9s %9s %9s %11s\n", "KiB", "call", "hip", "tarn", "added",
               "hip per MiB");
    }
    run(device, (size_t)64 << 10, json);
    run(device, (size_t)2 << 20, json);
    run(device, (size_t)20 << 20, json);
    check(tarn_device_close(device), "tarn_device_close");
    return 0;
}
