// SPDX-License-Identifier: Apache-2.0
// Copies that name devices.
#include "support/chunks.h"

#define BYTES ((size_t)70000)

static unsigned char host[CHUNK_BYTES];
static unsigned char back[CHUNK_BYTES];

static void moves_bytes_from_device_to_device(void **state) {
    hipStream_t stream = NULL;
    void *one = NULL;
    void *two = NULL;
    unsigned char *pinned = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&one, BYTES));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&two, BYTES));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipHostMalloc((void **)&pinned, BYTES, 0));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipMemset(one, 0x11, BYTES));
    assert_hip_ok(hipMemcpyPeer(two, 1, one, 0, BYTES));
    assert_hip_ok(hipMemset(one, 0, BYTES));
    assert_hip_ok(hipMemcpyPeerAsync(one, 0, two, 1, BYTES, stream));
    assert_hip_ok(hipMemcpyAsync(pinned, one, BYTES, hipMemcpyDeviceToHost, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(pinned[0], 0x11);
    assert_int_equal(pinned[BYTES - 1], 0x11);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree(pinned));
    assert_hip_ok(hipFree(one));
    assert_hip_ok(hipFree(two));
}

// A device that the call names, on either side, holds the rights.
static void rights_of_the_named_devices_count(void **state) {
    static const struct chunk each[] = {{0, 1, hipMemAccessFlagsProtReadWrite}};
    (void)state;
    memset(host, 0x37, sizeof host);
    struct chunks range = chunks_make(1, each);
    assert_hip(hipMemcpy(range.base, host, CHUNK_BYTES, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpyPeer(range.base, 0, host, 0, CHUNK_BYTES), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpyPeer(range.base, 1, host, 0, CHUNK_BYTES));
    assert_hip_ok(hipMemcpyPeer(back, 0, range.base, 1, CHUNK_BYTES));
    assert_memory_equal(back, host, CHUNK_BYTES);
    assert_hip_ok(hipMemcpyPeerAsync(back, 1, range.base, 0, CHUNK_BYTES, NULL));
    chunks_end(&range);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    assert_hip(hipMemcpyPeer(back, 2, host, 0, 1), hipErrorInvalidDevice);
    assert_non_null(strstr(hipExtGetLastErrorText(), "no device 2, there are 2"));
    assert_hip(hipMemcpyPeer(back, 0, host, -1, 1), hipErrorInvalidDevice);
    assert_hip(hipMemcpyPeer(back, 0, host, 2, 0), hipErrorInvalidDevice);
    assert_hip(hipMemcpyPeer(NULL, 0, host, 0, 1), hipErrorInvalidValue);
    assert_hip(hipMemcpyPeer(back, 0, NULL, 0, 1), hipErrorInvalidValue);
    assert_hip(hipMemcpyPeerAsync(back, 0, host, 7, 1, NULL), hipErrorInvalidDevice);
    assert_hip(hipMemcpyPeerAsync(back, 0, NULL, 0, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipMemcpyPeerAsync(back, 0, host, 0, 1, (hipStream_t)4711),
               hipErrorContextIsDestroyed);
    assert_hip_ok(hipMemcpyPeer(NULL, 0, NULL, 1, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_bytes_from_device_to_device),
        cmocka_unit_test(rights_of_the_named_devices_count),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
