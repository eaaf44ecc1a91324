// SPDX-License-Identifier: Apache-2.0
// Virtual memory: granularity, reservations, physical memory, mappings, rights and descriptors.
#include <fcntl.h>
#include <unistd.h>

#include "begin.h"

#define TN_GROUP "vmm"

static void read_write(CUdeviceptr at) { grant_rights(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE); }

QUESTION(granularities, EITHER("cuMemGetAllocationGranularity", "hipMemGetAllocationGranularity")) {
    CUmemAllocationProp prop = props_of(0);
    size_t bytes = 7;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    SAY("bytes", bytes);
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    SAY("bytes", bytes);
}

QUESTION(granularity_with_bad_arguments,
         EITHER("cuMemGetAllocationGranularity", "hipMemGetAllocationGranularity")) {
    CUmemAllocationProp prop = props_of(0);
    size_t bytes = 7;
    ASK(cuMemGetAllocationGranularity, &bytes, NULL, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    ASK(cuMemGetAllocationGranularity, NULL, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, (CUmemAllocationGranularity_flags)9);
    prop.location.id = 99;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    prop.location.id = -1;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    prop = props_of(0);
    prop.type = (CUmemAllocationType)0;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    prop = props_of(0);
    prop.location.type = (CUmemLocationType)0;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    SAY("bytes", bytes);
}

QUESTION(granularity_of_the_host, EITHER("cuMemGetAllocationGranularity: CU_MEM_LOCATION_TYPE_HOST",
                                         "hipMemGetAllocationGranularity")) {
    CUmemAllocationProp prop = props_of(0);
    size_t bytes = 7;
    prop.location.type = CU_MEM_LOCATION_TYPE_HOST;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    SAY("bytes", bytes);
    prop.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    SAY("bytes", bytes);
    prop.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    SAY("bytes", bytes);
}

QUESTION(granularity_of_shareable_memory,
         EITHER("cuMemGetAllocationGranularity", "hipMemGetAllocationGranularity")) {
    CUmemAllocationProp prop = props_of(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    size_t bytes = 7;
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    SAY("bytes", bytes);
    prop = props_of(CU_MEM_HANDLE_TYPE_FABRIC);
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    prop = props_of(0x40);
    ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
}

// ---- physical memory

static void try_create(size_t bytes, const CUmemAllocationProp *prop, unsigned long long flags) {
    CUmemGenericAllocationHandle before = (CUmemGenericAllocationHandle)8, handle = before;
    if (ASK(cuMemCreate, &handle, bytes, prop, flags) == 0)
        MUST(cuMemRelease, handle);
    else
        SAY("unchanged", handle == before);
}

QUESTION(create_of_odd_sizes,
         EITHER("cuMemCreate: size must be a multiple of the granularity", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    try_create(G - 1, &prop, 0);
    try_create(G + 4096, &prop, 0);
    try_create(4096, &prop, 0);
    try_create(0, &prop, 0);
    try_create(3 * G, &prop, 0);
}

QUESTION(create_with_flags, EITHER("cuMemCreate: flags must be 0", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    try_create(G, &prop, 1);
    try_create(G - 1, &prop, 1);
}

QUESTION(create_to_null, EITHER("cuMemCreate", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    ASK(cuMemCreate, NULL, G, &prop, 0);
    try_create(G, NULL, 0);
}

QUESTION(create_of_too_much, EITHER("cuMemCreate: out of memory", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    size_t left = 0, all = 0;
    MUST(cuMemGetInfo, &left, &all);
    try_create((all + GIB) / G * G, &prop, 0);
    try_create(SIZE_MAX / G * G, &prop, 0);
    SAY("same_free", free_bytes() == left);
}

QUESTION(create_of_all_that_is_free, EITHER("cuMemCreate: out of memory", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    try_create(free_bytes() / G * G + G, &prop, 0);
}

QUESTION(create_elsewhere, EITHER("cuMemCreate", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    prop.location.id = 99;
    try_create(G, &prop, 0);
    try_create(G - 1, &prop, 0);
    prop = props_of(0);
    prop.location.type = (CUmemLocationType)0;
    try_create(G, &prop, 0);
    prop.location.type = (CUmemLocationType)77;
    try_create(G, &prop, 0);
}

QUESTION(create_of_other_types, EITHER("cuMemCreate", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    prop.type = (CUmemAllocationType)0;
    try_create(G, &prop, 0);
    prop.type = (CUmemAllocationType)77;
    try_create(G, &prop, 0);
}

QUESTION(create_with_handle_types, EITHER("cuMemCreate", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    try_create(G, &prop, 0);
    prop = props_of(CU_MEM_HANDLE_TYPE_WIN32);
    try_create(G, &prop, 0);
    prop = props_of(0x40);
    try_create(G, &prop, 0);
}

QUESTION(create_for_the_fabric, EITHER("cuMemCreate", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(CU_MEM_HANDLE_TYPE_FABRIC);
    try_create(G, &prop, 0);
}

#if !IS_HIP
QUESTION(create_with_reserved_bytes, "CUmemAllocationProp: reserved members must be 0") {
    CUmemAllocationProp prop = props_of(0);
    prop.allocFlags.reserved[0] = 1;
    try_create(G, &prop, 0);
}
#endif

QUESTION(create_compressible, EITHER("CU_MEM_ALLOCATION_COMP_GENERIC", "hipMemAllocationProp")) {
    CUmemAllocationProp prop = props_of(0);
    prop.allocFlags.compressionType = 1;
    try_create(G, &prop, 0);
    prop.allocFlags.compressionType = 9;
    try_create(G, &prop, 0);
}

QUESTION(create_for_rdma, EITHER("gpuDirectRDMACapable", "hipMemAllocationProp")) {
    CUmemAllocationProp prop = props_of(0);
    prop.allocFlags.gpuDirectRDMACapable = 1;
    try_create(G, &prop, 0);
}

QUESTION(create_for_tiles, EITHER("CU_MEM_CREATE_USAGE_TILE_POOL", "hipMemAllocationProp")) {
    CUmemAllocationProp prop = props_of(0);
    prop.allocFlags.usage = 1;
    try_create(G, &prop, 0);
    prop.allocFlags.usage = 0x80;
    try_create(G, &prop, 0);
}

QUESTION(create_on_the_host,
         EITHER("cuMemCreate: CU_MEM_LOCATION_TYPE_HOST_NUMA", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    size_t before = free_bytes();
    CUmemGenericAllocationHandle handle = 0;
    prop.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    if (ASK(cuMemCreate, &handle, G, &prop, 0) == 0) {
        SAY("fell_mib", (before - free_bytes()) / MIB);
        MUST(cuMemRelease, handle);
    }
    prop.location.type = CU_MEM_LOCATION_TYPE_HOST;
    try_create(G, &prop, 0);
    prop.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    prop.location.id = 99;
    try_create(G, &prop, 0);
}

QUESTION(properties_come_back, EITHER("cuMemGetAllocationPropertiesFromHandle",
                                      "hipMemGetAllocationPropertiesFromHandle")) {
    CUmemAllocationProp prop = props_of(1), got;
    CUmemGenericAllocationHandle handle = make_handle(G, 1);
    memset(&got, 0xee, sizeof got);
    ASK(cuMemGetAllocationPropertiesFromHandle, &got, handle);
    SAY("type", got.type);
    SAY("handles", got.requestedHandleTypes);
    SAY("location", got.location.type);
    SAY("id", got.location.id);
    SAY("compression", got.allocFlags.compressionType);
    SAY("rdma", got.allocFlags.gpuDirectRDMACapable);
    SAY("usage", got.allocFlags.usage);
    SAY("same", memcmp(&got, &prop, sizeof got) == 0);
    ASK(cuMemGetAllocationPropertiesFromHandle, NULL, handle);
    MUST(cuMemRelease, handle);
    ASK(cuMemGetAllocationPropertiesFromHandle, &got, handle);
    ASK(cuMemGetAllocationPropertiesFromHandle, &got, 0);
}

QUESTION(capacity_is_taken_by_handles, EITHER("cuMemGetInfo", "hipMemGetInfo")) {
    size_t before = free_bytes();
    CUmemGenericAllocationHandle handle = make_handle(8 * G, 0);
    SAY("created_mib", (before - free_bytes()) / MIB);
    CUdeviceptr at = make_range(8 * G);
    SAY("reserved_mib", (before - free_bytes()) / MIB);
    MUST(cuMemMap, at, 8 * G, 0, handle, 0);
    SAY("mapped_mib", (before - free_bytes()) / MIB);
    MUST(cuMemRelease, handle);
    SAY("released_mib", (before - free_bytes()) / MIB);
    MUST(cuMemUnmap, at, 8 * G);
    SAY("unmapped_mib", (before - free_bytes()) / MIB);
    MUST(cuMemAddressFree, at, 8 * G);
}

QUESTION(released_twice, EITHER("cuMemRelease", "hipMemRelease")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 0);
    ASK(cuMemRelease, handle);
    ASK(cuMemRelease, handle);
    ASK(cuMemRelease, 0);
    ASK(cuMemRelease, (CUmemGenericAllocationHandle)12345);
}

// ---- reservations

QUESTION(reserve_of_odd_sizes, EITHER("cuMemAddressReserve", "hipMemAddressReserve")) {
    static const size_t sizes[] = {0, 100, 4096, 3 * 4096, 65536, G - 4096, G, 3 * G};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CUdeviceptr at = UNSET;
        if (ASK(cuMemAddressReserve, &at, sizes[i], 0, 0, 0) == 0)
            MUST(cuMemAddressFree, at, sizes[i]);
    }
}

QUESTION(reserve_with_alignments,
         EITHER("cuMemAddressReserve: alignment is a power of two", "hipMemAddressReserve")) {
    static const size_t alignments[] = {3, 1, 4096, G, 3 * G, GIB, (size_t)1 << 36};
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        CUdeviceptr at = UNSET;
        if (ASK(cuMemAddressReserve, &at, G, alignments[i], 0, 0) == 0) {
            SAY("aligned", (uintptr_t)at % alignments[i] == 0);
            MUST(cuMemAddressFree, at, G);
        }
    }
}

QUESTION(reservations_are_aligned, EITHER("cuMemAddressReserve", "hipMemAddressReserve")) {
    CUdeviceptr a = make_range(G), b = make_range(64 * G);
    SAY("a_of_2m", (uintptr_t)a % G == 0);
    SAY("b_of_2m", (uintptr_t)b % G == 0);
    MUST(cuMemAddressFree, a, G);
    MUST(cuMemAddressFree, b, 64 * G);
}

QUESTION(reserve_with_flags,
         EITHER("cuMemAddressReserve: flags must be 0", "hipMemAddressReserve")) {
    CUdeviceptr at = UNSET;
    ASK(cuMemAddressReserve, &at, G, 0, 0, 1);
    ASK(cuMemAddressReserve, NULL, G, 0, 0, 0);
    SAY("unchanged", at == UNSET);
}

QUESTION(reserve_at_an_address,
         EITHER("cuMemAddressReserve: addr is a hint", "hipMemAddressReserve")) {
    CUdeviceptr first = make_range(4 * G), again = 0, other = 0;
    MUST(cuMemAddressFree, first, 4 * G);
    ASK(cuMemAddressReserve, &again, 4 * G, 0, first, 0);
    SAY("same", again == first);
    ASK(cuMemAddressReserve, &other, 4 * G, 0, first, 0);
    SAY("same", other == first);
    MUST(cuMemAddressFree, again, 4 * G);
    if (other != 0) MUST(cuMemAddressFree, other, 4 * G);
}

QUESTION(reserve_at_an_odd_address, EITHER("cuMemAddressReserve", "hipMemAddressReserve")) {
    CUdeviceptr first = make_range(4 * G), at = 0;
    MUST(cuMemAddressFree, first, 4 * G);
    if (ASK(cuMemAddressReserve, &at, G, 0, first + 1, 0) == 0) MUST(cuMemAddressFree, at, G);
    if (ASK(cuMemAddressReserve, &at, G, 0, first + 4096, 0) == 0) {
        SAY("same", at == first + 4096);
        MUST(cuMemAddressFree, at, G);
    }
}

QUESTION(reserve_of_more_than_the_device, EITHER("cuMemAddressReserve", "hipMemAddressReserve")) {
    size_t left = 0, all = 0;
    CUdeviceptr at = 0;
    MUST(cuMemGetInfo, &left, &all);
    if (ASK(cuMemAddressReserve, &at, 4 * (all / G) * G, 0, 0, 0) == 0)
        MUST(cuMemAddressFree, at, 4 * (all / G) * G);
    ASK(cuMemAddressReserve, &at, (size_t)1 << 50, 0, 0, 0);
}

QUESTION(free_of_a_part, EITHER("cuMemAddressFree", "hipMemAddressFree")) {
    CUdeviceptr at = make_range(4 * G);
    ASK(cuMemAddressFree, at, G);
    ASK(cuMemAddressFree, at + G, 3 * G);
    ASK(cuMemAddressFree, at, 8 * G);
    ASK(cuMemAddressFree, at, 0);
    ASK(cuMemAddressFree, at, 4 * G);
    ASK(cuMemAddressFree, at, 4 * G);
    ASK(cuMemAddressFree, 0, G);
}

QUESTION(free_while_mapped, EITHER("cuMemAddressFree", "hipMemAddressFree")) {
    CUdeviceptr at = make_range(2 * G);
    map_memory(at, G);
    ASK(cuMemAddressFree, at, 2 * G);
    read_write(at);
    ASK(cuMemsetD8, at, 1, G);
    ASK(cuMemUnmap, at, G);
    ASK(cuMemAddressFree, at, 2 * G);
}

QUESTION(free_of_plain_memory_as_a_range, EITHER("cuMemAddressFree", "hipMemAddressFree")) {
    CUdeviceptr ptr = make_memory(4 * G);
    ASK(cuMemAddressFree, ptr, 4 * G);
    ASK(cuMemUnmap, ptr, 4 * G);
    ASK(cuMemFree, ptr);
}

QUESTION(free_of_a_range_as_plain_memory, EITHER("cuMemFree", "hipFree")) {
    CUdeviceptr at = make_range(2 * G);
    map_memory(at, G);
    ASK(cuMemFree, at);
    ASK(cudaFree, pointer(at));
    end_range(at, G, 2 * G);
}

// ---- mappings

QUESTION(map_with_an_offset, EITHER("cuMemMap: offset must be 0", "hipMemMap")) {
    CUmemGenericAllocationHandle handle = make_handle(2 * G, 0);
    CUdeviceptr at = make_range(2 * G);
    if (ASK(cuMemMap, at, G, G, handle, 0) == 0) MUST(cuMemUnmap, at, G);
    ASK(cuMemMap, at, 2 * G, 4096, handle, 0);
    MUST(cuMemRelease, handle);
    MUST(cuMemAddressFree, at, 2 * G);
}

QUESTION(map_a_part_of_a_handle, EITHER("cuMemMap: size", "hipMemMap")) {
    CUmemGenericAllocationHandle handle = make_handle(2 * G, 0);
    CUdeviceptr at = make_range(4 * G);
    if (ASK(cuMemMap, at, G, 0, handle, 0) == 0) MUST(cuMemUnmap, at, G);
    ASK(cuMemMap, at, 4 * G, 0, handle, 0);
    ASK(cuMemMap, at, 0, 0, handle, 0);
    ASK(cuMemMap, at, G + 4096, 0, handle, 0);
    MUST(cuMemRelease, handle);
    MUST(cuMemAddressFree, at, 4 * G);
}

QUESTION(map_at_odd_addresses, EITHER("cuMemMap: ptr must be aligned", "hipMemMap")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 0);
    CUdeviceptr at = make_range(4 * G);
    ASK(cuMemMap, at + 4096, G, 0, handle, 0);
    ASK(cuMemMap, at + 1, G, 0, handle, 0);
    ASK(cuMemMap, at + 65536, G, 0, handle, 0);
    MUST(cuMemRelease, handle);
    MUST(cuMemAddressFree, at, 4 * G);
}

QUESTION(map_over_a_mapping, EITHER("cuMemMap", "hipMemMap")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 0), second = make_handle(2 * G, 0);
    CUdeviceptr at = make_range(4 * G);
    ASK(cuMemMap, at + G, G, 0, handle, 0);
    ASK(cuMemMap, at + G, G, 0, handle, 0);
    ASK(cuMemMap, at, 2 * G, 0, second, 0);
    ASK(cuMemMap, at + 2 * G, 2 * G, 0, second, 0);
    MUST(cuMemRelease, handle);
    MUST(cuMemRelease, second);
    MUST(cuMemUnmap, at + G, 3 * G);
    MUST(cuMemAddressFree, at, 4 * G);
}

QUESTION(map_outside_a_reservation, EITHER("cuMemMap", "hipMemMap")) {
    CUmemGenericAllocationHandle handle = make_handle(2 * G, 0);
    CUdeviceptr at = make_range(4 * G);
    ASK(cuMemMap, at + 3 * G, 2 * G, 0, handle, 0);
    ASK(cuMemMap, 0, 2 * G, 0, handle, 0);
    MUST(cuMemAddressFree, at, 4 * G);
    ASK(cuMemMap, at, 2 * G, 0, handle, 0);
    MUST(cuMemRelease, handle);
}

QUESTION(map_across_two_reservations, EITHER("cuMemMap", "hipMemMap")) {
    CUdeviceptr both = make_range(4 * G), first = 0, second = 0;
    CUmemGenericAllocationHandle handle = make_handle(2 * G, 0);
    MUST(cuMemAddressFree, both, 4 * G);
    MUST(cuMemAddressReserve, &first, 2 * G, 0, both, 0);
    MUST(cuMemAddressReserve, &second, 2 * G, 0, both + 2 * G, 0);
    SAY("adjacent", second == first + 2 * G);
    if (second == first + 2 * G && ASK(cuMemMap, first + G, 2 * G, 0, handle, 0) == 0)
        MUST(cuMemUnmap, first + G, 2 * G);
    MUST(cuMemRelease, handle);
    MUST(cuMemAddressFree, first, 2 * G);
    MUST(cuMemAddressFree, second, 2 * G);
}

QUESTION(map_with_flags, EITHER("cuMemMap: flags must be 0", "hipMemMap")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 0);
    CUdeviceptr at = make_range(G);
    ASK(cuMemMap, at, G, 0, handle, 1);
    ASK(cuMemMap, at, G, 0, 0, 0);
    ASK(cuMemMap, at, G, 0, (CUmemGenericAllocationHandle)12345, 0);
    MUST(cuMemRelease, handle);
    ASK(cuMemMap, at, G, 0, handle, 0);
    MUST(cuMemAddressFree, at, G);
}

QUESTION(map_one_handle_twice, EITHER("cuMemMap: aliases", "hipMemMap")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 0);
    CUdeviceptr at = make_range(2 * G);
    unsigned char byte = 0;
    ASK(cuMemMap, at, G, 0, handle, 0);
    ASK(cuMemMap, at + G, G, 0, handle, 0);
    grant_rights(at, 2 * G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    MUST(cuMemsetD8, at + 5, 42, 1);
    MUST0(cuCtxSynchronize);
    MUST(cuMemcpyDtoH, &byte, at + G + 5, 1);
    SAY("byte", byte);
    MUST(cuMemRelease, handle);
    end_range(at, 2 * G, 2 * G);
}

QUESTION(unmap_a_part, EITHER("cuMemUnmap: whole mappings", "hipMemUnmap")) {
    CUdeviceptr at = make_range(4 * G);
    map_memory(at, 2 * G);
    ASK(cuMemUnmap, at, G);
    ASK(cuMemUnmap, at + G, G);
    ASK(cuMemUnmap, at, 4 * G);
    ASK(cuMemUnmap, at, 0);
    ASK(cuMemUnmap, at, 2 * G);
    ASK(cuMemUnmap, at, 2 * G);
    MUST(cuMemAddressFree, at, 4 * G);
}

QUESTION(unmap_several, EITHER("cuMemUnmap: whole mappings", "hipMemUnmap")) {
    CUdeviceptr at = make_range(4 * G);
    map_memory(at, G);
    map_memory(at + G, G);
    map_memory(at + 2 * G, 2 * G);
    ASK(cuMemUnmap, at, 2 * G);
    ASK(cuMemUnmap, at + 2 * G, 2 * G);
    MUST(cuMemAddressFree, at, 4 * G);
}

QUESTION(unmap_with_a_gap, EITHER("cuMemUnmap", "hipMemUnmap")) {
    CUdeviceptr at = make_range(4 * G);
    map_memory(at, G);
    map_memory(at + 2 * G, G);
    if (ASK(cuMemUnmap, at, 3 * G) != 0) {
        MUST(cuMemUnmap, at, G);
        MUST(cuMemUnmap, at + 2 * G, G);
    }
    MUST(cuMemAddressFree, at, 4 * G);
}

// ---- rights

QUESTION(copies_without_rights, EITHER("cuMemSetAccess", "hipMemSetAccess")) {
    char bytes[64] = {1};
    CUdeviceptr at = make_range(G);
    map_memory(at, G);
    ASK(cuMemcpyHtoD, at, bytes, 64);
    ASK(cuMemcpyDtoH, bytes, at, 64);
    ASK(cuMemsetD8, at, 1, 64);
    read_write(at);
    ASK(cuMemcpyHtoD, at, bytes, 64);
    end_range(at, G, G);
}

QUESTION(copies_with_the_right_to_read,
         EITHER("CU_MEM_ACCESS_FLAGS_PROT_READ", "hipMemAccessFlagsProtRead")) {
    char bytes[64] = {1};
    CUdeviceptr at = make_range(G);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READ);
    map_memory(at, G);
    if (ASK(cuMemSetAccess, at, G, &desc, 1) == 0) {
        ASK(cuMemcpyDtoH, bytes, at, 64);
        ASK(cuMemcpyHtoD, at, bytes, 64);
    }
    end_range(at, G, G);
}

QUESTION(rights_over_a_gap, EITHER("cuMemSetAccess", "hipMemSetAccess")) {
    CUdeviceptr at = make_range(4 * G);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    map_memory(at, 2 * G);
    ASK(cuMemSetAccess, at, 4 * G, &desc, 1);
    ASK(cuMemSetAccess, at + 2 * G, 2 * G, &desc, 1);
    map_memory(at + 2 * G, 2 * G);
    ASK(cuMemSetAccess, at, 4 * G, &desc, 1);
    end_range(at, 4 * G, 4 * G);
}

QUESTION(rights_to_a_part, EITHER("cuMemSetAccess", "hipMemSetAccess")) {
    CUdeviceptr at = make_range(4 * G);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    map_memory(at, 4 * G);
    ASK(cuMemSetAccess, at + G, G, &desc, 1);
    ASK(cuMemSetAccess, at, 4096, &desc, 1);
    ASK(cuMemSetAccess, at + 4096, G, &desc, 1);
    ASK(cuMemSetAccess, at, 0, &desc, 1);
    end_range(at, 4 * G, 4 * G);
}

QUESTION(rights_of_bad_lists, EITHER("cuMemSetAccess", "hipMemSetAccess")) {
    CUdeviceptr at = make_range(G);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    map_memory(at, G);
    ASK(cuMemSetAccess, at, G, &desc, 0);
    ASK(cuMemSetAccess, at, G, NULL, 1);
    desc.flags = (CUmemAccess_flags)2;
    ASK(cuMemSetAccess, at, G, &desc, 1);
    desc.flags = (CUmemAccess_flags)7;
    ASK(cuMemSetAccess, at, G, &desc, 1);
    desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    desc.location.id = 99;
    ASK(cuMemSetAccess, at, G, &desc, 1);
    desc.location.type = (CUmemLocationType)0;
    ASK(cuMemSetAccess, at, G, &desc, 1);
    end_range(at, G, G);
}

QUESTION(rights_of_the_host_to_device_memory,
         EITHER("cuMemSetAccess: CU_MEM_LOCATION_TYPE_HOST", "hipMemSetAccess")) {
    CUdeviceptr at = make_range(G);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    map_memory(at, G);
    desc.location.type = CU_MEM_LOCATION_TYPE_HOST;
    ASK(cuMemSetAccess, at, G, &desc, 1);
    desc.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    ASK(cuMemSetAccess, at, G, &desc, 1);
    end_range(at, G, G);
}

QUESTION(rights_that_are_taken,
         EITHER("CU_MEM_ACCESS_FLAGS_PROT_NONE", "hipMemAccessFlagsProtNone")) {
    char bytes[64] = {1};
    CUdeviceptr at = make_range(G);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_NONE);
    map_memory(at, G);
    read_write(at);
    ASK(cuMemSetAccess, at, G, &desc, 1);
    ASK(cuMemcpyHtoD, at, bytes, 64);
    end_range(at, G, G);
}

QUESTION(rights_are_read, EITHER("cuMemGetAccess", "hipMemGetAccess")) {
    CUdeviceptr at = make_range(2 * G);
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    unsigned long long flags = 77;
    map_memory(at, G);
    ASK(cuMemGetAccess, &flags, &here, at);
    SAY("flags", flags);
    read_write(at);
    ASK(cuMemGetAccess, &flags, &here, at + 5);
    SAY("flags", flags);
    ASK(cuMemGetAccess, &flags, &here, at + G);
    ASK(cuMemGetAccess, NULL, &here, at);
    ASK(cuMemGetAccess, &flags, NULL, at);
    here.id = 99;
    ASK(cuMemGetAccess, &flags, &here, at);
    here = (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0};
    ASK(cuMemGetAccess, &flags, &here, at);
    end_range(at, G, 2 * G);
}

QUESTION(rights_of_plain_memory, EITHER("cuMemGetAccess", "hipMemGetAccess")) {
    CUdeviceptr ptr = make_memory(4 * G);
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    unsigned long long flags = 77;
    ASK(cuMemGetAccess, &flags, &here, ptr);
    ASK(cuMemSetAccess, ptr, 4 * G, &desc, 1);
    MUST(cuMemFree, ptr);
}

// ---- handles of mappings

QUESTION(retained_handles, EITHER("cuMemRetainAllocationHandle", "hipMemRetainAllocationHandle")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 0), again = 0;
    CUdeviceptr at = make_range(2 * G);
    size_t before = free_bytes();
    MUST(cuMemMap, at, G, 0, handle, 0);
    ASK(cuMemRetainAllocationHandle, &again, pointer(at + 512));
    SAY("same", again == handle);
    ASK(cuMemRetainAllocationHandle, NULL, pointer(at));
    ASK(cuMemRetainAllocationHandle, &again, pointer(at + G));
    ASK(cuMemRetainAllocationHandle, &again, &again);
    end_range(at, G, 2 * G);
    ASK(cuMemRelease, handle);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    ASK(cuMemRelease, handle);
    SAY("rose_mib", (free_bytes() - before) / MIB);
    ASK(cuMemRelease, handle);
}

QUESTION(retained_plain_memory,
         EITHER("cuMemRetainAllocationHandle", "hipMemRetainAllocationHandle")) {
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr ptr = make_memory(4 * G);
    ASK(cuMemRetainAllocationHandle, &handle, pointer(ptr));
    MUST(cuMemFree, ptr);
}

// ---- descriptors

static int try_export(CUmemGenericAllocationHandle handle, int type, unsigned long long flags) {
    int fd = -1;
    ASK(cuMemExportToShareableHandle, &fd, handle, (CUmemAllocationHandleType)type, flags);
    return fd;
}

QUESTION(export_of_memory_without_a_type,
         EITHER("cuMemExportToShareableHandle", "hipMemExportToShareableHandle")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 0);
    try_export(handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    try_export(handle, 0, 0);
    MUST(cuMemRelease, handle);
}

QUESTION(export_as_a_descriptor,
         EITHER("cuMemExportToShareableHandle", "hipMemExportToShareableHandle")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 1);
    int fd = try_export(handle, 1, 0), second = try_export(handle, 1, 0);
    SAY("valid", fd >= 0);
    SAY("new", fd != second);
    SAY("close_on_exec", (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    try_export(handle, 1, 1);
    try_export(handle, 2, 0);
    try_export(handle, 8, 0);
    ASK(cuMemExportToShareableHandle, NULL, handle, (CUmemAllocationHandleType)1, 0);
    (void)close(fd);
    (void)close(second);
    MUST(cuMemRelease, handle);
    try_export(handle, 1, 0);
}

QUESTION(import_in_the_same_process,
         EITHER("cuMemImportFromShareableHandle", "hipMemImportFromShareableHandle")) {
    CUmemGenericAllocationHandle handle = make_handle(G, 1), got = 0;
    size_t before = free_bytes();
    int fd = try_export(handle, 1, 0);
    ASK(cuMemImportFromShareableHandle, &got, (void *)(intptr_t)fd, (CUmemAllocationHandleType)1);
    SAY("same", got == handle);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    (void)close(fd);
    ASK(cuMemRelease, got);
    ASK(cuMemRelease, handle);
}

QUESTION(import_of_bad_descriptors,
         EITHER("cuMemImportFromShareableHandle", "hipMemImportFromShareableHandle")) {
    CUmemGenericAllocationHandle got = 0;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    ASK(cuMemImportFromShareableHandle, &got, (void *)(intptr_t)-1, (CUmemAllocationHandleType)1);
    ASK(cuMemImportFromShareableHandle, &got, (void *)(intptr_t)9999, (CUmemAllocationHandleType)1);
    ASK(cuMemImportFromShareableHandle, &got, (void *)(intptr_t)null, (CUmemAllocationHandleType)1);
    ASK(cuMemImportFromShareableHandle, &got, (void *)(intptr_t)null, (CUmemAllocationHandleType)0);
    ASK(cuMemImportFromShareableHandle, NULL, (void *)(intptr_t)null, (CUmemAllocationHandleType)1);
    (void)close(null);
}

QUESTION(capture_forbids_nothing_of_virtual_memory,
         EITHER("cuStreamBeginCapture", "hipStreamBeginCapture")) {
    CUstream stream = make_stream();
    CUgraph graph = NULL;
    CUmemAllocationProp prop = props_of(0);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    MUST(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuMemAddressReserve, &at, G, 0, 0, 0);
    ASK(cuMemCreate, &handle, G, &prop, 0);
    ASK(cuMemMap, at, G, 0, handle, 0);
    ASK(cuMemSetAccess, at, G, &desc, 1);
    ASK(cuStreamEndCapture, stream, &graph);
    if (graph != NULL) MUST(cuGraphDestroy, graph);
    MUST(cuStreamDestroy, stream);
}
