// SPDX-License-Identifier: Apache-2.0
// Memory of the host: pinned, and registered.
#include <stdlib.h>
#include <sys/mman.h>

#include "begin.h"

#define TN_GROUP "host"

static char mine[4 * 4096] __attribute__((aligned(4096)));

QUESTION(pinned_of_zero, "hipMallocHost") {
    void *ptr = &ptr;
    ASK(hipMallocHost, &ptr, 0);
    SAY("null", ptr == NULL);
    ptr = &ptr;
    ASK(hipHostAlloc, &ptr, 0, 0);
    SAY("null", ptr == NULL);
    ptr = &ptr;
    ASK(hipMemAllocHost, &ptr, 0);
    SAY("unchanged", ptr == (void *)&ptr);
    ASK(hipHostMalloc, &ptr, 0, 0);
    SAY("unchanged", ptr == (void *)&ptr);
}

QUESTION(pinned_to_null, "hipHostMalloc") {
    ASK(hipMallocHost, NULL, 16);
    ASK(hipHostAlloc, NULL, 16, 0);
    ASK(hipMemAllocHost, NULL, 16);
    ASK(hipHostMalloc, NULL, 16, 0);
}

QUESTION(pinned_of_too_much, "hipHostMalloc") {
    void *ptr = &ptr;
    ASK(hipHostMalloc, &ptr, (size_t)1 << 50, 0);
    SAY("unchanged", ptr == (void *)&ptr);
    ASK(hipMallocHost, &ptr, SIZE_MAX);
    ASK0(hipGetLastError);
}

QUESTION(unknown_flags, "hipHostMalloc") {
    void *ptr = NULL;
    ASK(hipHostAlloc, &ptr, 16, 8);
    ASK(hipHostMalloc, &ptr, 16, 8);
    ASK(hipHostMalloc, &ptr, 16, 0x80);
    ASK(hipHostAlloc, &ptr, 16, 7);
    if (ptr != NULL) MUST(hipHostFree, ptr);
}

#define FLAGS(name, value)                                                                         \
    QUESTION(flags_of_##name, "hipHostGetFlags") {                                                 \
        void *ptr = NULL;                                                                          \
        unsigned flags = 77;                                                                       \
        ASK(hipHostMalloc, &ptr, 4096, (value));                                                   \
        ASK(hipHostGetFlags, &flags, ptr);                                                         \
        SAY("flags", flags);                                                                       \
        ASK(hipHostGetFlags, &flags, ptr);                                                         \
        SAY("flags", flags);                                                                       \
        MUST(hipHostFree, ptr);                                                                    \
    }
FLAGS(none, 0)
FLAGS(portable, hipHostMallocPortable)
FLAGS(mapped, hipHostMallocMapped)
FLAGS(write_combined, hipHostMallocWriteCombined)

QUESTION(flags_of_memory_of_the_runtime, "hipHostGetFlags") {
    void *ptr = NULL;
    unsigned flags = 77;
    ASK(hipMallocHost, &ptr, 4096);
    ASK(hipHostGetFlags, &flags, ptr);
    SAY("flags", flags);
    MUST(hipFreeHost, ptr);
    ASK(hipHostAlloc, &ptr, 4096, hipHostAllocPortable);
    ASK(hipHostGetFlags, &flags, ptr);
    SAY("flags", flags);
    MUST(hipFreeHost, ptr);
}

QUESTION(flags_of_other_memory, "hipHostGetFlags") {
    uintptr_t ptr = make_memory(4096);
    unsigned flags = 77;
    ASK(hipHostGetFlags, &flags, &flags);
    ASK(hipHostGetFlags, &flags, &flags);
    ASK(hipHostGetFlags, &flags, pointer(ptr));
    ASK(hipHostGetFlags, &flags, NULL);
    ASK(hipHostGetFlags, NULL, &flags);
    SAY("flags", flags);
    MUST(hipFree, pointer(ptr));
}

QUESTION(flags_inside, "hipHostGetFlags") {
    char *ptr = (char *)make_pinned(8192);
    unsigned flags = 77;
    ASK(hipHostGetFlags, &flags, ptr + 100);
    SAY("flags", flags);
    MUST(hipHostFree, ptr);
}

QUESTION(pinned_memory_is_aligned, "hipHostMalloc") {
    void *a = make_pinned(1), *b = make_pinned(5000);
    SAY("a", number(a) % 4096);
    SAY("b", number(b) % 4096);
    MUST(hipHostFree, a);
    MUST(hipHostFree, b);
}

QUESTION(pinned_memory_begins_with_zeros, "hipHostMalloc") {
    char *ptr = (char *)make_pinned(4096);
    int other = 0;
    for (int i = 0; i < 4096; i++) other += ptr[i] != 0;
    SAY("not_zero", other);
    MUST(hipHostFree, ptr);
}

QUESTION(pinned_memory_takes_none_of_the_device, "hipMemGetInfo") {
    size_t before = free_bytes();
    void *ptr = make_pinned(64 * MIB);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    MUST(hipHostFree, ptr);
}

QUESTION(pinned_memory_has_the_same_address, "hipHostGetDevicePointer") {
    char *ptr = (char *)make_pinned(8192);
    uintptr_t of_driver = 0;
    void *of_runtime = NULL;
    ASK(hipHostGetDevicePointer, (void **)&of_driver, ptr, 0);
    SAY("same", of_driver == number(ptr));
    ASK(hipHostGetDevicePointer, &of_runtime, ptr, 0);
    SAY("same", of_runtime == ptr);
    ASK(hipHostGetDevicePointer, (void **)&of_driver, ptr + 100, 0);
    SAY("same", of_driver == number(ptr + 100));
    ASK(hipHostGetDevicePointer, (void **)&of_driver, ptr, 1);
    ASK(hipHostGetDevicePointer, NULL, ptr, 0);
    MUST(hipHostFree, ptr);
    ASK(hipHostGetDevicePointer, (void **)&of_driver, ptr, 0);
}

QUESTION(device_pointer_of_other_memory, "hipHostGetDevicePointer") {
    uintptr_t ptr = make_memory(4096), managed = make_managed(4096), got = 7;
    ASK(hipHostGetDevicePointer, (void **)&got, &got, 0);
    ASK(hipHostGetDevicePointer, (void **)&got, NULL, 0);
    ASK(hipHostGetDevicePointer, (void **)&got, pointer(ptr), 0);
    ASK(hipHostGetDevicePointer, (void **)&got, pointer(managed), 0);
    ASK(hipHostGetDevicePointer, (void **)&got, &got, 0);
    MUST(hipFree, pointer(managed));
    MUST(hipFree, pointer(ptr));
}

QUESTION(free_twice, "hipHostFree") {
    void *ptr = make_pinned(4096);
    ASK(hipHostFree, ptr);
    ASK(hipHostFree, ptr);
    ASK(hipFreeHost, ptr);
}

QUESTION(free_inside, "hipHostFree") {
    char *ptr = (char *)make_pinned(8192);
    ASK(hipHostFree, ptr + 1);
    ASK(hipFreeHost, ptr + 4096);
    ASK(hipHostFree, ptr);
}

QUESTION(free_of_other_memory, "hipFreeHost") {
    void *heap = malloc(64);
    ASK(hipFreeHost, heap);
    ASK(hipHostFree, heap);
    ASK(hipFreeHost, mine);
    free(heap);
}

QUESTION(registered_twice, "hipHostRegister") {
    ASK(hipHostRegister, mine, sizeof mine, 0);
    ASK(hipHostRegister, mine, sizeof mine, 0);
    ASK(hipHostRegister, mine + 4096, 4096, 0);
    ASK(hipHostRegister, mine, sizeof mine, 0);
    ASK(hipHostUnregister, mine);
    ASK0(hipGetLastError);
}

QUESTION(a_registered_range_overlaps, "hipHostRegister") {
    ASK(hipHostRegister, mine + 4096, 8192, 0);
    ASK(hipHostRegister, mine, 8192, 0);
    ASK(hipHostRegister, mine, 4096, 0);
    ASK(hipHostUnregister, mine);
    ASK(hipHostUnregister, mine + 4096);
}

QUESTION(unregistered_twice, "hipHostUnregister") {
    MUST(hipHostRegister, mine, sizeof mine, 0);
    ASK(hipHostUnregister, mine);
    ASK(hipHostUnregister, mine);
    ASK(hipHostUnregister, mine);
}

QUESTION(unregistered_inside, "hipHostUnregister") {
    MUST(hipHostRegister, mine, sizeof mine, 0);
    ASK(hipHostUnregister, mine + 4096);
    ASK(hipHostUnregister, mine + 1);
    ASK(hipHostUnregister, mine);
}

QUESTION(unregistered_null, "hipHostUnregister") {
    ASK(hipHostUnregister, NULL);
    ASK(hipHostUnregister, NULL);
}

QUESTION(registered_null, "hipHostRegister") {
    ASK(hipHostRegister, NULL, 4096, 0);
    ASK(hipHostRegister, NULL, 4096, 0);
    ASK(hipHostRegister, mine, 0, 0);
    ASK(hipHostRegister, mine, 0, 0);
}

QUESTION(registered_odd_ranges, "hipHostRegister") {
    unsigned flags = 0;
    uintptr_t got = 0;
    ASK(hipHostRegister, mine + 100, 1000, 0);
    ASK(hipHostGetFlags, &flags, mine + 100);
    ASK(hipHostGetFlags, &flags, mine);
    ASK(hipHostGetDevicePointer, (void **)&got, mine + 100, 0);
    SAY("same", got == number(mine + 100));
    ASK(hipHostRegister, mine + 2000, 100, 0);
    ASK(hipHostUnregister, mine + 2000);
    ASK(hipHostUnregister, mine + 100);
}

QUESTION(unknown_flags_of_registration, "hipHostRegister") {
    ASK(hipHostRegister, mine, 4096, 0x10);
    ASK(hipHostRegister, mine, 4096, 0x10);
    ASK(hipHostRegister, mine, 4096, 0x80);
}

#define REGISTER(name, value)                                                                      \
    QUESTION(registered_##name, "hipHostRegister") {                                               \
        unsigned flags = 77;                                                                       \
        long long code = ASK(hipHostRegister, mine, 4096, (value));                                \
        if (code != 0) return;                                                                     \
        ASK(hipHostGetFlags, &flags, mine);                                                        \
        SAY("flags", flags);                                                                       \
        ASK(hipHostUnregister, mine);                                                              \
    }
REGISTER(without_flags, 0)
REGISTER(portable, hipHostRegisterPortable)
REGISTER(mapped, hipHostRegisterMapped)
REGISTER(as_io_memory, hipHostRegisterIoMemory)
REGISTER(read_only, hipHostRegisterReadOnly)

QUESTION(registered_flags_of_the_runtime, "hipHostRegister") {
    unsigned flags = 77;
    ASK(hipHostRegister, mine, 4096, hipHostRegisterPortable | hipHostRegisterMapped);
    ASK(hipHostGetFlags, &flags, mine);
    SAY("flags", flags);
    ASK(hipHostUnregister, mine);
    ASK(hipHostGetFlags, &flags, mine);
}

QUESTION(registered_pinned_memory, "hipHostRegister") {
    void *ptr = make_pinned(4096);
    ASK(hipHostRegister, ptr, 4096, 0);
    ASK(hipHostUnregister, ptr);
    MUST(hipHostFree, ptr);
}

QUESTION(registered_device_memory, "hipHostRegister") {
    uintptr_t ptr = make_memory(4096);
    ASK(hipHostRegister, pointer(ptr), 4096, 0);
    MUST(hipFree, pointer(ptr));
}

QUESTION(registered_managed_memory, "hipHostRegister") {
    uintptr_t ptr = make_managed(4096);
    long long code = ASK(hipHostRegister, pointer(ptr), 4096, 0);
    if (code == 0) MUST(hipHostUnregister, pointer(ptr));
    MUST(hipFree, pointer(ptr));
}

QUESTION(registered_memory_that_is_not_mapped, "hipHostRegister") {
    void *ptr = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long long code = ASK(hipHostRegister, ptr, 4096, 0);
    if (code == 0) MUST(hipHostUnregister, ptr);
    (void)munmap(ptr, 4096);
    code = ASK(hipHostRegister, ptr, 4096, 0);
    if (code == 0) MUST(hipHostUnregister, ptr);
}

QUESTION(registered_memory_that_is_read_only, "hipHostRegister") {
    void *ptr = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long long code = ASK(hipHostRegister, ptr, 4096, 0);
    if (code == 0) MUST(hipHostUnregister, ptr);
    code = ASK(hipHostRegister, ptr, 4096, hipHostRegisterReadOnly);
    if (code == 0) MUST(hipHostUnregister, ptr);
    (void)munmap(ptr, 4096);
}

QUESTION(free_of_registered_memory, "hipHostFree") {
    MUST(hipHostRegister, mine, 4096, 0);
    ASK(hipHostFree, mine);
    ASK(hipFreeHost, mine);
    ASK(hipFree, mine);
    ASK(hipHostUnregister, mine);
}

QUESTION(registered_memory_is_copied, "hipMemcpyDtoDAsync") {
    uintptr_t ptr = make_memory(4096);
    MUST(hipHostRegister, mine, 4096, 0);
    ASK(hipMemcpyDtoD, pointer(ptr), mine, 16);
    ASK(hipMemsetD8, mine, 9, 16);
    MUST0(hipDeviceSynchronize);
    SAY("byte", mine[15]);
    MUST(hipHostUnregister, mine);
    MUST(hipFree, pointer(ptr));
}
