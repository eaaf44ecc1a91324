// SPDX-License-Identifier: Apache-2.0
// Copies and memcpy in one run, on the same bytes: two mapped buffers of device memory that the CPU
// can access. Then the cost to enqueue work in a stream and to wait for it.
//
//     bench_copy [--json] [--device NAME] [--max MIB]
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "measure.h"

#define KIB         ((uint64_t)1024)
#define MIB         ((uint64_t)1024 * 1024)
#define SAMPLES_MAX 4000
#define BATCH       8u     // copies enqueued before each wait
#define PARK_NS     300000 // enough for the workers to sleep

struct bench {
    bool json;
    const char *device_name;
    uint64_t max_bytes;
    tarn_device *device;
    tarn_stream stream;
    tarn_event event;
    tarn_addr src;
    tarn_addr dst;
    uint64_t buffer_bytes;
};

// The measurements for each size.
enum way { MEMCPY, COPY, STREAM, STREAM_BATCH, WAYS };
static const char *const way_names[WAYS] = {"memcpy", "copy", "stream", "stream_batch"};

// The measurements that are independent of the size.
struct latency {
    const char *key;
    const char *text;
    void (*run)(struct bench *b);
    long pause_ns; // before each sample
};

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median_of(uint64_t *samples, unsigned count) {
    qsort(samples, count, sizeof *samples, by_size);
    return samples[count / 2];
}

// ---- set-up

static tarn_addr map_buffer(struct bench *b) {
    const tarn_grant grants[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                                 {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE}};
    tarn_addr addr;
    tarn_phys phys;
    check(tarn_space_reserve(b->device, b->buffer_bytes, 0, 0, &addr), "reserve");
    check(tarn_phys_create(b->device, b->buffer_bytes, NULL, &phys), "create");
    check(tarn_map(addr, b->buffer_bytes, phys), "map");
    check(tarn_phys_release(phys), "release");
    check(tarn_map_set_access(addr, b->buffer_bytes, grants, 2), "set access");
    memset((void *)(uintptr_t)addr, 1, b->buffer_bytes); // not measured
    return addr;
}

static void unmap_buffer(struct bench *b, tarn_addr addr) {
    check(tarn_unmap(addr, b->buffer_bytes, 0), "unmap");
    check(tarn_space_release(addr), "release space");
}

static void bench_open(struct bench *b) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    check(tarn_device_open(b->device_name, &b->device), "open");
    check(tarn_device_query(b->device, &info), "query");
    if ((info.features & TARN_FEATURE_HOST_ACCESS) == 0) {
        fprintf(stderr, "bench_copy: %s: the CPU cannot use its memory\n", b->device_name);
        exit(1);
    }
    uint64_t unit = info.granularity_recommended;
    b->buffer_bytes = (b->max_bytes + unit - 1) / unit * unit;
    b->src = map_buffer(b);
    b->dst = map_buffer(b);
    check(tarn_stream_create(b->device, &b->stream), "stream");
    check(tarn_event_create(b->device, &b->event), "event");
}

static void bench_close(struct bench *b) {
    check(tarn_event_destroy(b->event), "destroy event");
    check(tarn_stream_destroy(b->stream), "destroy stream");
    unmap_buffer(b, b->src);
    unmap_buffer(b, b->dst);
    check(tarn_device_close(b->device), "close");
}

// ---- copies

static void enqueue_one(struct bench *b, uint64_t bytes) {
    check(tarn_copy(NULL, b->dst, b->src, bytes, b->stream), "copy");
}

// Measures one sample. Returns its number of copies.
static unsigned copy_once(struct bench *b, enum way way, uint64_t bytes) {
    unsigned copies = way == STREAM_BATCH ? BATCH : 1;
    switch (way) {
    case MEMCPY: memcpy((void *)(uintptr_t)b->dst, (const void *)(uintptr_t)b->src, bytes); break;
    case COPY: check(tarn_copy(b->device, b->dst, b->src, bytes, TARN_STREAM_NONE), "copy"); break;
    default:
        for (unsigned i = 0; i < copies; i++) enqueue_one(b, bytes);
        check(tarn_stream_synchronize(b->stream, TARN_FOREVER), "synchronize");
    }
    return copies;
}

// Measures `count` samples after a warm-up, because another method ran before.
static void take_sample(struct bench *b, enum way way, uint64_t bytes, uint64_t *samples,
                        unsigned count) {
    (void)copy_once(b, way, bytes);
    for (unsigned i = 0; i < count; i++) {
        uint64_t start = now_ns();
        unsigned copies = copy_once(b, way, bytes);
        samples[i] = (now_ns() - start) / copies;
    }
}

// Median nanoseconds of one copy for each method. The methods alternate, so that other load on the
// machine affects all of them.
static void copy_times(struct bench *b, uint64_t bytes, double ns[WAYS]) {
    static uint64_t samples[WAYS][SAMPLES_MAX];
    uint64_t budget = 1024 * MIB / bytes;
    unsigned turns = budget < 7 ? 7 : budget > 40 ? 40 : (unsigned)budget;
    unsigned each = budget > SAMPLES_MAX ? SAMPLES_MAX / turns : (unsigned)budget / turns;
    each = each == 0 ? 1 : each;
    for (unsigned turn = 0; turn < turns; turn++)
        for (int way = 0; way < WAYS; way++)
            take_sample(b, (enum way)way, bytes, &samples[way][turn * each], each);
    for (int way = 0; way < WAYS; way++) ns[way] = (double)median_of(samples[way], turns * each);
}

static void copy_row(struct bench *b, uint64_t bytes, bool first) {
    double ns[WAYS];
    copy_times(b, bytes, ns);
    if (b->json) {
        printf("%s{\"bytes\":%llu", first ? "" : ",", (unsigned long long)bytes);
        for (int way = 0; way < WAYS; way++) printf(",\"%s_ns\":%.0f", way_names[way], ns[way]);
        printf("}");
        return;
    }
    printf("%9llu KiB", (unsigned long long)(bytes / KIB));
    for (int way = 0; way < WAYS; way++) printf(" %8.1f", (double)bytes / ns[way]);
    printf("   %5.0f %% %5.0f %% %5.0f %%\n", 100 * ns[MEMCPY] / ns[COPY],
           100 * ns[MEMCPY] / ns[STREAM], 100 * ns[MEMCPY] / ns[STREAM_BATCH]);
}

static void copy_table(struct bench *b) {
    if (b->json) {
        printf("\"copies\":[");
    } else {
        printf("GB/s, median of one copy; in the last three columns beside memcpy = 100 %%\n"
               "%13s %8s %8s %8s %8s   %7s %7s %7s\n",
               "size", "memcpy", "copy", "stream", "batch", "copy", "stream", "batch");
    }
    for (uint64_t bytes = 4 * KIB; bytes <= b->max_bytes; bytes *= bytes < MIB ? 4 : 2)
        copy_row(b, bytes, bytes == 4 * KIB);
    printf(b->json ? "]"
                   : "copy: without a stream. stream: given and waited for. batch: %u given, "
                     "then waited for.\n\n",
           BATCH);
}

// ---- latencies

static void do_nothing(void *arg) { (void)arg; }

static void call_and_wait(struct bench *b) {
    check(tarn_stream_call(b->stream, do_nothing, NULL), "call");
    check(tarn_stream_synchronize(b->stream, TARN_FOREVER), "synchronize");
}

static void small_copy(struct bench *b) {
    check(tarn_copy(b->device, b->dst, b->src, 64, TARN_STREAM_NONE), "copy");
}

static void small_copy_in_stream(struct bench *b) { enqueue_one(b, 64); }

static void record_and_query(struct bench *b) {
    check(tarn_event_record(b->event, b->stream), "record");
    check(tarn_event_query(b->event), "query");
}

static void synchronize_stream(struct bench *b) {
    check(tarn_stream_synchronize(b->stream, TARN_FOREVER), "synchronize");
}

static void synchronize_device(struct bench *b) {
    check(tarn_device_synchronize(b->device, TARN_FOREVER), "synchronize device");
}

static const struct latency latencies[] = {
    {"call_ns", "host function: give and wait, back to back", call_and_wait, 0},
    {"call_parked_ns", "host function: give and wait, workers asleep", call_and_wait, PARK_NS},
    {"small_copy_ns", "copy of 64 bytes without a stream", small_copy, 0},
    {"small_copy_in_stream_ns", "copy of 64 bytes in an empty stream", small_copy_in_stream, 0},
    {"record_and_query_ns", "event: record in an empty stream and query", record_and_query, 0},
    {"synchronize_stream_ns", "synchronize an empty stream", synchronize_stream, 0},
    {"synchronize_device_ns", "synchronize an idle device", synchronize_device, 0},
};

static double latency_time(struct bench *b, const struct latency *l) {
    enum { COUNT = 1000, TIMES = 20 };
    static uint64_t samples[COUNT];
    struct timespec pause = {0, l->pause_ns};
    unsigned times = l->pause_ns != 0 ? 1 : TIMES; // several per sample: the clock costs too
    for (unsigned i = 0; i < COUNT; i++) {
        if (l->pause_ns != 0) (void)nanosleep(&pause, NULL);
        uint64_t start = now_ns();
        for (unsigned j = 0; j < times; j++) l->run(b);
        samples[i] = now_ns() - start;
    }
    return (double)median_of(samples, COUNT) / times;
}

static void latency_table(struct bench *b) {
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++) {
        const struct latency *l = &latencies[i];
        double ns = latency_time(b, l);
        if (b->json)
            printf(",\"%s\":%.0f", l->key, ns);
        else
            printf("%-46s %9.0f ns\n", l->text, ns);
    }
}

// ---- the program

static error_t parse_options(int key, char *arg, struct argp_state *state) {
    struct bench *b = (struct bench *)state->input;
    char *end;
    switch (key) {
    case 'j': b->json = true; return 0;
    case 'd': b->device_name = arg; return 0;
    case 'm':
        b->max_bytes = strtoull(arg, &end, 10) * MIB;
        if (*end != '\0' || b->max_bytes == 0)
            argp_error(state, "--max %s: not a number of MiB", arg);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, "Print one JSON object", 0},
        {"device", 'd', "NAME", 0, "Device to use (default: TARN_DEVICE, else host:0)", 0},
        {"max", 'm', "MIB", 0, "Largest copy (default 512)", 0},
        {NULL, 0, NULL, 0, NULL, 0}};
    static const struct argp argp = {options, parse_options, NULL, "Measures copies beside memcpy.",
                                     NULL,    NULL,          NULL};
    struct bench b = {.max_bytes = 512 * MIB};
    struct utsname machine;
    argp_parse(&argp, argc, argv, 0, NULL, &b);
    bench_open(&b);
    (void)uname(&machine);
    printf(b.json ? "{\"machine\":\"%s %s %s\",\"cpus\":%ld,\"version\":%u,"
                  : "%s %s %s, %ld CPUs, Tarn %u\n\n",
           machine.sysname, machine.release, machine.machine, sysconf(_SC_NPROCESSORS_ONLN),
           tarn_version());
    copy_table(&b);
    latency_table(&b);
    printf(b.json ? "}\n" : "\n");
    bench_close(&b);
    return 0;
}
