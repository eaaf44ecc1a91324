// SPDX-License-Identifier: Apache-2.0
// Prints what is known about each device, and checks that the different questions agree.
#include <string.h>

#include "support/sample.h"

static void query_memory(void) {
    size_t free_bytes = 0, total = 0, fewer = 0;
    void *block = NULL;
    must(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    printf("  memory: %zu MiB, free %zu MiB\n", total >> 20, free_bytes >> 20);
    expect(free_bytes > 0 && free_bytes <= total);
    must(aclrtMalloc(&block, 4 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtGetMemInfo(ACL_HBM_MEM, &fewer, &total));
    expect(fewer <= free_bytes - (4 << 20));
    must(aclrtFree(block));
    must(aclrtGetMemInfo(ACL_HBM_MEM, &fewer, &total));
    expect(fewer == free_bytes);
}

// The process uses this much of the device, by modules.
static void query_usage(int32_t device) {
    aclrtMemUsageInfo modules[8];
    size_t count = 0;
    memset(modules, 0, sizeof modules);
    must(aclrtGetMemUsageInfo(device, modules, 8, &count));
    for (size_t i = 0; i < count; i++) {
        printf("  module %s: %llu bytes, at most %llu\n", modules[i].name,
               (unsigned long long)modules[i].curMemSize,
               (unsigned long long)modules[i].memPeakSize);
        expect(modules[i].curMemSize <= modules[i].memPeakSize);
    }
}

static void query_device(int32_t device) {
    aclrtContext context = NULL;
    aclrtRunMode mode = ACL_DEVICE;
    int32_t current = -1;
    must(aclrtSetDevice(device));
    must(aclrtGetDevice(&current));
    must(aclrtGetCurrentContext(&context));
    must(aclrtGetRunMode(&mode));
    printf("device %d: %s\n", device, aclrtGetSocName());
    expect(current == device && context != NULL && mode == ACL_HOST);
    query_memory();
    query_usage(device);
    must(aclrtResetDevice(device));
}

static void query_peers(int32_t count) {
    for (int32_t from = 0; from < count; from++) {
        for (int32_t to = 0; to < count; to++) {
            int32_t there = -1, back = -1;
            if (from == to) continue;
            must(aclrtDeviceCanAccessPeer(&there, from, to));
            must(aclrtDeviceCanAccessPeer(&back, to, from));
            printf("  %d -> %d: %s\n", from, to, there ? "peer" : "no");
            expect(there == back);
        }
    }
}

int main(void) {
    int32_t major = 0, minor = 0, patch = 0;
    uint32_t count = 0;
    must(aclInit(NULL));
    must(aclrtGetVersion(&major, &minor, &patch));
    must(aclrtGetDeviceCount(&count));
    printf("AscendCL %d.%d.%d, %u devices\n", major, minor, patch, count);
    expect(major == 1 && minor >= 13 && count > 0);
    for (uint32_t device = 0; device < count; device++) query_device((int32_t)device);
    query_peers((int32_t)count);
    must(aclFinalize());
    return 0;
}
