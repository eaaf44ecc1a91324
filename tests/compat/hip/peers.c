// SPDX-License-Identifier: Apache-2.0
// Peers, single facts, preferences and limits.
#include "support/hip.h"

static void devices_of_a_platform_reach_each_other(void **state) {
    int can = -1;
    (void)state;
    assert_hip_ok(hipDeviceCanAccessPeer(&can, 0, 1));
    assert_int_equal(can, 1);
    assert_hip_ok(hipDeviceCanAccessPeer(&can, 1, 1));
    assert_int_equal(can, 0);
    assert_hip(hipDeviceCanAccessPeer(NULL, 0, 1), hipErrorInvalidValue);
    assert_hip(hipDeviceCanAccessPeer(&can, 0, 2), hipErrorInvalidDevice);
    assert_hip(hipDeviceCanAccessPeer(&can, -1, 0), hipErrorInvalidDevice);
}

static void peer_access_is_enabled_once_and_disabled_once(void **state) {
    (void)state;
    assert_hip(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
    assert_hip(hipDeviceEnablePeerAccess(1, 1), hipErrorInvalidValue);
    assert_hip_ok(hipDeviceEnablePeerAccess(1, 0));
    assert_hip(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
    assert_hip_ok(hipDeviceDisablePeerAccess(1));
    assert_hip(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
    assert_hip(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
    assert_hip(hipDeviceEnablePeerAccess(9, 0), hipErrorInvalidDevice);
    assert_hip(hipDeviceDisablePeerAccess(0), hipErrorInvalidDevice);
}

static void attributes_of_a_pair(void **state) {
    int value = -1;
    (void)state;
    assert_hip_ok(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 1));
    assert_int_equal(value, 1);
    assert_hip_ok(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrPerformanceRank, 0, 1));
    assert_int_equal(value, 0);
    assert_hip(hipDeviceGetP2PAttribute(&value, (hipDeviceP2PAttr)9, 0, 1), hipErrorInvalidValue);
    assert_hip(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 1, 1),
               hipErrorInvalidDevice);
    assert_hip(hipDeviceGetP2PAttribute(NULL, hipDevP2PAttrAccessSupported, 0, 1),
               hipErrorInvalidValue);
}

static void single_facts(void **state) {
    char name[64];
    size_t bytes = 0;
    int major = -1;
    int minor = -1;
    hipUUID first;
    hipUUID second;
    (void)state;
    assert_hip_ok(hipDeviceGetName(name, sizeof name, 0));
    assert_true(strlen(name) > 0);
    assert_hip_ok(hipDeviceGetName(name, 3, 0));
    assert_int_equal(strlen(name), 2);
    assert_hip(hipDeviceGetName(name, 0, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetName(NULL, 3, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetName(name, 3, 5), hipErrorInvalidDevice);
    assert_hip_ok(hipDeviceTotalMem(&bytes, 1));
    assert_int_equal(bytes, 1u << 30);
    assert_hip(hipDeviceTotalMem(NULL, 1), hipErrorInvalidValue);
    assert_hip_ok(hipDeviceComputeCapability(&major, &minor, 0));
    assert_true(major >= 0 && minor >= 0);
    assert_hip(hipDeviceComputeCapability(NULL, &minor, 0), hipErrorInvalidValue);
    assert_hip_ok(hipDeviceGetUuid(&first, 0));
    assert_hip_ok(hipDeviceGetUuid(&second, 1));
    assert_memory_not_equal(&first, &second, sizeof first);
    assert_hip(hipDeviceGetUuid(NULL, 1), hipErrorInvalidValue);
}

static void bus_address_leads_back_to_the_device(void **state) {
    char text[16];
    int device = -1;
    (void)state;
    assert_hip_ok(hipDeviceGetPCIBusId(text, sizeof text, 1));
    assert_int_equal(strlen(text), 12);
    assert_hip_ok(hipDeviceGetByPCIBusId(&device, text));
    assert_int_equal(device, 1);
    char same[sizeof text];
    memcpy(same, text, sizeof text);
    assert_hip(hipDeviceGetPCIBusId(text, 12, 1), hipErrorInvalidValue);
    assert_memory_equal(text, same, sizeof text);
    assert_hip(hipDeviceGetByPCIBusId(&device, "0000:03:00.0"), hipErrorInvalidDevice);
    assert_hip(hipDeviceGetByPCIBusId(&device, "nonsense"), hipErrorInvalidValue);
    assert_hip(hipDeviceGetByPCIBusId(NULL, text), hipErrorInvalidValue);
    assert_hip(hipDeviceGetByPCIBusId(&device, NULL), hipErrorInvalidValue);
}

static void preferences_are_told_again(void **state) {
    hipFuncCache_t cache = hipFuncCachePreferNone;
    hipSharedMemConfig banks = hipSharedMemBankSizeDefault;
    unsigned flags = 9;
    (void)state;
    assert_hip_ok(hipDeviceSetCacheConfig(hipFuncCachePreferL1));
    assert_hip_ok(hipDeviceGetCacheConfig(&cache));
    assert_int_equal(cache, hipFuncCachePreferL1);
    assert_hip(hipDeviceSetCacheConfig((hipFuncCache_t)4), hipErrorInvalidValue);
    assert_hip(hipDeviceGetCacheConfig(NULL), hipErrorInvalidValue);
    assert_hip_ok(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeEightByte));
    assert_hip_ok(hipDeviceGetSharedMemConfig(&banks));
    assert_int_equal(banks, hipSharedMemBankSizeFourByte); // that of every device of AMD
    assert_hip(hipDeviceSetSharedMemConfig((hipSharedMemConfig)3), hipErrorInvalidValue);
    assert_hip(hipDeviceGetSharedMemConfig(NULL), hipErrorInvalidValue);
    assert_hip_ok(hipSetDeviceFlags(hipDeviceScheduleBlockingSync));
    assert_hip_ok(hipGetDeviceFlags(&flags));
    assert_int_equal(flags, hipDeviceScheduleBlockingSync);
    assert_hip_ok(hipSetDeviceFlags(hipDeviceScheduleBlockingSync | hipDeviceMapHost));
    assert_hip_ok(hipGetDeviceFlags(&flags));
    assert_int_equal(flags, hipDeviceScheduleBlockingSync); // only the schedule is kept
    assert_hip(hipSetDeviceFlags(hipDeviceScheduleSpin | hipDeviceScheduleYield),
               hipErrorInvalidValue);
    assert_hip(hipSetDeviceFlags(0x100), hipErrorInvalidValue);
    assert_hip(hipGetDeviceFlags(NULL), hipErrorInvalidValue);
    assert_hip_ok(hipSetDevice(1)); // which has preferences of its own
    assert_hip_ok(hipDeviceGetCacheConfig(&cache));
    assert_int_equal(cache, hipFuncCachePreferNone);
    assert_hip_ok(hipSetDevice(0));
}

static size_t limit_of(enum hipLimit_t limit) {
    size_t value = 7;
    assert_hip_ok(hipDeviceGetLimit(&value, limit));
    return value;
}

static void limits_are_kept_for_each_device(void **state) {
    size_t value = 7;
    (void)state;
    assert_int_equal(limit_of(hipLimitStackSize), 1024);
    assert_int_equal(limit_of(hipLimitMallocHeapSize), 8 << 20);
    assert_hip(hipDeviceGetLimit(&value, hipLimitPrintfFifoSize), hipErrorUnsupportedLimit);
    assert_hip(hipDeviceSetLimit(hipLimitPrintfFifoSize, 4096), hipErrorUnsupportedLimit);
    assert_hip(hipDeviceGetLimit(&value, (enum hipLimit_t)3), hipErrorInvalidValue);
    assert_hip(hipDeviceSetLimit((enum hipLimit_t)3, 4096), hipErrorInvalidValue);
    assert_hip(hipDeviceGetLimit(NULL, hipLimitStackSize), hipErrorInvalidValue);
    assert_int_equal(value, 7);
    assert_hip(hipDeviceSetLimit(hipLimitStackSize, 131057), hipErrorInvalidValue);
    assert_hip(hipDeviceSetLimit(hipLimitMallocHeapSize, 1 << 30), hipErrorInvalidValue);
    assert_int_equal(limit_of(hipLimitStackSize), 1024);
    assert_hip_ok(hipDeviceSetLimit(hipLimitStackSize, 1000));
    assert_int_equal(limit_of(hipLimitStackSize), 1008);
    assert_hip_ok(hipDeviceSetLimit(hipLimitStackSize, 131056));
    assert_int_equal(limit_of(hipLimitStackSize), 131056);
    assert_hip_ok(hipDeviceSetLimit(hipLimitMallocHeapSize, 12345));
    assert_int_equal(limit_of(hipLimitMallocHeapSize), 12345);
    assert_hip_ok(hipSetDevice(1));
    assert_int_equal(limit_of(hipLimitStackSize), 1024);
    assert_hip_ok(hipSetDevice(0));
}

static void functions_are_found_by_name(void **state) {
    void *address = NULL;
    hipDriverProcAddressQueryResult found = HIP_GET_PROC_ADDRESS_SUCCESS;
    (void)state;
    assert_hip_ok(hipGetProcAddress("hipSetDevice", &address, HIP_VERSION, 0, &found));
    assert_int_equal(found, HIP_GET_PROC_ADDRESS_SUCCESS);
    hipError_t (*set)(int) = NULL;
    memcpy(&set, &address, sizeof set);
    assert_hip_ok(set(0));
    assert_hip(hipGetProcAddress("tarn_map", &address, HIP_VERSION, 0, &found),
               hipErrorInvalidValue);
    assert_int_equal(found, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    assert_hip(hipGetProcAddress(NULL, &address, HIP_VERSION, 0, NULL), hipErrorInvalidValue);
}

static void *address_of(const char *name, int version) {
    void *address = NULL;
    assert_hip_ok(hipGetProcAddress(name, &address, version, 0, NULL));
    return address;
}

static void a_version_decides_between_two_structs(void **state) {
    static const char *const names[][2] = {
        {"hipGetDeviceProperties", "hipGetDevicePropertiesR0600"},
        {"hipChooseDevice", "hipChooseDeviceR0600"}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        void *newer = address_of(names[i][1], 0);
        assert_ptr_equal(address_of(names[i][0], 600), newer);
        assert_ptr_equal(address_of(names[i][0], HIP_VERSION), newer);
        assert_ptr_not_equal(address_of(names[i][0], 599), newer);
        assert_ptr_equal(address_of(names[i][1], 500), newer);
    }
    hipDeviceProp_tR0600 properties;
    hipError_t (*get)(hipDeviceProp_tR0600 *, int) = NULL;
    void *address = address_of("hipGetDeviceProperties", 600);
    memcpy(&get, &address, sizeof get);
    memset(&properties, 0xa5, sizeof properties);
    assert_hip_ok(get(&properties, 0));
    assert_int_equal(((unsigned char *)&properties)[sizeof properties - 1], 0); // all 1472 bytes
}

static void only_names_of_the_library_are_found(void **state) {
    hipDriverProcAddressQueryResult found = HIP_GET_PROC_ADDRESS_SUCCESS;
    void *address = &address;
    (void)state;
    assert_hip(hipGetProcAddress("malloc", &address, 600, 0, &found), hipErrorInvalidValue);
    assert_int_equal(found, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    assert_null(address);
    assert_hip(hipGetProcAddress("hipAmdFileRead", &address, 700, 0, &found), hipErrorInvalidValue);
    assert_hip(hipGetProcAddress("", &address, 600, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGetProcAddress("hipInit", NULL, 600, 0, NULL), hipErrorInvalidValue);
}

static void an_entry_point_may_be_that_of_the_threads_stream(void **state) {
    hipDriverEntryPointQueryResult found = hipDriverEntryPointVersionNotSufficent;
    void *address = NULL;
    (void)state;
    for (unsigned flags = 0; flags < 3; flags++) {
        assert_hip_ok(hipGetDriverEntryPoint("hipMemcpyAsync", &address, flags, &found));
        assert_int_equal(found, hipDriverEntryPointSuccess);
        assert_ptr_equal(address,
                         address_of(flags == hipEnablePerThreadDefaultStream ? "hipMemcpyAsync_spt"
                                                                             : "hipMemcpyAsync",
                                    0));
        assert_hip_ok(hipGetDriverEntryPoint_spt("hipMemcpyAsync", &address, flags, NULL));
        assert_ptr_equal(address, address_of(flags == hipEnableLegacyStream ? "hipMemcpyAsync"
                                                                            : "hipMemcpyAsync_spt",
                                             0));
    }
    assert_hip_ok(hipGetDriverEntryPoint("hipFree", &address, 2, NULL)); // there is no hipFree_spt
    assert_ptr_equal(address, address_of("hipFree", 0));
    assert_hip_ok(hipGetDriverEntryPoint("hipGetDeviceProperties", &address, 0, NULL));
    assert_ptr_equal(address, address_of("hipGetDeviceProperties", 599));
    assert_hip(hipGetDriverEntryPoint("hipNothing", &address, 0, &found), hipErrorInvalidValue);
    assert_int_equal(found, hipDriverEntryPointSymbolNotFound);
    assert_null(address);
    assert_hip(hipGetDriverEntryPoint("hipFree", &address, 3, NULL), hipErrorInvalidValue);
    assert_hip(hipGetDriverEntryPoint(NULL, &address, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGetDriverEntryPoint("", &address, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGetDriverEntryPoint("hipFree", NULL, 0, NULL), hipErrorInvalidValue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_of_a_platform_reach_each_other),
        cmocka_unit_test(peer_access_is_enabled_once_and_disabled_once),
        cmocka_unit_test(attributes_of_a_pair),
        cmocka_unit_test(single_facts),
        cmocka_unit_test(bus_address_leads_back_to_the_device),
        cmocka_unit_test(preferences_are_told_again),
        cmocka_unit_test(limits_are_kept_for_each_device),
        cmocka_unit_test(functions_are_found_by_name),
        cmocka_unit_test(a_version_decides_between_two_structs),
        cmocka_unit_test(only_names_of_the_library_are_found),
        cmocka_unit_test(an_entry_point_may_be_that_of_the_threads_stream),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
