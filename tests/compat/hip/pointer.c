// SPDX-License-Identifier: Apache-2.0
// hipPointerGetAttributes, hipPointerGetAttribute, hipDrvPointerGetAttributes,
// hipPointerSetAttribute: what a pointer is, whatever number it is.
#include "support/hip.h"

#define PAGE ((size_t)4096)

static hipPointerAttribute_t attributes_of(const void *ptr) {
    hipPointerAttribute_t attributes;
    memset(&attributes, 0x77, sizeof attributes);
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    return attributes;
}

static void expect_unknown(const void *ptr) {
    hipPointerAttribute_t attributes = attributes_of(ptr);
    unsigned type = 77;
    void *base = &base;
    assert_int_equal(attributes.type, hipMemoryTypeUnregistered);
    assert_int_equal(attributes.device, hipInvalidDeviceId);
    assert_null(attributes.devicePointer);
    assert_null(attributes.hostPointer);
    assert_int_equal(attributes.isManaged, 0);
    assert_int_equal(attributes.allocationFlags, 0);
    hipDeviceptr_t number = (hipDeviceptr_t)(uintptr_t)ptr;
    assert_hip(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, number),
               hipErrorInvalidValue);
    assert_int_equal(type, 0);
    hipPointer_attribute wishes[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                     HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR};
    void *data[] = {&type, &base};
    assert_hip_ok(hipDrvPointerGetAttributes(2, wishes, data, number));
    assert_int_equal(type, hipMemoryTypeUnregistered);
    assert_null(base);
}

static void device_memory_is_of_its_device(void **state) {
    char *ptr = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc((void **)&ptr, PAGE));
    assert_hip_ok(hipSetDevice(0));
    for (size_t at = 0; at < PAGE; at += PAGE - 1) {
        hipPointerAttribute_t attributes = attributes_of(ptr + at);
        assert_int_equal(attributes.type, hipMemoryTypeDevice);
        assert_int_equal(attributes.device, 1);
        assert_ptr_equal(attributes.devicePointer, ptr + at);
        assert_null(attributes.hostPointer);
        assert_int_equal(attributes.isManaged, 0);
        assert_int_equal(attributes.allocationFlags, 0);
    }
    expect_unknown(ptr + PAGE);
    assert_hip_ok(hipFree(ptr));
    expect_unknown(ptr);
}

static void pinned_memory_is_of_the_host(void **state) {
    char *ptr = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&ptr, PAGE, hipHostMallocCoherent));
    hipPointerAttribute_t attributes = attributes_of(ptr + 7);
    assert_int_equal(attributes.type, hipMemoryTypeHost);
    assert_int_equal(attributes.device, 0);
    assert_ptr_equal(attributes.devicePointer, ptr + 7);
    assert_ptr_equal(attributes.hostPointer, ptr + 7);
    assert_int_equal(attributes.isManaged, 0);
    assert_int_equal(attributes.allocationFlags, hipHostMallocCoherent);
    assert_hip_ok(hipHostFree(ptr));
    expect_unknown(ptr);
}

static void any_number_is_answered(void **state) {
    static char mine[64];
    char *heap = malloc(64);
    (void)state;
    expect_unknown(mine);
    expect_unknown(heap);
    expect_unknown(&heap);
    expect_unknown("text");
    expect_unknown((void *)UINTPTR_MAX);
    for (unsigned bit = 0; bit < 64; bit++) expect_unknown((void *)((uintptr_t)1 << bit));
    free(heap);
}

static void nulls_are_refused(void **state) {
    void *ptr = NULL;
    int value = 77;
    hipPointer_attribute wish = HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
    void *data = &value;
    void *nowhere = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, PAGE));
    assert_hip(hipPointerGetAttributes(NULL, ptr), hipErrorInvalidValue);
    assert_hip(hipPointerGetAttribute(NULL, wish, ptr), hipErrorInvalidValue);
    assert_hip(hipPointerGetAttribute(&value, wish, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvPointerGetAttributes(0, &wish, &data, ptr), hipErrorInvalidValue);
    assert_hip(hipDrvPointerGetAttributes(1, NULL, &data, ptr), hipErrorInvalidValue);
    assert_hip(hipDrvPointerGetAttributes(1, &wish, NULL, ptr), hipErrorInvalidValue);
    assert_hip(hipDrvPointerGetAttributes(1, &wish, &nowhere, ptr), hipErrorInvalidValue);
    assert_hip(hipDrvPointerGetAttributes(1, &wish, &data, NULL), hipErrorInvalidValue);
    assert_int_equal(value, 77);
    assert_hip_ok(hipFree(ptr));
}

// A property whose value is of type `type`, written nowhere else.
#define EXPECT(ptr, attribute, type, want)                                                         \
    do {                                                                                           \
        struct {                                                                                   \
            type value;                                                                            \
            unsigned char behind[8];                                                               \
        } room;                                                                                    \
        memset(&room, 0x77, sizeof room);                                                          \
        assert_hip_ok(                                                                             \
            hipPointerGetAttribute(&room.value, HIP_POINTER_ATTRIBUTE_##attribute, ptr));          \
        assert_true(room.value == (want));                                                         \
        assert_int_equal(room.behind[0], 0x77);                                                    \
    } while (0)

static void each_property_is_told(void **state) {
    char *device = NULL;
    char *host = NULL;
    char *managed = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc((void **)&device, 5000));
    assert_hip_ok(hipHostMalloc((void **)&host, 6000, hipHostMallocPortable));
    assert_hip_ok(hipMallocManaged((void **)&managed, 7000, hipMemAttachGlobal));
    EXPECT(device + 1, MEMORY_TYPE, hipMemoryType, hipMemoryTypeDevice);
    EXPECT(host + 1, MEMORY_TYPE, hipMemoryType, hipMemoryTypeHost);
    EXPECT(managed + 1, MEMORY_TYPE, hipMemoryType, hipMemoryTypeManaged);
    EXPECT(device + 1, DEVICE_POINTER, char *, device + 1);
    EXPECT(host + 1, DEVICE_POINTER, char *, host + 1);
    EXPECT(host + 1, HOST_POINTER, char *, host + 1);
    EXPECT(managed + 1, HOST_POINTER, char *, managed + 1);
    EXPECT(device + 1, IS_MANAGED, bool, false);
    EXPECT(managed + 1, IS_MANAGED, bool, true);
    EXPECT(device + 1, DEVICE_ORDINAL, int, 1);
    EXPECT(device + 1, RANGE_START_ADDR, char *, device);
    EXPECT(device + 1, RANGE_SIZE, unsigned, 5000);
    EXPECT(managed + 1, RANGE_SIZE, unsigned, 7000);
    EXPECT(device + 1, MAPPED, bool, true);
    EXPECT(device + 1, ACCESS_FLAGS, unsigned, hipDeviceMallocDefault);
    EXPECT(host + 1, ACCESS_FLAGS, unsigned, hipHostMallocPortable);
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipFree(device));
    assert_hip_ok(hipFree(managed));
    assert_hip_ok(hipHostFree(host));
}

static unsigned id_of(void *ptr) {
    unsigned id = 0;
    assert_hip_ok(hipPointerGetAttribute(&id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, ptr));
    return id;
}

static void a_block_at_an_old_address_has_a_new_id(void **state) {
    char *ptr = NULL;
    (void)state;
    assert_hip_ok(hipMalloc((void **)&ptr, PAGE));
    unsigned first = id_of(ptr);
    assert_int_not_equal(first, 0);
    assert_int_equal(id_of(ptr + 100), first);
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipMalloc((void **)&ptr, PAGE));
    assert_int_not_equal(id_of(ptr), first);
    assert_hip_ok(hipFree(ptr));
}

static void what_amd_does_not_support_is_refused(void **state) {
    static const hipPointer_attribute wishes[] = {
        HIP_POINTER_ATTRIBUTE_CONTEXT,
        HIP_POINTER_ATTRIBUTE_P2P_TOKENS,
        HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE,
        HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
        HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
        HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
    };
    void *ptr = NULL;
    uint64_t value = 77;
    int ordinal = 77;
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, PAGE));
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        hipPointer_attribute both[] = {wishes[i], HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
        void *data[] = {&value, &ordinal};
        assert_hip(hipPointerGetAttribute(&value, wishes[i], ptr), hipErrorNotSupported);
        ordinal = 77;
        assert_hip_ok(hipDrvPointerGetAttributes(2, both, data, ptr));
        assert_int_equal(ordinal, 0);
    }
    assert_hip(hipPointerGetAttribute(&value, (hipPointer_attribute)0, ptr), hipErrorInvalidValue);
    assert_hip(hipPointerGetAttribute(&value, (hipPointer_attribute)18, ptr), hipErrorInvalidValue);
    assert_true(value == 77);
    assert_hip_ok(hipFree(ptr));
}

// A value goes with the error.
static void what_does_not_apply_is_zero(void **state) {
    hipChannelFormatDesc channel = {8, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipArray_t array = NULL;
    void *ptr = NULL;
    void *told = &told;
    int ordinal = 77;
    unsigned bits = 77;
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, PAGE));
    assert_hip_ok(hipMallocArray(&array, &channel, 16, 16, 0));
    assert_hip(hipPointerGetAttribute(&told, HIP_POINTER_ATTRIBUTE_HOST_POINTER, ptr),
               hipErrorInvalidValue);
    assert_null(told);
    assert_hip(hipPointerGetAttribute(&ordinal, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, &ordinal),
               hipErrorInvalidValue);
    assert_int_equal(ordinal, -2);
    assert_hip_ok(hipPointerGetAttribute(&bits, HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, &bits));
    assert_int_equal(bits, 0);
    assert_hip_ok(hipPointerGetAttribute(&bits, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, array));
    assert_int_equal(bits, hipMemoryTypeArray);
    assert_hip_ok(hipFreeArray(array));
    assert_hip_ok(hipFree(ptr));
}

static void describe_null(void *arg) {
    hipPointerAttribute_t attributes;
    if (arg == NULL) {
        assert_hip(hipPointerGetAttributes(&attributes, NULL), hipErrorInvalidValue);
        return;
    }
    assert_hip_ok(hipPointerGetAttributes(&attributes, NULL));
    assert_int_equal(attributes.type, hipMemoryTypeUnregistered);
}

static void null_is_described_at_level_7_only(void **state) {
    (void)state;
    hip_in_child(describe_null, NULL, "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(describe_null, &state, "TARN_HIP_COMPAT", "7", NULL);
}

static void synchronous_memory_operations_can_be_asked_for(void **state) {
    char *ptr = NULL;
    void *host = NULL;
    unsigned on = 1;
    unsigned two = 2;
    bool off = false;
    (void)state;
    assert_hip_ok(hipMalloc((void **)&ptr, PAGE));
    assert_hip_ok(hipHostMalloc(&host, PAGE, 0));
    EXPECT(ptr, SYNC_MEMOPS, bool, false);
    assert_hip_ok(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr + 5));
    EXPECT(ptr, SYNC_MEMOPS, bool, true);
    assert_hip_ok(hipPointerSetAttribute(&off, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr));
    EXPECT(ptr, SYNC_MEMOPS, bool, false);
    assert_hip(hipPointerSetAttribute(NULL, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr),
               hipErrorInvalidValue);
    assert_hip(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, NULL),
               hipErrorInvalidValue);
    assert_hip(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_MAPPED, ptr),
               hipErrorInvalidValue);
    assert_hip(hipPointerSetAttribute(&two, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr),
               hipErrorInvalidValue);
    assert_hip_ok(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, host));
    assert_hip(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, &host),
               hipErrorInvalidDevicePointer);
    EXPECT(ptr, SYNC_MEMOPS, bool, false);
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipHostFree(host));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_described_at_level_7_only), // forks: first
        cmocka_unit_test(device_memory_is_of_its_device),
        cmocka_unit_test(pinned_memory_is_of_the_host),
        cmocka_unit_test(any_number_is_answered),
        cmocka_unit_test(nulls_are_refused),
        cmocka_unit_test(each_property_is_told),
        cmocka_unit_test(a_block_at_an_old_address_has_a_new_id),
        cmocka_unit_test(what_amd_does_not_support_is_refused),
        cmocka_unit_test(what_does_not_apply_is_zero),
        cmocka_unit_test(synchronous_memory_operations_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
