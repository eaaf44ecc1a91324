// SPDX-License-Identifier: Apache-2.0
// Steps about plain device memory, its keys, and pinned and registered host memory; and about
// streams and events.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "system/world.h"

enum { ALIGNMENT = 4096 };

static uint64_t draw_bytes(struct step *step) {
    uint64_t power = UINT64_C(1) << (8 + draw_below(&step->draw, 12));
    return power + draw_next(&step->draw) % power / 4 * 4;
}

// ---- memory

static void memory_open(struct step *step, struct memory *m) {
    struct draw *d = &step->draw;
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    tarn_addr addr = 0;
    void *ptr = NULL;
    bool done;
    m->bytes = desc.bytes = draw_bytes(step);
    m->device = (int)draw_below(d, DEVICES);
    tarn_device *device = step->world->devices[m->device];
    switch (draw_below(d, 5)) {
    case 0:
        m->kind = PINNED;
        done = EXPECT(step, tarn_host_alloc(device, m->bytes, 0, &ptr), TARN_OK);
        addr = TARN_ADDR(ptr);
        break;
    case 1:
        m->kind = REGISTERED;
        ptr = aligned_alloc(ALIGNMENT, (m->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        CHECK(step, ptr != NULL);
        done = EXPECT(step, tarn_host_register(device, ptr, m->bytes, 0), TARN_OK);
        if (!done) free(ptr);
        addr = TARN_ADDR(ptr);
        break;
    case 2:
        m->kind = PLAIN;
        desc.alignment = UINT64_C(1) << draw_below(d, 22);
        desc.page_class = draw_one_in(d, 3) ? TARN_PAGE_HUGE : TARN_PAGE_DEFAULT;
        done = EXPECT(step, tarn_memory_alloc_with(device, &desc, &addr), TARN_OK);
        if (done) CHECK(step, desc.alignment == 0 || addr % desc.alignment == 0);
        break;
    default:
        m->kind = PLAIN;
        done = EXPECT(step, tarn_memory_alloc(device, m->bytes, &addr), TARN_OK);
    }
    if (!done) return;
    range_add(step, addr, m->bytes);
    m->addr = addr;
    m->content = content_new(step, NO_STREAM);
}

void memory_close(struct step *step, struct memory *m) {
    // A free waits for the work of devices with access: a copy of another device uses the owner's.
    uint32_t strangers = 0;
    for (int s = 0; s < STREAMS; s++)
        if (stream_device(s) != m->device) strangers |= UINT32_C(1) << s;
    (void)pthread_mutex_lock(&m->content->lock);
    stream_wait_all(step, content_users(m->content) & strangers);
    (void)pthread_mutex_unlock(&m->content->lock);
    range_remove(step, m->addr);
    switch (m->kind) {
    case PLAIN:
    case IMPORT: INSIST(step, tarn_memory_free(m->addr, 0)); break;
    case PINNED: INSIST(step, tarn_host_free((void *)(uintptr_t)m->addr)); break;
    default:
        INSIST(step, tarn_host_unregister((void *)(uintptr_t)m->addr));
        free((void *)(uintptr_t)m->addr);
    }
    content_drop(m->content);
    m->addr = 0;
}

// Imports plain memory into a free entry, which then shows the same bytes.
static void memory_share(struct step *step, struct memory *m) {
    struct memory *other = &step->world->memories[draw_below(&step->draw, MEMORIES)];
    tarn_key key, again;
    if (m->kind != PLAIN || other == m || atomic_flag_test_and_set(&other->taken)) return;
    if (other->addr == 0 && EXPECT(step, tarn_memory_export(m->addr, &key), TARN_OK)) {
        tarn_device *device = step->world->devices[m->device];
        tarn_addr addr = 0;
        INSIST(step, tarn_memory_export(m->addr, &again));
        CHECK(step, memcmp(&key, &again, sizeof key) == 0);
        if (EXPECT(step, tarn_memory_import(device, &key, &addr), TARN_OK)) {
            range_add(step, addr, m->bytes);
            other->addr = addr;
            other->bytes = m->bytes;
            other->device = m->device;
            other->kind = IMPORT;
            other->content = content_share(m->content);
        }
    }
    atomic_flag_clear(&other->taken);
}

static void memory_query(struct step *step, struct memory *m) {
    static const tarn_address_kind kinds[] = {TARN_ADDRESS_MEMORY, TARN_ADDRESS_IMPORTED,
                                              TARN_ADDRESS_HOST, TARN_ADDRESS_REGISTERED};
    tarn_address_info info = TARN_INIT(tarn_address_info);
    CHECK(step, tarn_address_query(m->addr + m->bytes - 1, &info) == TARN_OK);
    CHECK(step, info.kind == kinds[m->kind] && info.base == m->addr && info.bytes == m->bytes);
    CHECK(step, info.pool == NULL && info.owner == TARN_OWNER_APPLICATION);
    if (m->kind == PLAIN) CHECK(step, info.location.id == m->device);
}

// The CPU sees what streams wrote to memory of the host, once they are done.
static void memory_look(struct step *step, struct memory *m) {
    const uint32_t *words = (const uint32_t *)(uintptr_t)m->addr;
    (void)pthread_mutex_lock(&m->content->lock);
    content_settle(step, m->content);
    for (uint64_t i = 0; m->content->id != 0 && i < m->bytes / 4 && step->world->bytes; i++)
        if (words[i] != content_word(m->content->id, i))
            step_fail(step, "word %" PRIu64 " of host memory 0x%" PRIx64 " is %08" PRIx32, i,
                      m->addr, words[i]);
    (void)pthread_mutex_unlock(&m->content->lock);
}

static void memory_exchange(struct step *step, struct memory *m, bool to_block) {
    struct pool *pool = &step->world->pools[draw_below(&step->draw, POOLS)];
    struct block *b = &pool->blocks[draw_below(&step->draw, BLOCKS)];
    int stream = stream_draw(step);
    (void)pthread_rwlock_rdlock(&pool->lock);
    if (!atomic_flag_test_and_set(&b->taken)) {
        if (b->addr != 0 && !b->asleep && to_block && m->bytes >= b->bytes)
            content_copy(step, b->content, b->addr, m->content, m->addr, b->bytes, stream,
                         m->device);
        else if (b->addr != 0 && !b->asleep && !to_block && b->bytes >= m->bytes)
            content_copy(step, m->content, m->addr, b->content, b->addr, m->bytes, stream,
                         m->device);
        atomic_flag_clear(&b->taken);
    }
    (void)pthread_rwlock_unlock(&pool->lock);
}

static void memory_misuse(struct step *step, const struct memory *m) {
    tarn_key key;
    (void)EXPECT(step, tarn_memory_free(m->addr + 4, 0), TARN_BAD_ADDRESS);
    (void)EXPECT(step, tarn_unmap(m->addr / PAGE * PAGE, PAGE, 0), TARN_BAD_ADDRESS);
    if (m->kind != PLAIN) (void)EXPECT(step, tarn_memory_export(m->addr, &key), TARN_BAD_ADDRESS);
    if (m->kind == PINNED) (void)EXPECT(step, tarn_memory_free(m->addr, 0), TARN_BAD_ADDRESS);
}

void memory_step(struct step *step) {
    struct memory *m = &step->world->memories[draw_below(&step->draw, MEMORIES)];
    unsigned action = draw_below(&step->draw, 20);
    if (atomic_flag_test_and_set(&m->taken)) return;
    if (m->addr == 0)
        memory_open(step, m);
    else if (action < 4)
        memory_close(step, m);
    else if (action < 8)
        content_write(step, m->content, m->addr, m->bytes, stream_draw(step), m->device);
    else if (action < 11)
        content_check(step, m->content, m->addr, m->bytes, stream_draw(step), m->device);
    else if (action < 13)
        memory_share(step, m);
    else if (action < 14)
        memory_query(step, m);
    else if (action < 15)
        memory_misuse(step, m);
    else if (action < 19)
        memory_exchange(step, m, action < 17);
    else if (m->kind == PINNED || m->kind == REGISTERED)
        memory_look(step, m);
    atomic_flag_clear(&m->taken);
}

// ---- streams

// A stream ends and another one takes its place. In the mode "turns" only.
static void stream_renew(struct step *step, int s) {
    struct world *w = step->world;
    tarn_stream old = w->streams[s], fresh = 0;
    if (!EXPECT(step, tarn_stream_create(w->devices[stream_device(s)], &fresh), TARN_OK)) return;
    INSIST(step, tarn_stream_destroy(old));
    (void)EXPECT(step, tarn_stream_query(old), TARN_BAD_HANDLE);
    w->streams[s] = fresh;
    world_forget_stream(w, s);
}

void stream_step(struct step *step) {
    struct world *w = step->world;
    int s = (int)draw_below(&step->draw, STREAMS), other = (int)draw_below(&step->draw, STREAMS);
    tarn_status status;
    switch (draw_below(&step->draw, 7)) {
    case 0: stream_wait_all(step, UINT32_C(1) << s); break;
    case 1:
        if (w->turns) stream_renew(step, s);
        break;
    case 2:
        status = TRY(step, tarn_stream_query(w->streams[s]));
        CHECK(step, status == TARN_OK || status == TARN_NOT_READY);
        break;
    case 3:
        status = TRY(step, tarn_stream_synchronize(w->streams[s], 1000));
        CHECK(step, status == TARN_OK || status == TARN_TIMED_OUT);
        break;
    case 4:
        (void)(EXPECT(step, tarn_event_record(w->events[s], w->streams[s]), TARN_OK) &&
               EXPECT(step, tarn_stream_wait(w->streams[other], w->events[s], 0), TARN_OK));
        break;
    case 5:
        status = TRY(step, tarn_event_query(w->events[s]));
        CHECK(step, status == TARN_OK || status == TARN_NOT_READY);
        INSIST(step, tarn_event_synchronize(w->events[s], TARN_FOREVER));
        break;
    default: INSIST(step, tarn_device_synchronize(w->devices[s % DEVICES], TARN_FOREVER));
    }
}
