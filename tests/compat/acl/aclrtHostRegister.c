// SPDX-License-Identifier: Apache-2.0
// Registration of the program's own host memory (spec 3.11).
#include "support/bytes.h"
#include "support/work.h"

#define PAGE  ((size_t)4096)
#define BYTES (8 * PAGE)

static char *buffer;

static int use_buffer(void **state) {
    (void)state;
    buffer = aligned_alloc(PAGE, BYTES);
    return buffer == NULL ? -1 : aclrtSetDevice(0);
}

static int leave_buffer(void **state) {
    (void)state;
    free(buffer);
    return aclrtResetDevice(0);
}

static aclrtMemLocationType type_of(const void *ptr) {
    aclrtPtrAttributes attributes;
    assert_acl_ok(aclrtPointerGetAttributes(ptr, &attributes));
    return attributes.location.type;
}

static void registration_checks_in_order(void **state) {
    const aclrtHostRegisterType odd = (aclrtHostRegisterType)2;
    void *device = &device;
    void *memory = NULL;
    (void)state;
    assert_acl(aclrtHostRegister(NULL, BYTES, odd, &device), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostRegister(buffer, 0, odd, &device), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostRegister(buffer, BYTES, odd, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostRegister(buffer + 64, BYTES, odd, &device),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtHostRegister(buffer + 64, PAGE, ACL_HOST_REGISTER_MAPPED, &device),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtHostRegister((void *)PAGE, PAGE, ACL_HOST_REGISTER_MAPPED, &device),
               ACL_ERROR_RT_PARAM_INVALID); // nothing is mapped there
    assert_acl_ok(aclrtMalloc(&memory, PAGE, ACL_MEM_MALLOC_HUGE_ONLY));
    assert_acl(aclrtHostRegister(memory, PAGE, ACL_HOST_REGISTER_MAPPED, &device),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtHostRegisterV2(memory, PAGE, ACL_HOST_REG_PINNED), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(memory));
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl(aclrtHostRegister(buffer, PAGE, ACL_HOST_REGISTER_MAPPED, &device),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetDevice(0));
    assert_ptr_equal(device, &device);
}

static void registered_memory_is_pinned_until_it_is_not(void **state) {
    static const int types[] = {ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_IOMEMORY,
                                ACL_HOST_REGISTER_READONLY,
                                ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY};
    void *device = NULL;
    (void)state;
    assert_int_equal(type_of(buffer), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        assert_acl_ok(aclrtHostRegister(buffer, BYTES, (aclrtHostRegisterType)types[i], &device));
        assert_ptr_equal(device, buffer); // one space of addresses
        assert_int_equal(type_of(buffer + BYTES - 1), ACL_MEM_LOCATION_TYPE_HOST);
        assert_acl(aclrtHostRegister(buffer, BYTES, ACL_HOST_REGISTER_MAPPED, &device),
                   ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        assert_acl(aclrtHostRegisterV2(buffer + PAGE, PAGE, ACL_HOST_REG_PINNED),
                   ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        assert_acl(aclrtFreeHost(buffer), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(aclrtHostUnregister(buffer + PAGE), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
        assert_acl_ok(aclrtHostUnregister(buffer));
        assert_acl(aclrtHostUnregister(buffer), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
        assert_int_equal(type_of(buffer), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    }
    assert_acl(aclrtHostUnregister(NULL), ACL_ERROR_INVALID_PARAM);
}

static void the_second_form_has_flags(void **state) {
    static const unsigned long flags[] = {
        ACL_HOST_REG_MAPPED, ACL_HOST_REG_IOMEMORY, ACL_HOST_REG_READONLY, ACL_HOST_REG_PINNED,
        ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED | ACL_HOST_REG_READONLY};
    (void)state;
    assert_acl(aclrtHostRegisterV2(NULL, PAGE, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostRegisterV2(buffer, 0, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostRegisterV2(buffer, PAGE, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtHostRegisterV2(buffer, PAGE, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtHostRegisterV2(buffer, PAGE, (uint32_t)ACL_HOST_REG_MAPPED | 0x10),
               ACL_ERROR_RT_PARAM_INVALID);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        void *device = NULL;
        bool mapped = (flags[i] & ACL_HOST_REG_MAPPED) != 0;
        assert_acl_ok(aclrtHostRegisterV2(buffer + 100, 200, (uint32_t)flags[i])); // any address
        assert_acl(aclrtHostGetDevicePointer(buffer + 150, &device, 0),
                   mapped ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID);
        assert_ptr_equal(device, mapped ? buffer + 150 : NULL);
        assert_acl_ok(aclrtHostUnregister(buffer + 100));
    }
}

// PINNED: an asynchronous copy does not wait, as one of pageable memory would.
static void pinned_memory_is_copied_in_the_stream(void **state) {
    struct gate gate = {false, 0};
    unsigned char *device = device_bytes(BYTES, 1);
    (void)state;
    memset(buffer, 2, BYTES);
    assert_acl_ok(aclrtHostRegisterV2(buffer, BYTES, ACL_HOST_REG_PINNED));
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    assert_acl_ok(aclrtMemcpyAsync(device, BYTES, buffer, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, NULL));
    assert_int_equal(gate.passed, 0);
    memset(buffer, 3, BYTES); // read when its turn comes
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(device, BYTES, 3);
    assert_acl_ok(aclrtHostUnregister(buffer));
    assert_acl_ok(aclrtFree(device));
}

static void device_pointers_are_of_registered_memory(void **state) {
    void *device = NULL;
    void *host = NULL;
    (void)state;
    assert_acl(aclrtHostGetDevicePointer(NULL, &device, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostGetDevicePointer(buffer, NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostGetDevicePointer(buffer, &device, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtHostGetDevicePointer(buffer, &device, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtMallocHost(&host, 10));
    assert_acl(aclrtHostGetDevicePointer(host, &device, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_null(device);
    assert_acl_ok(aclrtFreeHost(host));
}

static void allocated_host_memory_may_be_registered(void **state) {
    char *host = NULL;
    void *device = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocHost((void **)&host, BYTES));
    assert_acl(aclrtHostUnregister(host), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
    assert_acl(aclrtHostRegister(host, BYTES + PAGE, ACL_HOST_REGISTER_MAPPED, &device),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtHostRegisterV2(host + PAGE, PAGE, ACL_HOST_REG_PINNED),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_null(device);
    for (int i = 0; i < 2; i++) {
        assert_acl_ok(aclrtHostRegister(host, BYTES, ACL_HOST_REGISTER_MAPPED, &device));
        assert_ptr_equal(device, host);
        assert_acl(aclrtHostRegisterV2(host, PAGE, ACL_HOST_REG_PINNED),
                   ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        assert_acl_ok(aclrtHostUnregister(host));
    }
    assert_acl(aclrtHostUnregister(host), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
    assert_acl_ok(aclrtHostRegisterV2(host, PAGE, ACL_HOST_REG_MAPPED));
    assert_acl_ok(aclrtFreeHost(host)); // ends the registration too
    assert_int_equal(type_of(host), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

#define WITH_BUFFER(test) cmocka_unit_test_setup_teardown(test, use_buffer, leave_buffer)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_BUFFER(registration_checks_in_order),
        WITH_BUFFER(registered_memory_is_pinned_until_it_is_not),
        WITH_BUFFER(the_second_form_has_flags),
        WITH_BUFFER(pinned_memory_is_copied_in_the_stream),
        WITH_BUFFER(device_pointers_are_of_registered_memory),
        WITH_BUFFER(allocated_host_memory_may_be_registered),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
