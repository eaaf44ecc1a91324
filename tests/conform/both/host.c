// SPDX-License-Identifier: Apache-2.0
// Memory of the host: pinned, and registered.
#include <stdlib.h>
#include <sys/mman.h>

#include "begin.h"

#define TN_GROUP "host"

static char mine[4 * 4096] __attribute__((aligned(4096)));

QUESTION(pinned_of_zero, EITHER("cudaMallocHost", "hipMallocHost")) {
    void *ptr = &ptr;
    ASK(cudaMallocHost, &ptr, 0);
    SAY("null", ptr == NULL);
    ptr = &ptr;
    ASK(cudaHostAlloc, &ptr, 0, 0);
    SAY("null", ptr == NULL);
    ptr = &ptr;
    ASK(cuMemAllocHost, &ptr, 0);
    SAY("unchanged", ptr == (void *)&ptr);
    ASK(cuMemHostAlloc, &ptr, 0, 0);
    SAY("unchanged", ptr == (void *)&ptr);
}

QUESTION(pinned_to_null, EITHER("cuMemHostAlloc", "hipHostMalloc")) {
    ASK(cudaMallocHost, NULL, 16);
    ASK(cudaHostAlloc, NULL, 16, 0);
    ASK(cuMemAllocHost, NULL, 16);
    ASK(cuMemHostAlloc, NULL, 16, 0);
}

QUESTION(pinned_of_too_much, EITHER("cuMemHostAlloc", "hipHostMalloc")) {
    void *ptr = &ptr;
    ASK(cuMemHostAlloc, &ptr, (size_t)1 << 50, 0);
    SAY("unchanged", ptr == (void *)&ptr);
    ASK(cudaMallocHost, &ptr, SIZE_MAX);
    ASK0(cudaGetLastError);
}

QUESTION(unknown_flags, EITHER("cuMemHostAlloc", "hipHostMalloc")) {
    void *ptr = NULL;
    ASK(cudaHostAlloc, &ptr, 16, 8);
    ASK(cuMemHostAlloc, &ptr, 16, 8);
    ASK(cuMemHostAlloc, &ptr, 16, 0x80);
    ASK(cudaHostAlloc, &ptr, 16, 7);
    if (ptr != NULL) MUST(cuMemFreeHost, ptr);
}

#define FLAGS(name, value)                                                                         \
    QUESTION(flags_of_##name, EITHER("cuMemHostGetFlags", "hipHostGetFlags")) {                    \
        void *ptr = NULL;                                                                          \
        unsigned flags = 77;                                                                       \
        ASK(cuMemHostAlloc, &ptr, 4096, (value));                                                  \
        ASK(cuMemHostGetFlags, &flags, ptr);                                                       \
        SAY("flags", flags);                                                                       \
        ASK(cudaHostGetFlags, &flags, ptr);                                                        \
        SAY("flags", flags);                                                                       \
        MUST(cuMemFreeHost, ptr);                                                                  \
    }
FLAGS(none, 0)
FLAGS(portable, CU_MEMHOSTALLOC_PORTABLE)
FLAGS(mapped, CU_MEMHOSTALLOC_DEVICEMAP)
FLAGS(write_combined, CU_MEMHOSTALLOC_WRITECOMBINED)

QUESTION(flags_of_memory_of_the_runtime, EITHER("cudaHostGetFlags", "hipHostGetFlags")) {
    void *ptr = NULL;
    unsigned flags = 77;
    ASK(cudaMallocHost, &ptr, 4096);
    ASK(cudaHostGetFlags, &flags, ptr);
    SAY("flags", flags);
    MUST(cudaFreeHost, ptr);
    ASK(cudaHostAlloc, &ptr, 4096, cudaHostAllocPortable);
    ASK(cudaHostGetFlags, &flags, ptr);
    SAY("flags", flags);
    MUST(cudaFreeHost, ptr);
}

QUESTION(flags_of_other_memory, EITHER("cuMemHostGetFlags", "hipHostGetFlags")) {
    CUdeviceptr ptr = make_memory(4096);
    unsigned flags = 77;
    ASK(cuMemHostGetFlags, &flags, &flags);
    ASK(cudaHostGetFlags, &flags, &flags);
    ASK(cuMemHostGetFlags, &flags, pointer(ptr));
    ASK(cuMemHostGetFlags, &flags, NULL);
    ASK(cuMemHostGetFlags, NULL, &flags);
    SAY("flags", flags);
    MUST(cuMemFree, ptr);
}

QUESTION(flags_inside, EITHER("cuMemHostGetFlags", "hipHostGetFlags")) {
    char *ptr = (char *)make_pinned(8192);
    unsigned flags = 77;
    ASK(cuMemHostGetFlags, &flags, ptr + 100);
    SAY("flags", flags);
    MUST(cuMemFreeHost, ptr);
}

QUESTION(pinned_memory_is_aligned, EITHER("cuMemHostAlloc", "hipHostMalloc")) {
    void *a = make_pinned(1), *b = make_pinned(5000);
    SAY("a", (uintptr_t)(uintptr_t)a % 4096);
    SAY("b", (uintptr_t)(uintptr_t)b % 4096);
    MUST(cuMemFreeHost, a);
    MUST(cuMemFreeHost, b);
}

QUESTION(pinned_memory_begins_with_zeros, EITHER("cuMemHostAlloc", "hipHostMalloc")) {
    char *ptr = (char *)make_pinned(4096);
    int other = 0;
    for (int i = 0; i < 4096; i++) other += ptr[i] != 0;
    SAY("not_zero", other);
    MUST(cuMemFreeHost, ptr);
}

QUESTION(pinned_memory_takes_none_of_the_device, EITHER("cuMemGetInfo", "hipMemGetInfo")) {
    size_t before = free_bytes();
    void *ptr = make_pinned(64 * MIB);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    MUST(cuMemFreeHost, ptr);
}

QUESTION(pinned_memory_has_the_same_address,
         EITHER("cuMemHostGetDevicePointer", "hipHostGetDevicePointer")) {
    char *ptr = (char *)make_pinned(8192);
    CUdeviceptr of_driver = 0;
    void *of_runtime = NULL;
    ASK(cuMemHostGetDevicePointer, &of_driver, ptr, 0);
    SAY("same", of_driver == number(ptr));
    ASK(cudaHostGetDevicePointer, &of_runtime, ptr, 0);
    SAY("same", of_runtime == ptr);
    ASK(cuMemHostGetDevicePointer, &of_driver, ptr + 100, 0);
    SAY("same", of_driver == number(ptr + 100));
    ASK(cuMemHostGetDevicePointer, &of_driver, ptr, 1);
    ASK(cuMemHostGetDevicePointer, NULL, ptr, 0);
    MUST(cuMemFreeHost, ptr);
    ASK(cuMemHostGetDevicePointer, &of_driver, ptr, 0);
}

QUESTION(device_pointer_of_other_memory,
         EITHER("cuMemHostGetDevicePointer", "hipHostGetDevicePointer")) {
    CUdeviceptr ptr = make_memory(4096), managed = make_managed(4096), got = UNSET;
    ASK(cuMemHostGetDevicePointer, &got, &got, 0);
    ASK(cuMemHostGetDevicePointer, &got, NULL, 0);
    ASK(cuMemHostGetDevicePointer, &got, pointer(ptr), 0);
    ASK(cuMemHostGetDevicePointer, &got, pointer(managed), 0);
    ASK(cudaHostGetDevicePointer, (void **)&got, &got, 0);
    MUST(cuMemFree, managed);
    MUST(cuMemFree, ptr);
}

QUESTION(free_twice, EITHER("cuMemFreeHost", "hipHostFree")) {
    void *ptr = make_pinned(4096);
    ASK(cuMemFreeHost, ptr);
    ASK(cuMemFreeHost, ptr);
    ASK(cudaFreeHost, ptr);
}

QUESTION(free_inside, EITHER("cuMemFreeHost", "hipHostFree")) {
    char *ptr = (char *)make_pinned(8192);
    ASK(cuMemFreeHost, ptr + 1);
    ASK(cudaFreeHost, ptr + 4096);
    ASK(cuMemFreeHost, ptr);
}

QUESTION(free_of_other_memory, EITHER("cudaFreeHost", "hipFreeHost")) {
    void *heap = malloc(64);
    ASK(cudaFreeHost, heap);
    ASK(cuMemFreeHost, heap);
    ASK(cudaFreeHost, mine);
    free(heap);
}

QUESTION(registered_twice, EITHER("cuMemHostRegister: 712", "hipHostRegister")) {
    ASK(cudaHostRegister, mine, sizeof mine, 0);
    ASK(cudaHostRegister, mine, sizeof mine, 0);
    ASK(cudaHostRegister, mine + 4096, 4096, 0);
    ASK(cuMemHostRegister, mine, sizeof mine, 0);
    ASK(cudaHostUnregister, mine);
    ASK0(cudaGetLastError);
}

QUESTION(a_registered_range_overlaps, EITHER("cuMemHostRegister: 712", "hipHostRegister")) {
    ASK(cuMemHostRegister, mine + 4096, 8192, 0);
    ASK(cuMemHostRegister, mine, 8192, 0);
    ASK(cuMemHostRegister, mine, 4096, 0);
    ASK(cuMemHostUnregister, mine);
    ASK(cuMemHostUnregister, mine + 4096);
}

QUESTION(unregistered_twice, EITHER("cuMemHostUnregister: 713", "hipHostUnregister")) {
    MUST(cuMemHostRegister, mine, sizeof mine, 0);
    ASK(cuMemHostUnregister, mine);
    ASK(cuMemHostUnregister, mine);
    ASK(cudaHostUnregister, mine);
}

QUESTION(unregistered_inside,
         EITHER("cuMemHostUnregister: the address of the registration", "hipHostUnregister")) {
    MUST(cuMemHostRegister, mine, sizeof mine, 0);
    ASK(cuMemHostUnregister, mine + 4096);
    ASK(cuMemHostUnregister, mine + 1);
    ASK(cuMemHostUnregister, mine);
}

QUESTION(unregistered_null, EITHER("cuMemHostUnregister", "hipHostUnregister")) {
    ASK(cuMemHostUnregister, NULL);
    ASK(cudaHostUnregister, NULL);
}

QUESTION(registered_null, EITHER("cuMemHostRegister", "hipHostRegister")) {
    ASK(cuMemHostRegister, NULL, 4096, 0);
    ASK(cudaHostRegister, NULL, 4096, 0);
    ASK(cuMemHostRegister, mine, 0, 0);
    ASK(cudaHostRegister, mine, 0, 0);
}

QUESTION(registered_odd_ranges, EITHER("cuMemHostRegister", "hipHostRegister")) {
    unsigned flags = 0;
    CUdeviceptr got = 0;
    ASK(cuMemHostRegister, mine + 100, 1000, 0);
    ASK(cuMemHostGetFlags, &flags, mine + 100);
    ASK(cuMemHostGetFlags, &flags, mine);
    ASK(cuMemHostGetDevicePointer, &got, mine + 100, 0);
    SAY("same", got == number(mine + 100));
    ASK(cuMemHostRegister, mine + 2000, 100, 0);
    ASK(cuMemHostUnregister, mine + 2000);
    ASK(cuMemHostUnregister, mine + 100);
}

QUESTION(unknown_flags_of_registration, EITHER("cuMemHostRegister", "hipHostRegister")) {
    ASK(cuMemHostRegister, mine, 4096, 0x10);
    ASK(cudaHostRegister, mine, 4096, 0x10);
    ASK(cudaHostRegister, mine, 4096, 0x80);
}

#define REGISTER(name, value)                                                                      \
    QUESTION(registered_##name, EITHER("cuMemHostRegister", "hipHostRegister")) {                  \
        unsigned flags = 77;                                                                       \
        long long code = ASK(cuMemHostRegister, mine, 4096, (value));                              \
        if (code != 0) return;                                                                     \
        ASK(cuMemHostGetFlags, &flags, mine);                                                      \
        SAY("flags", flags);                                                                       \
        ASK(cuMemHostUnregister, mine);                                                            \
    }
REGISTER(without_flags, 0)
REGISTER(portable, CU_MEMHOSTREGISTER_PORTABLE)
REGISTER(mapped, CU_MEMHOSTREGISTER_DEVICEMAP)
REGISTER(as_io_memory, CU_MEMHOSTREGISTER_IOMEMORY)
REGISTER(read_only, CU_MEMHOSTREGISTER_READ_ONLY)

QUESTION(registered_flags_of_the_runtime, EITHER("cudaHostRegister", "hipHostRegister")) {
    unsigned flags = 77;
    ASK(cudaHostRegister, mine, 4096, cudaHostRegisterPortable | cudaHostRegisterMapped);
    ASK(cudaHostGetFlags, &flags, mine);
    SAY("flags", flags);
    ASK(cudaHostUnregister, mine);
    ASK(cudaHostGetFlags, &flags, mine);
}

QUESTION(registered_pinned_memory, EITHER("cuMemHostRegister", "hipHostRegister")) {
    void *ptr = make_pinned(4096);
    ASK(cuMemHostRegister, ptr, 4096, 0);
    ASK(cuMemHostUnregister, ptr);
    MUST(cuMemFreeHost, ptr);
}

QUESTION(registered_device_memory, EITHER("cuMemHostRegister", "hipHostRegister")) {
    CUdeviceptr ptr = make_memory(4096);
    ASK(cuMemHostRegister, pointer(ptr), 4096, 0);
    MUST(cuMemFree, ptr);
}

QUESTION(registered_managed_memory, EITHER("cuMemHostRegister", "hipHostRegister")) {
    CUdeviceptr ptr = make_managed(4096);
    long long code = ASK(cuMemHostRegister, pointer(ptr), 4096, 0);
    if (code == 0) MUST(cuMemHostUnregister, pointer(ptr));
    MUST(cuMemFree, ptr);
}

QUESTION(registered_memory_that_is_not_mapped, EITHER("cuMemHostRegister", "hipHostRegister")) {
    void *ptr = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long long code = ASK(cuMemHostRegister, ptr, 4096, 0);
    if (code == 0) MUST(cuMemHostUnregister, ptr);
    (void)munmap(ptr, 4096);
    code = ASK(cuMemHostRegister, ptr, 4096, 0);
    if (code == 0) MUST(cuMemHostUnregister, ptr);
}

QUESTION(registered_memory_that_is_read_only, EITHER("cuMemHostRegister", "hipHostRegister")) {
    void *ptr = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long long code = ASK(cuMemHostRegister, ptr, 4096, 0);
    if (code == 0) MUST(cuMemHostUnregister, ptr);
    code = ASK(cuMemHostRegister, ptr, 4096, CU_MEMHOSTREGISTER_READ_ONLY);
    if (code == 0) MUST(cuMemHostUnregister, ptr);
    (void)munmap(ptr, 4096);
}

QUESTION(free_of_registered_memory, EITHER("cuMemFreeHost", "hipHostFree")) {
    MUST(cuMemHostRegister, mine, 4096, 0);
    ASK(cuMemFreeHost, mine);
    ASK(cudaFreeHost, mine);
    ASK(cuMemFree, number(mine));
    ASK(cuMemHostUnregister, mine);
}

QUESTION(registered_memory_is_copied, EITHER("cuMemcpyDtoDAsync", "hipMemcpyDtoDAsync")) {
    CUdeviceptr ptr = make_memory(4096);
    MUST(cuMemHostRegister, mine, 4096, 0);
    ASK(cuMemcpyDtoD, ptr, number(mine), 16);
    ASK(cuMemsetD8, number(mine), 9, 16);
    MUST0(cuCtxSynchronize);
    SAY("byte", mine[15]);
    MUST(cuMemHostUnregister, mine);
    MUST(cuMemFree, ptr);
}
