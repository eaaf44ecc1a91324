// SPDX-License-Identifier: Apache-2.0
// One free and one allocation among 64 live blocks of the same size: Tarn's pool, the plug-in as a
// framework calls it, and the driver's two allocators. Medians over rounds, in nanoseconds.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <sys/types.h>

#include "gpu.h"
#include "measure.h"

enum { LIVE = 64, TURNS = 400 };

// The allocators.
struct subject {
    const struct run *run;
    tarn_pool *pool;
    tarn_stream stream;
    void *(*plugin_alloc)(ssize_t size, int device, void *stream);
    void (*plugin_free)(void *ptr, ssize_t size, int device, void *stream);
};
typedef bool (*alloc_one)(const struct subject *s, uint64_t bytes, uint64_t *block);
typedef void (*free_one)(const struct subject *s, uint64_t block);

static bool alloc_pool(const struct subject *s, uint64_t bytes, uint64_t *block) {
    return tarn_pool_alloc(s->pool, bytes, s->stream, block) == TARN_OK;
}
static void free_pool(const struct subject *s, uint64_t block) {
    check(tarn_pool_free(s->pool, block), "free");
}

static bool alloc_plugin(const struct subject *s, uint64_t bytes, uint64_t *block) {
    *block = (uint64_t)(uintptr_t)s->plugin_alloc((ssize_t)bytes, 0, NULL);
    return *block != 0;
}
static void free_plugin(const struct subject *s, uint64_t block) {
    s->plugin_free((void *)(uintptr_t)block, 0, 0, NULL);
}

static bool alloc_driver(const struct subject *s, uint64_t bytes, uint64_t *block) {
    return s->run->driver.alloc(block, bytes) == 0;
}
static void free_driver(const struct subject *s, uint64_t block) {
    (void)s->run->driver.release(block);
}

static bool alloc_async(const struct subject *s, uint64_t bytes, uint64_t *block) {
    return s->run->driver.alloc_async(block, bytes, s->run->driver.stream) == 0;
}
static void free_async(const struct subject *s, uint64_t block) {
    (void)s->run->driver.release_async(block, s->run->driver.stream);
}

static bool fill_blocks(const struct subject *s, alloc_one alloc, uint64_t bytes,
                        uint64_t blocks[LIVE]) {
    for (int i = 0; i < LIVE; i++)
        if (!alloc(s, bytes, &blocks[i])) return false;
    return true;
}

// The blocks are freed in an order that is neither first-in first-out nor last-in first-out.
static double time_turns(const struct subject *s, alloc_one alloc, free_one release, uint64_t bytes,
                         int turns, uint64_t blocks[LIVE]) {
    uint64_t start = now_ns();
    for (int i = 0; i < turns; i++) {
        int at = i * 37 % LIVE;
        release(s, blocks[at]);
        if (!alloc(s, bytes, &blocks[at])) {
            blocks[at] = 0;
            return -1;
        }
    }
    return (double)(now_ns() - start) / turns;
}

static void measure_allocator(const struct subject *s, const char *who, alloc_one alloc,
                              free_one release, uint64_t bytes) {
    uint64_t blocks[LIVE] = {0};
    double took[ROUNDS_MOST];
    int rounds = rounds_of(s->run, 21);
    bool good = fill_blocks(s, alloc, bytes, blocks);
    for (int i = -1; i < rounds && good; i++) { // the first one warms up
        took[i < 0 ? 0 : i] =
            time_turns(s, alloc, release, bytes, s->run->quick ? LIVE : TURNS, blocks);
        good = took[i < 0 ? 0 : i] >= 0;
    }
    for (int i = 0; i < LIVE; i++)
        if (blocks[i] != 0) release(s, blocks[i]);
    if (good) result(s->run, "pool", size_name(bytes), who, median(took, rounds), "ns");
}

static void open_plugin(struct subject *s) {
    void *library = dlopen(s->run->plugin, RTLD_NOW | RTLD_LOCAL);
    void *symbols[2] = {NULL, NULL};
    if (library != NULL) {
        symbols[0] = dlsym(library, "tarn_torch_malloc");
        symbols[1] = dlsym(library, "tarn_torch_free");
    }
    memcpy(&s->plugin_alloc, &symbols[0], sizeof symbols[0]);
    memcpy(&s->plugin_free, &symbols[1], sizeof symbols[1]);
}

void measure_pools(const struct run *run) {
    static const uint64_t sizes[] = {512, 64u << 10, 1u << 20, 8u << 20, 20u << 20, 64u << 20};
    struct subject s = {.run = run};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = run->device;
    check(tarn_pool_create(&desc, &s.pool), "pool");
    check(tarn_stream_create(run->device, &s.stream), "stream");
    open_plugin(&s);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        measure_allocator(&s, "Tarn's pool", alloc_pool, free_pool, sizes[i]);
        if (s.plugin_alloc != NULL && s.plugin_free != NULL)
            measure_allocator(&s, "libtarn-torch", alloc_plugin, free_plugin, sizes[i]);
        if (run->driver.there && run->driver.alloc != NULL && run->driver.release != NULL)
            measure_allocator(&s, "cuMemAlloc", alloc_driver, free_driver, sizes[i]);
        if (run->driver.there && run->driver.alloc_async != NULL &&
            run->driver.release_async != NULL) {
            measure_allocator(&s, "cuMemAllocAsync", alloc_async, free_async, sizes[i]);
            (void)run->driver.stream_synchronize(run->driver.stream);
        }
    }
    check(tarn_pool_destroy(s.pool), "destroy");
    check(tarn_stream_destroy(s.stream), "stream");
}
