// SPDX-License-Identifier: Apache-2.0
// Maps, grants and unmaps through Tarn on the software device. The system calls with the same
// effect on the page tables alternate with them in one process. Results are medians over rounds of
// the mean per call. Usage: bench_map [--json]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "measure.h"

enum { CHUNKS = 1000, ROUNDS = 41, MANY = 50 };

static const uint64_t CHUNK = 2u << 20;

enum step { MAP, ACCESS, UNMAP, STEPS };
static const char *const step_names[STEPS] = {"map", "set access", "unmap"};

struct samples {
    double ns[STEPS][ROUNDS];
};

static void require(int good, const char *what) {
    if (!good) {
        perror(what);
        exit(1);
    }
}

static double lap_ns(double *since, double calls) {
    double now = (double)now_ns();
    double each = (now - *since) / calls;
    *since = now;
    return each;
}

// ---- the system calls

static void bare_round(char *base, int fd, uint64_t per_call, int round, struct samples *out) {
    uint64_t size = per_call * CHUNK;
    int calls = (int)(CHUNKS / per_call);
    double at = (double)now_ns();
    for (int i = 0; i < calls; i++) {
        void *place = base + (uint64_t)i * size;
        require(mmap(place, size, PROT_NONE, MAP_SHARED | MAP_FIXED, fd,
                     (off_t)((uint64_t)i * size)) == place,
                "mmap");
    }
    out->ns[MAP][round] = lap_ns(&at, calls);
    for (int i = 0; i < calls; i++)
        require(mprotect(base + (uint64_t)i * size, size, PROT_READ | PROT_WRITE) == 0, "mprotect");
    out->ns[ACCESS][round] = lap_ns(&at, calls);
    for (int i = 0; i < calls; i++) {
        void *place = base + (uint64_t)i * size;
        require(mmap(place, size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == place,
                "mmap");
    }
    out->ns[UNMAP][round] = lap_ns(&at, calls);
}

// ---- Tarn

static void tarn_round(tarn_addr base, const tarn_phys *phys, uint64_t per_call, int round,
                       struct samples *out) {
    uint64_t size = per_call * CHUNK;
    int calls = (int)(CHUNKS / per_call);
    tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_map_item items[MANY];
    double at = (double)now_ns();
    for (int i = 0; i < calls; i++) {
        for (uint64_t k = 0; k < per_call; k++)
            items[k] = (tarn_map_item){phys[(uint64_t)i * per_call + k], CHUNK};
        check(tarn_map_many(base + (uint64_t)i * size, items, per_call), "tarn_map_many");
    }
    out->ns[MAP][round] = lap_ns(&at, calls);
    for (int i = 0; i < calls; i++)
        check(tarn_map_set_access(base + (uint64_t)i * size, size, &grant, 1), "set_access");
    out->ns[ACCESS][round] = lap_ns(&at, calls);
    for (int i = 0; i < calls; i++)
        check(tarn_unmap(base + (uint64_t)i * size, size, 0), "tarn_unmap");
    out->ns[UNMAP][round] = lap_ns(&at, calls);
}

// ---- report

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values) {
    qsort(values, ROUNDS, sizeof values[0], by_value);
    return values[ROUNDS / 2];
}

static void print_report(uint64_t per_call, struct samples *bare, struct samples *tarn, bool json) {
    double bare_sum = 0;
    double tarn_sum = 0;
    for (int s = 0; s <= STEPS; s++) {
        double b = s < STEPS ? median_of(bare->ns[s]) : bare_sum;
        double t = s < STEPS ? median_of(tarn->ns[s]) : tarn_sum;
        const char *name = s < STEPS ? step_names[s] : "all three";
        bare_sum += b;
        tarn_sum += t;
        if (json) {
            printf("{\"bench\":\"map\",\"chunks_per_call\":%llu,\"step\":\"%s\",\"bare_ns\":%.0f,"
                   "\"tarn_ns\":%.0f,\"ratio\":%.3f}\n",
                   (unsigned long long)per_call, name, b, t, t / b);
        } else {
            printf("%6llu  %-12s %10.0f %10.0f %8.2f\n", (unsigned long long)per_call, name, b, t,
                   t / b);
        }
    }
}

static void run_round(tarn_device *device, uint64_t per_call, bool json) {
    static struct samples bare;
    static struct samples tarn;
    static tarn_phys phys[CHUNKS];
    uint64_t size = CHUNKS * CHUNK;
    tarn_addr base = 0;
    int fd = memfd_create("bench", MFD_CLOEXEC);
    require(fd >= 0 && ftruncate(fd, (off_t)size) == 0, "memfd");
    char *range = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(range != MAP_FAILED, "mmap");
    check(tarn_space_reserve(device, size, 0, 0, &base), "tarn_space_reserve");
    for (int i = 0; i < CHUNKS; i++)
        check(tarn_phys_create(device, CHUNK, NULL, &phys[i]), "tarn_phys_create");
    for (int round = 0; round < ROUNDS; round++) {
        bare_round(range, fd, per_call, round, &bare);
        tarn_round(base, phys, per_call, round, &tarn);
    }
    print_report(per_call, &bare, &tarn, json);
    for (int i = 0; i < CHUNKS; i++) check(tarn_phys_release(phys[i]), "tarn_phys_release");
    check(tarn_space_release(base), "tarn_space_release");
    (void)munmap(range, size);
    (void)close(fd);
}

int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    tarn_device *device = NULL;
    check(tarn_device_open("host:0", &device), "tarn_device_open");
    if (!json) {
        printf("2 MiB chunks, untouched; ns per call, median of %d rounds\n", ROUNDS);
        printf("%6s  %-12s %10s %10s %8s\n", "chunks", "step", "bare", "tarn", "ratio");
    }
    run_round(device, 1, json);
    run_round(device, MANY, json);
    check(tarn_device_close(device), "tarn_device_close");
    return 0;
}
