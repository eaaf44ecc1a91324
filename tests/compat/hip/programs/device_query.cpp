// SPDX-License-Identifier: Apache-2.0
// Prints what is known about each device, and checks that the different questions agree. The argument, if
// any, is the release that the library must be of.
#include <cstring>

#include "support/sample.h"

namespace {

int attribute(hipDeviceAttribute_t which, int device) {
    int value = -1;
    must(hipDeviceGetAttribute(&value, which, device));
    return value;
}

void query_limits(const hipDeviceProp_t &properties, int device) {
    printf("  %d processors, %d threads in a block, warps of %d\n", properties.multiProcessorCount,
           properties.maxThreadsPerBlock, properties.warpSize);
    expect(properties.multiProcessorCount > 0 && properties.warpSize > 0);
    expect(properties.clockRate > 0 && properties.memoryClockRate > 0 &&
           properties.memoryBusWidth > 0);
    expect(properties.maxThreadsPerBlock ==
           attribute(hipDeviceAttributeMaxThreadsPerBlock, device));
    expect(properties.maxThreadsDim[0] == attribute(hipDeviceAttributeMaxBlockDimX, device));
    expect(properties.maxGridSize[0] == attribute(hipDeviceAttributeMaxGridDimX, device));
    expect(properties.warpSize == attribute(hipDeviceAttributeWarpSize, device));
    expect(properties.major == attribute(hipDeviceAttributeComputeCapabilityMajor, device));
}

void query_memory(const hipDeviceProp_t &properties, int device) {
    size_t total = 0, free_bytes = 0, all = 0;
    must(hipDeviceTotalMem(&total, device));
    must(hipMemGetInfo(&free_bytes, &all));
    printf("  memory: %zu MiB, free %zu MiB\n", total >> 20, free_bytes >> 20);
    expect(total == properties.totalGlobalMem && total == all);
    expect(free_bytes > 0 && free_bytes <= all);

    void *block = nullptr;
    size_t fewer = 0;
    must(hipMalloc(&block, 1 << 20));
    must(hipMemGetInfo(&fewer, &all));
    expect(fewer <= free_bytes - (1 << 20));
    must(hipFree(block));
}

void query_bus(int device) {
    char address[32] = "";
    int found = -1;
    must(hipDeviceGetPCIBusId(address, sizeof address, device));
    must(hipDeviceGetByPCIBusId(&found, address));
    printf("  bus address %s\n", address);
    expect(found == device);
}

void query_device(int device) {
    hipDeviceProp_t properties;
    char name[256] = "";
    memset(&properties, 0, sizeof properties);
    must(hipSetDevice(device));
    must(hipGetDeviceProperties(&properties, device));
    must(hipDeviceGetName(name, sizeof name, device));
    printf("device %d: %s (%s)\n", device, properties.name, properties.gcnArchName);
    expect(properties.name[0] != '\0' && strcmp(name, properties.name) == 0);
    query_limits(properties, device);
    query_memory(properties, device);
    query_bus(device);
}

// Access to peers is the same in both directions; a device is no peer of itself.
void query_peers(int count) {
    for (int from = 0; from < count; from++) {
        for (int to = 0; to < count; to++) {
            int there = -1, back = -1;
            must(hipDeviceCanAccessPeer(&there, from, to));
            must(hipDeviceCanAccessPeer(&back, to, from));
            printf("  %d -> %d: %s\n", from, to, there ? "peer" : "no");
            expect(there == back && (from != to || !there));
        }
    }
}

// What an empty reservation is tells the releases apart, too.
void expect_release(int major) {
    void *range = nullptr;
    hipError_t error = hipMemAddressReserve(&range, 0, 0, nullptr, 0);
    expect(error == (major >= 7 ? hipErrorInvalidValue : hipErrorOutOfMemory));
    (void)hipGetLastError();
}

} // namespace

int main(int argc, char **argv) {
    int count = 0, driver = 0, runtime = 0;
    must(hipInit(0));
    must(hipDriverGetVersion(&driver));
    must(hipRuntimeGetVersion(&runtime));
    must(hipGetDeviceCount(&count));
    printf("driver %d, runtime %d, %d devices\n", driver, runtime, count);
    expect(driver == runtime && driver > 0 && count > 0);
    expect(argc < 2 || runtime / 10000000 == atoi(argv[1]));
    expect_release(runtime / 10000000);
    for (int device = 0; device < count; device++) query_device(device);
    query_peers(count);
    return 0;
}
