// SPDX-License-Identifier: Apache-2.0
// Pinned host memory as a program for AscendCL uses it. The first part measures repeated allocation
// and free, which AscendCL's documentation warns of, beside a pool of Tarn over one block. The
// second part measures asynchronous copies to and from device memory, beside memcpy. It prints
// medians. The variants run in turn, so that other load on the machine affects all of them.
//
//     bench_compat_acl_host [--json]
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <acl/acl.h>
#include <tarn/tarn.h>

#include "measure.h"

#define KIB   ((size_t)1024)
#define MIB   (KIB * 1024)
#define BLOCK (64 * MIB) // size of the pool; also the largest copy
#define PAGE  ((size_t)4096)

enum { ROUNDS = 15, BATCH = 8 };

struct bench {
    bool json;
    aclrtStream stream;
    void *pinned; // BLOCK bytes each
    void *device;
    void *plain;
    tarn_pool *pool; // over a block of its own
};

static void acl_check(aclError error, const char *what) {
    if (error != ACL_SUCCESS) {
        const char *text = aclGetRecentErrMsg();
        fprintf(stderr, "%s: %d %s\n", what, error, text != NULL ? text : "");
        exit(1);
    }
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *samples) {
    qsort(samples, ROUNDS, sizeof *samples, by_size);
    return samples[ROUNDS / 2];
}

// ---- allocating and freeing

enum source { LIBC, DIRECT, POOL, SOURCES };
static const char *const source_names[SOURCES] = {"malloc", "malloc_host", "pool"};

static void *take(struct bench *b, enum source source, size_t bytes) {
    void *block = NULL;
    tarn_addr addr;
    switch (source) {
    case LIBC: return malloc(bytes);
    case DIRECT: acl_check(aclrtMallocHost(&block, bytes), "aclrtMallocHost"); return block;
    default:
        check(tarn_pool_alloc(b->pool, bytes, TARN_STREAM_NONE, &addr), "tarn_pool_alloc");
        return (void *)(uintptr_t)addr;
    }
}

static void give(struct bench *b, enum source source, void *block) {
    if (source == LIBC)
        free(block);
    else if (source == DIRECT)
        acl_check(aclrtFreeHost(block), "aclrtFreeHost");
    else
        check(tarn_pool_free(b->pool, (uintptr_t)block), "tarn_pool_free");
}

// Returns the nanoseconds of one allocation and one free. With `used`, writes a byte in each page
// in between.
static double pair_time(struct bench *b, enum source source, size_t bytes, bool used) {
    unsigned times = source == POOL && !used ? 2000 : bytes >= MIB ? 10 : 100;
    uint64_t start = now_ns();
    for (unsigned i = 0; i < times; i++) {
        volatile unsigned char *block = take(b, source, bytes);
        for (size_t at = 0; used && at < bytes; at += PAGE) block[at] = 1;
        give(b, source, (void *)(uintptr_t)block);
    }
    return (double)(now_ns() - start) / times;
}

static void pair_row(struct bench *b, size_t bytes, bool used, bool first) {
    double samples[SOURCES][ROUNDS];
    double ns[SOURCES];
    for (int round = 0; round < ROUNDS; round++)
        for (int source = 0; source < SOURCES; source++)
            samples[source][round] = pair_time(b, (enum source)source, bytes, used);
    for (int source = 0; source < SOURCES; source++) ns[source] = median(samples[source]);
    if (b->json) {
        printf("%s{\"bytes\":%zu,\"used\":%s", first ? "" : ",", bytes, used ? "true" : "false");
        for (int source = 0; source < SOURCES; source++)
            printf(",\"%s_ns\":%.0f", source_names[source], ns[source]);
        printf("}");
        return;
    }
    printf("%6zu KiB %-9s %12.0f %12.0f %12.0f %10.0f\n", bytes / KIB, used ? "used" : "untouched",
           ns[LIBC], ns[DIRECT], ns[POOL], ns[DIRECT] / ns[POOL]);
}

static void pair_table(struct bench *b) {
    static const size_t sizes[] = {4 * KIB, 64 * KIB, MIB, 16 * MIB};
    printf(b->json ? "\"pairs\":["
                   : "ns for one allocation and one free\n"
                     "      size              malloc   MallocHost    Tarn pool  Host/pool\n");
    for (int used = 0; used < 2; used++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            pair_row(b, sizes[i], used != 0, used == 0 && i == 0);
    printf(b->json ? "]," : "used: a byte in each page was written between.\n\n");
}

// ---- copies

enum way { MEMCPY, UP, UP_BATCH, DOWN_BATCH, WAYS };
static const char *const way_names[WAYS] = {"memcpy", "up", "up_batch", "down_batch"};

static void copy_once(struct bench *b, enum way way, size_t bytes) {
    int copies = way == UP ? 1 : BATCH;
    if (way == MEMCPY) {
        memcpy(b->plain, b->pinned, bytes);
        return;
    }
    bool up = way != DOWN_BATCH;
    for (int i = 0; i < copies; i++) {
        acl_check(
            aclrtMemcpyAsync(up ? b->device : b->pinned, BLOCK, up ? b->pinned : b->device, bytes,
                             up ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST, b->stream),
            "aclrtMemcpyAsync");
    }
    acl_check(aclrtSynchronizeStream(b->stream), "aclrtSynchronizeStream");
}

// Returns the nanoseconds of one copy.
static double copy_time(struct bench *b, enum way way, size_t bytes) {
    size_t times = 64 * MIB / bytes;
    times = times > 200 ? 200 : times < 2 ? 2 : times;
    copy_once(b, way, bytes); // another way ran before
    uint64_t start = now_ns();
    for (size_t i = 0; i < times; i++) copy_once(b, way, bytes);
    double each = (double)(now_ns() - start) / (double)times;
    return way == UP_BATCH || way == DOWN_BATCH ? each / BATCH : each;
}

static void copy_row(struct bench *b, size_t bytes) {
    double samples[WAYS][ROUNDS];
    double ns[WAYS];
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++)
            samples[way][round] = copy_time(b, (enum way)way, bytes);
    for (int way = 0; way < WAYS; way++) ns[way] = median(samples[way]);
    if (b->json) {
        printf("%s{\"bytes\":%zu", bytes == 4 * KIB ? "" : ",", bytes);
        for (int way = 0; way < WAYS; way++) printf(",\"%s_ns\":%.0f", way_names[way], ns[way]);
        printf("}");
        return;
    }
    printf("%6zu KiB %8.1f GB/s %6.0f %% %8.0f %% %8.0f %%\n", bytes / KIB,
           (double)bytes / ns[MEMCPY], 100 * ns[MEMCPY] / ns[UP], 100 * ns[MEMCPY] / ns[UP_BATCH],
           100 * ns[MEMCPY] / ns[DOWN_BATCH]);
}

static void copy_table(struct bench *b) {
    printf(b->json ? "\"copies\":["
                   : "copies of pinned memory; memcpy = 100 %%\n"
                     "      size        memcpy   up, one  up, eight down, eight\n");
    for (size_t bytes = 4 * KIB; bytes <= BLOCK; bytes *= 4) copy_row(b, bytes);
    if (b->json) {
        printf("]}\n");
    } else {
        printf("up: to the device; down: from it. one: given and waited for; eight: all given,\n"
               "then waited for.\n");
    }
}

// ---- the program

int main(int argc, char **argv) {
    struct bench b = {.json = argc > 1 && strcmp(argv[1], "--json") == 0};
    struct utsname machine;
    void *divided;
    acl_check(aclInit(NULL), "aclInit");
    acl_check(aclrtSetDevice(0), "aclrtSetDevice");
    acl_check(aclrtCreateStream(&b.stream), "aclrtCreateStream");
    acl_check(aclrtMallocHost(&b.pinned, BLOCK), "aclrtMallocHost");
    acl_check(aclrtMallocHost(&divided, BLOCK), "aclrtMallocHost");
    acl_check(aclrtMalloc(&b.device, BLOCK, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(tarn_pool_create_over("aclrtMallocHost", (uintptr_t)divided, BLOCK, &b.pool), "pool");
    b.plain = malloc(BLOCK);
    if (b.plain == NULL) return 1;
    memset(b.pinned, 1, BLOCK); // keeps the first touch out of the measurement
    memset(b.plain, 1, BLOCK);
    memset(divided, 1, BLOCK);
    (void)uname(&machine);
    printf(b.json ? "{\"machine\":\"%s %s %s\",\"cpus\":%ld,\"version\":%u,"
                  : "%s %s %s, %ld CPUs, Tarn %u\n\n",
           machine.sysname, machine.release, machine.machine, sysconf(_SC_NPROCESSORS_ONLN),
           tarn_version());
    pair_table(&b);
    copy_table(&b);
    free(b.plain);
    check(tarn_pool_destroy(b.pool), "destroy the pool");
    acl_check(aclrtFree(b.device), "aclrtFree");
    acl_check(aclrtFreeHost(divided), "aclrtFreeHost");
    acl_check(aclrtFreeHost(b.pinned), "aclrtFreeHost");
    acl_check(aclrtDestroyStream(b.stream), "aclrtDestroyStream");
    acl_check(aclrtResetDevice(0), "aclrtResetDevice");
    acl_check(aclFinalize(), "aclFinalize");
    return 0;
}
