// SPDX-License-Identifier: Apache-2.0
// Capacity of devices, and the modules that use it (spec 3.10; vector V12).
#include <stdio.h>

#include "support/acl.h"

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static void arguments_are_checked_in_order(void **state) {
    size_t left = 5;
    size_t all = 6;
    (void)state;
    // V12
    assert_acl(aclrtGetMemInfo((aclrtMemAttr)0, NULL, &all), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemInfo((aclrtMemAttr)18, &left, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemInfo((aclrtMemAttr)18, &left, &all), ACL_ERROR_RT_INVALID_MEMORY_TYPE);
    assert_acl(aclrtGetMemInfo((aclrtMemAttr)-1, &left, &all), ACL_ERROR_RT_INVALID_MEMORY_TYPE);
    assert_acl(aclrtGetMemInfo(ACL_HBM_MEM, &left, &all), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(left, 5);
    assert_int_equal(all, 6);
}

static size_t free_of(aclrtMemAttr attr, size_t total) {
    size_t left = 0;
    size_t all = 0;
    assert_acl_ok(aclrtGetMemInfo(attr, &left, &all));
    assert_int_equal(all, total);
    return left;
}

static void every_attribute_is_told(void **state) {
    static const struct {
        aclrtMemAttr attr;
        size_t left; // of 1 GiB, 4 KiB of which are taken
    } rows[] = {{ACL_DDR_MEM, GIB - 4096},
                {ACL_HBM_MEM, GIB - 4096},
                {ACL_DDR_MEM_HUGE, GIB - 2 * MIB},
                {ACL_DDR_MEM_NORMAL, GIB - 4096},
                {ACL_HBM_MEM_HUGE, GIB - 2 * MIB},
                {ACL_HBM_MEM_NORMAL, GIB - 4096},
                {ACL_DDR_MEM_P2P_HUGE, GIB - 2 * MIB},
                {ACL_DDR_MEM_P2P_NORMAL, GIB - 4096},
                {ACL_HBM_MEM_P2P_HUGE, GIB - 2 * MIB},
                {ACL_HBM_MEM_P2P_NORMAL, GIB - 4096},
                {ACL_HBM_MEM_HUGE1G, 0},
                {ACL_HBM_MEM_P2P_HUGE1G, 0},
                {ACL_MEM_NORMAL, GIB - 4096},
                {ACL_MEM_HUGE, GIB - 2 * MIB},
                {ACL_MEM_HUGE1G, 0},
                {ACL_MEM_P2P_NORMAL, GIB - 4096},
                {ACL_MEM_P2P_HUGE, GIB - 2 * MIB},
                {ACL_MEM_P2P_HUGE1G, 0}};
    void *ptr = NULL;
    (void)state;
    assert_int_equal(free_of(ACL_HBM_MEM_HUGE1G, GIB), GIB);
    assert_acl_ok(aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_NORMAL_ONLY));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(rows[i].attr, i);
        assert_int_equal(free_of(rows[i].attr, GIB), rows[i].left);
    }
    assert_acl_ok(aclrtFree(ptr));
    assert_int_equal(free_of(ACL_HBM_MEM, GIB), GIB);
}

static void attributes_of_generation_1(void *arg) {
    size_t left = 0;
    size_t all = 0;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtGetMemInfo(ACL_HBM_MEM_P2P_HUGE1G, &left, &all));
    assert_acl(aclrtGetMemInfo(ACL_MEM_NORMAL, &left, &all), ACL_ERROR_RT_INVALID_MEMORY_TYPE);
}

static void generation_1_has_fewer_attributes(void **state) {
    (void)state;
    acl_in_child(attributes_of_generation_1, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

// ---- who uses it

static aclrtMemUsageInfo usage_of(const char *name) {
    aclrtMemUsageInfo records[32];
    size_t count = 0;
    assert_acl_ok(aclrtGetMemUsageInfo(0, records, 32, &count));
    for (size_t i = 0; i < count; i++)
        if (strcmp(records[i].name, name) == 0) return records[i];
    return (aclrtMemUsageInfo){.name = "none"};
}

static void *allocate_for(uint16_t module, size_t size) {
    aclrtMallocAttribute attr = {ACL_RT_MEM_ATTR_MODULE_ID, {.moduleId = module}};
    aclrtMallocConfig config = {&attr, 1};
    void *ptr = NULL;
    assert_acl_ok(aclrtMallocWithCfg(&ptr, size, ACL_MEM_MALLOC_HUGE_FIRST, &config));
    return ptr;
}

static void modules_are_counted_apart(void **state) {
    (void)state;
    void *a = allocate_for(7, 1);
    void *b = allocate_for(7, 3 * MIB);
    void *c = allocate_for(65535, MIB);
    assert_int_equal(usage_of("module 7").curMemSize, 4096 + 4 * MIB);
    assert_acl_ok(aclrtFree(b));
    assert_int_equal(usage_of("module 7").curMemSize, 4096);
    assert_int_equal(usage_of("module 7").memPeakSize, 4096 + 4 * MIB);
    assert_int_equal(usage_of("module 65535").curMemSize, MIB);
    assert_acl_ok(aclrtFree(a));
    assert_acl_ok(aclrtFree(c));
    assert_acl_ok(aclrtMalloc(&a, 1, ACL_MEM_MALLOC_HUGE_ONLY));
    assert_int_equal(usage_of("acl").curMemSize, 2 * MIB);
    assert_acl_ok(aclrtFree(a));
    assert_int_equal(usage_of("acl").curMemSize, 0);
    assert_int_equal(usage_of("module 7").curMemSize, 0);
}

static void usage_fills_what_there_is_room_for(void **state) {
    aclrtMemUsageInfo records[3] = {{.name = "mine"}, {.name = "mine"}, {.name = "mine"}};
    size_t count = 9;
    (void)state;
    assert_acl_ok(aclrtFree(allocate_for(1, 1)));
    assert_acl_ok(aclrtFree(allocate_for(2, 1)));
    assert_acl_ok(aclrtFree(allocate_for(3, 1)));
    assert_acl(aclrtGetMemUsageInfo(0, NULL, 1, &count), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemUsageInfo(0, records, 0, &count), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemUsageInfo(0, records, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemUsageInfo(2, records, 1, &count), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtGetMemUsageInfo(-1, records, 1, &count), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_int_equal(count, 9);
    assert_acl_ok(aclrtGetMemUsageInfo(0, records, 2, &count));
    assert_int_equal(count, 2);
    assert_string_not_equal(records[1].name, "mine");
    assert_string_equal(records[2].name, "mine");
    assert_acl_ok(aclrtGetMemUsageInfo(1, records, 3, &count)); // nothing was ever there
    assert_int_equal(count, 0);
}

static void usage_needs_a_context(void **state) {
    aclrtMemUsageInfo record;
    size_t count = 0;
    (void)state;
    assert_acl(aclrtGetMemUsageInfo(0, &record, 1, &count), ACL_ERROR_RT_CONTEXT_NULL);
}

static void memory_has_no_faults(void **state) {
    aclrtMemUceInfo fault;
    size_t count = 9;
    (void)state;
    assert_acl(aclrtGetMemUceInfo(0, NULL, 1, &count), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemUceInfo(0, &fault, 0, &count), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemUceInfo(0, &fault, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetMemUceInfo(9, &fault, 1, &count), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl_ok(aclrtGetMemUceInfo(0, &fault, 1, &count));
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generation_1_has_fewer_attributes), // forks: first
        cmocka_unit_test(arguments_are_checked_in_order),
        cmocka_unit_test(usage_needs_a_context),
        WITH_DEVICE(every_attribute_is_told),
        WITH_DEVICE(modules_are_counted_apart),
        WITH_DEVICE(usage_fills_what_there_is_room_for),
        WITH_DEVICE(memory_has_no_faults),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
