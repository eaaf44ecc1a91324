// SPDX-License-Identifier: Apache-2.0
// The registry of backends: required slots, groups and stubs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "backend/contract/slots.h"
#include "backend/registry.h"

// A copy of the reference backend's table under another name.
static tarn_backend copy_of_host(const char *name) {
    const tarn_backend *host = tn_backend_find("host", 4);
    assert_non_null(host);
    tarn_backend copy = *host;
    copy.name = name;
    return copy;
}

static void assert_refused(const tarn_backend *backend, const char *word) {
    tarn_error error;
    assert_int_equal(tarn_backend_register(backend), TARN_BAD_ARGUMENT);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, word));
}

enum { M, O, VMM, SHARE, PIN, PEER, FORK, MEMORY_SHARE, ARRAY, GROUPS };

static void a_table_without_a_mandatory_slot_is_refused_by_its_name(void **state) {
    (void)state;
#define REFUSE(slot, group, ...)                                                                   \
    if (group == M) {                                                                              \
        tarn_backend backend = copy_of_host("lame");                                               \
        backend.slot = NULL;                                                                       \
        assert_refused(&backend, "lacks the slot " #slot);                                         \
        assert_null(tn_backend_find("lame", 4));                                                   \
    }
    TN_BACKEND_SLOTS(REFUSE)
#undef REFUSE
}

// A slot of group O is optional by itself; all others belong to a group of several.
static void part_of_a_group_is_refused(void **state) {
    (void)state;
#define REFUSE(slot, group, ...)                                                                   \
    if (group != O && group != M) {                                                                \
        tarn_backend backend = copy_of_host("lame");                                               \
        backend.slot = NULL;                                                                       \
        assert_refused(&backend, "lacks the slot " #slot);                                         \
    }
    TN_BACKEND_SLOTS(REFUSE)
#undef REFUSE
}

static void groups_have_the_slots_of_the_contract(void **state) {
    static const unsigned expected[GROUPS] = {23, 16, 7, 2, 4, 2, 3, 3, 4};
    unsigned size[GROUPS] = {0};
    (void)state;
#define COUNT(slot, group, ...) size[group]++;
    TN_BACKEND_SLOTS(COUNT)
#undef COUNT
    assert_memory_equal(size, expected, sizeof size);
}

static void every_absent_slot_becomes_a_stub(void **state) {
    tarn_backend backend = copy_of_host("bare");
    (void)state;
#define REMOVE(slot, group, ...)                                                                   \
    if (group != M) backend.slot = NULL;
    TN_BACKEND_SLOTS(REMOVE)
#undef REMOVE
    assert_int_equal(tarn_backend_register(&backend), TARN_OK);
    const tarn_backend *bare = tn_backend_find("bare", 4);
    assert_non_null(bare);
#define PRESENT(slot, ...) assert_true(bare->slot != NULL);
    TN_BACKEND_SLOTS(PRESENT)
#undef PRESENT
    tarn_backend_counters counters = {1, 1};
    bare->counters(NULL, &counters);
    assert_int_equal(counters.kernel_mappings, 0);
    assert_int_equal(counters.virtual_ns, 0);
    assert_false(bare->peer_can(NULL, 0, 1));
    assert_true(bare->stream_follow == bare->stream_wait);
    assert_true(bare->stream_peek == bare->stream_query);
    assert_true(bare->event_peek == bare->event_query);
    assert_int_equal(bare->stream_run(NULL, NULL, NULL, NULL, 1), TARN_UNSUPPORTED);
    assert_int_equal(bare->host_register(NULL, NULL, 1, 0, NULL), TARN_UNSUPPORTED);
    bare->fork_prepare(NULL);
    bare->fork_child(NULL);
}

static void bad_heads_are_refused(void **state) {
    (void)state;
    tarn_backend backend = copy_of_host("a:b");
    assert_refused(&backend, "name");
    backend = copy_of_host("abi");
    backend.abi = 99;
    assert_refused(&backend, "abi");
    backend = copy_of_host("host");
    assert_refused(&backend, "exists");
    backend = copy_of_host("size");
    backend.struct_size = 4;
    assert_refused(&backend, "size");
    assert_refused(NULL, "NULL");
}

static void absent_groups_become_stubs_that_name_what_is_missing(void **state) {
    (void)state;
    tarn_backend backend = copy_of_host("plain");
    backend.reserve = NULL;
    backend.release = NULL;
    backend.phys_create = NULL;
    backend.phys_destroy = NULL;
    backend.map = NULL;
    backend.unmap = NULL;
    backend.set_access = NULL;
    backend.memory_export = NULL;
    backend.memory_import = NULL;
    backend.memory_close = NULL;
    backend.check = NULL;
    assert_int_equal(tarn_backend_register(&backend), TARN_OK);
    const tarn_backend *plain = tn_backend_find("plain", 5);
    assert_non_null(plain);
    tarn_addr addr = 0;
    tarn_error error;
    assert_int_equal(plain->reserve(NULL, 4096, 4096, 0, &addr), TARN_UNSUPPORTED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "virtual memory"));
    assert_int_equal(plain->memory_export(NULL, 0, 4096, 1, NULL), TARN_UNSUPPORTED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "keys"));
    assert_int_equal(plain->check(NULL), TARN_OK);
}

static void a_shorter_table_of_an_older_backend_is_good(void **state) {
    (void)state;
    tarn_backend backend = copy_of_host("older");
    backend.struct_size = offsetof(tarn_backend, trim);
    assert_int_equal(tarn_backend_register(&backend), TARN_OK);
    const tarn_backend *older = tn_backend_find("older", 5);
    assert_non_null(older);
    assert_int_equal(older->trim(NULL, 0), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_without_a_mandatory_slot_is_refused_by_its_name),
        cmocka_unit_test(part_of_a_group_is_refused),
        cmocka_unit_test(groups_have_the_slots_of_the_contract),
        cmocka_unit_test(every_absent_slot_becomes_a_stub),
        cmocka_unit_test(bad_heads_are_refused),
        cmocka_unit_test(absent_groups_become_stubs_that_name_what_is_missing),
        cmocka_unit_test(a_shorter_table_of_an_older_backend_is_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
