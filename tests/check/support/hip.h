/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for programs that use HIP: streams and mappings. A call that must succeed, and does not,
 * ends the program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

#define UNUSED     __attribute__((unused))
#define must(call) must_be((call), #call)

enum { PAGE = 2 << 20 };

UNUSED static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

UNUSED static hipStream_t make_stream(void) {
    hipStream_t stream = NULL;
    must(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    return stream;
}

UNUSED static hipMemGenericAllocationHandle_t make_handle(size_t bytes) {
    hipMemAllocationProp prop = {0};
    hipMemGenericAllocationHandle_t handle = NULL;
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    must(hipMemCreate(&handle, bytes, &prop, 0));
    return handle;
}

UNUSED static char *reserve(size_t bytes) {
    void *base = NULL;
    must(hipMemAddressReserve(&base, bytes, 0, NULL, 0));
    return (char *)base;
}

UNUSED static void allow(void *addr, size_t bytes, hipMemAccessFlags flags) {
    hipMemAccessDesc desc = {{hipMemLocationTypeDevice, 0}, flags};
    must(hipMemSetAccess(addr, bytes, &desc, 1));
}

// A name of physical memory: a reservation of its own with one mapping.
UNUSED static char *map_name(hipMemGenericAllocationHandle_t handle, size_t bytes) {
    char *name = reserve(bytes);
    must(hipMemMap(name, bytes, 0, handle, 0));
    allow(name, bytes, hipMemAccessFlagsProtReadWrite);
    return name;
}

UNUSED static void end_name(void *name, size_t bytes) {
    must(hipMemUnmap(name, bytes));
    must(hipMemAddressFree(name, bytes));
}
