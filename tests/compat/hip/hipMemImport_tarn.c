// SPDX-License-Identifier: Apache-2.0
// Memory exported by a program that uses Tarn itself and knows nothing of HIP. Its library and the
// face are two copies in this process that share nothing but the descriptor.
#include <unistd.h>

#include <tarn/tarn.h>

#include "support/vmm.h"

#define assert_tarn_ok(call) assert_int_equal((call), TARN_OK)

static tarn_device *device;

static int open_tarn(void **state) {
    return hip_group_setup(state) == 0 && tarn_device_open("host:1,devices=2", &device) == TARN_OK
               ? 0
               : -1;
}

// Refused while anything of the device is alive, so this tells a leak too.
static int close_tarn(void **state) {
    (void)state;
    return tarn_device_close(device) == TARN_OK ? 0 : -1;
}

static int export_by_tarn(uint64_t word, tarn_phys *phys) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_shareable out = {0, -1, 0};
    desc.shareable = TARN_SHAREABLE_FD;
    desc.user[0] = word;
    assert_tarn_ok(tarn_phys_create(device, 2 * G, &desc, phys));
    assert_tarn_ok(tarn_phys_export(*phys, TARN_SHAREABLE_FD, &out));
    return out.fd;
}

// Words that mean nothing to HIP are not passed on as properties.
static void its_properties_are_those_of_pinned_memory(void **state) {
    static const uint64_t words[] = {0, 0xdeadbeef, 0x7fffffff, 3, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        hipMemAllocationProp prop = prop_on(0);
        tarn_phys phys = 0;
        int fd = export_by_tarn(words[i], &phys);
        handle_t handle = import_fd(fd);
        assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
        assert_int_equal(prop.type, hipMemAllocationTypePinned);
        assert_int_equal(prop.requestedHandleType, hipMemHandleTypePosixFileDescriptor);
        assert_int_equal(prop.location.type, hipMemLocationTypeDevice);
        assert_int_equal(prop.location.id, 1);
        assert_int_equal(close(fd), 0);
        assert_hip_ok(hipMemRelease(handle));
        assert_tarn_ok(tarn_phys_release(phys));
    }
}

static void its_bytes_are_shared(void **state) {
    tarn_phys phys = 0;
    tarn_addr addr = 0;
    const tarn_grant all = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    (void)state;
    int fd = export_by_tarn(0, &phys);
    assert_tarn_ok(tarn_space_reserve(device, 2 * G, 0, 0, &addr));
    assert_tarn_ok(tarn_map(addr, 2 * G, phys));
    assert_tarn_ok(tarn_map_set_access(addr, 2 * G, &all, 1));
    handle_t handle = import_fd(fd);
    char *at = reserve(2 * G);
    assert_hip_ok(hipMemMap(at, 2 * G, 0, handle, 0));
    grant(at, 2 * G, 0, READ_WRITE);
    strcpy((char *)(uintptr_t)addr, "to HIP");
    assert_string_equal(at, "to HIP");
    assert_hip_ok(hipMemset(at, 'x', G));
    assert_hip_ok(hipDeviceSynchronize()); // it may return before the bytes are set
    assert_int_equal(*(char *)(uintptr_t)(addr + G - 1), 'x');
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, 2 * G);
    assert_tarn_ok(tarn_unmap(addr, 2 * G, 0));
    assert_tarn_ok(tarn_space_release(addr));
    assert_tarn_ok(tarn_phys_release(phys));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_properties_are_those_of_pinned_memory),
        cmocka_unit_test(its_bytes_are_shared),
    };
    return cmocka_run_group_tests(tests, open_tarn, close_tarn);
}
