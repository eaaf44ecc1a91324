// SPDX-License-Identifier: Apache-2.0
// How real clients call, with garbage in the fields that they leave unset: nothing is reported,
// statistics are right, and nothing is written where they do not expect it.
#include "world.h"

#include "check/model.h"

#define POOL BASE

static const uint64_t garbage = UINT64_C(0xa5a5a5a5deadbeef);

static void end_program(void) {
    struct tn_check_call call;
    assert_true(tn_check_call_begin(&call, "", false));
    tn_check_leaks_end(&call);
    tn_check_call_end(&call);
}

// A heap whose usage and type were never set.
static mstxMemHeapHandle_t state_reserved(mstxDomainHandle_t domain, uint64_t address,
                                          uint64_t total) {
    mstxMemVirtualRangeDesc_t range = range_at(address, total);
    mstxMemHeapDesc_t desc;
    memset(&desc, 0xa5, sizeof desc);
    desc.typeSpecificDesc = &range;
    return heap_register(domain, &desc);
}

// A batch of which only the ranges were set; its out-handles point to nothing.
static void register_sloppily(mstxDomainHandle_t domain, uint64_t address, uint64_t bytes) {
    mstxMemVirtualRangeDesc_t range = range_at(address, bytes);
    mstxMemRegionsRegisterBatch_t batch;
    memset(&batch, 0xa5, sizeof batch);
    batch.regionCount = 1;
    batch.regionDescArray = &range;
    batch.regionHandleArrayOut = (mstxMemRegionHandle_t *)at(garbage);
    regions_register(domain, &batch);
}

static void caching_allocators_send_statistics_as_heaps(void **state) {
    (void)state;
    (void)domain_create("test");
    for (uint64_t i = 0; i < 100; i++) {
        mstxDomainHandle_t domain = domain_create("ptaCaching");
        assert_null(state_reserved(domain, POOL + i * 512, (i + 1) << 21));
        register_sloppily(domain, POOL + i * 512, 512);
    }
    assert_int_equal(tn_check_region_counts().live, 100);
    assert_int_equal(tn_check_region_counts().live_bytes, 51200);
    assert_int_equal(tn_check_model.stats.heaps_total, 0);
    for (uint64_t i = 0; i < 100; i++) {
        mstxDomainHandle_t domain = domain_create("ptaCaching");
        assert_null(state_reserved(domain, POOL + i * 512, UINT64_C(100) << 21));
        end_in(domain, by_pointer(POOL + i * 512));
    }
    assert_int_equal(tn_check_region_counts().live, 0);
    end_program();
    expect_none();
}

// A block of a caching allocator is not a heap, so accesses inside it are not judged.
static void blocks_of_caching_allocators_are_ordinary_memory(void **state) {
    (void)state;
    mstxDomainHandle_t domain = domain_create("ptaCaching");
    (void)state_reserved(domain, POOL, 1 << 21);
    register_sloppily(domain, POOL, 512);
    do_write(POOL, 512);
    do_write(POOL + 500, 100);
    do_read(POOL + 4096, 8);
    expect_none();
    end_in(domain, by_pointer(POOL));
    end_in(domain, by_pointer(POOL));
    (void)expect_only(TN_CHECK_KIND_DOUBLE_FREE); // but frees are looked at
}

static void ends_by_handle_in_quirk_domains_name_no_region(void **state) {
    (void)state;
    mstxDomainHandle_t domain = domain_create("ptaCaching");
    mstxMemHeapHandle_t heap = state_reserved(domain, POOL, 1 << 21);
    register_sloppily(domain, POOL, 512);
    for (int i = 0; i < 2; i++) {
        end_in(domain, by_handle(NULL));
        heap_unregister(domain, heap);
    }
    expect_none();
    end_program();
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_LEAK);
    assert_int_equal(report->severity, TN_CHECK_SEVERITY_NOTE);
    assert_int_equal(tn_check_report_counts().leaked_regions, 0);
    end_in(NULL, by_handle(NULL)); // elsewhere it is an error
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE);
}

static void workspace_allocators_reuse_their_block(void **state) {
    (void)state;
    mstxDomainHandle_t domain = domain_create("ptaWorkspace");
    for (uint64_t size = 1; size <= 4; size++) {
        (void)state_reserved(domain, POOL, size << 20);
        for (int use = 0; use < 10; use++) {
            register_sloppily(domain, POOL, size << 20);
            end_in(domain, by_pointer(POOL));
        }
    }
    (void)state_reserved(domain, POOL, 0);
    assert_int_equal(tn_check_model.stats.heaps_total, 0);
    end_program();
    expect_none();
}

enum { TENSORS = 6 };

static void launch_kernel(mstxDomainHandle_t domain, mstxMemHeapHandle_t workspace) {
    mstxMemVirtualRangeDesc_t range[TENSORS] = {
        range_at(POOL, 1 << 20),         range_at(POOL + 0x1000, 0x800),
        range_at(POOL + 0x1000, 0x800),  range_at(POOL + 0x2000, 0x1000),
        range_at(POOL + 0x2800, 0x1000), range_at(POOL + 0x8000, 32),
    };
    mstxMemRegionHandle_t handle[TENSORS] = {NULL};
    mstxMemRegionRef_t ref[TENSORS];
    mstxMemRegionsRegisterBatch_t batch = {workspace, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, TENSORS, range,
                                           handle};
    regions_register(domain, &batch);
    do_write(POOL, 1 << 20);
    for (int i = 0; i < TENSORS; i++) {
        assert_non_null(handle[i]);
        ref[i] = by_handle(handle[i]);
    }
    mstxMemRegionsUnregisterBatch_t ends = {TENSORS, ref};
    regions_unregister(domain, &ends);
}

static void operators_register_tensors_around_each_launch(void **state) {
    (void)state;
    mstxDomainHandle_t domain = domain_create("atb");
    mstxMemVirtualRangeDesc_t range = {.deviceId = UINT32_MAX, .ptr = at(POOL), .size = 1 << 20};
    mstxMemHeapDesc_t desc = {0, 0, &range};
    for (int execute = 0; execute < 20; execute++) {
        mstxMemHeapHandle_t workspace = heap_register(domain, &desc);
        assert_non_null(workspace); // NULL switches this client off for good
        for (int node = 0; node < 5; node++) launch_kernel(domain, workspace);
        heap_unregister(domain, workspace);
    }
    assert_int_equal(tn_check_region_counts().live, 0);
    assert_int_equal(tn_check_region_counts().total, 20 * 5 * TENSORS);
    end_program();
    expect_none();
}

static void memory_pools_register_regions_before_heaps(void **state) {
    (void)state;
    mstxDomainHandle_t domain = domain_create("mindsporeMemPool");
    for (uint64_t i = 0; i < 50; i++) {
        register_sloppily(domain, POOL + i * 1024, 1024);
        (void)state_reserved(domain, POOL + i * 1024, UINT64_C(1) << 30);
    }
    for (uint64_t i = 50; i-- > 0;) {
        end_in(domain, by_pointer(POOL + i * 1024));
        (void)state_reserved(domain, POOL + i * 1024, UINT64_C(1) << 30);
    }
    assert_int_equal(tn_check_model.stats.heaps_total, 0);
    assert_int_equal(tn_check_region_counts().total, 50);
    end_program();
    expect_none();
}

static void the_sample_sequence_is_clean(void **state) {
    (void)state;
    tn_check_event_memory_begin(POOL, 1024);
    mstxMemHeapHandle_t pool = heap_at(POOL, 1024);
    mstxMemRegionHandle_t region = region_at(pool, POOL, 256);
    do_write(POOL, 256);
    do_read(POOL, 256);
    end_handle(region);
    heap_unregister(NULL, pool);
    tn_check_event_memory_end(POOL);
    end_program();
    expect_none();
}

static void quirk_domains_are_named_by_option(void **state) {
    (void)state;
    strcpy(options.quirk_domains, "mine,other");
    assert_null(state_reserved(domain_create("other"), POOL, 4096));
    assert_non_null(heap_in(domain_create("ptaCaching"), POOL, 4096));
    assert_non_null(heap_in(domain_create("min"), POOL + 4096, 4096));
    expect_none();
}

static void a_child_begins_without_the_reports_of_its_parent(void **state) {
    (void)state;
    mstxDomainHandle_t domain = domain_create("test");
    end_in(domain, by_pointer(POOL)); // is no region
    assert_int_equal(findings, 1);
    looked_at = findings;
    assert_int_equal(tn_check_report_counts().errors, 1);
    tn_check_model_before_fork();
    tn_check_model_after_fork(true);
    assert_non_null(heap_in(domain, POOL, 4096));
    assert_int_equal(tn_check_report_counts().errors, 0);
    tn_check_model.inherited = 0;
    expect_none();
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(caching_allocators_send_statistics_as_heaps),
        TEST(blocks_of_caching_allocators_are_ordinary_memory),
        TEST(ends_by_handle_in_quirk_domains_name_no_region),
        TEST(workspace_allocators_reuse_their_block),
        TEST(operators_register_tensors_around_each_launch),
        TEST(memory_pools_register_regions_before_heaps),
        TEST(the_sample_sequence_is_clean),
        TEST(quirk_domains_are_named_by_option),
        TEST(a_child_begins_without_the_reports_of_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
