// SPDX-License-Identifier: Apache-2.0
// The functions of CANN 9 for C++: typed pointers, arguments with defaults, and one name for several forms.
#include <acl/acl.h>
#include <acl/acl_rt_api.h>

#include <cstdlib>
#include <cstring>

extern "C" {
#include "support/acl.h"
}

static void typed_pointers_need_no_casts(void **state) {
    float *device = nullptr, *host = nullptr, *managed = nullptr, back[4] = {};
    aclrtPtrAttributes attributes;
    aclrtStream stream = nullptr;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream, 0, ACL_STREAM_FAST_LAUNCH));
    assert_acl_ok(aclrtMalloc(&device, sizeof back));
    assert_acl_ok(aclrtMallocHost(&host, sizeof back));
    assert_acl_ok(aclrtMemAllocManaged(&managed, sizeof back));
    for (int i = 0; i < 4; i++) host[i] = (float)i;
    assert_acl_ok(aclrtMemcpyAsync(device, sizeof back, host, sizeof back,
                                   ACL_MEMCPY_HOST_TO_DEVICE, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream, 10000));
    assert_acl_ok(aclrtMemcpy(back, sizeof back, device, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_memory_equal(back, host, sizeof back);
    assert_acl_ok(aclrtPointerGetAttributes(device, &attributes));
    assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    assert_acl_ok(aclrtSynchronizeDevice(10000));
    assert_acl_ok(aclrtFree(managed));
    assert_acl_ok(aclrtFreeHostWithDevSync(host));
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtMalloc(&device, sizeof back, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void both_forms_of_a_registration_have_one_name(void **state) {
    int *device = nullptr;
    int *ours = static_cast<int *>(aligned_alloc(4096, 4096));
    (void)state;
    assert_non_null(ours);
    assert_acl_ok(aclrtHostRegister(ours, 4096, ACL_HOST_REGISTER_MAPPED, &device));
    assert_non_null(device);
    assert_acl_ok(aclrtHostUnregister(ours));
    device = nullptr;
    assert_acl_ok(aclrtHostRegister(ours, 4096, uint32_t{ACL_HOST_REG_MAPPED}));
    assert_acl_ok(aclrtHostGetDevicePointer(ours, &device, 0));
    assert_non_null(device);
    assert_acl_ok(aclrtHostUnregister(ours));
    free(ours);
}

int main() {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(typed_pointers_need_no_casts),
        WITH_DEVICE(both_forms_of_a_registration_have_one_name),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, nullptr);
}
