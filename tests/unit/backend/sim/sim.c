// SPDX-License-Identifier: Apache-2.0
// The memory of the simulated device: addresses under the rules of an accelerator, capacity, clock.
#include "backend/sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/sim/platform.h"
#include "base/error.h"

#define G (uint64_t)4096 // granularity of these platforms

static const tarn_backend *const sim = &tn_backend_sim;

static void *open_with(const char *options) {
    void *p = NULL;
    assert_int_equal(sim->platform_open(options, &p), TARN_OK);
    return p;
}

static int open_small(void **state) {
    *state = open_with("granularity=4K,memory=1M,host_memory=64K,devices=3");
    return 0;
}

static int check_and_close(void **state) {
    assert_int_equal(sim->check(*state), TARN_OK);
    sim->platform_close(*state);
    return 0;
}

// ---- short forms

static tarn_addr reserve(void *p, uint64_t size) {
    tarn_addr addr = 0;
    assert_int_equal(sim->reserve(p, size, 0, 0, &addr), TARN_OK);
    return addr;
}

static tarn_status create_at(void *p, uint64_t bytes, tarn_location_type type, int id,
                             tarn_backend_phys *phys) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_backend_phys_info info;
    desc.location = (tarn_location){type, id};
    desc.shareable = TARN_SHAREABLE_TOKEN;
    return sim->phys_create(p, bytes, &desc, phys, &info);
}

static tarn_backend_phys create(void *p, uint64_t bytes) {
    tarn_backend_phys phys = 0;
    assert_int_equal(create_at(p, bytes, TARN_LOCATION_DEVICE, 0, &phys), TARN_OK);
    return phys;
}

static void map(void *p, tarn_addr addr, tarn_backend_phys phys, uint64_t size) {
    tarn_backend_map_item item = {phys, size};
    assert_int_equal(sim->map(p, addr, &item, 1), TARN_OK);
}

static void grant(void *p, tarn_addr addr, uint64_t size, int device, tarn_access access) {
    tarn_grant g = {{TARN_LOCATION_DEVICE, device}, access};
    assert_int_equal(sim->set_access(p, addr, size, &g, 1), TARN_OK);
}

static tarn_status fill(void *p, tarn_addr addr, uint64_t size, int device) {
    tarn_backend_fill f = {
        .dst = addr, .width = size, .height = 1, .depth = 1, .element_bytes = 1, .device = device};
    return sim->fill(p, NULL, &f);
}

static tarn_status copy(void *p, tarn_addr dst, tarn_addr src, uint64_t size, int device) {
    tarn_backend_copy c = {.dst = dst,
                           .src = src,
                           .width = size,
                           .height = 1,
                           .depth = 1,
                           .device = device,
                           .peers = {-1, -1}};
    return sim->copy(p, NULL, &c);
}

static uint64_t free_bytes(void *p, int device) {
    uint64_t free_now = 0;
    uint64_t total = 0;
    assert_int_equal(sim->memory_info(p, device, &free_now, &total), TARN_OK);
    return free_now;
}

static uint64_t clock_of(void *p) {
    tarn_backend_counters counters;
    sim->counters(p, &counters);
    return counters.virtual_ns;
}

// ---- configuration

static void options_decide_what_the_devices_are(void **state) {
    (void)state;
    tarn_backend_caps caps;
    void *p = open_with("devices=5,memory=80G,granularity=64K,recommended=2M");
    assert_int_equal(sim->device_count(p), 5);
    assert_int_equal(sim->caps(p, 4, &caps), TARN_OK);
    assert_int_equal(caps.memory_bytes, (uint64_t)80 << 30);
    assert_int_equal(caps.granularity_minimum, 64 << 10);
    assert_int_equal(caps.granularity_recommended, 2 << 20);
    assert_int_equal(caps.features & TARN_FEATURE_BYTES, 0);
    assert_string_equal(caps.name, "simulated device 4");
    sim->platform_close(p);
}

static void bad_options_are_refused(void **state) {
    (void)state;
    void *p = NULL;
    static const char *const bad[] = {"memory=lots", "devices=32", "granularity=3000",
                                      "granularity=4M,recommended=2M", "colour=red"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(sim->platform_open(bad[i], &p), TARN_BAD_CONFIG);
        assert_null(p);
    }
}

static void settings_tell_where_values_came_from(void **state) {
    (void)state;
    tarn_setting setting;
    assert_int_equal(setenv("TARN_SIM", "devices=4,map_ns=7", 1), 0);
    void *p = open_with("memory=1G");
    assert_int_equal(unsetenv("TARN_SIM"), 0);
    assert_int_equal(sim->device_count(p), 4);
    unsigned found = 0;
    for (unsigned i = 0; sim->setting(p, i, &setting) == TARN_OK; i++) {
        if (strcmp(setting.key, "memory") == 0) {
            assert_string_equal(setting.value, "1G");
            assert_string_equal(setting.source, "uri");
            found++;
        } else if (strcmp(setting.key, "map_ns") == 0) {
            assert_string_equal(setting.source, "environment");
            found++;
        } else if (strcmp(setting.key, "granularity") == 0) {
            assert_string_equal(setting.source, "default");
            found++;
        }
    }
    assert_int_equal(found, 3);
    sim->platform_close(p);
}

// ---- addresses

static void no_address_is_a_pointer_or_of_another_platform(void **state) {
    void *other = open_with("");
    tarn_addr a = reserve(*state, 4 * G);
    tarn_addr b = reserve(other, (uint64_t)1 << 40);
    assert_true(a >= (uint64_t)1 << 60);
    assert_true(b >= (uint64_t)1 << 60);
    assert_true(a + 4 * G <= b || b + ((uint64_t)1 << 40) <= a);
    assert_int_equal(fill(other, a, 1, 0), TARN_BAD_ADDRESS);
    sim->release(*state, a, 4 * G);
    sim->release(other, b, (uint64_t)1 << 40);
    sim->platform_close(other);
}

static void windows_come_back(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) sim->platform_close(open_with(""));
}

static void reservations_are_aligned_and_follow_a_good_hint(void **state) {
    tarn_addr a = 0;
    tarn_addr b = 0;
    tarn_addr c = 0;
    assert_int_equal(sim->reserve(*state, 3 * G, 1 << 20, 0, &a), TARN_OK);
    assert_int_equal(a % (1 << 20), 0);
    assert_int_equal(sim->reserve(*state, G, 0, a + 8 * G, &b), TARN_OK);
    assert_int_equal(b, a + 8 * G);
    assert_int_equal(sim->reserve(*state, G, 0, a + 2 * G, &c), TARN_OK); // taken
    assert_true(c >= a + 3 * G || c + G <= a);
    sim->release(*state, a, 3 * G);
    sim->release(*state, b, G);
    sim->release(*state, c, G);
}

static void address_space_ends_with_its_own_status_and_can_be_used_again(void **state) {
    (void)state;
    tarn_addr addr = 0;
    void *p = open_with("granularity=4K,space=64K");
    tarn_addr a = reserve(p, 32 << 10);
    tarn_addr b = reserve(p, 32 << 10);
    assert_int_equal(sim->reserve(p, G, 0, 0, &addr), TARN_NO_ADDRESS_SPACE);
    sim->release(p, a, 32 << 10);
    a = reserve(p, 16 << 10);
    sim->release(p, a, 16 << 10);
    sim->release(p, b, 32 << 10);
    assert_int_equal(sim->reserve(p, (uint64_t)1 << 63, 0, 0, &addr), TARN_NO_ADDRESS_SPACE);
    assert_int_equal(sim->check(p), TARN_OK);
    sim->platform_close(p);
}

// ---- capacity

static void capacity_is_exact_and_comes_back(void **state) {
    void *p = *state;
    tarn_backend_phys big = create(p, (1 << 20) - G);
    tarn_backend_phys more = 0;
    assert_int_equal(create_at(p, 2 * G, TARN_LOCATION_DEVICE, 0, &more), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(more, 0);
    assert_int_equal(free_bytes(p, 0), G);
    assert_int_equal(free_bytes(p, 1), 1 << 20);
    tarn_backend_phys last = create(p, G);
    assert_int_equal(free_bytes(p, 0), 0);
    sim->phys_destroy(p, big);
    sim->phys_destroy(p, last);
    assert_int_equal(free_bytes(p, 0), 1 << 20);
}

static void plain_memory_counts_whole_granules_of_its_device(void **state) {
    void *p = *state;
    tarn_addr a = 0;
    tarn_addr b = 0;
    assert_int_equal(sim->memory_alloc(p, 1, 100, &a), TARN_OK);
    assert_int_equal(a % 256, 0);
    assert_int_equal(free_bytes(p, 1), (1 << 20) - G);
    assert_int_equal(sim->memory_alloc(p, 1, 1 << 20, &b), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(sim->memory_alloc(p, 1, UINT64_MAX, &b), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(sim->check(p), TARN_OK);
    sim->memory_free(p, 1, a);
    assert_int_equal(free_bytes(p, 1), 1 << 20);
}

static void host_locations_have_a_capacity_of_their_own(void **state) {
    void *p = *state;
    tarn_backend_phys a = 0;
    tarn_backend_phys b = 0;
    assert_int_equal(create_at(p, 64 << 10, TARN_LOCATION_HOST, 0, &a), TARN_OK);
    assert_int_equal(create_at(p, G, TARN_LOCATION_HOST_NUMA, 0, &b), TARN_NO_HOST_MEMORY);
    assert_int_equal(create_at(p, G, TARN_LOCATION_HOST_NUMA, 1, &b), TARN_BAD_DEVICE);
    assert_int_equal(free_bytes(p, 0), 1 << 20);
    sim->phys_destroy(p, a);
}

// ---- rights

static void a_new_mapping_gives_rights_to_nobody(void **state) {
    void *p = *state;
    tarn_addr a = reserve(p, 2 * G);
    tarn_backend_phys phys = create(p, G);
    assert_int_equal(fill(p, a, 1, 0), TARN_NOT_MAPPED);
    map(p, a, phys, G);
    assert_int_equal(fill(p, a, 1, 0), TARN_NO_ACCESS);
    grant(p, a, G, 0, TARN_ACCESS_READ_WRITE);
    assert_int_equal(fill(p, a, G, 0), TARN_OK);
    assert_int_equal(fill(p, a, G + 1, 0), TARN_NOT_MAPPED);
    assert_int_equal(sim->unmap(p, a, G), TARN_OK);
    assert_int_equal(fill(p, a, 1, 0), TARN_NOT_MAPPED);
    map(p, a, phys, G); // rights are forgotten
    assert_int_equal(fill(p, a, 1, 0), TARN_NO_ACCESS);
    assert_int_equal(sim->unmap(p, a, G), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, 2 * G);
}

static void reading_and_writing_are_two_rights(void **state) {
    void *p = *state;
    char host[16];
    tarn_addr a = reserve(p, G);
    tarn_backend_phys phys = create(p, G);
    map(p, a, phys, G);
    grant(p, a, G, 0, TARN_ACCESS_READ);
    assert_int_equal(copy(p, TARN_ADDR(host), a, sizeof host, 0), TARN_OK);
    assert_int_equal(copy(p, a, TARN_ADDR(host), sizeof host, 0), TARN_NO_ACCESS);
    grant(p, a, G, 0, TARN_ACCESS_NONE);
    assert_int_equal(copy(p, TARN_ADDR(host), a, sizeof host, 0), TARN_NO_ACCESS);
    assert_int_equal(sim->unmap(p, a, G), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, G);
}

static void the_owner_the_executor_or_a_named_peer_must_hold_the_right(void **state) {
    void *p = *state;
    tarn_addr a = reserve(p, G);
    tarn_backend_phys phys = create(p, G); // of device 0
    tarn_backend_copy c = {.dst = a,
                           .src = TARN_ADDR(&c),
                           .width = 8,
                           .height = 1,
                           .depth = 1,
                           .device = 1,
                           .peers = {-1, -1}};
    map(p, a, phys, G);
    grant(p, a, G, 2, TARN_ACCESS_READ_WRITE);
    assert_int_equal(sim->copy(p, NULL, &c), TARN_NO_ACCESS);
    c.peers[1] = 2;
    assert_int_equal(sim->copy(p, NULL, &c), TARN_OK);
    c.peers[1] = -1;
    c.device = 2;
    assert_int_equal(sim->copy(p, NULL, &c), TARN_OK);
    c.device = 1;
    grant(p, a, G, 0, TARN_ACCESS_READ_WRITE);
    assert_int_equal(sim->copy(p, NULL, &c), TARN_OK);
    assert_int_equal(sim->unmap(p, a, G), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, G);
}

static void the_host_cannot_be_given_access(void **state) {
    void *p = *state;
    tarn_addr a = reserve(p, G);
    tarn_backend_phys phys = create(p, G);
    map(p, a, phys, G);
    const tarn_grant both[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                               {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ}};
    assert_int_equal(sim->set_access(p, a, G, both, 2), TARN_UNSUPPORTED);
    assert_int_equal(fill(p, a, 1, 0), TARN_NO_ACCESS); // all or nothing
    assert_int_equal(sim->unmap(p, a, G), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, G);
}

// ---- ranges

static void work_may_cross_mappings_but_no_gap(void **state) {
    void *p = *state;
    tarn_addr a = reserve(p, 4 * G);
    tarn_backend_phys phys = create(p, G);
    tarn_backend_map_item two[] = {{phys, G}, {phys, G}}; // an alias
    assert_int_equal(sim->map(p, a, two, 2), TARN_OK);
    map(p, a + 3 * G, phys, G);
    grant(p, a, 2 * G, 0, TARN_ACCESS_READ_WRITE);
    grant(p, a + 3 * G, G, 0, TARN_ACCESS_READ_WRITE);
    assert_int_equal(fill(p, a + 10, 2 * G - 10, 0), TARN_OK);
    assert_int_equal(fill(p, a + 10, 2 * G, 0), TARN_NOT_MAPPED);
    assert_int_equal(sim->check(p), TARN_OK);
    tarn_backend_fill rows = {.dst = a,
                              .width = 16,
                              .height = 2,
                              .depth = 1,
                              .pitch = 3 * G,
                              .element_bytes = 4,
                              .device = 0};
    assert_int_equal(sim->fill(p, NULL, &rows), TARN_OK); // the gap lies between the rows
    rows.pitch = 2 * G;
    assert_int_equal(sim->fill(p, NULL, &rows), TARN_NOT_MAPPED);
    rows.pitch = UINT64_MAX / 2;
    rows.height = 4;
    assert_int_equal(sim->fill(p, NULL, &rows), TARN_BAD_ADDRESS);
    assert_int_equal(sim->unmap(p, a, 2 * G), TARN_OK);
    assert_int_equal(sim->unmap(p, a + 3 * G, G), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, 4 * G);
}

static void plain_memory_ends_at_its_last_byte(void **state) {
    void *p = *state;
    tarn_addr a = 0;
    tarn_addr b = 0;
    assert_int_equal(sim->memory_alloc(p, 0, G, &a), TARN_OK);
    assert_int_equal(sim->memory_alloc(p, 0, 300, &b), TARN_OK);
    assert_int_equal(fill(p, a, G, 1), TARN_OK);
    assert_int_equal(fill(p, a, G + 1, 0), TARN_NOT_MAPPED);
    assert_int_equal(fill(p, b, 300, 0), TARN_OK);
    assert_int_equal(fill(p, b, 301, 0), TARN_NOT_MAPPED);
    sim->memory_free(p, 0, a);
    assert_int_equal(fill(p, a, 1, 0), TARN_NOT_MAPPED);
    assert_int_equal(fill(p, UINT64_MAX - 5, 4, 0), TARN_BAD_ADDRESS);
    assert_int_equal(fill(p, UINT64_MAX - 5, 10, 0), TARN_BAD_ADDRESS);
    sim->memory_free(p, 0, b);
}

static void a_refusal_names_the_address(void **state) {
    void *p = *state;
    tarn_error error;
    char wanted[32];
    tarn_addr a = reserve(p, G);
    (void)snprintf(wanted, sizeof wanted, "0x%llx", (unsigned long long)(a + 8));
    assert_int_equal(fill(p, a + 8, 1, 0), TARN_NOT_MAPPED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, wanted));
    sim->release(p, a, G);
}

// ---- sharing

static tarn_status import(void *p, uint64_t token, tarn_backend_phys *phys,
                          tarn_backend_phys_info *info) {
    tarn_shareable in = {.type = TARN_SHAREABLE_TOKEN, .fd = -1, .token = token};
    return sim->phys_import(p, 1, &in, phys, info);
}

static void an_import_is_a_new_name_of_the_same_memory(void **state) {
    void *p = *state;
    tarn_shareable out;
    tarn_backend_phys phys = create(p, 2 * G);
    tarn_backend_phys again = 0;
    tarn_backend_phys_info info;
    assert_int_equal(sim->phys_export(p, phys, TARN_SHAREABLE_TOKEN, &out), TARN_OK);
    assert_int_equal(import(p, out.token, &again, &info), TARN_OK);
    assert_int_not_equal(again, phys);
    assert_int_equal(info.bytes, 2 * G);
    assert_int_equal(info.location.id, 0);
    assert_int_equal(free_bytes(p, 0), (1 << 20) - 2 * G);
    assert_int_equal(sim->check(p), TARN_OK);
    sim->phys_destroy(p, phys);
    assert_int_equal(free_bytes(p, 0), (1 << 20) - 2 * G);
    sim->phys_destroy(p, again);
    assert_int_equal(free_bytes(p, 0), 1 << 20);
    assert_int_equal(import(p, out.token, &again, &info), TARN_BAD_HANDLE);
}

static void tokens_mean_nothing_elsewhere(void **state) {
    void *p = *state;
    void *other = open_with("");
    tarn_shareable out;
    tarn_backend_phys phys = create(p, G);
    tarn_backend_phys name = 0;
    tarn_backend_phys_info info;
    assert_int_equal(sim->phys_export(p, phys, TARN_SHAREABLE_TOKEN, &out), TARN_OK);
    assert_int_equal(import(other, out.token, &name, &info), TARN_BAD_HANDLE);
    assert_int_equal(import(p, out.token + 1, &name, &info), TARN_BAD_HANDLE);
    assert_int_equal(sim->phys_export(p, phys, TARN_SHAREABLE_FD, &out), TARN_UNSUPPORTED);
    sim->phys_destroy(p, phys);
    sim->platform_close(other);
}

// ---- host memory

static void host_memory_is_real_and_plain(void **state) {
    void *p = *state;
    void *ptr = NULL;
    tarn_pin_class pin = TARN_PIN_LOCKED;
    assert_int_equal(sim->host_alloc(p, 100000, 0, &ptr, &pin), TARN_OK);
    assert_int_equal(pin, TARN_PIN_PLAIN);
    memset(ptr, 7, 100000);
    assert_int_equal(sim->host_register(p, (char *)ptr + 5, 99995, 0, &pin), TARN_OK);
    sim->host_unregister(p, (char *)ptr + 5, 99995);
    assert_int_equal(sim->host_alloc(p, 1, TARN_HOST_MUST_LOCK, &ptr, &pin), TARN_NO_HOST_MEMORY);
    sim->host_free(p, ptr, 100000);
    assert_int_equal(sim->host_register(p, ptr, 4096, 0, &pin), TARN_BAD_ADDRESS);
}

static void copies_between_host_addresses_move_bytes(void **state) {
    void *p = *state;
    char from[32] = "the words of the simulation.";
    char to[32] = "";
    uint16_t pattern[6] = {0};
    assert_int_equal(copy(p, TARN_ADDR(to), TARN_ADDR(from), sizeof from, 0), TARN_OK);
    assert_string_equal(to, from);
    tarn_backend_fill f = {.dst = TARN_ADDR(pattern),
                           .width = 4,
                           .height = 2,
                           .depth = 1,
                           .pitch = 8,
                           .value = 0xabcd1234,
                           .element_bytes = 2,
                           .device = 0};
    assert_int_equal(sim->fill(p, NULL, &f), TARN_OK);
    static const uint16_t wanted[6] = {0x1234, 0x1234, 0, 0, 0x1234, 0x1234};
    assert_memory_equal(pattern, wanted, sizeof wanted);
}

// ---- the clock and the books

static void each_call_costs_what_was_configured(void **state) {
    (void)state;
    void *p = open_with("granularity=4K,reserve_ns=1,create_ns=10,map_ns=100,access_ns=1000,"
                        "unmap_ns=10000,destroy_ns=100000,release_ns=1000000,fill_bytes_per_ns=2,"
                        "copy_ns=50");
    tarn_addr a = reserve(p, 2 * G);
    assert_int_equal(clock_of(p), 1);
    tarn_backend_phys phys = create(p, G);
    assert_int_equal(clock_of(p), 11);
    tarn_backend_map_item two[] = {{phys, G}, {phys, G}};
    assert_int_equal(sim->map(p, a, two, 2), TARN_OK);
    assert_int_equal(clock_of(p), 211);
    grant(p, a, 2 * G, 0, TARN_ACCESS_READ_WRITE);
    assert_int_equal(clock_of(p), 2211);
    assert_int_equal(fill(p, a, 2 * G, 0), TARN_OK);
    assert_int_equal(clock_of(p), 2211 + 50 + G);
    assert_int_equal(fill(p, a, 3 * G, 0), TARN_NOT_MAPPED); // what fails costs nothing
    assert_int_equal(clock_of(p), 2211 + 50 + G);
    assert_int_equal(sim->unmap(p, a, 2 * G), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, 2 * G);
    assert_int_equal(clock_of(p), 2211 + 50 + G + 20000 + 100000 + 1000000);
    sim->platform_close(p);
}

static void memory_costs_by_its_size(void **state) {
    (void)state;
    void *p = open_with("create_ns=10,allocate_ns=20,gib_ns=1024");
    tarn_addr addr = 0;
    tarn_backend_phys phys = create(p, UINT64_C(2) << 20);
    assert_int_equal(clock_of(p), 12);
    assert_int_equal(sim->memory_alloc(p, 0, UINT64_C(1) << 30, &addr), TARN_OK);
    assert_int_equal(clock_of(p), 12 + 20 + 1024);
    sim->memory_free(p, 0, addr);
    sim->phys_destroy(p, phys);
    sim->platform_close(p);
}

static void the_check_finds_books_that_do_not_balance(void **state) {
    void *p = *state;
    struct tn_sim *inside = (struct tn_sim *)p;
    tarn_addr a = reserve(p, G);
    tarn_backend_phys phys = create(p, G);
    map(p, a, phys, G);
    assert_int_equal(sim->check(p), TARN_OK);
    inside->used[0] += G;
    assert_int_equal(sim->check(p), TARN_CORRUPT);
    inside->used[0] -= G;
    struct tn_interval_entry e;
    assert_true(tn_interval_remove(&inside->space, a, &e));
    assert_int_equal(sim->check(p), TARN_CORRUPT);
    assert_int_equal(tn_interval_insert(&inside->space, e.start, e.end, e.value), TARN_OK);
    assert_int_equal(sim->check(p), TARN_OK);
    assert_int_equal(sim->unmap(p, a, G), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, G);
}

static void a_quarter_million_mappings_are_no_burden(void **state) {
    (void)state;
    enum { COUNT = 250000 };
    void *p = open_with("memory=1T");
    const uint64_t size = (uint64_t)2 << 20;
    tarn_addr a = reserve(p, COUNT * size);
    tarn_backend_phys phys = create(p, size);
    for (uint64_t i = 0; i < COUNT; i++) map(p, a + i * size, phys, size);
    grant(p, a, COUNT * size, 1, TARN_ACCESS_READ_WRITE);
    assert_int_equal(fill(p, a + 5, COUNT * size - 5, 1), TARN_OK);
    assert_int_equal(sim->check(p), TARN_OK);
    assert_int_equal(sim->unmap(p, a, COUNT * size), TARN_OK);
    sim->phys_destroy(p, phys);
    sim->release(p, a, COUNT * size);
    assert_int_equal(sim->check(p), TARN_OK);
    sim->platform_close(p);
}

#define SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, check_and_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_decide_what_the_devices_are),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(settings_tell_where_values_came_from),
        SMALL(no_address_is_a_pointer_or_of_another_platform),
        cmocka_unit_test(windows_come_back),
        SMALL(reservations_are_aligned_and_follow_a_good_hint),
        cmocka_unit_test(address_space_ends_with_its_own_status_and_can_be_used_again),
        SMALL(capacity_is_exact_and_comes_back),
        SMALL(plain_memory_counts_whole_granules_of_its_device),
        SMALL(host_locations_have_a_capacity_of_their_own),
        SMALL(a_new_mapping_gives_rights_to_nobody),
        SMALL(reading_and_writing_are_two_rights),
        SMALL(the_owner_the_executor_or_a_named_peer_must_hold_the_right),
        SMALL(the_host_cannot_be_given_access),
        SMALL(work_may_cross_mappings_but_no_gap),
        SMALL(plain_memory_ends_at_its_last_byte),
        SMALL(a_refusal_names_the_address),
        SMALL(an_import_is_a_new_name_of_the_same_memory),
        SMALL(tokens_mean_nothing_elsewhere),
        SMALL(host_memory_is_real_and_plain),
        SMALL(copies_between_host_addresses_move_bytes),
        cmocka_unit_test(each_call_costs_what_was_configured),
        cmocka_unit_test(memory_costs_by_its_size),
        SMALL(the_check_finds_books_that_do_not_balance),
        cmocka_unit_test(a_quarter_million_mappings_are_no_burden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
