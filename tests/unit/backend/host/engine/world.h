// SPDX-License-Identifier: Apache-2.0
// A small platform around an engine, for its tests: two devices, and memory at addresses that no
// CPU can use, so that only translated accesses work. Its pages lie in mixed order, so runs are
// short. Each page has rights for each device and may be unmapped.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/host/engine/engine.h"
#include "backend/host/mmu.h"
#include "base/error.h"

#define WORLD_BASE    ((tarn_addr)1 << 60)
#define WORLD_PAGE    ((uint64_t)4096)
#define WORLD_PAGES   ((uint64_t)2048)
#define WORLD_DEVICES 2

struct world_page {
    uint64_t at; // which page of the bytes
    int owner;
    tarn_access access[WORLD_DEVICES];
    bool mapped;
};

struct tn_host {
    struct tn_host_engine engine; // first, see tn_host_engine_of()
    pthread_rwlock_t lock;
    struct world_page pages[WORLD_PAGES];
    unsigned char *bytes;
    _Atomic unsigned translations;      // calls of tn_host_mmu_translate()
    void (*before)(struct tn_host *h);  // called each time before the MMU is held, when not NULL
    void (*between)(struct tn_host *h); // the same after it is let go
};

// ---- what a platform gives to its engine

struct tn_reader *tn_host_mmu_lock_shared(struct tn_host *h) {
    if (h->before != NULL) h->before(h);
    assert_int_equal(pthread_rwlock_rdlock(&h->lock), 0);
    return NULL;
}

void tn_host_mmu_unlock_shared(struct tn_host *h, struct tn_reader *reader) {
    assert_null(reader);
    assert_int_equal(pthread_rwlock_unlock(&h->lock), 0);
    if (h->between != NULL) h->between(h);
}

static bool world_allows(const struct world_page *page, tarn_access need, const int devices[3]) {
    unsigned held = page->access[page->owner];
    for (int i = 0; i < 3; i++)
        if (devices[i] >= 0 && ((unsigned)page->access[devices[i]] & need) == need) return true;
    return (held & need) == need;
}

static tarn_status world_page_status(const struct tn_host *h, uint64_t page, tarn_access need,
                                     const int devices[3]) {
    if (!h->pages[page].mapped) return TARN_NOT_MAPPED;
    return world_allows(&h->pages[page], need, devices) ? TARN_OK : TARN_NO_ACCESS;
}

bool tn_host_mmu_owns(const struct tn_host *h, tarn_addr addr) {
    (void)h;
    return addr - WORLD_BASE < WORLD_PAGES * WORLD_PAGE;
}

tarn_status tn_host_mmu_translate(struct tn_host *h, tarn_addr addr, uint64_t size,
                                  tarn_access need, const int devices[3], void **cpu,
                                  uint64_t *run) {
    uint64_t offset = addr - WORLD_BASE;
    h->translations++;
    assert_true(size != 0 && size <= TN_HOST_MMU_PIECE);
    if (offset >= WORLD_PAGES * WORLD_PAGE) {
        *cpu = (void *)(uintptr_t)addr;
        *run = size;
        return TARN_OK;
    }
    uint64_t first = offset / WORLD_PAGE;
    tarn_status status = world_page_status(h, first, need, devices);
    if (status != TARN_OK)
        return tn_fail(status, "page %llu of the world", (unsigned long long)first);
    uint64_t end = first + 1;
    while (end < WORLD_PAGES && h->pages[end].at == h->pages[end - 1].at + 1 &&
           world_page_status(h, end, need, devices) == TARN_OK)
        end++;
    *cpu = h->bytes + h->pages[first].at * WORLD_PAGE + offset % WORLD_PAGE;
    *run = end * WORLD_PAGE - offset < size ? end * WORLD_PAGE - offset : size;
    return TARN_OK;
}

// ---- making one

static inline uint64_t world_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline struct tn_host *world_open(unsigned workers) {
    struct tn_host *h = (struct tn_host *)calloc(1, sizeof *h);
    uint64_t random = 88172645463325252u;
    assert_non_null(h);
    assert_int_equal(pthread_rwlock_init(&h->lock, NULL), 0);
    h->bytes = (unsigned char *)calloc(WORLD_PAGES, WORLD_PAGE);
    assert_non_null(h->bytes);
    for (uint64_t i = 0; i < WORLD_PAGES; i++) {
        h->pages[i] = (struct world_page){.at = i, .owner = 0, .mapped = true};
        h->pages[i].access[0] = TARN_ACCESS_READ_WRITE;
    }
    for (uint64_t i = 0; i < WORLD_PAGES / 4; i++) {
        struct world_page *a = &h->pages[world_random(&random) % WORLD_PAGES];
        struct world_page *b = &h->pages[world_random(&random) % WORLD_PAGES];
        uint64_t at = a->at;
        a->at = b->at;
        b->at = at;
    }
    assert_int_equal(tn_host_engine_open(&h->engine, h, WORLD_DEVICES, workers), TARN_OK);
    return h;
}

// Destroys the streams that are left, then the engine.
static inline void world_close(struct tn_host *h) {
    while (h->engine.streams != NULL) tn_host_stream_destroy(h, h->engine.streams);
    tn_host_engine_close(&h->engine);
    pthread_rwlock_destroy(&h->lock);
    free(h->bytes);
    free(h);
}

// Returns a byte of the world, as the CPU may access it. No other thread may use the byte now.
static inline unsigned char *world_at(struct tn_host *h, tarn_addr addr) {
    uint64_t offset = addr - WORLD_BASE;
    return h->bytes + h->pages[offset / WORLD_PAGE].at * WORLD_PAGE + offset % WORLD_PAGE;
}

// Changes the mapping as an unmap does: with the lock held for writing.
static inline void world_set_mapped(struct tn_host *h, uint64_t page, bool mapped) {
    pthread_rwlock_wrlock(&h->lock);
    h->pages[page].mapped = mapped;
    pthread_rwlock_unlock(&h->lock);
}

// ---- short forms

static inline void *world_stream(struct tn_host *h, int device) {
    void *stream = NULL;
    assert_int_equal(tn_host_stream_create(h, device, &stream), TARN_OK);
    return stream;
}

static inline void *world_event(struct tn_host *h) {
    void *event = NULL;
    assert_int_equal(tn_host_event_create(h, &event), TARN_OK);
    return event;
}

static inline tarn_status world_copy(struct tn_host *h, void *stream, tarn_addr dst, tarn_addr src,
                                     uint64_t bytes) {
    tarn_backend_copy copy = {.dst = dst,
                              .src = src,
                              .width = bytes,
                              .height = 1,
                              .depth = 1,
                              .dst_pitch = bytes,
                              .src_pitch = bytes,
                              .device = 0,
                              .peers = {-1, -1}};
    return tn_host_copy(h, stream, &copy);
}

static inline tarn_status world_fill(struct tn_host *h, void *stream, tarn_addr dst, uint32_t value,
                                     uint64_t bytes) {
    tarn_backend_fill fill = {.dst = dst,
                              .width = bytes,
                              .height = 1,
                              .depth = 1,
                              .pitch = bytes,
                              .value = value,
                              .element_bytes = 1,
                              .device = 0};
    return tn_host_fill(h, stream, &fill);
}

// A host function that reports its start, then blocks its stream and a worker until released.
struct world_block {
    sem_t begun;
    sem_t go;
};

static inline void world_block_run(void *arg) {
    struct world_block *block = (struct world_block *)arg;
    sem_post(&block->begun);
    while (sem_wait(&block->go) != 0) {
    }
}

// Blocks the stream. Returns once the function runs.
static inline void world_block(struct tn_host *h, void *stream, struct world_block *block) {
    sem_init(&block->begun, 0, 0);
    sem_init(&block->go, 0, 0);
    assert_int_equal(tn_host_stream_call(h, stream, world_block_run, block), TARN_OK);
    while (sem_wait(&block->begun) != 0) {
    }
}

static inline void world_unblock(struct world_block *block) { sem_post(&block->go); }

static inline tarn_addr addr_of(const void *pointer) { return (tarn_addr)(uintptr_t)pointer; }
