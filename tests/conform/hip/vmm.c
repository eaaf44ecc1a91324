// SPDX-License-Identifier: Apache-2.0
// Virtual memory: granularity, reservations, physical memory, mappings, rights and descriptors.
#include <fcntl.h>
#include <unistd.h>

#include "old.h"

#define TN_GROUP "vmm"

static void read_write(uintptr_t at) { grant_rights(at, G, hipMemAccessFlagsProtReadWrite); }

QUESTION(granularities, "hipMemGetAllocationGranularity") {
    hipMemAllocationProp prop = props_of(0);
    size_t bytes = 7;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    SAY("bytes", bytes);
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityRecommended);
    SAY("bytes", bytes);
}

QUESTION(granularity_with_bad_arguments, "hipMemGetAllocationGranularity") {
    hipMemAllocationProp prop = props_of(0);
    size_t bytes = 7;
    ASK(hipMemGetAllocationGranularity, &bytes, NULL, hipMemAllocationGranularityMinimum);
    ASK(hipMemGetAllocationGranularity, NULL, &prop, hipMemAllocationGranularityMinimum);
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, (hipMemAllocationGranularity_flags)9);
    prop.location.id = 99;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    prop.location.id = -1;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    prop = props_of(0);
    prop.type = (hipMemAllocationType)0;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    prop = props_of(0);
    prop.location.type = (hipMemLocationType)0;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    SAY("bytes", bytes);
}

QUESTION(granularity_of_the_host, "hipMemGetAllocationGranularity") {
    hipMemAllocationProp prop = props_of(0);
    size_t bytes = 7;
    prop.location.type = hipMemLocationTypeHost;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    SAY("bytes", bytes);
    prop.location.type = hipMemLocationTypeHostNuma;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    SAY("bytes", bytes);
    prop.location.type = hipMemLocationTypeHostNumaCurrent;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    SAY("bytes", bytes);
}

QUESTION(granularity_of_shareable_memory, "hipMemGetAllocationGranularity") {
    hipMemAllocationProp prop = props_of(hipMemHandleTypePosixFileDescriptor);
    size_t bytes = 7;
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    SAY("bytes", bytes);
    prop = props_of(hipMemHandleTypeFabric);
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
    prop = props_of(0x40);
    ASK(hipMemGetAllocationGranularity, &bytes, &prop, hipMemAllocationGranularityMinimum);
}

// ---- physical memory

static void try_create(size_t bytes, const hipMemAllocationProp *prop, unsigned long long flags) {
    hipMemGenericAllocationHandle_t before = (hipMemGenericAllocationHandle_t)8, handle = before;
    if (ASK(hipMemCreate, &handle, bytes, prop, flags) == 0)
        MUST(hipMemRelease, handle);
    else
        SAY("unchanged", handle == before);
}

QUESTION(create_of_odd_sizes, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    try_create(G - 1, &prop, 0);
    try_create(G + 4096, &prop, 0);
    try_create(4096, &prop, 0);
    try_create(0, &prop, 0);
    try_create(3 * G, &prop, 0);
}

QUESTION(create_with_flags, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    try_create(G, &prop, 1);
    try_create(G - 1, &prop, 1);
}

QUESTION(create_to_null, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    ASK(hipMemCreate, NULL, G, &prop, 0);
    try_create(G, NULL, 0);
}

QUESTION(create_of_too_much, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    size_t left = 0, all = 0;
    MUST(hipMemGetInfo, &left, &all);
    try_create((all + GIB) / G * G, &prop, 0);
    try_create(SIZE_MAX / G * G, &prop, 0);
    SAY("same_free", free_bytes() == left);
}

QUESTION(create_of_all_that_is_free, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    try_create(free_bytes() / G * G + G, &prop, 0);
}

QUESTION(create_elsewhere, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    prop.location.id = 99;
    try_create(G, &prop, 0);
    try_create(G - 1, &prop, 0);
    prop = props_of(0);
    prop.location.type = (hipMemLocationType)0;
    try_create(G, &prop, 0);
    prop.location.type = (hipMemLocationType)77;
    try_create(G, &prop, 0);
}

QUESTION(create_of_other_types, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    prop.type = (hipMemAllocationType)0;
    try_create(G, &prop, 0);
    prop.type = (hipMemAllocationType)77;
    try_create(G, &prop, 0);
}

QUESTION(create_with_handle_types, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(hipMemHandleTypePosixFileDescriptor);
    try_create(G, &prop, 0);
    prop = props_of(hipMemHandleTypeWin32);
    try_create(G, &prop, 0);
    prop = props_of(0x40);
    try_create(G, &prop, 0);
}

QUESTION(create_for_the_fabric, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(hipMemHandleTypeFabric);
    try_create(G, &prop, 0);
}

QUESTION(create_compressible, "hipMemAllocationProp") {
    hipMemAllocationProp prop = props_of(0);
    prop.allocFlags.compressionType = 1;
    try_create(G, &prop, 0);
    prop.allocFlags.compressionType = 9;
    try_create(G, &prop, 0);
}

QUESTION(create_for_rdma, "hipMemAllocationProp") {
    hipMemAllocationProp prop = props_of(0);
    prop.allocFlags.gpuDirectRDMACapable = 1;
    try_create(G, &prop, 0);
}

QUESTION(create_for_tiles, "hipMemAllocationProp") {
    hipMemAllocationProp prop = props_of(0);
    prop.allocFlags.usage = 1;
    try_create(G, &prop, 0);
    prop.allocFlags.usage = 0x80;
    try_create(G, &prop, 0);
}

QUESTION(create_on_the_host, "hipMemCreate") {
    hipMemAllocationProp prop = props_of(0);
    size_t before = free_bytes();
    hipMemGenericAllocationHandle_t handle = 0;
    prop.location.type = hipMemLocationTypeHostNuma;
    if (ASK(hipMemCreate, &handle, G, &prop, 0) == 0) {
        SAY("fell_mib", (before - free_bytes()) / MIB);
        MUST(hipMemRelease, handle);
    }
    prop.location.type = hipMemLocationTypeHost;
    try_create(G, &prop, 0);
    prop.location.type = hipMemLocationTypeHostNuma;
    prop.location.id = 99;
    try_create(G, &prop, 0);
}

QUESTION(properties_come_back, "hipMemGetAllocationPropertiesFromHandle") {
    hipMemAllocationProp prop = props_of(1), got;
    hipMemGenericAllocationHandle_t handle = make_handle(G, 1);
    memset(&got, 0xee, sizeof got);
    ASK(hipMemGetAllocationPropertiesFromHandle, &got, handle);
    SAY("type", got.type);
    SAY("handles", got.requestedHandleTypes);
    SAY("location", got.location.type);
    SAY("id", got.location.id);
    SAY("compression", got.allocFlags.compressionType);
    SAY("rdma", got.allocFlags.gpuDirectRDMACapable);
    SAY("usage", got.allocFlags.usage);
    SAY("same", memcmp(&got, &prop, sizeof got) == 0);
    ASK(hipMemGetAllocationPropertiesFromHandle, NULL, handle);
    MUST(hipMemRelease, handle);
    ASK(hipMemGetAllocationPropertiesFromHandle, &got, handle);
    ASK(hipMemGetAllocationPropertiesFromHandle, &got, NULL);
}

QUESTION(capacity_is_taken_by_handles, "hipMemGetInfo") {
    size_t before = free_bytes();
    hipMemGenericAllocationHandle_t handle = make_handle(8 * G, 0);
    SAY("created_mib", (before - free_bytes()) / MIB);
    uintptr_t at = make_range(8 * G);
    SAY("reserved_mib", (before - free_bytes()) / MIB);
    MUST(hipMemMap, pointer(at), 8 * G, 0, handle, 0);
    SAY("mapped_mib", (before - free_bytes()) / MIB);
    MUST(hipMemRelease, handle);
    SAY("released_mib", (before - free_bytes()) / MIB);
    MUST(hipMemUnmap, pointer(at), 8 * G);
    SAY("unmapped_mib", (before - free_bytes()) / MIB);
    MUST(hipMemAddressFree, pointer(at), 8 * G);
}

QUESTION(released_twice, "hipMemRelease") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 0);
    ASK(hipMemRelease, handle);
    ASK(hipMemRelease, handle);
    ASK(hipMemRelease, NULL);
    ASK(hipMemRelease, (hipMemGenericAllocationHandle_t)12345);
}

// ---- reservations

QUESTION(reserve_of_odd_sizes, "hipMemAddressReserve") {
    static const size_t sizes[] = {0, 100, 4096, 3 * 4096, 65536, G - 4096, G, 3 * G};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uintptr_t at = 7;
        if (ASK(hipMemAddressReserve, (void **)&at, sizes[i], 0, NULL, 0) == 0)
            MUST(hipMemAddressFree, pointer(at), sizes[i]);
    }
}

QUESTION(reserve_with_alignments, "hipMemAddressReserve") {
    static const size_t alignments[] = {3, 1, 4096, G, 3 * G, GIB, (size_t)1 << 36};
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        uintptr_t at = 7;
        if (ASK(hipMemAddressReserve, (void **)&at, G, alignments[i], NULL, 0) == 0) {
            SAY("aligned", at % alignments[i] == 0);
            MUST(hipMemAddressFree, pointer(at), G);
        }
    }
}

QUESTION(reservations_are_aligned, "hipMemAddressReserve") {
    uintptr_t a = make_range(G), b = make_range(64 * G);
    SAY("a_of_2m", a % G == 0);
    SAY("b_of_2m", b % G == 0);
    MUST(hipMemAddressFree, pointer(a), G);
    MUST(hipMemAddressFree, pointer(b), 64 * G);
}

QUESTION(reserve_with_flags, "hipMemAddressReserve") {
    uintptr_t at = 7;
    ASK(hipMemAddressReserve, (void **)&at, G, 0, NULL, 1);
    ASK(hipMemAddressReserve, NULL, G, 0, NULL, 0);
    SAY("unchanged", at == 7);
}

QUESTION(reserve_at_an_address, "hipMemAddressReserve") {
    uintptr_t first = make_range(4 * G), again = 0, other = 0;
    MUST(hipMemAddressFree, pointer(first), 4 * G);
    ASK(hipMemAddressReserve, (void **)&again, 4 * G, 0, pointer(first), 0);
    SAY("same", again == first);
    ASK(hipMemAddressReserve, (void **)&other, 4 * G, 0, pointer(first), 0);
    SAY("same", other == first);
    MUST(hipMemAddressFree, pointer(again), 4 * G);
    if (other != 0) MUST(hipMemAddressFree, pointer(other), 4 * G);
}

QUESTION(reserve_at_an_odd_address, "hipMemAddressReserve") {
    uintptr_t first = make_range(4 * G), at = 0;
    MUST(hipMemAddressFree, pointer(first), 4 * G);
    if (ASK(hipMemAddressReserve, (void **)&at, G, 0, pointer(first + 1), 0) == 0)
        MUST(hipMemAddressFree, pointer(at), G);
    if (ASK(hipMemAddressReserve, (void **)&at, G, 0, pointer(first + 4096), 0) == 0) {
        SAY("same", at == first + 4096);
        MUST(hipMemAddressFree, pointer(at), G);
    }
}

QUESTION(reserve_of_more_than_the_device, "hipMemAddressReserve") {
    size_t left = 0, all = 0;
    uintptr_t at = 0;
    MUST(hipMemGetInfo, &left, &all);
    if (ASK(hipMemAddressReserve, (void **)&at, 4 * (all / G) * G, 0, NULL, 0) == 0)
        MUST(hipMemAddressFree, pointer(at), 4 * (all / G) * G);
    ASK(hipMemAddressReserve, (void **)&at, (size_t)1 << 50, 0, NULL, 0);
}

QUESTION(free_of_a_part, "hipMemAddressFree") {
    uintptr_t at = make_range(4 * G);
    ASK(hipMemAddressFree, pointer(at), G);
    ASK(hipMemAddressFree, pointer(at + G), 3 * G);
    ASK(hipMemAddressFree, pointer(at), 8 * G);
    ASK(hipMemAddressFree, pointer(at), 0);
    ASK(hipMemAddressFree, pointer(at), 4 * G);
    ASK(hipMemAddressFree, pointer(at), 4 * G);
    ASK(hipMemAddressFree, NULL, G);
}

QUESTION(free_while_mapped, "hipMemAddressFree") {
    uintptr_t at = make_range(2 * G);
    map_memory(at, G);
    ASK(hipMemAddressFree, pointer(at), 2 * G);
    read_write(at);
    ASK(hipMemsetD8, pointer(at), 1, G);
    ASK(hipMemUnmap, pointer(at), G);
    ASK(hipMemAddressFree, pointer(at), 2 * G);
}

QUESTION(free_of_plain_memory_as_a_range, "hipMemAddressFree") {
    uintptr_t ptr = make_memory(4 * G);
    ASK(hipMemAddressFree, pointer(ptr), 4 * G);
    ASK(hipMemUnmap, pointer(ptr), 4 * G);
    ASK(hipFree, pointer(ptr));
}

QUESTION(free_of_a_range_as_plain_memory, "hipFree") {
    uintptr_t at = make_range(2 * G);
    map_memory(at, G);
    ASK(hipFree, pointer(at));
    ASK(hipFree, pointer(at));
    end_range(at, G, 2 * G);
}

// ---- mappings

QUESTION(map_with_an_offset, "hipMemMap") {
    hipMemGenericAllocationHandle_t handle = make_handle(2 * G, 0);
    uintptr_t at = make_range(2 * G);
    if (ASK(hipMemMap, pointer(at), G, G, handle, 0) == 0) MUST(hipMemUnmap, pointer(at), G);
    ASK(hipMemMap, pointer(at), 2 * G, 4096, handle, 0);
    MUST(hipMemRelease, handle);
    MUST(hipMemAddressFree, pointer(at), 2 * G);
}

QUESTION(map_a_part_of_a_handle, "hipMemMap") {
    hipMemGenericAllocationHandle_t handle = make_handle(2 * G, 0);
    uintptr_t at = make_range(4 * G);
    if (ASK(hipMemMap, pointer(at), G, 0, handle, 0) == 0) MUST(hipMemUnmap, pointer(at), G);
    ASK(hipMemMap, pointer(at), 4 * G, 0, handle, 0);
    ASK(hipMemMap, pointer(at), 0, 0, handle, 0);
    ASK(hipMemMap, pointer(at), G + 4096, 0, handle, 0);
    MUST(hipMemRelease, handle);
    MUST(hipMemAddressFree, pointer(at), 4 * G);
}

QUESTION(map_at_odd_addresses, "hipMemMap") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 0);
    uintptr_t at = make_range(4 * G);
    ASK(hipMemMap, pointer(at + 4096), G, 0, handle, 0);
    ASK(hipMemMap, pointer(at + 1), G, 0, handle, 0);
    ASK(hipMemMap, pointer(at + 65536), G, 0, handle, 0);
    MUST(hipMemRelease, handle);
    MUST(hipMemAddressFree, pointer(at), 4 * G);
}

QUESTION(map_over_a_mapping, "hipMemMap") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 0), second = make_handle(2 * G, 0);
    uintptr_t at = make_range(4 * G);
    ASK(hipMemMap, pointer(at + G), G, 0, handle, 0);
    ASK(hipMemMap, pointer(at + G), G, 0, handle, 0);
    ASK(hipMemMap, pointer(at), 2 * G, 0, second, 0);
    ASK(hipMemMap, pointer(at + 2 * G), 2 * G, 0, second, 0);
    MUST(hipMemRelease, handle);
    MUST(hipMemRelease, second);
    MUST(hipMemUnmap, pointer(at + G), 3 * G);
    MUST(hipMemAddressFree, pointer(at), 4 * G);
}

QUESTION(map_outside_a_reservation, "hipMemMap") {
    hipMemGenericAllocationHandle_t handle = make_handle(2 * G, 0);
    uintptr_t at = make_range(4 * G);
    ASK(hipMemMap, pointer(at + 3 * G), 2 * G, 0, handle, 0);
    ASK(hipMemMap, NULL, 2 * G, 0, handle, 0);
    MUST(hipMemAddressFree, pointer(at), 4 * G);
    ASK(hipMemMap, pointer(at), 2 * G, 0, handle, 0);
    MUST(hipMemRelease, handle);
}

QUESTION(map_across_two_reservations, "hipMemMap") {
    uintptr_t both = make_range(4 * G), first = 0, second = 0;
    hipMemGenericAllocationHandle_t handle = make_handle(2 * G, 0);
    MUST(hipMemAddressFree, pointer(both), 4 * G);
    MUST(hipMemAddressReserve, (void **)&first, 2 * G, 0, pointer(both), 0);
    MUST(hipMemAddressReserve, (void **)&second, 2 * G, 0, pointer(both + 2 * G), 0);
    SAY("adjacent", second == first + 2 * G);
    if (second == first + 2 * G && ASK(hipMemMap, pointer(first + G), 2 * G, 0, handle, 0) == 0)
        MUST(hipMemUnmap, pointer(first + G), 2 * G);
    MUST(hipMemRelease, handle);
    MUST(hipMemAddressFree, pointer(first), 2 * G);
    MUST(hipMemAddressFree, pointer(second), 2 * G);
}

QUESTION(map_with_flags, "hipMemMap") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 0);
    uintptr_t at = make_range(G);
    ASK(hipMemMap, pointer(at), G, 0, handle, 1);
    ASK(hipMemMap, pointer(at), G, 0, NULL, 0);
    ASK(hipMemMap, pointer(at), G, 0, (hipMemGenericAllocationHandle_t)12345, 0);
    MUST(hipMemRelease, handle);
    ASK(hipMemMap, pointer(at), G, 0, handle, 0);
    MUST(hipMemAddressFree, pointer(at), G);
}

QUESTION(map_one_handle_twice, "hipMemMap") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 0);
    uintptr_t at = make_range(2 * G);
    unsigned char byte = 0;
    ASK(hipMemMap, pointer(at), G, 0, handle, 0);
    ASK(hipMemMap, pointer(at + G), G, 0, handle, 0);
    grant_rights(at, 2 * G, hipMemAccessFlagsProtReadWrite);
    MUST(hipMemsetD8, pointer(at + 5), 42, 1);
    MUST0(hipDeviceSynchronize);
    MUST(hipMemcpyDtoH, &byte, pointer(at + G + 5), 1);
    SAY("byte", byte);
    MUST(hipMemRelease, handle);
    end_range(at, 2 * G, 2 * G);
}

QUESTION(unmap_a_part, "hipMemUnmap") {
    uintptr_t at = make_range(4 * G);
    map_memory(at, 2 * G);
    ASK(hipMemUnmap, pointer(at), G);
    ASK(hipMemUnmap, pointer(at + G), G);
    ASK(hipMemUnmap, pointer(at), 4 * G);
    ASK(hipMemUnmap, pointer(at), 0);
    ASK(hipMemUnmap, pointer(at), 2 * G);
    ASK(hipMemUnmap, pointer(at), 2 * G);
    MUST(hipMemAddressFree, pointer(at), 4 * G);
}

QUESTION(unmap_several, "hipMemUnmap") {
    uintptr_t at = make_range(4 * G);
    map_memory(at, G);
    map_memory(at + G, G);
    map_memory(at + 2 * G, 2 * G);
    ASK(hipMemUnmap, pointer(at), 2 * G);
    ASK(hipMemUnmap, pointer(at + 2 * G), 2 * G);
    MUST(hipMemAddressFree, pointer(at), 4 * G);
}

QUESTION(unmap_with_a_gap, "hipMemUnmap") {
    uintptr_t at = make_range(4 * G);
    map_memory(at, G);
    map_memory(at + 2 * G, G);
    if (ASK(hipMemUnmap, pointer(at), 3 * G) != 0) {
        MUST(hipMemUnmap, pointer(at), G);
        MUST(hipMemUnmap, pointer(at + 2 * G), G);
    }
    MUST(hipMemAddressFree, pointer(at), 4 * G);
}

// ---- rights

QUESTION(copies_without_rights, "hipMemSetAccess") {
    char bytes[64] = {1};
    uintptr_t at = make_range(G);
    map_memory(at, G);
    ASK(hipMemcpyHtoD, pointer(at), bytes, 64);
    ASK(hipMemcpyDtoH, bytes, pointer(at), 64);
    ASK(hipMemsetD8, pointer(at), 1, 64);
    read_write(at);
    ASK(hipMemcpyHtoD, pointer(at), bytes, 64);
    end_range(at, G, G);
}

QUESTION(copies_with_the_right_to_read, "hipMemAccessFlagsProtRead") {
    char bytes[64] = {1};
    uintptr_t at = make_range(G);
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtRead);
    map_memory(at, G);
    if (ASK(hipMemSetAccess, pointer(at), G, &desc, 1) == 0) {
        ASK(hipMemcpyDtoH, bytes, pointer(at), 64);
        ASK(hipMemcpyHtoD, pointer(at), bytes, 64);
    }
    end_range(at, G, G);
}

QUESTION(rights_over_a_gap, "hipMemSetAccess") {
    uintptr_t at = make_range(4 * G);
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtReadWrite);
    map_memory(at, 2 * G);
    ASK(hipMemSetAccess, pointer(at), 4 * G, &desc, 1);
    ASK(hipMemSetAccess, pointer(at + 2 * G), 2 * G, &desc, 1);
    map_memory(at + 2 * G, 2 * G);
    ASK(hipMemSetAccess, pointer(at), 4 * G, &desc, 1);
    end_range(at, 4 * G, 4 * G);
}

QUESTION(rights_to_a_part, "hipMemSetAccess") {
    uintptr_t at = make_range(4 * G);
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtReadWrite);
    map_memory(at, 4 * G);
    ASK(hipMemSetAccess, pointer(at + G), G, &desc, 1);
    ASK(hipMemSetAccess, pointer(at), 4096, &desc, 1);
    ASK(hipMemSetAccess, pointer(at + 4096), G, &desc, 1);
    ASK(hipMemSetAccess, pointer(at), 0, &desc, 1);
    end_range(at, 4 * G, 4 * G);
}

QUESTION(rights_of_bad_lists, "hipMemSetAccess") {
    uintptr_t at = make_range(G);
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtReadWrite);
    map_memory(at, G);
    ASK(hipMemSetAccess, pointer(at), G, &desc, 0);
    ASK(hipMemSetAccess, pointer(at), G, NULL, 1);
    desc.flags = (hipMemAccessFlags)2;
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    desc.flags = (hipMemAccessFlags)7;
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    desc = rights_of(hipMemAccessFlagsProtReadWrite);
    desc.location.id = 99;
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    desc.location.type = (hipMemLocationType)0;
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    end_range(at, G, G);
}

QUESTION(rights_of_the_host_to_device_memory, "hipMemSetAccess") {
    uintptr_t at = make_range(G);
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtReadWrite);
    map_memory(at, G);
    desc.location.type = hipMemLocationTypeHost;
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    desc.location.type = hipMemLocationTypeHostNuma;
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    end_range(at, G, G);
}

QUESTION(rights_that_are_taken, "hipMemAccessFlagsProtNone") {
    char bytes[64] = {1};
    uintptr_t at = make_range(G);
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtNone);
    map_memory(at, G);
    read_write(at);
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    ASK(hipMemcpyHtoD, pointer(at), bytes, 64);
    end_range(at, G, G);
}

QUESTION(rights_are_read, "hipMemGetAccess") {
    uintptr_t at = make_range(2 * G);
    hipMemLocation here = {hipMemLocationTypeDevice, 0};
    unsigned long long flags = 77;
    map_memory(at, G);
    ASK(hipMemGetAccess, &flags, &here, pointer(at));
    SAY("flags", flags);
    read_write(at);
    ASK(hipMemGetAccess, &flags, &here, pointer(at + 5));
    SAY("flags", flags);
    ASK(hipMemGetAccess, &flags, &here, pointer(at + G));
    ASK(hipMemGetAccess, NULL, &here, pointer(at));
    ASK(hipMemGetAccess, &flags, NULL, pointer(at));
    here.id = 99;
    ASK(hipMemGetAccess, &flags, &here, pointer(at));
    here = (hipMemLocation){hipMemLocationTypeHost, 0};
    ASK(hipMemGetAccess, &flags, &here, pointer(at));
    end_range(at, G, 2 * G);
}

QUESTION(rights_of_plain_memory, "hipMemGetAccess") {
    uintptr_t ptr = make_memory(4 * G);
    hipMemLocation here = {hipMemLocationTypeDevice, 0};
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtReadWrite);
    unsigned long long flags = 77;
    ASK(hipMemGetAccess, &flags, &here, pointer(ptr));
    ASK(hipMemSetAccess, pointer(ptr), 4 * G, &desc, 1);
    MUST(hipFree, pointer(ptr));
}

// ---- handles of mappings

QUESTION(retained_handles, "hipMemRetainAllocationHandle") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 0), again = 0;
    uintptr_t at = make_range(2 * G);
    size_t before = free_bytes();
    MUST(hipMemMap, pointer(at), G, 0, handle, 0);
    ASK(hipMemRetainAllocationHandle, &again, pointer(at + 512));
    SAY("same", again == handle);
    ASK(hipMemRetainAllocationHandle, NULL, pointer(at));
    ASK(hipMemRetainAllocationHandle, &again, pointer(at + G));
    ASK(hipMemRetainAllocationHandle, &again, &again);
    end_range(at, G, 2 * G);
    ASK(hipMemRelease, handle);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    ASK(hipMemRelease, handle);
    SAY("rose_mib", (free_bytes() - before) / MIB);
    ASK(hipMemRelease, handle);
}

QUESTION(retained_plain_memory, "hipMemRetainAllocationHandle") {
    hipMemGenericAllocationHandle_t handle = 0;
    uintptr_t ptr = make_memory(4 * G);
    ASK(hipMemRetainAllocationHandle, &handle, pointer(ptr));
    MUST(hipFree, pointer(ptr));
}

// ---- descriptors

static int try_export(hipMemGenericAllocationHandle_t handle, int type, unsigned long long flags) {
    int fd = -1;
    ASK(hipMemExportToShareableHandle, &fd, handle, (hipMemAllocationHandleType)type, flags);
    return fd;
}

QUESTION(export_of_memory_without_a_type, "hipMemExportToShareableHandle") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 0);
    try_export(handle, hipMemHandleTypePosixFileDescriptor, 0);
    try_export(handle, 0, 0);
    MUST(hipMemRelease, handle);
}

QUESTION(export_as_a_descriptor, "hipMemExportToShareableHandle") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 1);
    int fd = try_export(handle, 1, 0), second = try_export(handle, 1, 0);
    SAY("valid", fd >= 0);
    SAY("new", fd != second);
    SAY("close_on_exec", (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    try_export(handle, 1, 1);
    try_export(handle, 2, 0);
    try_export(handle, 8, 0);
    ASK(hipMemExportToShareableHandle, NULL, handle, (hipMemAllocationHandleType)1, 0);
    (void)close(fd);
    (void)close(second);
    MUST(hipMemRelease, handle);
    try_export(handle, 1, 0);
}

QUESTION(import_in_the_same_process, "hipMemImportFromShareableHandle") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, 1), got = 0;
    size_t before = free_bytes();
    int fd = try_export(handle, 1, 0);
    ASK(hipMemImportFromShareableHandle, &got, (void *)(intptr_t)fd, (hipMemAllocationHandleType)1);
    SAY("same", got == handle);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    (void)close(fd);
    ASK(hipMemRelease, got);
    ASK(hipMemRelease, handle);
}

QUESTION(import_of_bad_descriptors, "hipMemImportFromShareableHandle") {
    hipMemGenericAllocationHandle_t got = 0;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    ASK(hipMemImportFromShareableHandle, &got, (void *)(intptr_t)-1, (hipMemAllocationHandleType)1);
    ASK(hipMemImportFromShareableHandle, &got, (void *)(intptr_t)9999,
        (hipMemAllocationHandleType)1);
    ASK(hipMemImportFromShareableHandle, &got, (void *)(intptr_t)null,
        (hipMemAllocationHandleType)1);
    ASK(hipMemImportFromShareableHandle, &got, (void *)(intptr_t)null,
        (hipMemAllocationHandleType)0);
    ASK(hipMemImportFromShareableHandle, NULL, (void *)(intptr_t)null,
        (hipMemAllocationHandleType)1);
    (void)close(null);
}

QUESTION(capture_forbids_nothing_of_virtual_memory, "hipStreamBeginCapture") {
    hipStream_t stream = make_stream();
    hipGraph_t graph = NULL;
    hipMemAllocationProp prop = props_of(0);
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtReadWrite);
    hipMemGenericAllocationHandle_t handle = 0;
    uintptr_t at = 0;
    MUST(hipStreamBeginCapture, stream, hipStreamCaptureModeGlobal);
    ASK(hipMemAddressReserve, (void **)&at, G, 0, NULL, 0);
    ASK(hipMemCreate, &handle, G, &prop, 0);
    ASK(hipMemMap, pointer(at), G, 0, handle, 0);
    ASK(hipMemSetAccess, pointer(at), G, &desc, 1);
    ASK(hipStreamEndCapture, stream, &graph);
    if (graph != NULL) MUST(hipGraphDestroy, graph);
    MUST(hipStreamDestroy, stream);
}
