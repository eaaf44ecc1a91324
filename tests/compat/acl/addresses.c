// SPDX-License-Identifier: Apache-2.0
// Queries and frees by address: addresses that are used again, that are freed, or that another
// function allocated, and calls of several steps of which a later one fails.
#include <acl/ops/acl_dvpp.h>
#include <pthread.h>
#include <sched.h>

#include "support/vmm.h"
#include "support/work.h"

static void *allocate_huge(void) {
    void *ptr = NULL;
    assert_acl_ok(aclrtMallocAlign32(&ptr, 2 * MIB, ACL_MEM_MALLOC_HUGE_ONLY));
    return ptr;
}

// Bytes that a module uses on a device; 0 if the module is unknown.
static size_t used_by(int device, const char *module) {
    aclrtMemUsageInfo records[16];
    size_t number = 0;
    assert_acl_ok(aclrtGetMemUsageInfo(device, records, 16, &number));
    for (size_t i = 0; i < number; i++)
        if (strcmp(records[i].name, module) == 0) return records[i].curMemSize;
    return 0;
}

// ---- reuse

static void a_reused_address_belongs_to_its_new_family(void **state) {
    void *media[64];
    void *old = allocate_huge();
    size_t count = 0;
    (void)state;
    assert_acl_ok(aclrtFree(old));
    do { // until the device hands out the address again
        assert_true(count < sizeof media / sizeof media[0]);
        assert_acl_ok(acldvppMalloc(&media[count], 2 * MIB - 64));
    } while (media[count++] != old);
    assert_acl(aclrtFree(old), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "the start of media memory"));
    assert_int_equal(acl_effective_bytes(old), 2 * MIB - 32);
    for (size_t i = 0; i < count; i++) {
        assert_acl_ok(acldvppFree(media[i]));
        assert_acl(acldvppFree(media[i]), ACL_ERROR_RT_PARAM_INVALID);
    }
}

static void a_block_remembers_its_device_and_module(void **state) {
    aclrtMallocAttribute attribute = {.attr = ACL_RT_MEM_ATTR_MODULE_ID, .value.moduleId = 65535};
    aclrtMallocConfig config = {&attribute, 1};
    size_t before = used_by(0, "module 65535");
    void *first = NULL;
    void *second = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocWithCfg(&first, 4 * MIB, ACL_MEM_MALLOC_HUGE_ONLY, &config));
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtMallocWithCfg(&second, 2 * MIB, ACL_MEM_MALLOC_HUGE_ONLY, &config));
    assert_int_equal(used_by(0, "module 65535") - before, 4 * MIB);
    assert_int_equal(used_by(1, "module 65535"), 2 * MIB);
    assert_acl_ok(aclrtFree(first)); // device 1 is current
    assert_int_equal(used_by(0, "module 65535"), before);
    assert_int_equal(used_by(1, "module 65535"), 2 * MIB);
    assert_acl_ok(aclrtFree(second));
    assert_int_equal(used_by(1, "module 65535"), 0);
    assert_acl_ok(aclrtResetDevice(1));
    assert_acl_ok(aclrtSetDevice(0));
}

static void a_reused_reservation_is_not_tied(void **state) {
    aclrtDrvMemHandle own = vmm_create(2 * MIB, 0);
    aclrtDrvMemHandle other = vmm_create(2 * MIB, 1);
    char *start = vmm_reserve(2 * MIB);
    void *again = NULL;
    (void)state;
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, own, 0));
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, other, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl(aclrtReleaseMemAddress(start), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtReserveMemAddress(&again, 2 * MIB, 0, start, 0));
    assert_ptr_equal(again, start);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, other, 0));
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtFreePhysical(own));
    assert_acl_ok(aclrtFreePhysical(other));
}

// ---- freed and foreign addresses

static void freed_device_memory_takes_no_work(void **state) {
    char *ptr = allocate_huge();
    char host[64] = {0};
    void *base = NULL;
    void *mapped = NULL;
    size_t size = 0;
    (void)state;
    assert_acl_ok(aclrtFree(ptr));
    assert_acl(aclrtMemcpy(ptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(host, 64, ptr + 100, 64, ACL_MEMCPY_DEFAULT),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpyAsync(host, 64, ptr, 64, ACL_MEMCPY_DEVICE_TO_HOST, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemset(ptr, 64, 1, 64), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemGetAddressRange(ptr, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtHostGetDevicePointer(ptr, &mapped, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtHostRegisterV2(ptr, 4096, 2), ACL_ERROR_RT_PARAM_INVALID);
}

// Each kind of memory, and the functions that free other kinds.
static void each_function_frees_its_own_kind(void **state) {
    void *device = allocate_huge();
    void *pinned = NULL;
    void *managed = NULL;
    void *registered = aligned_alloc(4096, 4096);
    char *range = vmm_reserve(2 * MIB);
    (void)state;
    assert_acl_ok(aclrtMallocHost(&pinned, 4096));
    assert_acl_ok(aclrtMemAllocManaged(&managed, 4096, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_acl_ok(aclrtHostRegisterV2(registered, 4096, 2));
    vmm_fill(range, 2 * MIB);
    void *const all[] = {device, pinned, managed, registered, range};
    for (size_t i = 0; i < 5; i++) {
        if (all[i] != device && all[i] != managed)
            assert_acl(aclrtFree(all[i]), ACL_ERROR_RT_PARAM_INVALID);
        if (all[i] != pinned) assert_acl(aclrtFreeHost(all[i]), ACL_ERROR_RT_PARAM_INVALID);
        if (all[i] != registered)
            assert_acl(aclrtHostUnregister(all[i]), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
        if (all[i] != range) {
            assert_acl(aclrtUnmapMem(all[i]), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
            assert_acl(aclrtReleaseMemAddress(all[i]), ACL_ERROR_RT_PARAM_INVALID);
        }
        assert_acl(acldvppFree(all[i]), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(aclrtMemPoolFreeAsync(all[i], NULL), ACL_ERROR_RT_PARAM_INVALID);
    }
    assert_acl(aclrtReleaseMemAddress(range), ACL_ERROR_RT_PARAM_INVALID); // something is mapped
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
    assert_acl_ok(aclrtFree(managed));
    assert_acl_ok(aclrtHostUnregister(registered));
    assert_acl_ok(aclrtUnmapMem(range));
    assert_acl_ok(aclrtReleaseMemAddress(range));
    free(registered);
}

// ---- races

#define BLOCKS 200

struct race {
    void *device[BLOCKS];
    void *pinned[BLOCKS];
    _Atomic(int) freed;
    _Atomic(size_t) arrived;
};

// Both threads leave at about the same time.
static void meet_other(struct race *race, size_t round) {
    race->arrived++;
    while (race->arrived < 2 * (round + 1)) (void)sched_yield();
}

static void *free_all(void *arg) {
    struct race *race = arg;
    for (size_t i = 0; i < BLOCKS; i++) {
        meet_other(race, 2 * i);
        race->freed += aclrtFree(race->device[i]) == 0;
        meet_other(race, 2 * i + 1);
        race->freed += aclrtFreeHost(race->pinned[i]) == 0;
    }
    return NULL;
}

// A stream has work, so that pinned memory cannot be freed at once.
static void of_two_threads_one_frees(void **state) {
    static struct race race;
    struct gate gate = {.open = false};
    pthread_t threads[2];
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_acl_ok(aclrtMalloc(&race.device[i], 100, ACL_MEM_MALLOC_HUGE_FIRST));
        assert_acl_ok(aclrtMallocHost(&race.pinned[i], 100));
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, free_all, &race), 0);
    for (size_t i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(race.freed, 2 * BLOCKS);
    atomic_store(&gate.open, true);
    assert_acl_ok(aclrtSynchronizeDevice());
}

// ---- a later step fails

// The simulated device gives the host no rights, so memory of the host is mapped and then refused.
static void a_map_without_rights_is_undone(void *arg) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    aclrtDrvMemHandle host = NULL;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    assert_acl_ok(aclrtMallocPhysical(&host, 2 * MIB, &prop, 0));
    char *start = vmm_reserve(2 * MIB);
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, host, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtUnmapMem(start), ACL_ERROR_RT_DRV_INTERNAL_ERROR); // nothing is mapped
    vmm_fill(start, 2 * MIB);                                          // and nothing is tied
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtFreePhysical(host));
}

static void a_failed_map_leaves_the_reservation_as_it_was(void **state) {
    (void)state;
    acl_in_child(a_map_without_rights_is_undone, NULL, "TARN_ACL_DEVICE", "sim:0,devices=1", NULL);
}

// Pages cannot be mapped, so pools use segments, whose blocks lie in plain memory.
static void blocks_lie_in_segments(void *arg) {
    aclrtMemPoolProps props = {.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
    aclrtMemPool pool = NULL;
    aclrtStream stream = NULL;
    void *block = NULL;
    void *base = NULL;
    size_t size = 0;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtMemPoolCreate(&pool, &props));
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtMemPoolMallocAsync(&block, 1000, pool, stream));
    assert_acl_ok(aclrtMemGetAddressRange((char *)block + 500, &base, &size));
    assert_ptr_equal(base, block);
    assert_in_range(size, 1000, 2000);
    assert_acl(aclrtFree(block), ACL_ERROR_RT_PARAM_INVALID); // also where the segment starts
    assert_acl_ok(aclrtMemPoolFreeAsync(block, stream));
    assert_acl(aclrtMemPoolFreeAsync(block, stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void pools_of_segments_know_their_blocks(void **state) {
    (void)state;
    acl_in_child(blocks_lie_in_segments, NULL, "TARN_ACL_DEVICE", "sim:0,devices=1,vmm=broken",
                 NULL);
}

// Mapped memory of the host costs no descriptor on the way back: a failed map changes nothing.
static void a_map_fails(void *arg) {
    aclrtDrvMemHandle handle = NULL;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    handle = vmm_create(2 * MIB, 0);
    char *start = vmm_reserve(2 * MIB);
    assert_int_not_equal(aclrtMapMem(start, 2 * MIB, 0, handle, 0), 0);
    assert_acl(aclrtUnmapMem(start), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl(aclrtFreePhysical(handle), ACL_ERROR_RT_PARAM_INVALID);
}

static void a_refused_map_keeps_no_reference(void **state) {
    (void)state;
    acl_in_child(a_map_fails, NULL, "TARN_ACL_DEVICE", "sim:0,devices=1,vmm=broken", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_map_leaves_the_reservation_as_it_was), // these three fork: first
        cmocka_unit_test(pools_of_segments_know_their_blocks),
        cmocka_unit_test(a_refused_map_keeps_no_reference),
        WITH_DEVICE(a_reused_address_belongs_to_its_new_family),
        WITH_DEVICE(a_block_remembers_its_device_and_module),
        WITH_DEVICE(a_reused_reservation_is_not_tied),
        WITH_DEVICE(freed_device_memory_takes_no_work),
        WITH_DEVICE(each_function_frees_its_own_kind),
        WITH_DEVICE(of_two_threads_one_frees),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
