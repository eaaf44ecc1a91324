// SPDX-License-Identifier: Apache-2.0
// Requests of a pool with a plan beside those of pools without one, on the bundled recordings: the
// nanoseconds of one allocation and one free together, medians over rounds, each the best of a few
// passes. All requests, and those above 16 KiB alone. Usage: bench_plan [RECORDING...]
#include <glob.h>
#include <stdbool.h>
#include <string.h>

#include <tarn/tarn.h>

#include "measure.h"
#include "trace/trace.h"

enum { ROUNDS = 5, PASSES = 12, POOLS = 4, LARGE = 16 << 10 };

static const char *const pool_names[POOLS] = {"fixed", "fixed, planned", "expandable",
                                              "expandable, planned"};

struct op {
    uint32_t block;
    bool frees;
};

static tarn_plan_block *blocks;
static tarn_addr *addresses;
static struct op *ops;
static size_t block_count, op_count;

// Lists the requests above `least` bytes, and the frees of their blocks.
static void list_requests(const struct tn_trace *trace, uint64_t least) {
    uint32_t *numbers = (uint32_t *)calloc(trace->block_count + 1, sizeof *numbers);
    block_count = op_count = 0;
    for (size_t i = 0; numbers != NULL && i < trace->event_count; i++) {
        const struct tn_event *event = &trace->events[i];
        bool frees = event->kind == TN_EVENT_FREE;
        if (event->kind == TN_EVENT_ALLOC && trace->blocks[event->item].size > least) {
            uint64_t bytes = trace->blocks[event->item].size;
            blocks[block_count] = (tarn_plan_block){bytes, op_count, UINT64_MAX, 0, 0};
            numbers[event->item] = (uint32_t)++block_count;
        } else if (!frees || numbers[event->item] == 0) {
            continue;
        }
        uint32_t block = numbers[event->item] - 1;
        if (frees) blocks[block].end = op_count;
        ops[op_count++] = (struct op){block, frees};
    }
    for (uint32_t i = 0; i < block_count; i++)
        if (blocks[i].end == UINT64_MAX) ops[op_count++] = (struct op){i, true};
    free(numbers);
}

static double run_pass(tarn_pool *pool) {
    uint64_t start = now_ns();
    for (const struct op *op = ops; op < ops + op_count; op++)
        if (op->frees)
            (void)tarn_pool_free(pool, addresses[op->block]);
        else
            check(tarn_pool_alloc(pool, blocks[op->block].bytes, 0, &addresses[op->block]), "pool");
    return (double)(now_ns() - start) / (double)block_count;
}

// Returns the least time of a pass behind the first one.
static double run_pool(unsigned kind, tarn_device *device, const tarn_plan *plan) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind < 2 ? TARN_POOL_FIXED : TARN_POOL_EXPANDABLE;
    desc.base = kind < 2 ? UINT64_C(1) << 40 : 0;
    desc.bytes = kind < 2 ? UINT64_C(1) << 36 : 0;
    desc.device = kind < 2 ? NULL : device;
    desc.plan = kind % 2 != 0 ? plan : NULL;
    check(tarn_pool_create(&desc, &pool), "pool");
    double least = 1e18;
    (void)run_pass(pool);
    for (int i = 0; i < PASSES; i++) {
        double ns = run_pass(pool);
        least = ns < least ? ns : least;
    }
    check(tarn_pool_destroy(pool), "pool");
    return least;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void run_recording(const char *path, tarn_device *device) {
    struct tn_trace trace;
    check(tn_trace_read(path, NULL, &trace), path);
    blocks = (tarn_plan_block *)calloc(trace.block_count + 1, sizeof *blocks);
    addresses = (tarn_addr *)calloc(trace.block_count + 1, sizeof *addresses);
    ops = (struct op *)calloc(2 * trace.block_count + 1, sizeof *ops);
    for (int large = 0; large < 2 && blocks != NULL && addresses != NULL && ops != NULL; large++) {
        double times[POOLS][ROUNDS];
        tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
        tarn_plan *plan = NULL;
        list_requests(&trace, large != 0 ? LARGE : 0);
        desc.blocks = blocks;
        desc.count = block_count;
        desc.limit_steps = UINT64_C(1) << 24;
        check(tarn_plan_create(&desc, &plan), "plan");
        for (int round = 0; round < ROUNDS; round++)
            for (unsigned kind = 0; kind < POOLS; kind++)
                times[kind][round] = run_pool(kind, device, plan);
        printf("| %s, %s ", strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path,
               large != 0 ? "large" : "all");
        for (unsigned kind = 0; kind < POOLS; kind++) {
            qsort(times[kind], ROUNDS, sizeof *times[kind], compare);
            printf("| %.1f ", times[kind][ROUNDS / 2]);
        }
        printf("|\n");
        tarn_plan_destroy(plan);
    }
    free(blocks);
    free(addresses);
    free(ops);
    tn_trace_release(&trace);
}

int main(int argc, char **argv) {
    glob_t found = {0};
    tarn_device *device = NULL;
    check(tarn_device_open("sim:0,memory=64G", &device), "device");
    if (argc < 2 && glob("traces/*.trace.gz", 0, NULL, &found) != 0) {
        fprintf(stderr, "run it where traces/ is\n");
        return 1;
    }
    printf("| recording ");
    for (unsigned kind = 0; kind < POOLS; kind++) printf("| %s ", pool_names[kind]);
    printf("|\n");
    for (int i = 1; i < argc; i++) run_recording(argv[i], device);
    for (size_t i = 0; i < found.gl_pathc; i++) run_recording(found.gl_pathv[i], device);
    globfree(&found);
    check(tarn_device_close(device), "device");
    return 0;
}
