// SPDX-License-Identifier: Apache-2.0
// All or nothing, proved: each scenario runs over a backend that fails its n-th call, for n = 1, 2,
// 3, ... until it runs through. After each failure the caller undoes what it had, nothing may be
// left, and all books must balance.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tarn/array.h>
#include <tarn/face.h>
#include <tarn/software.h>
#include <tarn/tarn.h>

#include "backend/contract/slots.h"
#include "backend/layer/layer.h"
#include "backend/registry.h"
#include "base/words.h"
#include "core/address/owner.h"
#include "fail/names.h"

// ---- a backend around another one

static const tarn_backend *real;
static long countdown; // calls that still succeed; below zero: all do
static bool fired;

static bool fails(void) {
    if (countdown < 0 || countdown-- > 0) return false;
    countdown = -1; // one failure: undoing must work
    fired = true;
    return true;
}

static tarn_status refuse(const char *slot) {
    return tarn_backend_fail(TARN_NO_DEVICE_MEMORY, slot, 0, "%s was made to fail", slot);
}

#define WRAP(slot, group, parameters, arguments, address, size)                                    \
    static tarn_status wrapped_##slot parameters {                                                 \
        return fails() ? refuse(#slot) : real->slot arguments;                                     \
    }
TN_BACKEND_STATUS_SLOTS(WRAP)

// Waits and queries do not fail here: the core passes their status on and changes nothing.
static bool may_fail(const char *slot) {
#define NAMES(status, arguments, names) names " "
    bool fails = tn_words_find(TN_FAIL_SLOTS(NAMES), ' ', slot, strlen(slot)) >= 0;
    return fails && strstr(slot, "query") == NULL && strstr(slot, "synchronize") == NULL &&
           strcmp(slot, "memory_info") != 0;
}

// Without spans the core calls once for each mapping, and has to undo.
static tarn_status caps_without_spans(void *p, int device, tarn_backend_caps *caps) {
    tarn_status status = real->caps(p, device, caps);
    caps->caps &= ~(uint32_t)TARN_CAP_SPANS;
    return status;
}

static void install(const char *name, const char *as, bool spans) {
    static char names[8][32];
    static int used;
    real = tn_backend_find(name, strlen(name));
    assert_non_null(real);
    (void)snprintf(names[used], sizeof names[used], "%s", as);
    tarn_backend table = *real;
    table.name = names[used++];
#define USE(slot, ...)                                                                             \
    if (may_fail(#slot)) table.slot = wrapped_##slot;
    TN_BACKEND_STATUS_SLOTS(USE)
#undef USE
    if (!spans) table.caps = caps_without_spans;
    assert_int_equal(tarn_backend_register(&table), TARN_OK);
}

// ---- scenarios: return the first failure, having undone everything

enum { PIECES = 4 };

static uint64_t G;       // the granularity of the device that a scenario runs on
static tarn_access less; // than all rights, where there is less
static bool may_lack;    // a card: what it does not have is UNSUPPORTED, and left out

static tarn_status map_pieces(tarn_device *device, tarn_addr addr) {
    tarn_map_item items[PIECES];
    size_t made = 0;
    tarn_status status = TARN_OK;
    while (made < PIECES && status == TARN_OK) {
        items[made].bytes = G;
        status = tarn_phys_create(device, G, NULL, &items[made].phys);
        made += status == TARN_OK;
    }
    if (status == TARN_OK) status = tarn_map_many(addr, items, PIECES);
    while (made > 0) assert_int_equal(tarn_phys_release(items[--made].phys), TARN_OK);
    return status;
}

// Also of memory of pools, which tarn_map_get_access() refuses.
static tarn_access access_at(tarn_addr addr, int device) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_int_equal(tarn_address_query(addr, &info), TARN_OK);
    assert_int_equal(info.kind, TARN_ADDRESS_MAPPED);
    tarn_access read = (info.readable >> device & 1) != 0 ? TARN_ACCESS_READ : TARN_ACCESS_NONE;
    return (info.writable >> device & 1) != 0 ? TARN_ACCESS_READ_WRITE : read;
}

// The backend's own tables must agree with the records: device 0 may read, and write or not.
static void assert_backend_grants(tarn_device *device, tarn_addr addr, bool write) {
    static char sink[PIECES * 4096];
    assert_int_equal(tarn_copy(device, TARN_ADDR(sink), addr, sizeof sink, 0), TARN_OK);
    tarn_status want = write ? TARN_OK : TARN_NO_ACCESS;
    assert_int_equal(tarn_fill(device, addr, 0, 1, G, 0), want);
}

static tarn_status grant_pieces(tarn_device *device, tarn_addr addr) {
    tarn_grant first = {{TARN_LOCATION_DEVICE, 0}, less};
    tarn_grant both[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                         {{TARN_LOCATION_DEVICE, 1}, less}};
    tarn_status status = tarn_map_set_access(addr, PIECES * G, &first, 1);
    if (status != TARN_OK) {
        assert_int_equal(access_at(addr, 0), TARN_ACCESS_NONE);
        return status;
    }
    status = tarn_map_set_access(addr, PIECES * G, both, 2);
    for (int i = 0; i < PIECES; i++) {
        tarn_access want = status == TARN_OK ? TARN_ACCESS_READ_WRITE : less;
        assert_int_equal(access_at(addr + (tarn_addr)i * G, 0), want);
    }
    if (fired) // no further call is made to fail
        assert_backend_grants(device, addr, status == TARN_OK || less == TARN_ACCESS_READ_WRITE);
    return status;
}

static tarn_status virtual_memory(tarn_device *device) {
    tarn_addr addr = 0;
    tarn_status status = tarn_space_reserve(device, PIECES * G, 0, 0, &addr);
    if (status != TARN_OK) return status;
    status = map_pieces(device, addr);
    if (status == TARN_OK) {
        status = grant_pieces(device, addr);
        assert_int_equal(tarn_unmap(addr, PIECES * G, 0), TARN_OK);
    }
    assert_int_equal(tarn_space_release(addr), TARN_OK);
    return status;
}

static tarn_status memory_and_copies(tarn_device *device) {
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    tarn_addr addr = 0;
    tarn_addr huge = 0;
    void *host = NULL;
    desc.bytes = 1000;
    desc.page_class = may_lack ? TARN_PAGE_DEFAULT : TARN_PAGE_HUGE;
    desc.alignment = 4096;
    tarn_status status = tarn_memory_alloc(device, 1000, &addr);
    if (status == TARN_OK) status = tarn_memory_alloc_with(device, &desc, &huge);
    if (status == TARN_OK) status = tarn_host_alloc(device, 1000, 0, &host);
    if (status == TARN_OK) status = tarn_fill(device, addr, 1, 1, 1000, 0);
    if (status == TARN_OK) status = tarn_copy(device, TARN_ADDR(host), addr, 1000, 0);
    assert_int_equal(tarn_host_free(host), TARN_OK);
    assert_int_equal(tarn_memory_free(huge, 0), TARN_OK);
    assert_int_equal(tarn_memory_free(addr, 0), TARN_OK);
    return status;
}

// Words and frees by address never fail for want of memory; only the allocations do.
static tarn_status owned_memory(tarn_device *device) {
    static char arena[8192];
    static const struct tn_owner_ops ops = {.describe = NULL};
    static struct tn_owner owner = {.ops = &ops, .kind = TARN_OWNER_CHANNEL};
    tarn_addr addr = 0;
    void *host = NULL;
    tarn_status status = tarn_memory_alloc(device, 1000, &addr);
    if (status == TARN_OK) {
        assert_int_equal(tarn_address_set_owner(addr, TARN_OWNER_FACE, 1), TARN_OK);
        status = tarn_host_alloc(device, 1000, 0, &host);
    }
    if (status == TARN_OK) {
        assert_int_equal(tarn_address_set_user(TARN_ADDR(host), 2), TARN_OK);
        status = tn_owner_add_range(&owner, TARN_ADDR(arena), sizeof arena);
    }
    if (status == TARN_OK) tn_owner_remove_range(TARN_ADDR(arena));
    assert_int_equal(tarn_free(TARN_ADDR(host), 0), TARN_OK);
    assert_int_equal(tarn_free(addr, 0), TARN_OK);
    return status;
}

static tarn_status memory_keys(tarn_device *device) {
    tarn_addr addr = 0;
    tarn_addr first = 0;
    tarn_addr second = 0;
    tarn_key key;
    tarn_status status = tarn_memory_alloc(device, 1000, &addr);
    status = status == TARN_OK ? tarn_memory_export(addr, &key) : status;
    status = status == TARN_OK ? tarn_memory_allow(device, &key, NULL, 0) : status;
    status = status == TARN_OK ? tarn_memory_import(device, &key, &first) : status;
    status = status == TARN_OK ? tarn_memory_export(addr, &key) : status;
    status = status == TARN_OK ? tarn_memory_import(device, &key, &second) : status;
    assert_int_equal(tarn_memory_free(addr, 0), TARN_OK);
    assert_int_equal(tarn_memory_free(second, 0), TARN_OK);
    assert_int_equal(tarn_memory_free(first, 0), TARN_OK);
    return status;
}

static tarn_status descriptor(tarn_device *device) {
    tarn_addr addr = 0;
    int fd = -1;
    tarn_status status = tarn_memory_alloc(device, 1000, &addr);
    status = status == TARN_OK ? tarn_memory_export_fd(addr, &fd) : status;
    assert_int_equal(status == TARN_OK, fd >= 0);
    if (fd >= 0) assert_int_equal(close(fd), 0);
    assert_int_equal(tarn_memory_free(addr, 0), TARN_OK);
    return status == TARN_UNSUPPORTED ? TARN_OK : status;
}

static tarn_status tokens(tarn_device *device) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_shareable out = {0};
    tarn_phys phys[2] = {0, 0};
    const int pid = 1;
    desc.shareable = TARN_SHAREABLE_TOKEN;
    tarn_status status = tarn_phys_create(device, G, &desc, &phys[0]);
    status = status == TARN_OK ? tarn_phys_export(phys[0], TARN_SHAREABLE_TOKEN, &out) : status;
    status = status == TARN_OK ? tarn_phys_allow(device, &out, &pid, 1) : status;
    status = status == TARN_OK ? tarn_phys_import(device, &out, &phys[1]) : status;
    for (int i = 0; i < 2; i++)
        if (phys[i] != 0) assert_int_equal(tarn_phys_release(phys[i]), TARN_OK);
    return status;
}

static tarn_status copy_into(tarn_device *device, tarn_array array, tarn_stream stream) {
    static char bytes[16];
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
    desc.dst.array = array;
    desc.src.addr = TARN_ADDR(bytes);
    desc.width = sizeof bytes;
    return tarn_array_copy(device, &desc, stream);
}

static tarn_status map_array(tarn_array array, tarn_phys phys, tarn_stream stream) {
    tarn_array_map_item items[2] = {
        {.array = array, .op = TARN_ARRAY_MAP, .phys = phys, .extent = {256, 256, 1}},
        {.array = array, .op = TARN_ARRAY_MAP, .phys = phys, .extent = {512, 256, 1}}};
    return tarn_array_map(items, 2, stream);
}

static tarn_status arrays(tarn_device *device) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_phys_desc memory = TARN_INIT(tarn_phys_desc);
    tarn_array dense = 0;
    tarn_array sparse = 0;
    tarn_phys phys = 0;
    tarn_stream stream = 0;
    desc.extent = (tarn_extent){512, 256, 0};
    desc.element_bytes = 1;
    memory.usage = TARN_USAGE_TILE_POOL;
    tarn_status status = tarn_array_create(device, &desc, &dense);
    desc.flags = TARN_ARRAY_SPARSE;
    status = status == TARN_OK ? tarn_array_create(device, &desc, &sparse) : status;
    status = status == TARN_OK ? tarn_phys_create(device, 2u << 20, &memory, &phys) : status;
    status = status == TARN_OK ? tarn_stream_create(device, &stream) : status;
    status = status == TARN_OK ? map_array(sparse, phys, 0) : status;
    status = status == TARN_OK ? map_array(sparse, phys, stream) : status;
    status = status == TARN_OK ? copy_into(device, dense, 0) : status;
    status = status == TARN_OK ? copy_into(device, sparse, stream) : status;
    if (phys != 0) assert_int_equal(tarn_phys_release(phys), TARN_OK);
    assert_int_equal(tarn_array_destroy(sparse), TARN_OK);
    assert_int_equal(tarn_array_destroy(dense), TARN_OK);
    assert_int_equal(tarn_stream_destroy(stream), TARN_OK);
    return status;
}

static tarn_status registration(tarn_device *device) {
    static char own[8192];
    tarn_status status = tarn_host_register(device, own, sizeof own, 0);
    if (status == TARN_OK) assert_int_equal(tarn_host_unregister(own), TARN_OK);
    return status;
}

static tarn_status streams_and_events(tarn_device *device) {
    tarn_stream first = 0;
    tarn_stream second = 0;
    tarn_event event = 0;
    tarn_status status = tarn_stream_create(device, &first);
    status = status == TARN_OK ? tarn_stream_create(device, &second) : status;
    status = status == TARN_OK ? tarn_event_create(device, &event) : status;
    status = status == TARN_OK ? tarn_event_record(event, first) : status;
    status = status == TARN_OK ? tarn_stream_wait(second, event, 0) : status;
    assert_int_equal(tarn_event_destroy(event), TARN_OK);
    assert_int_equal(tarn_stream_destroy(second), TARN_OK);
    assert_int_equal(tarn_stream_destroy(first), TARN_OK);
    return status;
}

static tarn_status pool_of(tarn_device *device, tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr addr[12] = {0};
    desc.kind = kind;
    desc.device = device;
    desc.limit = 24u << 20;
    tarn_status status = tarn_pool_create(&desc, &pool);
    for (int i = 0; i < 12 && status == TARN_OK; i++) {
        status = tarn_pool_alloc(pool, (uint64_t)(i % 3 + 1) * 700000u, 0, &addr[i]);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        if (i % 4 == 3) { // holes, so that growing must move pages
            assert_int_equal(tarn_pool_free(pool, addr[i - 2]), TARN_OK);
            addr[i - 2] = 0;
        }
    }
    for (int i = 0; i < 12 && pool != NULL; i++)
        assert_int_equal(tarn_pool_free(pool, addr[i]), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    return status;
}

// The pool's pages, four blocks of which one is gone, have one right everywhere.
static void assert_uniform(const tarn_addr block[4], tarn_access want) {
    assert_int_equal(access_at(block[0], 1), want);
    assert_int_equal(access_at(block[2], 1), want);
}

static tarn_status pool_access(tarn_device *device) {
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 1}, less};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr block[4] = {0};
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    tarn_status status = tarn_pool_create(&desc, &pool);
    for (int i = 0; i < 4 && status == TARN_OK; i++)
        status = tarn_pool_alloc(pool, 4u << 20, 0, &block[i]);
    if (status == TARN_OK) {
        tarn_address_info info = TARN_INIT(tarn_address_info);
        assert_int_equal(tarn_pool_free(pool, block[1]), TARN_OK);
        assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(tarn_address_query(block[1], &info), TARN_OK);
        assert_int_equal(info.kind, TARN_ADDRESS_RESERVED); // two runs are left
        block[1] = 0;
        status = tarn_pool_set_access(pool, &grant, 1);
        if (status == TARN_OK || less == TARN_ACCESS_READ) // else nothing can be taken back
            assert_uniform(block, status == TARN_OK ? less : TARN_ACCESS_NONE);
    }
    for (int i = 0; i < 4 && pool != NULL; i++)
        assert_int_equal(tarn_pool_free(pool, block[i]), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    return status;
}

static tarn_status segment_pool(tarn_device *device) { return pool_of(device, TARN_POOL_SEGMENTS); }

static tarn_status expandable_pool(tarn_device *device) {
    return pool_of(device, TARN_POOL_EXPANDABLE);
}

// ---- the loop

struct scenario {
    const char *name;
    tarn_status (*run)(tarn_device *device);
};

static void explain(const char *scenario, long n, tarn_status status) {
    tarn_error error;
    (void)tarn_last_error(&error);
    print_error("scenario %s, call %ld made to fail: %s (last error: %s)\n", scenario, n,
                tarn_status_name(status), error.message);
}

static uint64_t leftovers(tarn_device *device) {
    tarn_platform_stats stats = {.struct_size = sizeof stats};
    assert_int_equal(tarn_platform_query_stats(device, &stats), TARN_OK);
    return stats.reservations + stats.handles + stats.mappings + stats.memory_blocks +
           stats.imported_blocks + stats.host_blocks + stats.streams + stats.events + stats.arrays +
           stats.tiles;
}

static void assert_nothing_left(tarn_device *device) {
    uint64_t free_bytes = 0;
    uint64_t total = 0;
    assert_int_equal(leftovers(device), 0);
    assert_int_equal(tarn_platform_verify(device), TARN_OK);
    assert_int_equal(tarn_device_query_memory(device, &free_bytes, &total), TARN_OK);
    assert_int_equal(free_bytes, total);
}

static void look(tarn_device *device) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    assert_int_equal(tarn_device_query(device, &info), TARN_OK);
    G = info.granularity_minimum;
    less = (info.features & TARN_FEATURE_RIGHTS) != 0 ? TARN_ACCESS_READ : TARN_ACCESS_READ_WRITE;
}

static void fail_each_call(const char *uri, const struct scenario *scenario) {
    tarn_device *device = NULL;
    long failures = 0;
    countdown = -1;
    assert_int_equal(tarn_device_open(uri, &device), TARN_OK);
    look(device);
    if (may_lack && scenario->run(device) == TARN_UNSUPPORTED) {
        assert_nothing_left(device);
        assert_int_equal(tarn_device_close(device), TARN_OK);
        return;
    }
    for (;; failures++) {
        countdown = failures;
        fired = false;
        tarn_status status = scenario->run(device);
        countdown = -1;
        if ((status != TARN_OK && status != TARN_NO_DEVICE_MEMORY) || leftovers(device) != 0)
            explain(scenario->name, failures + 1, status);
        assert_nothing_left(device);
        if (!fired) {
            assert_int_equal(status, TARN_OK);
            break;
        }
        // A pool may get by without the call that failed; everybody else has to say so.
        assert_true(status == TARN_NO_DEVICE_MEMORY || status == TARN_OK);
    }
    assert_true(failures > 0);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void run_all(const char *name, const char *options) {
    static const struct scenario scenarios[] = {
        {"virtual memory", virtual_memory},
        {"memory and copies", memory_and_copies},
        {"owned memory", owned_memory},
        {"memory keys", memory_keys},
        {"descriptor", descriptor},
        {"tokens", tokens},
        {"registration", registration},
        {"segment pool", segment_pool},
        {"streams and events", streams_and_events},
        {"expandable pool", expandable_pool},
        {"pool access", pool_access},
        {"arrays", arrays},
    };
    char uri[64];
    (void)snprintf(uri, sizeof uri, "%s:0,memory=64M%s", name, options);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        fail_each_call(uri, &scenarios[i]);
}

static const char small[] = ",granularity=4K,recommended=2M";

static void any_failing_call_of_host_changes_nothing(void **state) {
    (void)state;
    install("host", "failing-host", true);
    run_all("failing-host", small);
}

static void any_failing_call_of_sim_changes_nothing(void **state) {
    (void)state;
    install("sim", "failing-sim", true);
    run_all("failing-sim", small);
}

static void a_backend_without_spans_is_undone_half_way(void **state) {
    (void)state;
    install("sim", "failing-each", false);
    run_all("failing-each", small);
}

// Over the library that stands in for its vendor's: see tests/CMakeLists.txt.
static void any_failing_call_of_a_card_changes_nothing(void **state) {
    const char *card = getenv("TARN_TEST_CARD");
    (void)state;
    if (card == NULL) skip();
    may_lack = true;
    install(card, "failing-card", true);
    run_all("failing-card", "");
    may_lack = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_failing_call_of_host_changes_nothing),
        cmocka_unit_test(any_failing_call_of_sim_changes_nothing),
        cmocka_unit_test(a_backend_without_spans_is_undone_half_way),
        cmocka_unit_test(any_failing_call_of_a_card_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
