// SPDX-License-Identifier: Apache-2.0
// A random run of threads over pools of every kind that share one device, its streams and each
// other's blocks. A block is filled on its stream and freed with that work pending, or read back
// and compared first, so memory that is given out twice or too early shows as wrong bytes. Every other
// thread repeats itself, more or less, for the pools with a plan. Threads end and begin again every
// second; in between the statistics of each pool must match the live blocks, tarn_pool_verify() must
// hold, and the planned pool gets a plan of the last second. Usage: soak_pool SECONDS THREADS DEVICE [SEED]
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tarn/tarn.h>

enum { BLOCKS = 200, STREAMS = 200, SHARED = 64, THREADS_MAX = 256, WORDS = 256, EPOCH_MS = 1000 };
enum { PASS = 600, RECORDS = 600 }; // steps that a thread repeats; requests of a plan

#define MIB (UINT64_C(1) << 20)

// PLANNED follows a plan of requests, LEARNING learns passes between marks, UNMARKED without marks.
enum { FIXED, SEGMENTS, TIME, BALANCED, MEMORY, PLANNED, LEARNING, UNMARKED, POOLS };

struct block {
    tarn_addr addr;
    uint64_t bytes;
    int pool;
    int streams[2]; // its own, and one that uses it too or -1
    uint32_t pattern;
    uint32_t record; // its request of the plan to make, or RECORDS
};

struct world {
    tarn_device *device;
    bool stores_bytes;
    tarn_addr range; // under the fixed pool
    tarn_pool *pools[POOLS];
    tarn_stream streams[STREAMS];
    _Atomic(struct block *) shared[SHARED]; // blocks that any thread may free
    atomic_bool stop;
    tarn_plan_block records[RECORDS]; // the first requests of PLANNED in this second
    atomic_uint recorded;
    tarn_pool_stats planned; // sums over the plans
};

struct worker {
    struct world *world;
    pthread_t thread;
    uint64_t seed;
    uint64_t pass;  // the seed of the steps that it repeats
    uint64_t noise; // a second sequence of numbers, for what differs
    unsigned number, calm, step;
    struct block *blocks[BLOCKS];
    uint64_t operations, refusals;
    uint32_t words[WORDS];
};

// ---- failures, and numbers

static void fail_run(const char *what, tarn_status status) {
    tarn_error error = {.message = ""};
    (void)tarn_last_error(&error);
    (void)fprintf(stderr, "soak: %s: %s: %s\n", what, tarn_status_name(status), error.message);
    abort();
}

static void must(tarn_status status, const char *what) {
    if (status != TARN_OK) fail_run(what, status);
}

static uint64_t next_number(struct worker *w) {
    w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return w->seed >> 33;
}

static bool chance(struct worker *w, unsigned of) { return next_number(w) % of == 0; }

static uint64_t now_ms(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

// Half of the sizes are small, one in ten is over 1 MiB. They are multiples of 4.
static uint64_t random_bytes(struct worker *w) {
    uint64_t kind = next_number(w) % 20;
    unsigned low = kind < 10 ? 6 : kind < 18 ? 14 : 20;
    unsigned high = kind < 10 ? 14 : kind < 18 ? 20 : 23;
    uint64_t power = UINT64_C(1) << (low + next_number(w) % (high - low));
    return power + next_number(w) % power / 4 * 4;
}

// Most blocks are of a few streams, and some of many.
static int random_stream(struct worker *w) {
    return (int)(next_number(w) % (chance(w, 16) ? (unsigned)STREAMS : 4u));
}

static bool repeats(const struct worker *w) { return w->number % 2 == 1; }

// Threads that repeat themselves use pools with a plan most of the time, each on a stream of its own.
// The others use those seldom.
static int random_pool(struct worker *w) {
    bool planned = chance(w, repeats(w) ? 2 : 500);
    int pool = planned ? PLANNED + (int)(next_number(w) % 3) : (int)(next_number(w) % PLANNED);
    return pool == UNMARKED && w->number != 1 ? PLANNED : pool;
}

// ---- the bytes of a block: its first and its last words

static uint64_t part_bytes(const struct block *b) {
    return b->bytes < sizeof(uint32_t) * WORDS ? b->bytes : sizeof(uint32_t) * WORDS;
}

static void fill_block(const struct world *world, const struct block *b, int stream) {
    uint64_t part = part_bytes(b);
    tarn_stream s = world->streams[stream];
    must(tarn_fill(world->device, b->addr, b->pattern, 4, part / 4, s), "fill");
    must(tarn_fill(world->device, b->addr + b->bytes - part, b->pattern, 4, part / 4, s), "fill");
}

// Work that is still pending when its block is freed, and late when it runs.
static void delay_stream(void *arg) {
    struct timespec pause = {0, 1000000};
    (void)arg;
    (void)nanosleep(&pause, NULL);
}

static void compare_part(struct worker *w, const struct block *b, uint64_t offset) {
    uint64_t part = part_bytes(b);
    must(tarn_copy(w->world->device, TARN_ADDR(w->words), b->addr + offset, part, TARN_STREAM_NONE),
         "copy");
    for (uint64_t i = 0; i < part / 4; i++) {
        if (w->words[i] != b->pattern) {
            (void)fprintf(stderr,
                          "soak: pool %d: block 0x%" PRIx64 " of %" PRIu64
                          " bytes: word at %" PRIu64 " is %08" PRIx32 ", not %08" PRIx32 "\n",
                          b->pool, b->addr, b->bytes, offset + 4 * i, w->words[i], b->pattern);
            abort();
        }
    }
}

static void compare_block(struct worker *w, const struct block *b) {
    for (int i = 0; i < 2; i++)
        if (b->streams[i] >= 0)
            must(tarn_stream_synchronize(w->world->streams[b->streams[i]], TARN_FOREVER),
                 "synchronize");
    if (w->world->stores_bytes) {
        compare_part(w, b, 0);
        compare_part(w, b, b->bytes - part_bytes(b));
    }
}

// ---- the plan to make

static void record_request(struct world *world, struct block *b, uint32_t tag) {
    b->record = atomic_fetch_add(&world->recorded, 1);
    if (b->record < RECORDS)
        world->records[b->record] = (tarn_plan_block){b->bytes, 2 * (uint64_t)b->record, UINT64_MAX,
                                                      (uint32_t)b->streams[0], tag};
    else
        b->record = RECORDS;
}

static void record_free(struct world *world, const struct block *b) {
    if (b->record != RECORDS)
        world->records[b->record].end = 2 * (uint64_t)atomic_load(&world->recorded) + 1;
}

// ---- blocks

static struct block *allocate_block(struct worker *w) {
    struct world *world = w->world;
    struct block made = {.bytes = random_bytes(w),
                         .pool = random_pool(w),
                         .streams = {repeats(w) ? (int)w->number % STREAMS : random_stream(w), -1},
                         .pattern = (uint32_t)next_number(w),
                         .record = RECORDS};
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    request.bytes = made.bytes;
    request.stream = world->streams[made.streams[0]];
    request.tag = (uint32_t)(next_number(w) % TARN_POOL_TAGS);
    request.alignment = chance(w, 8) ? UINT64_C(1) << next_number(w) % 22 : 0;
    tarn_status status = tarn_pool_alloc_with(world->pools[made.pool], &request, &made.addr);
    if (status == TARN_NO_DEVICE_MEMORY) {
        w->refusals++;
        return NULL;
    }
    must(status, "alloc");
    if (made.pool == PLANNED) record_request(world, &made, request.tag);
    if (chance(w, 64)) must(tarn_stream_call(request.stream, delay_stream, NULL), "call");
    fill_block(world, &made, made.streams[0]);
    struct block *b = (struct block *)malloc(sizeof *b);
    if (b == NULL) fail_run("malloc", TARN_NO_HOST_MEMORY);
    *b = made;
    return b;
}

// A second stream writes the block after the first.
static void use_block(struct worker *w, struct block *b) {
    struct world *world = w->world;
    tarn_event event = 0;
    if (b->streams[1] >= 0) return;
    b->streams[1] = random_stream(w);
    must(tarn_pool_used_on(world->pools[b->pool], b->addr, world->streams[b->streams[1]]),
         "used_on");
    must(tarn_event_create(world->device, &event), "event");
    must(tarn_event_record(event, world->streams[b->streams[0]]), "record");
    must(tarn_stream_wait(world->streams[b->streams[1]], event, 0), "wait");
    must(tarn_event_destroy(event), "destroy event");
    fill_block(world, b, b->streams[1]);
}

// The block becomes longer if the memory behind it is free, and its new end is filled.
static void extend_block(struct worker *w, struct block *b) {
    uint64_t bytes = b->bytes + (1 + next_number(w) % 4) * (b->bytes / 4 / 4 * 4);
    if (b->streams[1] >= 0) return;
    tarn_status status = tarn_pool_extend(w->world->pools[b->pool], b->addr, bytes);
    if (status == TARN_OK) {
        b->bytes = bytes;
        fill_block(w->world, b, b->streams[0]);
    } else if (status != TARN_NO_ADDRESS_SPACE && status != TARN_NO_DEVICE_MEMORY) {
        must(status, "extend");
    }
}

static void free_block(struct worker *w, struct block *b) {
    if (chance(w, 4)) compare_block(w, b);
    record_free(w->world, b);
    must(tarn_pool_free(w->world->pools[b->pool], b->addr), "free");
    free(b);
}

static void free_blocks(struct worker *w, int pool) {
    for (int i = 0; i < BLOCKS; i++) {
        struct block *b = w->blocks[i];
        if (b == NULL || (pool != POOLS && b->pool != pool)) continue;
        free_block(w, b);
        w->blocks[i] = NULL;
    }
}

// ---- one thread

static void operate_on_pool(struct worker *w) {
    int kind = (int)(next_number(w) % POOLS);
    tarn_pool *pool = w->world->pools[kind];
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    switch (next_number(w) % 10) {
    case 0:
        must(tarn_pool_trim(pool, next_number(w) % 64 * MIB, TARN_NO_WAIT, NULL), "trim");
        break;
    case 1: must(tarn_pool_trim(pool, next_number(w) % 64 * MIB, 0, NULL), "trim"); break;
    case 2:
        if (kind != FIXED)
            must(tarn_pool_set_limit(pool, (16 + next_number(w) % 48) * MIB), "limit");
        break;
    case 3: must(tarn_pool_verify(pool), "verify"); break;
    case 4:
        if (kind != UNMARKED) must(tarn_pool_mark(pool), "mark");
        break;
    default: must(tarn_pool_query_stats(pool, &stats), "statistics");
    }
}

// A thread that repeats itself has the numbers of the same step in the pass before, but for some.
static void repeat_step(struct worker *w) {
    uint64_t step = w->step++ % PASS, random;
    w->noise = w->noise * UINT64_C(6364136223846793005) + 99991;
    random = w->noise >> 33;
    if (step == 0) {
        if (random % 256 == 0) w->pass = w->noise;
        if (random % 16 == 0) w->calm = 1u << random / 16 % 24;
        free_blocks(w, POOLS);
        if (w->number == 1) must(tarn_pool_mark(w->world->pools[LEARNING]), "mark");
    }
    w->seed = random % w->calm == 0 ? w->noise : w->pass + step * UINT64_C(0x9e3779b97f4a7c15);
}

static void run_step(struct worker *w) {
    if (repeats(w)) repeat_step(w);
    struct block **slot = &w->blocks[next_number(w) % BLOCKS];
    w->operations++;
    if (chance(w, 500)) {
        operate_on_pool(w);
    } else if (!repeats(w) && chance(w, 8)) {
        *slot = atomic_exchange(&w->world->shared[next_number(w) % SHARED], *slot);
    } else if (*slot == NULL) {
        *slot = allocate_block(w);
    } else if (chance(w, 16)) {
        use_block(w, *slot);
    } else if (chance(w, 16)) {
        extend_block(w, *slot);
    } else {
        free_block(w, *slot);
        *slot = NULL;
    }
}

static void *run_worker(void *arg) {
    struct worker *w = (struct worker *)arg;
    while (!atomic_load_explicit(&w->world->stop, memory_order_relaxed)) run_step(w);
    return NULL;
}

// ---- the run

static void create_pool(struct world *world, int kind, const tarn_plan *plan) {
    static const tarn_pool_policy policies[POOLS] = {
        [TIME] = TARN_POOL_TIME, [BALANCED] = TARN_POOL_BALANCED, [MEMORY] = TARN_POOL_MEMORY};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = kind == FIXED      ? TARN_POOL_FIXED
                : kind == SEGMENTS ? TARN_POOL_SEGMENTS
                                   : TARN_POOL_EXPANDABLE;
    desc.policy = policies[kind];
    desc.plan = plan;
    desc.device = world->device;
    desc.flags = desc.kind == TARN_POOL_EXPANDABLE ? TARN_POOL_STRICT : 0;
    if (kind == LEARNING || kind == UNMARKED) desc.flags |= TARN_POOL_LEARN;
    if (kind == FIXED) {
        desc.base = world->range;
        desc.bytes = 64 * MIB;
    } else {
        desc.limit = 64 * MIB;
    }
    must(tarn_pool_create(&desc, &world->pools[kind]), "create");
}

static void open_world(struct world *world, const char *uri) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    must(tarn_device_open(uri, &world->device), "open");
    must(tarn_device_query(world->device, &info), "query");
    world->stores_bytes = (info.features & TARN_FEATURE_BYTES) != 0;
    must(tarn_memory_alloc(world->device, 64 * MIB, &world->range), "memory");
    for (int i = 0; i < POOLS; i++) create_pool(world, i, NULL);
    for (int i = 0; i < STREAMS; i++)
        must(tarn_stream_create(world->device, &world->streams[i]), "stream");
}

// No thread runs. The statistics match the live blocks.
static void check_pools(struct world *world, struct worker *workers, int threads) {
    uint64_t blocks[POOLS] = {0}, bytes[POOLS] = {0};
    for (int i = 0; i < threads * BLOCKS + SHARED; i++) {
        const struct block *b = i < SHARED
                                    ? atomic_load(&world->shared[i])
                                    : workers[(i - SHARED) / BLOCKS].blocks[(i - SHARED) % BLOCKS];
        if (b != NULL) {
            blocks[b->pool]++;
            bytes[b->pool] += b->bytes;
        }
    }
    for (int i = 0; i < POOLS; i++) {
        tarn_pool_stats stats = {.struct_size = sizeof stats};
        must(tarn_pool_verify(world->pools[i]), "verify");
        must(tarn_pool_query_stats(world->pools[i], &stats), "statistics");
        if (stats.live_blocks != blocks[i] || stats.live_bytes != bytes[i]) {
            (void)fprintf(stderr,
                          "soak: pool %d: %" PRIu64 " blocks of %" PRIu64
                          " bytes by its statistics, %" PRIu64 " of %" PRIu64 " are live\n",
                          i, stats.live_blocks, stats.live_bytes, blocks[i], bytes[i]);
            abort();
        }
    }
    must(tarn_platform_verify(world->device), "verify the device");
}

// Replaces the planned pool by one that follows a plan of the last second. No thread runs.
static void plan_again(struct world *world, struct worker *workers, int threads) {
    tarn_plan *plan = NULL;
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    for (int i = 0; i < threads; i++) free_blocks(&workers[i], PLANNED);
    for (int i = 0; i < SHARED; i++) {
        struct block *b = atomic_load(&world->shared[i]);
        if (b == NULL || b->pool != PLANNED) continue;
        free_block(&workers[0], b);
        atomic_store(&world->shared[i], NULL);
    }
    for (int i = 0; i < STREAMS; i++)
        must(tarn_stream_synchronize(world->streams[i], TARN_FOREVER), "synchronize");
    must(tarn_pool_query_stats(world->pools[PLANNED], &stats), "statistics");
    world->planned.planned += stats.planned;
    world->planned.unplanned += stats.unplanned;
    world->planned.late += stats.late;
    must(tarn_pool_destroy(world->pools[PLANNED]), "destroy");
    desc.blocks = world->records;
    desc.count = atomic_load(&world->recorded) < RECORDS ? atomic_load(&world->recorded) : RECORDS;
    desc.limit_steps = 1 << 16;
    must(tarn_plan_create(&desc, &plan), "plan");
    create_pool(world, PLANNED, plan);
    tarn_plan_destroy(plan);
    atomic_store(&world->recorded, 0);
}

static void run_epoch(struct world *world, struct worker *workers, int threads, uint64_t ms) {
    struct timespec pause = {(time_t)(ms / 1000), (long)(ms % 1000 * 1000000)};
    atomic_store(&world->stop, false);
    for (int i = 0; i < threads; i++) workers[i].step = 0;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) != 0)
            fail_run("thread", TARN_NO_HOST_MEMORY);
    (void)nanosleep(&pause, NULL);
    atomic_store(&world->stop, true);
    for (int i = 0; i < threads; i++) (void)pthread_join(workers[i].thread, NULL);
    check_pools(world, workers, threads);
}

static void free_all(struct world *world, struct worker *workers, int threads) {
    for (int i = 0; i < threads; i++) free_blocks(&workers[i], POOLS);
    for (int i = 0; i < SHARED; i++) {
        struct block *b = atomic_exchange(&world->shared[i], NULL);
        if (b != NULL) free_block(&workers[0], b);
    }
}

// Nothing is stranded: the fixed pool can fill its range again, and the others release all memory.
static void close_world(struct world *world) {
    tarn_addr addr = 0;
    for (int i = 0; i < STREAMS; i++)
        must(tarn_stream_synchronize(world->streams[i], TARN_FOREVER), "synchronize");
    must(tarn_pool_alloc(world->pools[FIXED], 64 * MIB, 0, &addr), "alloc of the whole range");
    must(tarn_pool_free(world->pools[FIXED], addr), "free");
    for (int i = 0; i < POOLS; i++) {
        tarn_pool_stats stats = {.struct_size = sizeof stats};
        must(tarn_pool_trim(world->pools[i], 0, 0, NULL), "trim");
        must(tarn_pool_query_stats(world->pools[i], &stats), "statistics");
        if (i >= LEARNING)
            (void)printf("soak: pool %d: %" PRIu64 " plans, %" PRIu64 " requests planned, %" PRIu64
                         " unplanned, %" PRIu64 " late, %" PRIu64 " of %" PRIu64
                         " passes planned\n",
                         i, stats.plans, stats.planned, stats.unplanned, stats.late,
                         stats.planned_passes, stats.passes);
        if (i != FIXED && stats.held_bytes != 0)
            fail_run("a pool without blocks holds memory after a trim", TARN_CORRUPT);
        must(tarn_pool_destroy(world->pools[i]), "destroy");
    }
    for (int i = 0; i < STREAMS; i++)
        must(tarn_stream_destroy(world->streams[i]), "destroy stream");
    must(tarn_memory_free(world->range, 0), "memory");
    must(tarn_platform_verify(world->device), "verify the device");
    must(tarn_device_close(world->device), "close");
}

int main(int argc, char **argv) {
    static struct world world;
    static struct worker workers[THREADS_MAX];
    int threads = argc > 3 ? atoi(argv[2]) : 0;
    if (threads < 1 || threads > THREADS_MAX) {
        (void)fprintf(stderr, "usage: soak_pool SECONDS THREADS DEVICE [SEED]\n");
        return 2;
    }
    uint64_t end = now_ms() + strtoull(argv[1], NULL, 10) * 1000, operations = 0, refusals = 0;
    uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : now_ms();
    (void)printf("soak: seed %" PRIu64 "\n", seed);
    (void)fflush(stdout);
    open_world(&world, argv[3]);
    for (int i = 0; i < threads; i++) {
        workers[i].world = &world;
        workers[i].seed = workers[i].pass = workers[i].noise = seed + (uint64_t)i * 7919;
        workers[i].number = (unsigned)i;
        workers[i].calm = 64;
    }
    for (uint64_t now = now_ms(); now < end; now = now_ms()) {
        run_epoch(&world, workers, threads, end - now < EPOCH_MS ? end - now : EPOCH_MS);
        plan_again(&world, workers, threads);
    }
    free_all(&world, workers, threads);
    check_pools(&world, workers, threads);
    close_world(&world);
    for (int i = 0; i < threads; i++) {
        operations += workers[i].operations;
        refusals += workers[i].refusals;
    }
    (void)printf("soak: a plan: %" PRIu64 " requests planned, %" PRIu64 " unplanned, %" PRIu64
                 " late\n",
                 world.planned.planned, world.planned.unplanned, world.planned.late);
    (void)printf("soak: %" PRIu64 " operations of %d threads, %" PRIu64 " refusals\n", operations,
                 threads, refusals);
    return 0;
}
