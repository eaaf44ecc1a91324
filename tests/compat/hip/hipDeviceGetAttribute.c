// SPDX-License-Identifier: Apache-2.0
// Attributes and properties: numbers that programs decide by, in the layout of HIP 6 and of HIP 5.
#include "support/hip.h"

_Static_assert(sizeof(hipDeviceProp_tR0600) == 1472, "HIP 6's struct");
_Static_assert(offsetof(hipDeviceProp_tR0600, sparseHipArraySupported) == 732, "");
_Static_assert(offsetof(hipDeviceProp_tR0600, memoryPoolSupportedHandleTypes) == 760, "");
_Static_assert(offsetof(hipDeviceProp_tR0600, deferredMappingHipArraySupported) == 764, "");
_Static_assert(sizeof(hipDeviceProp_tR0000) == 792, "HIP 5's struct");
_Static_assert(hipDeviceAttributeMemoryPoolsSupported == 88, "");
_Static_assert(hipDeviceAttributeVirtualMemoryManagementSupported == 89, "");
_Static_assert(hipDeviceAttributeHostRegisterSupported == 90, "");
_Static_assert(hipDeviceAttributeMemoryPoolSupportedHandleTypes == 91, "");
_Static_assert(hipDeviceAttributeManagedMemory == 24, "");
_Static_assert(hipDeviceAttributeConcurrentManagedAccess == 9, "");
_Static_assert(hipDeviceAttributeDirectManagedMemAccessFromHost == 13, "");
_Static_assert(hipDeviceAttributePageableMemoryAccess == 65, "");
_Static_assert(hipDeviceAttributePageableMemoryAccessUsesHostPageTables == 66, "");
_Static_assert(hipDeviceAttributeUnifiedAddressing == 85, "");
_Static_assert(hipDeviceAttributeImageSupport == 10014, "");

static int attribute(int which) {
    int value = -1;
    assert_hip_ok(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)which, 0));
    return value;
}

static void virtual_memory_management_is_there(void **state) {
    (void)state;
    assert_int_equal(attribute(hipDeviceAttributeVirtualMemoryManagementSupported), 1);
    assert_int_equal(attribute(hipDeviceAttributeManagedMemory), 1);
    assert_int_equal(attribute(hipDeviceAttributeImageSupport), 0);
}

static void attributes_and_properties_agree(void **state) {
    hipDeviceProp_t properties;
    (void)state;
    assert_hip_ok(hipGetDeviceProperties(&properties, 1));
    assert_int_equal(properties.totalGlobalMem, 1u << 30);
    assert_int_equal(properties.warpSize, attribute(hipDeviceAttributeWarpSize));
    assert_int_equal(properties.warpSize, 64);
    assert_int_equal(properties.maxThreadsPerBlock,
                     attribute(hipDeviceAttributeMaxThreadsPerBlock));
    assert_int_equal(properties.maxGridSize[1], attribute(hipDeviceAttributeMaxGridDimY));
    assert_int_equal(properties.sparseHipArraySupported, 0);
    assert_int_equal(attribute(hipDeviceAttributeTotalGlobalMem), 1 << 30);
}

// Programs divide by these.
static void no_rate_and_no_size_of_hardware_is_zero(void **state) {
    static const hipDeviceAttribute_t divisors[] = {
        hipDeviceAttributeClockRate,
        hipDeviceAttributeMemoryClockRate,
        hipDeviceAttributeWallClockRate,
        hipDeviceAttributeClockInstructionRate,
        hipDeviceAttributeMemoryBusWidth,
        hipDeviceAttributeL2CacheSize,
        hipDeviceAttributeMultiprocessorCount,
        hipDeviceAttributePhysicalMultiProcessorCount,
        hipDeviceAttributeMaxThreadsPerMultiProcessor,
        hipDeviceAttributeMaxThreadsPerBlock,
        hipDeviceAttributeMaxBlocksPerMultiProcessor,
        hipDeviceAttributeMaxBlockDimX,
        hipDeviceAttributeMaxGridDimX,
        hipDeviceAttributeWarpSize,
        hipDeviceAttributeMaxRegistersPerBlock,
        hipDeviceAttributeMaxRegistersPerMultiprocessor,
        hipDeviceAttributeMaxSharedMemoryPerBlock,
        hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
        hipDeviceAttributeSharedMemPerMultiprocessor,
        hipDeviceAttributeSharedMemPerBlockOptin,
        hipDeviceAttributeSingleToDoublePrecisionPerfRatio,
        hipDeviceAttributeTotalConstantMemory,
        hipDeviceAttributeTotalGlobalMem,
        hipDeviceAttributeTextureAlignment,
        hipDeviceAttributeTexturePitchAlignment,
        hipDeviceAttributeSurfaceAlignment,
        hipDeviceAttributeMaxPitch,
        hipDeviceAttributeNumberOfXccs,
        hipDeviceAttributeAsyncEngineCount,
    };
    hipDeviceProp_t properties;
    hipDeviceProp_tR0000 old;
    (void)state;
    for (size_t i = 0; i < sizeof divisors / sizeof divisors[0]; i++)
        if (attribute((int)divisors[i]) <= 0)
            fail_msg("attribute %d is %d", (int)divisors[i], attribute((int)divisors[i]));
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    assert_hip_ok(hipGetDevicePropertiesR0000(&old, 0));
    assert_int_equal(properties.clockRate, attribute(hipDeviceAttributeClockRate));
    assert_int_equal(properties.memoryClockRate, attribute(hipDeviceAttributeMemoryClockRate));
    assert_int_equal(properties.memoryBusWidth, attribute(hipDeviceAttributeMemoryBusWidth));
    assert_int_equal(old.clockRate, properties.clockRate);
    assert_int_equal(old.memoryClockRate, properties.memoryClockRate);
    assert_int_equal(old.clockInstructionRate, properties.clockInstructionRate);
}

static void pageable_memory_is_not_for_devices(void **state) {
    hipDeviceProp_t properties;
    (void)state;
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    assert_int_equal(properties.pageableMemoryAccess, 0);
    assert_int_equal(properties.pageableMemoryAccessUsesHostPageTables, 0);
    assert_int_equal(attribute(hipDeviceAttributePageableMemoryAccess), 0);
    assert_int_equal(attribute(hipDeviceAttributePageableMemoryAccessUsesHostPageTables), 0);
    assert_int_equal(attribute(hipDeviceAttributeConcurrentManagedAccess),
                     attribute(hipDeviceAttributeManagedMemory));
    assert_int_equal(attribute(hipDeviceAttributeStreamPrioritiesSupported), 1);
}

static void every_attribute_is_a_number_or_refused(void **state) {
    int value = 0;
    (void)state;
    for (int i = 0; i <= hipDeviceAttributeMemoryPoolSupportedHandleTypes; i++) {
        bool number = i != hipDeviceAttributeName && i != hipDeviceAttributeUuid &&
                      i != hipDeviceAttributeLuid;
        assert_hip(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)i, 0),
                   number ? hipSuccess : hipErrorInvalidValue);
    }
    for (int i = hipDeviceAttributeNumberOfXccs; i <= hipDeviceAttributePciChipId; i++)
        assert_hip_ok(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)i, 0));
    assert_hip(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)10021, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)4711, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetAttribute(NULL, hipDeviceAttributeWarpSize, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 2), hipErrorInvalidDevice);
    assert_hip(hipGetDevicePropertiesR0600(NULL, 0), hipErrorInvalidValue);
    (void)hipGetLastError();
}

// They are those of registers, of which the software device has none.
static void the_two_addresses_are_null(void **state) {
    hipDeviceProp_t properties;
    (void)state;
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    for (int i = hipDeviceAttributeHdpMemFlushCntl; i <= hipDeviceAttributeHdpRegFlushCntl; i++) {
        unsigned *address = (unsigned *)&i;
        assert_hip_ok(hipDeviceGetAttribute((int *)&address, (hipDeviceAttribute_t)i, 0));
        assert_null(address);
        assert_ptr_equal(address, properties.hdpMemFlushCntl);
    }
}

static void hip5_programs_get_their_own_struct(void **state) {
    hipDeviceProp_tR0000 old;
    hipDeviceProp_t properties;
    (void)state;
    assert_hip_ok(hipGetDevicePropertiesR0000(&old, 0));
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    assert_string_equal(old.name, properties.name);
    assert_string_equal(old.gcnArchName, properties.gcnArchName);
    assert_int_equal(old.totalGlobalMem, properties.totalGlobalMem);
    assert_int_equal(old.maxThreadsDim[2], properties.maxThreadsDim[2]);
    assert_int_equal(old.pageableMemoryAccess, properties.pageableMemoryAccess);
}

static void chosen_device_meets_the_wish(void **state) {
    hipDeviceProp_t wish;
    int device = 7;
    (void)state;
    memset(&wish, 0, sizeof wish);
    wish.totalGlobalMem = 1u << 20;
    assert_hip_ok(hipChooseDevice(&device, &wish));
    assert_int_equal(device, 0);
    assert_hip(hipChooseDeviceR0600(NULL, &wish), hipErrorInvalidValue);
    hipDeviceProp_tR0000 old;
    memset(&old, 0, sizeof old);
    device = 7;
    assert_hip_ok(hipChooseDeviceR0000(&device, &old));
    assert_int_equal(device, 0);
    assert_hip(hipChooseDeviceR0000(&device, NULL), hipErrorInvalidValue);
    assert_hip(hipChooseDevice(&device, NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void sparse_mode_is_told(void *arg) {
    hipDeviceProp_t properties;
    (void)arg;
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    assert_int_equal(properties.sparseHipArraySupported, 1);
    assert_int_equal(properties.deferredMappingHipArraySupported, 1);
}

static void sparse_arrays_are_an_option(void **state) {
    (void)state;
    hip_in_child(sparse_mode_is_told, NULL, "TARN_HIP_SPARSE", "1", NULL);
}

static void pools_are_shared_by_descriptors(void **state) {
    int types = -1;
    (void)state;
    assert_hip_ok(
        hipDeviceGetAttribute(&types, hipDeviceAttributeMemoryPoolSupportedHandleTypes, 0));
    assert_int_equal(types, hipMemHandleTypePosixFileDescriptor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_arrays_are_an_option), // forks: first
        cmocka_unit_test(pools_are_shared_by_descriptors),
        cmocka_unit_test(virtual_memory_management_is_there),
        cmocka_unit_test(attributes_and_properties_agree),
        cmocka_unit_test(no_rate_and_no_size_of_hardware_is_zero),
        cmocka_unit_test(pageable_memory_is_not_for_devices),
        cmocka_unit_test(the_two_addresses_are_null),
        cmocka_unit_test(every_attribute_is_a_number_or_refused),
        cmocka_unit_test(hip5_programs_get_their_own_struct),
        cmocka_unit_test(chosen_device_meets_the_wish),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
