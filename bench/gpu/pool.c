// SPDX-License-Identifier: Apache-2.0
// One allocation and one free together, among 64 live blocks of the size: Tarn's pool, the plug-in
// as a framework calls it, and the driver's two allocators. Nanoseconds, medians over rounds.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <sys/types.h>

#include "gpu.h"
#include "measure.h"

enum { LIVE = 64, TURNS = 400 };

// One allocator: takes and gives a block.
struct subject {
    const struct run *run;
    tarn_pool *pool;
    tarn_stream stream;
    void *(*plugin_alloc)(ssize_t size, int device, void *stream);
    void (*plugin_free)(void *ptr, ssize_t size, int device, void *stream);
};
typedef bool (*take)(const struct subject *s, uint64_t bytes, uint64_t *block);
typedef void (*give)(const struct subject *s, uint64_t block);

static bool take_pool(const struct subject *s, uint64_t bytes, uint64_t *block) {
    return tarn_pool_alloc(s->pool, bytes, s->stream, block) == TARN_OK;
}
static void give_pool(const struct subject *s, uint64_t block) {
    check(tarn_pool_free(s->pool, block), "free");
}

static bool take_plugin(const struct subject *s, uint64_t bytes, uint64_t *block) {
    *block = (uint64_t)(uintptr_t)s->plugin_alloc((ssize_t)bytes, 0, NULL);
    return *block != 0;
}
static void give_plugin(const struct subject *s, uint64_t block) {
    s->plugin_free((void *)(uintptr_t)block, 0, 0, NULL);
}

static bool take_driver(const struct subject *s, uint64_t bytes, uint64_t *block) {
    return s->run->driver.alloc(block, bytes) == 0;
}
static void give_driver(const struct subject *s, uint64_t block) {
    (void)s->run->driver.release(block);
}

static bool take_async(const struct subject *s, uint64_t bytes, uint64_t *block) {
    return s->run->driver.alloc_async(block, bytes, s->run->driver.stream) == 0;
}
static void give_async(const struct subject *s, uint64_t block) {
    (void)s->run->driver.release_async(block, s->run->driver.stream);
}

static bool fill(const struct subject *s, take take_one, uint64_t bytes, uint64_t blocks[LIVE]) {
    for (int i = 0; i < LIVE; i++) {
        if (!take_one(s, bytes, &blocks[i])) {
            return false;
        }
    }
    return true;
}

// In an order that is no queue and no stack.
static double turn(const struct subject *s, take take_one, give give_one, uint64_t bytes, int turns,
                   uint64_t blocks[LIVE]) {
    uint64_t start = now_ns();
    for (int i = 0; i < turns; i++) {
        int at = i * 37 % LIVE;
        give_one(s, blocks[at]);
        if (!take_one(s, bytes, &blocks[at])) {
            blocks[at] = 0;
            return -1;
        }
    }
    return (double)(now_ns() - start) / turns;
}

static void measure(const struct subject *s, const char *who, take take_one, give give_one,
                    uint64_t bytes) {
    uint64_t blocks[LIVE] = {0};
    double took[ROUNDS_MOST];
    int rounds = rounds_of(s->run, 21);
    bool good = fill(s, take_one, bytes, blocks);
    for (int i = -1; i < rounds && good; i++) { // the first one warms up
        took[i < 0 ? 0 : i] =
            turn(s, take_one, give_one, bytes, s->run->quick ? LIVE : TURNS, blocks);
        good = took[i < 0 ? 0 : i] >= 0;
    }
    for (int i = 0; i < LIVE; i++) {
        if (blocks[i] != 0) {
            give_one(s, blocks[i]);
        }
    }
    if (good) {
        result(s->run, "pool", size_name(bytes), who, median(took, rounds), "ns");
    }
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
        measure(&s, "Tarn's pool", take_pool, give_pool, sizes[i]);
        if (s.plugin_alloc != NULL && s.plugin_free != NULL) {
            measure(&s, "libtarn-torch", take_plugin, give_plugin, sizes[i]);
        }
        if (run->driver.there && run->driver.alloc != NULL && run->driver.release != NULL) {
            measure(&s, "cuMemAlloc", take_driver, give_driver, sizes[i]);
        }
        if (run->driver.there && run->driver.alloc_async != NULL &&
            run->driver.release_async != NULL) {
            measure(&s, "cuMemAllocAsync", take_async, give_async, sizes[i]);
            (void)run->driver.stream_synchronize(run->driver.stream);
        }
    }
    check(tarn_pool_destroy(s.pool), "destroy");
    check(tarn_stream_destroy(s.stream), "stream");
}
