// SPDX-License-Identifier: Apache-2.0
// The events that the core emits, and their order. This program is itself the tool that Tarn's
// client finds: it exports InitInjectionMstx, and keeps the complete events that it receives.
#include "annotate/annotate.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tarn/tarn.h>

#include "annotate/extension.h"
#include "support/api.h"

// ---- the tool

enum { EVENTS = 4096 };
static struct tn_mem_event events[EVENTS];
static size_t count;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

// Receives the events instead of the array, under the guard; NULL: they are kept.
static void (*watch)(const struct tn_mem_event *event);

static void take(const struct tn_mem_event *event) {
    pthread_mutex_lock(&guard);
    if (watch != NULL)
        watch(event);
    else if (count < EVENTS)
        events[count++] = *event;
    pthread_mutex_unlock(&guard);
}

typedef int (*get_table)(int module, void (****table)(void), unsigned *size);
__attribute__((visibility("default"))) int InitInjectionMstx(get_table get);
int InitInjectionMstx(get_table get) {
    void (***table)(void) = NULL;
    unsigned size = 0;
    // An event from inside a tool's initialisation is dropped, and does not wait.
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_MARK));
    if (get(TN_EXTENSION_MODULE, &table, &size) != 0 || size <= TN_EXTENSION_EVENT) return 1;
    *table[TN_EXTENSION_EVENT] = (void (*)(void))take;
    return 0;
}

// ---- kept events

static void forget(void) { count = 0; }

// Returns the first event of that kind (and resource) from *at on, and moves *at behind it.
static const struct tn_mem_event *next(size_t *at, unsigned kind, unsigned what) {
    while (*at < count) {
        const struct tn_mem_event *event = &events[(*at)++];
        if (event->kind == kind && (what == 0 || event->what == what)) {
            assert_int_equal(event->size, sizeof *event);
            assert_int_equal(event->image, TN_MEM_IMAGE);
            return event;
        }
    }
    fail_msg("no event of kind %u, resource %u", kind, what);
    return NULL;
}

static size_t how_many(unsigned kind) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += events[i].kind == kind;
    return found;
}

static tarn_device *device;

static int setup(void **state) {
    (void)state;
    assert_ok(tarn_device_open("host:0,memory=256M", &device));
    forget();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_ok(tarn_device_close(device));
    return 0;
}

// ---- memory

static void plain_memory_begins_and_ends(void **state) {
    (void)state;
    tarn_addr addr = 0;
    size_t at = 0;
    assert_ok(tarn_memory_alloc(device, 1000, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    const struct tn_mem_event *event = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_MEMORY);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->bytes, 1000);
    assert_int_equal(event->device, 0);
    assert_int_equal(event->flags, TN_MEM_HOST_CAN | TN_MEM_SOFT);
    assert_int_equal(event->space, 0);
    event = next(&at, TN_MEM_RESOURCE_END, TN_MEM_MEMORY);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->flags, TN_MEM_HOST_CAN);
}

// Other processes may write such memory without an event.
static void shared_memory_counts_as_written(void **state) {
    (void)state;
    tarn_addr addr = 0;
    tarn_addr other = 0;
    tarn_key key;
    size_t at = 0;
    assert_ok(tarn_memory_alloc(device, 1000, &addr));
    assert_ok(tarn_memory_export(addr, &key));
    assert_ok(tarn_memory_import(device, &key, &other));
    assert_false(next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_MEMORY)->flags & TN_MEM_ZEROED);
    const struct tn_mem_event *event = next(&at, TN_MEM_INITIALISED, 0);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->bytes, 1000);
    event = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_MEMORY);
    assert_int_equal(event->addr, other);
    assert_true(event->flags & TN_MEM_ZEROED);
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
}

static void memory_that_is_not_waited_for_is_marked(void **state) {
    (void)state;
    tarn_addr addr = 0;
    size_t at = 0;
    assert_ok(tarn_memory_alloc(device, 1000, &addr));
    assert_ok(tarn_memory_free(addr, TARN_NO_WAIT));
    assert_true(next(&at, TN_MEM_RESOURCE_END, TN_MEM_MEMORY)->flags & TN_MEM_UNWAITED);
}

static void a_refused_free_is_emitted_with_its_status(void **state) {
    (void)state;
    size_t at = 0;
    assert_status(tarn_memory_free(0x1234, 0), TARN_BAD_ADDRESS);
    const struct tn_mem_event *event = next(&at, TN_MEM_REFUSED, 0);
    assert_int_equal(event->addr, 0x1234);
    assert_int_equal(event->other, TARN_BAD_ADDRESS);
    assert_string_equal(event->name, "tarn_memory_free");
}

static const struct tn_mem_event *refused_fill(tarn_addr addr, uint64_t bytes, tarn_status status,
                                               enum tn_mem_refusal why) {
    size_t at = 0;
    forget();
    assert_status(tarn_fill(device, addr, 1, 1, bytes, TARN_STREAM_NONE), status);
    const struct tn_mem_event *event = next(&at, TN_MEM_ACCESS_REFUSED, why);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->bytes, bytes);
    assert_true(event->flags & TN_MEM_WRITE);
    assert_string_equal(event->name, "tarn_fill");
    assert_int_equal(how_many(TN_MEM_ACCESS), 0);
    return event;
}

static void a_refused_access_is_emitted_with_its_reason(void **state) {
    (void)state;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    const tarn_grant reads = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ};
    tarn_addr addr = 0, space = 0;
    tarn_phys phys = 0;
    assert_ok(tarn_device_query(device, &info));
    uint64_t g = info.granularity_minimum;
    assert_ok(tarn_memory_alloc(device, g, &addr));
    const struct tn_mem_event *event =
        refused_fill(addr + 8, g, TARN_BAD_ADDRESS, TN_MEM_REFUSAL_PAST_END);
    assert_int_equal(event->other, addr + g);
    assert_ok(tarn_memory_free(addr, 0));
    (void)refused_fill(addr, 8, TARN_BAD_ADDRESS, TN_MEM_REFUSAL_RELEASED);
    assert_ok(tarn_space_reserve(device, 2 * g, 0, 0, &space));
    assert_ok(tarn_phys_create(device, g, NULL, &phys));
    assert_ok(tarn_map(space, g, phys));
    assert_ok(tarn_map_set_access(space, g, &reads, 1));
    event = refused_fill(space, 8, TARN_NO_ACCESS, TN_MEM_REFUSAL_DENIED);
    assert_int_equal(event->object, TN_MEM_READ << 2); // of device 0
    event = refused_fill(space + g, 8, TARN_NOT_MAPPED, TN_MEM_REFUSAL_UNMAPPED);
    assert_int_equal(event->other, space + g);
    size_t at = 0;
    forget();
    assert_status(tarn_map_set_access(space, 2 * g, &reads, 1), TARN_NOT_MAPPED);
    event = next(&at, TN_MEM_ACCESS_REFUSED, TN_MEM_REFUSAL_UNMAPPED);
    assert_int_equal(event->addr, space);
    assert_int_equal(event->other, space + g);
    assert_int_equal(event->flags & (TN_MEM_READ | TN_MEM_WRITE), 0);
    assert_ok(tarn_unmap(space, g, 0));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(space));
    assert_status(tarn_map_set_access(space, g, &reads, 1), TARN_BAD_ADDRESS);
    event = next(&at, TN_MEM_ACCESS_REFUSED, TN_MEM_REFUSAL_RELEASED);
    assert_int_equal(event->other, space);
}

static void an_access_with_wrong_arguments_is_not(void **state) {
    (void)state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(device, 4096, &addr));
    assert_status(tarn_copy(device, addr, addr + 8, 64, TARN_STREAM_NONE), TARN_BAD_ARGUMENT);
    assert_status(tarn_fill(device, 0, 1, 1, 64, TARN_STREAM_NONE), TARN_BAD_ARGUMENT);
    assert_status(tarn_fill(device, addr, 1, 1, UINT64_MAX, TARN_STREAM_NONE), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(addr, 0));
    assert_int_equal(how_many(TN_MEM_ACCESS_REFUSED), 0);
}

static void a_handle_begins_ends_and_is_stale(void **state) {
    (void)state;
    tarn_stream stream = 0;
    size_t at = 0;
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_destroy(stream));
    assert_status(tarn_stream_query(stream), TARN_BAD_HANDLE);
    assert_int_equal(next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_STREAM)->object, stream);
    assert_int_equal(next(&at, TN_MEM_RESOURCE_END, TN_MEM_STREAM)->object, stream);
    assert_int_equal(next(&at, TN_MEM_REFUSED, TN_MEM_STREAM)->object, stream);
    tarn_annotate_handle_begin(7);
    tarn_annotate_handle_end(7);
    tarn_annotate_stale_handle("their_call", 7);
    tarn_annotate_refused_access("their_call", 64, 8, TARN_ANNOTATE_WRITE);
    assert_int_equal(next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_HANDLE)->object, 7);
    assert_int_equal(next(&at, TN_MEM_RESOURCE_END, TN_MEM_HANDLE)->object, 7);
    const struct tn_mem_event *event = next(&at, TN_MEM_REFUSED, TN_MEM_HANDLE);
    assert_int_equal(event->object, 7);
    assert_int_equal(event->other, TARN_BAD_HANDLE);
    event = next(&at, TN_MEM_ACCESS_REFUSED, 0);
    assert_int_equal(event->other, 64);
    assert_int_equal(event->flags & (TN_MEM_READ | TN_MEM_WRITE), TN_MEM_WRITE);
}

static void the_requested_size_of_memory_is_stated(void **state) {
    (void)state;
    tarn_addr addr = 0;
    void *ptr = NULL;
    size_t at = 0;
    assert_ok(tarn_memory_alloc(device, 1056, &addr));
    assert_ok(tarn_annotate_requested(addr, 1000));
    assert_ok(tarn_host_alloc(device, 1024, 0, &ptr));
    assert_ok(tarn_annotate_requested(TARN_ADDR(ptr), 1000));
    const struct tn_mem_event *event = next(&at, TN_MEM_REQUESTED, 0);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->bytes, 1000);
    assert_int_equal(event->device, 0);
    event = next(&at, TN_MEM_REQUESTED, 0);
    assert_int_equal(event->addr, TARN_ADDR(ptr));
    assert_int_equal(event->device, -1);
    assert_status(tarn_annotate_requested(0, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_requested(addr, 0), TARN_BAD_ARGUMENT);
    assert_ok(tarn_fill(device, addr, 1, 1, 1056, TARN_STREAM_NONE));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_host_free(ptr));
}

static void a_rule_is_stated(void **state) {
    (void)state;
    const tarn_rule stated = {64, 32, 96};
    tarn_addr addr = 0;
    size_t at = 0;
    assert_ok(tarn_memory_alloc(device, 1056, &addr));
    assert_ok(tarn_annotate_rule(addr, &stated));
    assert_ok(tarn_annotate_rule(addr, NULL));
    const struct tn_mem_event *event = next(&at, TN_MEM_RULE, 0);
    const tarn_rule rule = tn_mem_event_rule(event);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->device, 0);
    assert_memory_equal(&rule, &stated, sizeof rule);
    event = next(&at, TN_MEM_RULE, 0);
    assert_int_equal(tn_mem_event_rule(event).start, 0);
    assert_ok(tarn_memory_free(addr, 0));
}

static void host_memory_begins_and_ends(void **state) {
    (void)state;
    static char own[4096];
    void *ptr = NULL;
    size_t at = 0;
    assert_ok(tarn_host_alloc(device, 100, 0, &ptr));
    assert_ok(tarn_host_free(ptr));
    const struct tn_mem_event *event = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_PINNED);
    assert_ptr_equal((void *)(uintptr_t)event->addr, ptr);
    assert_int_equal(event->device, -1);
    assert_true(event->flags & TN_MEM_HOST_CAN);
    assert_true(event->flags & TN_MEM_ZEROED);
    (void)next(&at, TN_MEM_RESOURCE_END, TN_MEM_PINNED);
    tarn_annotate_caller("hipHostMalloc"); // which promises no zeros
    assert_ok(tarn_host_alloc(device, 100, 0, &ptr));
    tarn_annotate_caller(NULL);
    assert_ok(tarn_host_free(ptr));
    assert_false(next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_PINNED)->flags & TN_MEM_ZEROED);
    assert_ok(tarn_host_register(device, own, sizeof own, 0));
    assert_ok(tarn_host_unregister(own));
    (void)next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_REGISTERED);
    (void)next(&at, TN_MEM_RESOURCE_END, TN_MEM_REGISTERED);
}

static void mappings_and_their_parts_begin_and_end(void **state) {
    (void)state;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    assert_ok(tarn_device_query(device, &info));
    uint64_t g = info.granularity_minimum;
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    size_t at = 0;
    assert_ok(tarn_space_reserve(device, 2 * g, 0, 0, &addr));
    assert_ok(tarn_phys_create(device, g, NULL, &phys));
    assert_ok(tarn_map(addr, g, phys));
    assert_ok(tarn_unmap(addr, g, TARN_NO_WAIT));
    assert_status(tarn_unmap(addr, g, 0), TARN_NOT_MAPPED);
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    const struct tn_mem_event *event = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_RESERVATION);
    assert_int_equal(event->bytes, 2 * g);
    event = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_PHYS);
    assert_int_equal(event->object, phys);
    event = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_MAPPING);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->bytes, g);
    assert_int_equal(event->object, phys);
    event = next(&at, TN_MEM_RESOURCE_END, TN_MEM_MAPPING);
    assert_true(event->flags & TN_MEM_UNWAITED);
    event = next(&at, TN_MEM_REFUSED, 0);
    assert_int_equal(event->other, TARN_NOT_MAPPED);
    (void)next(&at, TN_MEM_RESOURCE_END, TN_MEM_PHYS);
    (void)next(&at, TN_MEM_RESOURCE_END, TN_MEM_RESERVATION);
}

// ---- pools

static tarn_pool *make_pool(tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind;
    desc.device = device;
    desc.limit = UINT64_C(64) << 20;
    assert_ok(tarn_pool_create(&desc, &pool));
    return pool;
}

static void expect_block(size_t *at, tarn_addr addr, uint64_t bytes) {
    const struct tn_mem_event *event = next(at, TN_MEM_REGION_BEGIN, 0);
    assert_int_equal(event->addr, addr);
    assert_int_equal(event->bytes, bytes);
    assert_true(event->other >= bytes);
    assert_string_equal(event->domain, "tarn");
    event = next(at, TN_MEM_REGION_END, 0);
    assert_int_equal(event->addr, addr);
    assert_true(event->other >= bytes);
}

static void blocks_lie_in_emitted_segments(void **state) {
    (void)state;
    static const uint64_t sizes[] = {100, 20000};
    tarn_pool *pool = make_pool(TARN_POOL_SEGMENTS);
    tarn_addr addr = 0;
    size_t at = 0;
    for (int i = 0; i < 2; i++) {
        forget();
        at = 0;
        assert_ok(tarn_pool_alloc(pool, sizes[i], 0, &addr));
        assert_ok(tarn_pool_free(pool, addr));
        if (i == 0) {
            const struct tn_mem_event *heap = next(&at, TN_MEM_HEAP_BEGIN, 0);
            assert_true(heap->flags & TN_MEM_WHOLE);
            assert_true(heap->flags & TN_MEM_HOST_CAN);
            assert_true(addr >= heap->addr && addr < heap->addr + heap->bytes);
        }
        expect_block(&at, addr, sizes[i]);
    }
    assert_status(tarn_pool_free(pool, addr), TARN_BAD_ADDRESS);
    assert_int_equal(next(&at, TN_MEM_REFUSED, 0)->addr, addr);
    assert_ok(tarn_pool_destroy(pool));
    (void)next(&at, TN_MEM_RESOURCE_END, TN_MEM_POOL);
    (void)next(&at, TN_MEM_HEAP_END, 0);
    (void)next(&at, TN_MEM_RESOURCE_END, TN_MEM_MEMORY);
}

static void an_expandable_pool_emits_its_pages(void **state) {
    (void)state;
    tarn_pool *pool = make_pool(TARN_POOL_EXPANDABLE);
    tarn_addr addr = 0;
    size_t at = 0;
    const struct tn_mem_event *heap = next(&at, TN_MEM_HEAP_BEGIN, 0);
    assert_false(heap->flags & TN_MEM_WHOLE);
    assert_ok(tarn_pool_alloc(pool, 1 << 20, 0, &addr));
    const struct tn_mem_event *pages = next(&at, TN_MEM_BACKED, 0);
    assert_true(pages->addr >= heap->addr && pages->addr < heap->addr + heap->bytes);
    assert_int_equal(next(&at, TN_MEM_REGION_BEGIN, 0)->addr, addr);
    assert_ok(tarn_pool_free(pool, addr));
    (void)next(&at, TN_MEM_REGION_END, 0);
    assert_ok(tarn_pool_trim(pool, 0, 0, NULL));
    uint64_t gone = next(&at, TN_MEM_UNBACKED, 0)->bytes;
    (void)next(&at, TN_MEM_RESOURCE_END, TN_MEM_MAPPING); // pages are mapped when it is emitted
    assert_ok(tarn_pool_destroy(pool));
    uint64_t came = 0;
    for (size_t i = 0; i < count; i++) {
        came += events[i].kind == TN_MEM_BACKED ? events[i].bytes : 0;
        gone += i >= at && events[i].kind == TN_MEM_UNBACKED ? events[i].bytes : 0;
    }
    assert_int_equal(came, gone);
    (void)next(&at, TN_MEM_HEAP_END, 0);
}

static void rights_are_announced_before_they_change(void **state) {
    (void)state;
    const tarn_grant host = {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE};
    tarn_pool *pool = make_pool(TARN_POOL_EXPANDABLE);
    size_t at = 0;
    const struct tn_mem_event *heap = next(&at, TN_MEM_HEAP_BEGIN, 0);
    assert_ok(tarn_pool_set_access(pool, &host, 1));
    const struct tn_mem_event *rights = next(&at, TN_MEM_RIGHTS, 0);
    assert_int_equal(rights->addr, heap->addr);
    assert_int_equal(rights->bytes, heap->bytes);
    assert_ok(tarn_pool_destroy(pool));
}

static void a_fixed_range_of_the_process_is_a_whole_heap(void **state) {
    (void)state;
    static char memory[1 << 16];
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    size_t at = 0;
    desc.kind = TARN_POOL_FIXED;
    desc.base = (tarn_addr)(uintptr_t)memory;
    desc.bytes = sizeof memory;
    assert_ok(tarn_pool_create(&desc, &pool));
    assert_ok(tarn_pool_destroy(pool));
    const struct tn_mem_event *heap = next(&at, TN_MEM_HEAP_BEGIN, 0);
    assert_int_equal(heap->bytes, sizeof memory);
    assert_int_equal(heap->flags, TN_MEM_WHOLE | TN_MEM_HOST_CAN | TN_MEM_GIVEN);
    assert_int_equal(heap->device, -1);
    (void)next(&at, TN_MEM_HEAP_END, 0);
}

static void a_range_of_numbers_cannot_be_reached(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    size_t at = 0;
    desc.kind = TARN_POOL_FIXED;
    desc.base = UINT64_C(1) << 62;
    desc.bytes = 1 << 20;
    assert_ok(tarn_pool_create(&desc, &pool));
    assert_ok(tarn_pool_destroy(pool));
    assert_int_equal(next(&at, TN_MEM_HEAP_BEGIN, 0)->flags,
                     TN_MEM_WHOLE | TN_MEM_NUMBERS | TN_MEM_GIVEN);
}

static void blocks_say_their_streams(void **state) {
    (void)state;
    tarn_pool *pool = make_pool(TARN_POOL_SEGMENTS);
    tarn_stream streams[2];
    tarn_addr addr = 0;
    size_t at = 0;
    assert_ok(tarn_stream_create(device, &streams[0]));
    assert_ok(tarn_stream_create(device, &streams[1]));
    for (uint64_t bytes = 100; bytes <= 100000; bytes *= 1000) {
        forget();
        at = 0;
        assert_ok(tarn_pool_alloc(pool, bytes, streams[0], &addr));
        assert_ok(tarn_pool_used_on(pool, addr, streams[1]));
        assert_ok(tarn_pool_free(pool, addr));
        assert_int_equal(next(&at, TN_MEM_REGION_BEGIN, 0)->stream, streams[0]);
        const struct tn_mem_event *use = next(&at, TN_MEM_USED_ON, 0);
        assert_int_equal(use->stream, streams[1]);
        assert_int_equal(use->addr, addr);
        assert_int_equal(next(&at, TN_MEM_REGION_END, 0)->stream, streams[0]);
        // The pool marks the end of the other stream's work only then.
        assert_int_equal(next(&at, TN_MEM_EVENT_RECORD, 0)->stream, streams[1]);
    }
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_stream_destroy(streams[0]));
    assert_ok(tarn_stream_destroy(streams[1]));
}

static void a_reset_ends_every_block(void **state) {
    (void)state;
    tarn_pool *pool = make_pool(TARN_POOL_SEGMENTS);
    tarn_addr addr[3];
    assert_ok(tarn_pool_alloc(pool, 100, 0, &addr[0]));
    assert_ok(tarn_pool_alloc(pool, 100, 0, &addr[1]));
    assert_ok(tarn_pool_alloc(pool, 100000, 0, &addr[2]));
    assert_ok(tarn_pool_reset(pool));
    assert_int_equal(how_many(TN_MEM_REGION_END), 3);
    assert_ok(tarn_pool_destroy(pool));
    assert_int_equal(how_many(TN_MEM_REGION_END), 3);
}

enum { SHARED_RANGE = 4 << 20, UNIT = 16, THREADS = 8, ROUNDS = 3000, HELD = 16 };
static char shared_memory[SHARED_RANGE];
static bool taken[SHARED_RANGE / UNIT];
static unsigned wrong;

// Each byte belongs to one region at a time.
static void watch_owners(const struct tn_mem_event *event) {
    bool begins = event->kind == TN_MEM_REGION_BEGIN;
    if (!begins && event->kind != TN_MEM_REGION_END) return;
    uint64_t first = (event->addr - (tarn_addr)(uintptr_t)shared_memory) / UNIT;
    uint64_t units = begins ? (event->bytes + UNIT - 1) / UNIT : event->other / UNIT;
    for (uint64_t u = first; u < first + units; u++) {
        wrong += begins && taken[u];
        taken[u] = begins;
    }
}

static void *replace_blocks(void *arg) {
    tarn_pool *pool = arg;
    tarn_addr held[HELD] = {0};
    unsigned seed = (unsigned)(uintptr_t)&held;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned k = (unsigned)rand_r(&seed) % HELD;
        uint64_t bytes = rand_r(&seed) % 8 == 0 ? 20000 : 1 + (uint64_t)rand_r(&seed) % 2000;
        (void)tarn_pool_free(pool, held[k]);
        held[k] = 0;
        (void)tarn_pool_alloc(pool, bytes, 0, &held[k]);
    }
    for (int k = 0; k < HELD; k++) (void)tarn_pool_free(pool, held[k]);
    return NULL;
}

static void an_end_is_emitted_before_the_bytes_are_reused(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    pthread_t threads[THREADS];
    desc.kind = TARN_POOL_FIXED;
    desc.base = (tarn_addr)(uintptr_t)shared_memory;
    desc.bytes = SHARED_RANGE;
    assert_ok(tarn_pool_create(&desc, &pool));
    watch = watch_owners;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, replace_blocks, pool), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    watch = NULL;
    assert_int_equal(wrong, 0);
    for (size_t u = 0; u < SHARED_RANGE / UNIT; u++) assert_false(taken[u]);
    assert_ok(tarn_pool_destroy(pool));
}

// ---- accesses and order

static void copies_and_fills_emit_what_they_touch(void **state) {
    (void)state;
    tarn_addr addr = 0;
    size_t at = 0;
    char own[64] = {0};
    assert_ok(tarn_memory_alloc(device, 4096, &addr));
    assert_ok(tarn_copy(device, addr, (tarn_addr)(uintptr_t)own, sizeof own, TARN_STREAM_NONE));
    assert_ok(tarn_fill(device, addr, 1, 4, 8, TARN_STREAM_NONE));
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.dst = addr;
    desc.width = 3;
    desc.height = 5;
    desc.pitch = 16;
    desc.element_bytes = 2;
    assert_ok(tarn_fill_box(device, &desc, TARN_STREAM_NONE));
    const struct tn_mem_event *event = next(&at, TN_MEM_ACCESS, 0);
    assert_true(event->flags & TN_MEM_READ);
    assert_ptr_equal((void *)(uintptr_t)event->addr, own);
    assert_int_equal(event->bytes, sizeof own);
    assert_int_equal(event->stream, 0);
    event = next(&at, TN_MEM_ACCESS, 0);
    assert_true(event->flags & TN_MEM_WRITE);
    assert_int_equal(event->addr, addr);
    assert_string_equal(event->name, "tarn_copy");
    event = next(&at, TN_MEM_ACCESS, 0);
    assert_int_equal(event->bytes, 32);
    assert_string_equal(event->name, "tarn_fill");
    event = next(&at, TN_MEM_ACCESS, 0);
    assert_int_equal(event->bytes, 6);
    assert_int_equal(event->height, 5);
    assert_int_equal(event->pitch, 16);
    assert_int_equal(event->depth, 1);
    assert_ok(tarn_memory_free(addr, 0));
}

static void a_refused_copy_emits_nothing(void **state) {
    (void)state;
    char own[64];
    assert_true(tarn_copy(device, 0, (tarn_addr)(uintptr_t)own, 64, TARN_STREAM_NONE) != TARN_OK);
    assert_int_equal(how_many(TN_MEM_ACCESS), 0);
}

static void nothing(void *arg) { (void)arg; }

static void no_part(void *arg, uint64_t part) {
    (void)arg;
    (void)part;
}

static void each_part_emits_that_it_begins_and_ends(void **state) {
    (void)state;
    tarn_stream stream = 0;
    size_t at = 0;
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_run(stream, no_part, NULL, 3));
    assert_ok(tarn_stream_destroy(stream));
    assert_int_equal(how_many(TN_MEM_CALL_BEGIN), 3);
    assert_int_equal(how_many(TN_MEM_CALL_END), 3);
    uint64_t number = next(&at, TN_MEM_CALL_QUEUED, 0)->object;
    assert_int_equal(next(&at, TN_MEM_CALL_BEGIN, 0)->stream, stream);
    assert_int_equal(next(&at, TN_MEM_CALL_BEGIN, 0)->object, number);
    assert_int_equal(next(&at, TN_MEM_CALL_END, 0)->stream, stream);
    assert_int_equal(next(&at, TN_MEM_CALL_PASSED, 0)->object, number); // behind the last part
}

static void order_is_emitted_as_the_calls_are_made(void **state) {
    (void)state;
    tarn_stream a = 0;
    tarn_stream b = 0;
    tarn_event event = 0;
    size_t at = 0;
    assert_ok(tarn_stream_create(device, &a));
    assert_ok(tarn_stream_create(device, &b));
    assert_ok(tarn_event_create(device, &event));
    assert_ok(tarn_stream_call(a, nothing, NULL));
    assert_ok(tarn_event_record(event, a));
    assert_ok(tarn_stream_wait(b, event, 0));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_stream_synchronize(b, TARN_FOREVER));
    assert_ok(tarn_device_synchronize(device, TARN_FOREVER));
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(a));
    assert_ok(tarn_stream_destroy(b));
    assert_int_equal(next(&at, TN_MEM_STREAM_BEGIN, 0)->stream, a);
    assert_int_equal(next(&at, TN_MEM_STREAM_BEGIN, 0)->stream, b);
    size_t calls = at;
    assert_int_equal(next(&calls, TN_MEM_CALL_BEGIN, 0)->stream, a);
    assert_int_equal(next(&calls, TN_MEM_CALL_END, 0)->stream, a);
    const struct tn_mem_event *emitted = next(&at, TN_MEM_EVENT_RECORD, 0);
    assert_int_equal(emitted->stream, a);
    assert_int_equal(emitted->object, event);
    emitted = next(&at, TN_MEM_STREAM_WAIT, 0);
    assert_int_equal(emitted->stream, b);
    assert_int_equal(emitted->object, event);
    assert_int_equal(next(&at, TN_MEM_EVENT_SYNC, 0)->object, event);
    assert_int_equal(next(&at, TN_MEM_STREAM_SYNC, 0)->stream, b);
    assert_int_equal(next(&at, TN_MEM_DEVICE_SYNC, 0)->device, 0);
    assert_int_equal(next(&at, TN_MEM_EVENT_END, 0)->object, event);
    assert_int_equal(next(&at, TN_MEM_STREAM_END, 0)->stream, a);
}

static void host_functions_behind_a_fault_leave_nothing(void **state) {
    (void)state;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(device, &stream));
    for (int i = 0; i < 10; i++) assert_ok(tarn_stream_call(stream, nothing, NULL));
    assert_ok(tarn_stream_destroy(stream));
    assert_int_equal(how_many(TN_MEM_CALL_BEGIN), 10);
    assert_int_equal(how_many(TN_MEM_CALL_END), 10);
}

static void fail_own_stream(void *stream) {
    assert_ok(tarn_stream_fail(*(const tarn_stream *)stream, "failed on request"));
}

// Those that come later are dropped or refused.
static void calls_that_a_failed_stream_drops_have_passed(void **state) {
    (void)state;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_call(stream, fail_own_stream, &stream));
    for (int i = 0; i < 10; i++) (void)tarn_stream_call(stream, nothing, NULL);
    (void)tarn_stream_synchronize(stream, TARN_FOREVER);
    (void)tarn_stream_destroy(stream);
    assert_in_range(how_many(TN_MEM_CALL_QUEUED), 1, 11);
    assert_int_equal(how_many(TN_MEM_CALL_PASSED), how_many(TN_MEM_CALL_QUEUED));
}

static void simulated_memory_is_numbers_of_its_platform(void **state) {
    (void)state;
    tarn_device *sim[2];
    tarn_addr addr[2];
    size_t at = 0;
    assert_ok(tarn_device_open("sim:0", &sim[0]));
    assert_ok(tarn_device_open("sim:0,memory=1G", &sim[1]));
    forget();
    assert_ok(tarn_memory_alloc(sim[0], 100, &addr[0]));
    assert_ok(tarn_memory_alloc(sim[1], 100, &addr[1]));
    const struct tn_mem_event *first = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_MEMORY);
    const struct tn_mem_event *second = next(&at, TN_MEM_RESOURCE_BEGIN, TN_MEM_MEMORY);
    assert_int_equal(first->flags, TN_MEM_NUMBERS | TN_MEM_SEEN | TN_MEM_SOFT);
    assert_true(first->space != 0 && second->space != 0 && first->space != second->space);
    assert_ok(tarn_memory_free(addr[0], 0));
    assert_ok(tarn_memory_free(addr[1], 0));
    assert_ok(tarn_device_close(sim[0]));
    assert_ok(tarn_device_close(sim[1]));
}

static void programs_emit_the_same_events(void **state) {
    (void)state;
    static char own[256];
    tarn_addr addr = (tarn_addr)(uintptr_t)own;
    size_t at = 0;
    assert_ok(tarn_annotate_heap_begin(addr, 256, "heap"));
    assert_ok(tarn_annotate_region_begin(addr, 100, "region"));
    assert_ok(tarn_annotate_permission(addr, 100, TARN_ANNOTATE_READ));
    assert_ok(tarn_check_write(addr + 4, 8));
    assert_ok(tarn_check_initialised(addr, 4));
    tarn_annotate_step("step");
    assert_ok(tarn_annotate_region_resize(addr, 120));
    assert_ok(tarn_annotate_region_end(addr, TARN_STREAM_NONE));
    assert_ok(tarn_annotate_region_begin_with(REGION_OF(addr, 100, 128, TARN_STREAM_NONE, NULL)));
    assert_ok(tarn_annotate_heap_reset(addr));
    assert_ok(tarn_annotate_heap_end(addr));
    const struct tn_mem_event *event = next(&at, TN_MEM_HEAP_BEGIN, 0);
    assert_int_equal(event->bytes, 256);
    assert_int_equal(event->flags, TN_MEM_WHOLE | TN_MEM_HOST_CAN | TN_MEM_PROGRAM);
    assert_string_equal(event->name, "heap");
    assert_int_equal(event->object, 0);
    event = next(&at, TN_MEM_REGION_BEGIN, 0);
    assert_int_equal(event->bytes, 100);
    assert_string_equal(event->name, "region");
    assert_int_equal(next(&at, TN_MEM_PERMISSION, 0)->flags,
                     TN_MEM_READ | TN_MEM_HOST_CAN | TN_MEM_PROGRAM);
    event = next(&at, TN_MEM_ACCESS, 0);
    assert_int_equal(event->addr, addr + 4);
    assert_int_equal(event->flags, TN_MEM_WRITE | TN_MEM_HOST_CAN | TN_MEM_PROGRAM);
    assert_int_equal(next(&at, TN_MEM_INITIALISED, 0)->bytes, 4);
    assert_string_equal(next(&at, TN_MEM_MARK, 0)->name, "step");
    assert_int_equal(next(&at, TN_MEM_REGION_RESIZE, 0)->bytes, 120);
    assert_int_equal(next(&at, TN_MEM_REGION_END, 0)->addr, addr);
    event = next(&at, TN_MEM_REGION_BEGIN, 0);
    assert_int_equal(event->bytes, 100);
    assert_int_equal(event->other, 128);
    assert_int_equal(next(&at, TN_MEM_HEAP_RESET, 0)->addr, addr);
    assert_int_equal(next(&at, TN_MEM_HEAP_END, 0)->addr, addr);
}

// A library in front of Tarn tries again: a refusal counts at the end of its call, once, and not if it succeeded.
static void a_shortage_waits_for_the_end_of_the_call(void **state) {
    (void)state;
    const uint64_t bytes = UINT64_C(1) << 40;
    tarn_addr addr;
    size_t at = 0;
    tarn_annotate_caller("allocate");
    assert_int_equal(tarn_memory_alloc(device, bytes, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_memory_alloc(device, 2 * bytes, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(how_many(TN_MEM_SHORTAGE), 0);
    tarn_annotate_caller(NULL);
    const struct tn_mem_event *event = next(&at, TN_MEM_SHORTAGE, 0);
    assert_int_equal(how_many(TN_MEM_SHORTAGE), 1);
    assert_int_equal(event->bytes, 2 * bytes);
    assert_string_equal(tn_mem_event_function(event), "allocate");
    assert_int_equal(event->flags, -TARN_NO_DEVICE_MEMORY);
    assert_in_range(event->addr, 1, 256 << 20);

    forget();
    tarn_annotate_caller("allocate");
    assert_int_equal(tarn_memory_alloc(device, bytes, &addr), TARN_NO_DEVICE_MEMORY);
    assert_ok(tarn_memory_alloc(device, 4096, &addr));
    tarn_annotate_caller(NULL);
    assert_int_equal(how_many(TN_MEM_SHORTAGE), 0);
    assert_ok(tarn_memory_free(addr, 0));
    tarn_annotate_caller("allocate");
    assert_int_equal(tarn_memory_alloc(device, bytes, &addr), TARN_NO_DEVICE_MEMORY);
    tarn_annotate_caller("another");
    tarn_annotate_caller(NULL);
    assert_int_equal(how_many(TN_MEM_SHORTAGE), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(plain_memory_begins_and_ends),
        TEST(shared_memory_counts_as_written),
        TEST(memory_that_is_not_waited_for_is_marked),
        TEST(a_refused_free_is_emitted_with_its_status),
        TEST(a_refused_access_is_emitted_with_its_reason),
        TEST(an_access_with_wrong_arguments_is_not),
        TEST(a_handle_begins_ends_and_is_stale),
        TEST(the_requested_size_of_memory_is_stated),
        TEST(a_rule_is_stated),
        TEST(host_memory_begins_and_ends),
        TEST(mappings_and_their_parts_begin_and_end),
        TEST(blocks_lie_in_emitted_segments),
        TEST(an_expandable_pool_emits_its_pages),
        TEST(rights_are_announced_before_they_change),
        TEST(a_fixed_range_of_the_process_is_a_whole_heap),
        TEST(a_range_of_numbers_cannot_be_reached),
        TEST(blocks_say_their_streams),
        TEST(a_reset_ends_every_block),
        TEST(an_end_is_emitted_before_the_bytes_are_reused),
        TEST(copies_and_fills_emit_what_they_touch),
        TEST(a_refused_copy_emits_nothing),
        TEST(each_part_emits_that_it_begins_and_ends),
        TEST(order_is_emitted_as_the_calls_are_made),
        TEST(host_functions_behind_a_fault_leave_nothing),
        TEST(calls_that_a_failed_stream_drops_have_passed),
        TEST(programs_emit_the_same_events),
        TEST(simulated_memory_is_numbers_of_its_platform),
        TEST(a_shortage_waits_for_the_end_of_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
