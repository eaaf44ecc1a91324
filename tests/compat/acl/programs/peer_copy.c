// SPDX-License-Identifier: Apache-2.0
// Bytes go from device 0 to device 1 and back, in a stream, after access was enabled both ways.
#include <string.h>

#include "support/sample.h"

#define BYTES ((size_t)1 << 20)

static void *buffer_of(int32_t device) {
    void *memory = NULL;
    aclrtPtrAttributes attributes;
    must(aclrtSetDevice(device));
    must(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtPointerGetAttributes(memory, &attributes));
    expect(attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE);
    expect(attributes.location.id == (uint32_t)device);
    return memory;
}

static void set_peer_access(int on) {
    for (int32_t device = 0; device < 2; device++) {
        int32_t status = -1;
        must(aclrtSetDevice(device));
        must(on ? aclrtDeviceEnablePeerAccess(1 - device, 0)
                : aclrtDeviceDisablePeerAccess(1 - device));
        must(aclrtDevicePeerAccessStatus(device, 1 - device, &status));
        expect(status == on);
    }
}

// Copies in a stream of that device, and waits.
static void copy_on(int32_t device, void *to, const void *from) {
    aclrtStream stream;
    must(aclrtSetDevice(device));
    must(aclrtCreateStream(&stream));
    must(aclrtMemcpyAsync(to, BYTES, from, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtDestroyStream(stream));
}

int main(void) {
    static unsigned char sent[BYTES], received[BYTES];
    uint32_t count = 0;
    int32_t reachable = 0;
    must(aclInit(NULL));
    must(aclrtGetDeviceCount(&count));
    if (count > 1) must(aclrtDeviceCanAccessPeer(&reachable, 0, 1));
    if (!reachable) {
        printf("two devices that reach each other are needed\n");
        return 77;
    }
    for (size_t i = 0; i < BYTES; i++) sent[i] = (unsigned char)(i * 7 + i / 256);
    set_peer_access(1);
    void *zero = buffer_of(0), *one = buffer_of(1), *back = buffer_of(0);
    must(aclrtSetDevice(0));
    must(aclrtMemcpy(zero, BYTES, sent, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
    copy_on(0, one, zero);
    copy_on(1, back, one);
    must(aclrtSetDevice(0));
    must(aclrtMemcpy(received, BYTES, back, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    expect(memcmp(sent, received, BYTES) == 0);

    must(aclrtFree(zero));
    must(aclrtFree(one));
    must(aclrtFree(back));
    set_peer_access(0);
    must(aclrtResetDeviceForce(0));
    must(aclrtResetDeviceForce(1));
    must(aclFinalize());
    printf("%zu bytes went to the peer and back\n", BYTES);
    return 0;
}
