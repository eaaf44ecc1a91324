// SPDX-License-Identifier: Apache-2.0
// The world of a seed: opening it, comparing all of it with the model, and closing it. One thread
// runs here.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system/world.h"

// ---- the device's name

// Adds failures of the device: calls by name, each with a probability.
static void draw_failures(struct draw *d, char *uri, size_t room) {
    static const char *const calls[] = {
        "map",          "set_access",    "phys_create",   "memory_alloc", "memory_alloc_with",
        "reserve",      "phys_export",   "phys_import",   "copy",         "fill",
        "event_create", "event_record",  "stream_create", "stream_wait",  "stream_call",
        "host_alloc",   "host_register", "memory_export", "memory_import"};
    unsigned count = 1 + draw_below(d, 4);
    for (unsigned i = 0; i < count; i++) {
        size_t used = strlen(uri);
        (void)snprintf(uri + used, room - used, "%s%s:rate=0.%02u:seed=%u", i == 0 ? ",fail=" : ";",
                       calls[draw_below(d, sizeof calls / sizeof calls[0])], 2 + draw_below(d, 12),
                       draw_below(d, 10000));
    }
}

static void draw_uri(struct world *w, struct draw *d) {
    static const char *const schedules[] = {"random", "random", "random", "late", "eager"};
    const char *schedule = schedules[draw_below(d, 5)];
    bool sim = draw_one_in(d, 10);
    if (!w->turns && draw_one_in(d, 2)) schedule = "parallel";
    w->faults = draw_one_in(d, 3);
    w->bytes = !sim;
    (void)snprintf(w->uri, sizeof w->uri, "%s:0,devices=%d,memory=%uM", sim ? "sim" : "host",
                   DEVICES, 64 + draw_below(d, 128));
    size_t used = strlen(w->uri);
    if (!sim)
        (void)snprintf(w->uri + used, sizeof w->uri - used,
                       ",schedule=%s,seed=%u,access=%s,high_water=%uM,poison=%u", schedule,
                       1 + draw_below(d, 1000000), draw_one_in(d, 3) ? "strict" : "on-grant",
                       draw_below(d, 16), draw_one_in(d, 2) ? 165u : 0u);
    else
        (void)snprintf(w->uri + used, sizeof w->uri - used, ",granularity=64K");
    if (w->faults) draw_failures(d, w->uri, sizeof w->uri);
}

// ---- opening

void world_open(struct step *step) {
    struct world *w = step->world;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    draw_uri(w, &step->draw);
    step_log(step, "%s", w->uri);
    INSIST(step, tarn_device_open(w->uri, &w->devices[0]));
    for (int i = 1; i < DEVICES; i++)
        INSIST(step, tarn_device_sibling(w->devices[0], i, &w->devices[i]));
    INSIST(step, tarn_device_query(w->devices[0], &info));
    w->shareable = info.shareable;
    if (draw_one_in(&step->draw, 2))
        INSIST(step, tarn_device_enable_peer(w->devices[0], w->devices[1]));
    for (int s = 0; s < STREAMS; s++) {
        INSIST(step, tarn_stream_create(w->devices[stream_device(s)], &w->streams[s]));
        INSIST(step, tarn_event_create(w->devices[stream_device(s)], &w->events[s]));
    }
    (void)pthread_mutex_init(&w->range_lock, NULL);
    for (int i = 0; i < POOLS; i++) {
        (void)pthread_rwlock_init(&w->pools[i].lock, NULL);
        pool_open(step, &w->pools[i]);
    }
    for (int i = 0; i < GROUPS; i++) (void)pthread_mutex_init(&w->groups[i].lock, NULL);
    peer_open(step);
}

// ---- the model as a whole

static void forget_in(struct content *content, int stream) {
    content->readers &= ~(UINT32_C(1) << stream);
    if (content->writer == stream) content->writer = NO_STREAM;
}

void world_forget_stream(struct world *w, int stream) {
    for (int i = 0; i < POOLS; i++) {
        for (int k = 0; k < BLOCKS; k++) {
            struct block *b = &w->pools[i].blocks[k];
            if (b->addr == 0) continue;
            forget_in(b->content, stream);
            b->used &= ~(UINT32_C(1) << stream);
            if (b->stream == stream) b->stream = NO_STREAM;
        }
    }
    for (int i = 0; i < MEMORIES; i++)
        if (w->memories[i].addr != 0) forget_in(w->memories[i].content, stream);
    for (int i = 0; i < GROUPS; i++)
        for (int k = 0; k < PHYS; k++)
            if (w->groups[i].phys[k].refs + w->groups[i].phys[k].maps > 0)
                forget_in(w->groups[i].phys[k].content, stream);
}

// Compares the statistics of the platform with the sums of the model.
static void compare_sums(struct step *step) {
    struct world *w = step->world;
    tarn_platform_stats stats = TARN_INIT(tarn_platform_stats);
    uint64_t bytes = 0, imports = 0, hosts = 0, imported_bytes = 0, host_bytes = 0;
    for (int i = 0; i < POOLS; i++) {
        tarn_pool_stats of_pool = TARN_INIT(tarn_pool_stats);
        INSIST(step, tarn_pool_query_stats(w->pools[i].pool, &of_pool));
        bytes += w->pools[i].range != 0 ? w->pools[i].desc.bytes : of_pool.held_bytes;
    }
    for (int i = 0; i < MEMORIES; i++) {
        const struct memory *m = &w->memories[i];
        if (m->addr == 0) continue;
        bytes += m->kind == PLAIN ? m->bytes : 0;
        imports += m->kind == IMPORT;
        imported_bytes += m->kind == IMPORT ? m->bytes : 0;
        hosts += m->kind == PINNED || m->kind == REGISTERED;
        host_bytes += m->kind == PINNED || m->kind == REGISTERED ? m->bytes : 0;
    }
    for (int i = 0; i < GROUPS; i++)
        for (int k = 0; k < PHYS; k++) {
            const struct phys *p = &w->groups[i].phys[k];
            bytes += p->refs + p->maps > 0 ? p->units * UNIT : 0;
        }
    INSIST(step, tarn_platform_query_stats(w->devices[0], &stats));
    if (stats.handle_bytes + stats.memory_bytes != bytes)
        step_fail(step,
                  "the platform has %" PRIu64 " bytes in handles and %" PRIu64
                  " in blocks, the model %" PRIu64,
                  stats.handle_bytes, stats.memory_bytes, bytes);
    CHECK(step, stats.imported_blocks == imports && stats.imported_bytes == imported_bytes);
    CHECK(step, stats.host_blocks == hosts && stats.host_bytes == host_bytes);
    CHECK(step, stats.streams == STREAMS);
}

void world_compare(struct step *step) {
    struct world *w = step->world;
    for (int i = 0; i < POOLS; i++) pool_compare(step, &w->pools[i]);
    for (int i = 0; i < GROUPS; i++) vmm_compare(step, &w->groups[i]);
    compare_sums(step);
    INSIST(step, tarn_platform_verify(w->devices[0]));
}

// ---- the end

// Compares the bytes of all blocks and all memory, each in a stream.
static void compare_bytes(struct step *step) {
    struct world *w = step->world;
    for (int i = 0; i < POOLS; i++)
        for (int k = 0; k < BLOCKS; k++) {
            const struct block *b = &w->pools[i].blocks[k];
            if (b->addr != 0 && !b->asleep)
                content_check(step, b->content, b->addr, b->bytes, stream_draw(step),
                              w->pools[i].device);
        }
    for (int i = 0; i < MEMORIES; i++) {
        const struct memory *m = &w->memories[i];
        if (m->addr != 0)
            content_check(step, m->content, m->addr, m->bytes, stream_draw(step), m->device);
    }
}

static void check_nothing_left(struct step *step) {
    struct world *w = step->world;
    tarn_platform_stats stats = TARN_INIT(tarn_platform_stats);
    INSIST(step, tarn_platform_verify(w->devices[0]));
    INSIST(step, tarn_platform_query_stats(w->devices[0], &stats));
    CHECK(step, stats.reservations == 0 && stats.handles == 0 && stats.mappings == 0);
    CHECK(step, stats.memory_blocks == 0 && stats.imported_blocks == 0 && stats.host_blocks == 0);
    CHECK(step, stats.streams == 0 && stats.events == 0 && stats.arrays == 0);
    for (int i = 0; i < DEVICES; i++) {
        uint64_t free_bytes = 0, total = 0;
        INSIST(step, tarn_device_query_memory(w->devices[i], &free_bytes, &total));
        CHECK(step, free_bytes == total);
    }
}

void world_close(struct step *step) {
    struct world *w = step->world;
    world_compare(step);
    compare_bytes(step);
    if (draw_one_in(&step->draw, 2)) stream_wait_all(step, (UINT32_C(1) << STREAMS) - 1);
    for (int i = 0; i < POOLS; i++) pool_close(step, &w->pools[i]);
    for (int i = 0; i < MEMORIES; i++)
        if (w->memories[i].addr != 0) memory_close(step, &w->memories[i]);
    for (int i = 0; i < GROUPS; i++) vmm_close(step, &w->groups[i]);
    peer_close(step);
    for (int s = 0; s < STREAMS; s++) {
        INSIST(step, tarn_event_destroy(w->events[s]));
        INSIST(step, tarn_stream_destroy(w->streams[s]));
    }
    check_nothing_left(step);
    CHECK(step, w->range_count == 0);
    for (int i = 0; i < DEVICES; i++) INSIST(step, tarn_device_close(w->devices[i]));
}
