// SPDX-License-Identifier: Apache-2.0
// Two builds of the HIP library beside each other in one process: short rounds of each call
// alternate between them. Figures are medians over the rounds of the mean per call; `ratio` is the
// median of the second library's time over the first one's in the same round.
// Usage: bench_compat_hip_pair OLD.so NEW.so [--json] [ROW]
#include <dlfcn.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

#include "measure.h"

enum { CALLS = 256, ROUNDS = 801, SMALL = 4096, BIG = 1 << 20 };

#define FUNCTIONS(X)                                                                               \
    X(hipMallocAsync)                                                                              \
    X(hipFreeAsync)                                                                                \
    X(hipPointerGetAttributes)                                                                     \
    X(hipMemcpy)                                                                                   \
    X(hipEventRecord)                                                                              \
    X(hipEventQuery)                                                                               \
    X(hipMalloc)                                                                                   \
    X(hipFree)                                                                                     \
    X(hipStreamCreate)                                                                             \
    X(hipEventCreate)                                                                              \
    X(hipStreamSynchronize)                                                                        \
    X(hipMemcpyAsync)                                                                              \
    X(hipMemsetAsync)                                                                              \
    X(hipStreamWaitEvent)                                                                          \
    X(hipStreamBeginCapture)                                                                       \
    X(hipStreamEndCapture)                                                                         \
    X(hipGraphInstantiate)                                                                         \
    X(hipGraphLaunch)                                                                              \
    X(hipMemAddressReserve)                                                                        \
    X(hipMemCreate)                                                                                \
    X(hipMemMap)                                                                                   \
    X(hipMemSetAccess)                                                                             \
    X(hipMemGetAccess)                                                                             \
    X(hipMemRetainAllocationHandle)                                                                \
    X(hipMemUnmap)                                                                                 \
    X(hipMemRelease)

struct library {
#define FIELD(name) __typeof__(&(name)) name;
    FUNCTIONS(FIELD)
    hipStream_t stream, other;
    hipEvent_t event;
    hipGraphExec_t chain; // of four fills
    char *device, *host, *block, *base;
    hipMemGenericAllocationHandle_t handles[CALLS];
};

static void need(hipError_t error) {
    if (error != hipSuccess) {
        (void)fprintf(stderr, "a call fails with the error %d\n", (int)error);
        exit(1);
    }
}

static void make_chain(struct library *lib) {
    hipGraph_t graph = NULL;
    need(lib->hipStreamBeginCapture(lib->stream, hipStreamCaptureModeRelaxed));
    for (int i = 0; i < 4; i++) need(lib->hipMemsetAsync(lib->device, i, SMALL, lib->stream));
    need(lib->hipStreamEndCapture(lib->stream, &graph));
    need(lib->hipGraphInstantiate(&lib->chain, graph, NULL, NULL, 0));
}

static void library_open(struct library *lib, const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        (void)fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define FIND(name)                                                                                 \
    do {                                                                                           \
        void *found = dlsym(handle, #name);                                                        \
        memcpy(&lib->name, &found, sizeof found);                                                  \
    } while (0);
    FUNCTIONS(FIND)
    need(lib->hipStreamCreate(&lib->stream));
    need(lib->hipStreamCreate(&lib->other));
    need(lib->hipEventCreate(&lib->event));
    need(lib->hipMalloc((void **)&lib->device, BIG));
    need(lib->hipMalloc((void **)&lib->block, BIG));
    make_chain(lib);
    need(lib->hipMemAddressReserve((void **)&lib->base, (size_t)CALLS << 21, 0, NULL, 0));
    lib->host = malloc(BIG);
    if (lib->host == NULL) exit(1);
    memset(lib->host, 1, BIG);
}

// ---- rows: CALLS calls each

#define EACH for (size_t i = 0; i < CALLS; i++)
static const hipMemLocation place = {hipMemLocationTypeDevice, 0};

static void alloc_free(struct library *lib) {
    EACH {
        void *block = NULL;
        need(lib->hipMallocAsync(&block, SMALL, lib->stream));
        need(lib->hipFreeAsync(block, lib->stream));
    }
}

static void attributes(struct library *lib) {
    hipPointerAttribute_t out;
    EACH need(lib->hipPointerGetAttributes(&out, lib->device + 64));
}

static void copy_down(struct library *lib) {
    EACH need(lib->hipMemcpy(lib->device, lib->host, SMALL, hipMemcpyHostToDevice));
}

static void copy_up(struct library *lib) {
    EACH need(lib->hipMemcpy(lib->host, lib->device, SMALL, hipMemcpyDeviceToHost));
}

static void copy_on(struct library *lib) {
    EACH need(lib->hipMemcpy(lib->block, lib->device, SMALL, hipMemcpyDeviceToDevice));
}

static void record_query(struct library *lib) {
    EACH {
        need(lib->hipEventRecord(lib->event, lib->stream));
        need(lib->hipEventQuery(lib->event));
    }
}

static void record_query_null(struct library *lib) {
    EACH {
        need(lib->hipEventRecord(lib->event, NULL));
        need(lib->hipEventQuery(lib->event));
    }
}

static void copy_wait(struct library *lib) {
    EACH {
        need(lib->hipMemcpyAsync(lib->device, lib->block, SMALL, hipMemcpyDeviceToDevice,
                                 lib->stream));
        need(lib->hipStreamSynchronize(lib->stream));
    }
}

static void fill_wait(struct library *lib) {
    EACH {
        need(lib->hipMemsetAsync(lib->device, 0, SMALL, lib->stream));
        need(lib->hipStreamSynchronize(lib->stream));
    }
}

static void graph_wait(struct library *lib) {
    EACH {
        need(lib->hipGraphLaunch(lib->chain, lib->stream));
        need(lib->hipStreamSynchronize(lib->stream));
    }
}

static void copy_after_event(struct library *lib) {
    EACH {
        need(lib->hipEventRecord(lib->event, lib->other));
        need(lib->hipStreamWaitEvent(lib->stream, lib->event, 0));
        need(lib->hipMemcpyAsync(lib->device, lib->block, SMALL, hipMemcpyDeviceToDevice,
                                 lib->stream));
        need(lib->hipStreamSynchronize(lib->stream));
    }
}

static void malloc_free(struct library *lib) {
    EACH {
        void *block = NULL;
        need(lib->hipMalloc(&block, SMALL));
        need(lib->hipFree(block));
    }
}

static void create(struct library *lib) {
    hipMemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.location = place;
    EACH need(lib->hipMemCreate(&lib->handles[i], (size_t)2 << 20, &prop, 0));
}

static void map(struct library *lib) {
    EACH need(lib->hipMemMap(lib->base + (i << 21), (size_t)2 << 20, 0, lib->handles[i], 0));
}

static void set_access(struct library *lib) {
    const hipMemAccessDesc grant = {place, hipMemAccessFlagsProtReadWrite};
    EACH need(lib->hipMemSetAccess(lib->base + (i << 21), (size_t)2 << 20, &grant, 1));
}

static void get_access(struct library *lib) {
    unsigned long long flags = 0;
    EACH need(lib->hipMemGetAccess(&flags, &place, lib->base + (i << 21)));
}

static void retain(struct library *lib) {
    EACH {
        hipMemGenericAllocationHandle_t again = NULL;
        need(lib->hipMemRetainAllocationHandle(&again, lib->base + (i << 21)));
        need(lib->hipMemRelease(again));
    }
}

static void unmap(struct library *lib) {
    EACH need(lib->hipMemUnmap(lib->base + (i << 21), (size_t)2 << 20));
}

static void release(struct library *lib) { EACH need(lib->hipMemRelease(lib->handles[i])); }

static const struct row {
    const char *name;
    void (*run)(struct library *lib);
    bool chained; // continues from the row before, so that it runs once a round
} rows[] = {
    {"hipMallocAsync + hipFreeAsync", alloc_free, false},
    {"hipPointerGetAttributes", attributes, false},
    {"hipMemcpy 4 KiB to the device", copy_down, false},
    {"hipMemcpy 4 KiB from the device", copy_up, false},
    {"hipMemcpy 4 KiB on the device", copy_on, false},
    {"hipEventRecord + hipEventQuery", record_query, false},
    {"the same, NULL stream", record_query_null, false},
    {"hipMemcpyAsync 4 KiB + wait", copy_wait, false},
    {"hipMemsetAsync 4 KiB + wait", fill_wait, false},
    {"hipGraphLaunch of 4 fills + wait", graph_wait, false},
    {"record, wait, copy, wait", copy_after_event, false},
    {"hipMalloc + hipFree", malloc_free, false},
    {"hipMemCreate", create, true},
    {"hipMemMap", map, true},
    {"hipMemSetAccess", set_access, true},
    {"hipMemGetAccess", get_access, true},
    {"hipMemRetain... + hipMemRelease", retain, true},
    {"hipMemUnmap", unmap, true},
    {"hipMemRelease", release, true},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static double samples[3][ROWS][ROUNDS]; // of each library, and the ratio

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof values[0], by_value);
    return values[ROUNDS / 2];
}

int main(int argc, char **argv) {
    static struct library libraries[2];
    bool json = argc > 3 && strcmp(argv[3], "--json") == 0;
    const char *only = argc > 3 + json ? argv[3 + json] : NULL;
    if (argc < 3) {
        printf("skipped: needs two libraries: %s OLD.so NEW.so [--json] [ROW]\n", argv[0]);
        return 0;
    }
    if (setenv("TARN_HIP_DEVICE", "host:0", 1) != 0) return 1;
    library_open(&libraries[0], argv[1]);
    library_open(&libraries[1], argv[2]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int row = 0; row < ROWS; row++) {
            if (only != NULL && strcmp(only, rows[row].name) != 0) continue;
            for (int turn = 0; turn < 2; turn++) {
                int which = (turn + round) % 2;                           // the order alternates
                if (!rows[row].chained) rows[row].run(&libraries[which]); // caches the code
                uint64_t since = now_ns();
                rows[row].run(&libraries[which]);
                samples[which][row][round] = (double)(now_ns() - since) / CALLS;
            }
            samples[2][row][round] = samples[1][row][round] / samples[0][row][round];
        }
    }
    if (!json) printf("%-34s %8s %8s %6s\n", "ns per call", "old", "new", "ratio");
    for (int row = 0; row < ROWS; row++) {
        if (only != NULL && strcmp(only, rows[row].name) != 0) continue;
        printf(json ? "{\"bench\":\"compat_hip_pair\",\"row\":\"%s\",\"old_ns\":%.1f,"
                      "\"new_ns\":%.1f,\"ratio\":%.3f}\n"
                    : "%-34s %8.1f %8.1f %6.2f\n",
               rows[row].name, median(samples[0][row]), median(samples[1][row]),
               median(samples[2][row]));
    }
    return 0;
}
