// SPDX-License-Identifier: Apache-2.0
// Inside a host function: what would wait for work is refused, and all else works.
#include "support/api.h"

#include <stdlib.h>

#include "support/gate.h"

// What a host function works on, and what its calls returned.
struct scene {
    struct api *api;
    tarn_stream stream; // runs the host function
    tarn_stream idle;
    tarn_event event; // recorded behind it, or passed
    tarn_addr memory;
    tarn_addr mapped;
    tarn_addr imported;
    void *pinned;
    tarn_pool *pool;
    tarn_device *stranger; // of another platform
    tarn_addr left;        // memory of it, where freeing waits for all of the card
    tarn_status got[16];
    size_t count;
};

static void note(struct scene *s, tarn_status status) { s->got[s->count++] = status; }

static void assert_all(const struct scene *s, size_t count, tarn_status want) {
    assert_int_equal(s->count, count);
    for (size_t i = 0; i < count; i++) {
        if (s->got[i] != want) {
            fail_msg("call %zu: %s, not %s", i, tarn_status_name(s->got[i]),
                     tarn_status_name(want));
        }
    }
}

static void set_up(struct scene *s, struct api *api) {
    tarn_key key;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = api->device;
    *s = (struct scene){.api = api};
    assert_ok(tarn_stream_create(api->device, &s->stream));
    assert_ok(tarn_stream_create(api->device, &s->idle));
    assert_ok(tarn_event_create(api->device, &s->event));
    assert_ok(tarn_memory_alloc(api->device, 1000, &s->memory));
    assert_ok(tarn_host_alloc(api->device, 1000, 0, &s->pinned));
    assert_ok(tarn_pool_create(&desc, &s->pool));
    s->mapped = api_map_new(api, api->g);
    tarn_addr exported = 0;
    if (api_has_keys(api)) {
        assert_ok(tarn_memory_alloc(api->device, 1000, &exported));
        assert_ok(tarn_memory_export(exported, &key));
        assert_ok(tarn_memory_import(api->device, &key, &s->imported));
        assert_ok(tarn_memory_free(exported, 0));
    }
    s->stranger = api_open(0, "memory=16M");
}

// All of it is there and works: nothing that was refused has done half of its work.
static void take_down(struct scene *s) {
    assert_ok(tarn_stream_synchronize(s->stream, TARN_FOREVER));
    assert_ok(tarn_device_close(s->stranger));
    assert_ok(tarn_memory_free(s->imported, 0));
    api_unmap_all(s->mapped, s->api->g);
    assert_ok(tarn_pool_destroy(s->pool));
    assert_ok(tarn_host_free(s->pinned));
    assert_ok(tarn_memory_free(s->memory, 0));
    assert_ok(tarn_event_destroy(s->event));
    assert_ok(tarn_stream_destroy(s->idle));
    assert_ok(tarn_stream_destroy(s->stream));
}

static void run(struct scene *s, void (*fn)(void *)) {
    assert_ok(tarn_stream_call(s->stream, fn, s));
    assert_ok(tarn_stream_synchronize(s->stream, TARN_FOREVER));
}

static void wait_for_everything(void *arg) {
    struct scene *s = arg;
    tarn_key key;
    (void)tarn_event_record(s->event, s->stream);
    note(s, tarn_stream_synchronize(s->stream, TARN_FOREVER));
    note(s, tarn_stream_destroy(s->stream));
    note(s, tarn_event_synchronize(s->event, TARN_FOREVER));
    note(s, tarn_device_synchronize(s->api->device, TARN_FOREVER));
    note(s, tarn_device_synchronize(s->api->peer != NULL ? s->api->peer : s->api->device,
                                    TARN_FOREVER));
    note(s, tarn_memory_free(s->memory, 0));
    if (s->imported != 0) {
        note(s, tarn_memory_free(s->imported, 0));
        note(s, tarn_memory_export(s->memory, &key));
    }
    note(s, tarn_host_free(s->pinned));
    note(s, tarn_unmap(s->mapped, s->api->g, 0));
    note(s, tarn_pool_destroy(s->pool));
    note(s, tarn_pool_trim(s->pool, 0, 0, NULL));
    note(s, tarn_pool_reset(s->pool));
}

static void a_host_function_may_not_wait(void **state) {
    struct scene s;
    set_up(&s, *state);
    run(&s, wait_for_everything);
    assert_all(&s, s.imported != 0 ? 13 : 11, TARN_BUSY);
    take_down(&s);
}

static void do_what_needs_no_wait(void *arg) {
    struct scene *s = arg;
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    tarn_addr place = s->mapped;
    bool checked = (s->api->info.features & TARN_FEATURE_CHECKED) != 0;
    note(s, tarn_event_synchronize(s->event, TARN_FOREVER));
    note(s, tarn_stream_synchronize(s->idle, TARN_FOREVER));
    note(s, tarn_stream_destroy(s->idle));
    note(s, tarn_fill(NULL, s->memory, 1, 1, 1000, s->stream));
    note(s, tarn_event_record(s->event, s->stream));
    note(s, tarn_stream_wait(s->stream, s->event, 0));
    if (checked) { // elsewhere the vendor's library would wait for this very function
        note(s, tarn_map_retain(place, &phys));
        note(s, tarn_unmap(place, s->api->g, TARN_NO_WAIT));
        note(s, tarn_map(place, s->api->g, phys));
        note(s, tarn_phys_release(phys));
    } else {
        bool busy = tarn_unmap(place, s->api->g, TARN_NO_WAIT) == TARN_BUSY &&
                    tarn_memory_free(s->memory, TARN_NO_WAIT) == TARN_BUSY;
        note(s, busy ? TARN_OK : TARN_CORRUPT);
    }
    note(s, tarn_pool_alloc(s->pool, 1 << 20, 0, &addr));
    note(s, tarn_pool_free(s->pool, addr));
    s->idle = 0;
}

static void a_host_function_may_do_all_else(void **state) {
    struct scene s;
    set_up(&s, *state);
    assert_ok(tarn_event_record(s.event, s.idle));
    assert_ok(tarn_event_synchronize(s.event, TARN_FOREVER));
    run(&s, do_what_needs_no_wait);
    bool checked = (s.api->info.features & TARN_FEATURE_CHECKED) != 0;
    assert_all(&s, checked ? 12 : 9, TARN_OK);
    take_down(&s);
}

static void wait_elsewhere(void *arg) {
    struct scene *s = arg;
    tarn_addr addr = 0;
    tarn_stream stream = 0;
    note(s, tarn_memory_alloc(s->stranger, 100, &addr));
    note(s, tarn_stream_create(s->stranger, &stream));
    note(s, tarn_fill(NULL, addr, 1, 1, 100, stream));
    note(s, tarn_stream_synchronize(stream, TARN_FOREVER));
    note(s, tarn_stream_destroy(stream));
    if ((s->api->info.features & TARN_FEATURE_CHECKED) != 0)
        note(s, tarn_memory_free(addr, 0));
    else
        s->left = addr;
}

static void a_host_function_may_wait_for_another_platform(void **state) {
    struct scene s;
    set_up(&s, *state);
    run(&s, wait_elsewhere);
    assert_all(&s, s.left == 0 ? 6 : 5, TARN_OK);
    assert_ok(tarn_memory_free(s.left, 0));
    take_down(&s);
}

// A host function of another platform, given by one of this: where there are no workers it runs
// inside the first.
struct nested {
    struct scene scene;
    tarn_stream other;
};

static void free_here(void *arg) {
    struct nested *n = arg;
    note(&n->scene, tarn_memory_free(n->scene.memory, 0));
}

static void give_elsewhere(void *arg) {
    struct nested *n = arg;
    (void)tarn_stream_call(n->other, free_here, n);
}

static void a_host_function_inside_another_is_inside_both(void **state) {
    struct api *api = *state;
    if ((api->info.features & TARN_FEATURE_ASYNC) != 0)
        skip(); // there it is a thread of its own, which may wait
    struct nested n;
    set_up(&n.scene, api);
    assert_ok(tarn_stream_create(n.scene.stranger, &n.other));
    assert_ok(tarn_stream_call(n.scene.stream, give_elsewhere, &n));
    assert_ok(tarn_stream_synchronize(n.scene.stream, TARN_FOREVER));
    assert_all(&n.scene, 1, TARN_BUSY);
    assert_ok(tarn_stream_destroy(n.other));
    take_down(&n.scene);
}

// Its thread may be the only one that runs work.
static void a_blocked_host_function_holds_up_no_copy(void **state) {
    static const char *const schedules[] = {"schedule=late", "schedule=random,seed=5"};
    struct api *api = *state;
    api_need_setting(api, "schedule");
    for (int i = 0; i < 2; i++) {
        tarn_device *device = api_open(0, schedules[i]);
        struct gate gate = {.open = false};
        tarn_stream blocked = 0, other = 0;
        tarn_addr memory = 0;
        unsigned char byte = 0;
        assert_ok(tarn_memory_alloc(device, 1 << 20, &memory));
        assert_ok(tarn_stream_create(device, &blocked));
        assert_ok(tarn_stream_create(device, &other));
        assert_ok(tarn_stream_call(blocked, pass_gate, &gate));
        (void)tarn_stream_synchronize(blocked, 1000000);
        assert_ok(tarn_fill(device, memory, 7, 1, 1 << 20, other));
        assert_ok(tarn_copy(device, TARN_ADDR(&byte), memory, 1, other));
        assert_ok(tarn_stream_synchronize(other, TARN_FOREVER));
        assert_int_equal(byte, 7);
        assert_int_equal(gate.passed, 0);
        gate.open = true;
        assert_ok(tarn_stream_synchronize(blocked, TARN_FOREVER));
        assert_int_equal(gate.passed, 1);
        assert_ok(tarn_stream_destroy(blocked));
        assert_ok(tarn_stream_destroy(other));
        assert_ok(tarn_memory_free(memory, 0));
        assert_ok(tarn_device_close(device));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_host_function_may_not_wait, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_host_function_may_do_all_else, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_host_function_may_wait_for_another_platform, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_host_function_inside_another_is_inside_both, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_blocked_host_function_holds_up_no_copy, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
