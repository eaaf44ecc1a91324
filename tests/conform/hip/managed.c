// SPDX-License-Identifier: Apache-2.0
// Managed memory: allocation, advice, prefetches, and the attributes of ranges.
#include "begin.h"

#define TN_GROUP "managed"

enum { BYTES = 4 << 20, HALF = BYTES / 2 };

static const hipMemLocation device = {hipMemLocationTypeDevice, 0};
static const hipMemLocation host = {hipMemLocationTypeHost, 0};

static int range_value(hipMemRangeAttribute which, uintptr_t from, size_t bytes) {
    int value = -99;
    MUST(hipMemRangeGetAttribute, &value, sizeof value, which, pointer(from), bytes);
    return value;
}

QUESTION(of_zero, "hipMallocManaged") {
    void *ptr = &ptr;
    uintptr_t of_driver = 7;
    ASK(hipMallocManaged, &ptr, 0, hipMemAttachGlobal);
    SAY("unchanged", ptr == (void *)&ptr);
    ASK(hipMallocManaged, (void **)&of_driver, 0, hipMemAttachGlobal);
    SAY("unchanged", of_driver == 7);
}

QUESTION(of_bad_flags, "hipMallocManaged") {
    uintptr_t ptr = 7;
    ASK(hipMallocManaged, (void **)&ptr, 16, 0);
    ASK(hipMallocManaged, (void **)&ptr, 16, 3);
    ASK(hipMallocManaged, (void **)&ptr, 16, hipMemAttachSingle);
    ASK(hipMallocManaged, (void **)&ptr, 16, 8);
    SAY("unchanged", ptr == 7);
    ASK(hipMallocManaged, (void **)&ptr, 16, 0);
    ASK(hipMallocManaged, (void **)&ptr, 16, 3);
    ASK(hipMallocManaged, NULL, 16, hipMemAttachGlobal);
}

QUESTION(takes_none_of_the_device, "hipMemGetInfo") {
    size_t before = free_bytes();
    uintptr_t ptr = make_managed(16 * MIB);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    MUST(hipFree, pointer(ptr));
}

QUESTION(attached_to_the_host, "hipMallocManaged") {
    uintptr_t ptr = 0;
    ASK(hipMallocManaged, (void **)&ptr, BYTES, hipMemAttachHost);
    ASK(hipMemsetD8, pointer(ptr), 1, 16);
    ASK(hipFree, pointer(ptr));
}

QUESTION(is_aligned, "hipMallocManaged") {
    uintptr_t a = make_managed(1), b = make_managed(5 * MIB);
    SAY("a_of_512", a % 512 == 0);
    SAY("a_of_page", a % 4096 == 0);
    SAY("b_of_2m", b % G == 0);
    MUST(hipFree, pointer(a));
    MUST(hipFree, pointer(b));
}

QUESTION(the_host_reads_what_the_device_wrote, "hipMallocManaged") {
    uintptr_t ptr = make_managed(BYTES);
    MUST(hipMemsetD8, pointer(ptr), 7, BYTES);
    MUST0(hipDeviceSynchronize);
    SAY("byte", *(volatile char *)pointer(ptr + BYTES - 1));
    MUST(hipFree, pointer(ptr));
}

QUESTION(begins_with_zeros, "hipMallocManaged") {
    uintptr_t ptr = make_managed(BYTES);
    SAY("byte", *(volatile char *)pointer(ptr + 12345));
    MUST(hipFree, pointer(ptr));
}

QUESTION(freed_twice, "hipFree") {
    uintptr_t ptr = make_managed(BYTES);
    ASK(hipFree, pointer(ptr + 512));
    ASK(hipFree, pointer(ptr));
    ASK(hipFree, pointer(ptr));
}

QUESTION(never_prefetched, "hipMemRangeAttributeLastPrefetchLocation") {
    uintptr_t ptr = make_managed(BYTES);
    SAY("last", range_value(hipMemRangeAttributeLastPrefetchLocation, ptr, BYTES));
    MUST(hipFree, pointer(ptr));
}

QUESTION(prefetched_to_the_device, "hipMemPrefetchAsync_v2") {
    uintptr_t ptr = make_managed(BYTES);
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), BYTES, device, 0, NULL);
    MUST0(hipDeviceSynchronize);
    SAY("last", range_value(hipMemRangeAttributeLastPrefetchLocation, ptr, BYTES));
    MUST(hipFree, pointer(ptr));
}

QUESTION(prefetched_to_the_host, "hipMemPrefetchAsync_v2") {
    uintptr_t ptr = make_managed(BYTES);
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), BYTES, host, 0, NULL);
    MUST0(hipDeviceSynchronize);
    SAY("last", range_value(hipMemRangeAttributeLastPrefetchLocation, ptr, BYTES));
    MUST(hipFree, pointer(ptr));
}

QUESTION(prefetched_in_part, "hipMemRangeAttributeLastPrefetchLocation") {
    uintptr_t ptr = make_managed(BYTES);
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), HALF, device, 0, NULL);
    MUST0(hipDeviceSynchronize);
    SAY("half", range_value(hipMemRangeAttributeLastPrefetchLocation, ptr, HALF));
    SAY("all", range_value(hipMemRangeAttributeLastPrefetchLocation, ptr, BYTES));
    MUST(hipFree, pointer(ptr));
}

QUESTION(prefetches_of_bad_ranges, "hipMemPrefetchAsync_v2") {
    uintptr_t ptr = make_managed(BYTES), plain = make_memory(MIB);
    hipMemLocation far = device;
    int local = 0;
    ASK(hipMemPrefetchAsync_v2, pointer(plain), MIB, device, 0, NULL);
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), BYTES + 1, device, 0, NULL);
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), 0, device, 0, NULL);
    ASK(hipMemPrefetchAsync_v2, NULL, BYTES, device, 0, NULL);
    ASK(hipMemPrefetchAsync_v2, &local, 4, device, 0, NULL);
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), BYTES, device, 1, NULL);
    far.id = 99;
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), BYTES, far, 0, NULL);
    far.type = (hipMemLocationType)77;
    ASK(hipMemPrefetchAsync_v2, pointer(ptr), BYTES, far, 0, NULL);
    MUST(hipFree, pointer(plain));
    MUST(hipFree, pointer(ptr));
}

QUESTION(prefetch_of_pinned_memory, "hipMemPrefetchAsync_v2") {
    void *ptr = make_pinned(BYTES);
    ASK(hipMemPrefetchAsync_v2, ptr, BYTES, device, 0, NULL);
    MUST(hipHostFree, ptr);
}

QUESTION(read_mostly, "hipMemAdvise_v2") {
    uintptr_t ptr = make_managed(BYTES);
    SAY("before", range_value(hipMemRangeAttributeReadMostly, ptr, BYTES));
    ASK(hipMemAdvise_v2, pointer(ptr), HALF, hipMemAdviseSetReadMostly, device);
    SAY("half", range_value(hipMemRangeAttributeReadMostly, ptr, HALF));
    SAY("all", range_value(hipMemRangeAttributeReadMostly, ptr, BYTES));
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, hipMemAdviseUnsetReadMostly, device);
    SAY("half", range_value(hipMemRangeAttributeReadMostly, ptr, HALF));
    MUST(hipFree, pointer(ptr));
}

QUESTION(preferred_location, "hipMemAdvise_v2") {
    uintptr_t ptr = make_managed(BYTES);
    SAY("before", range_value(hipMemRangeAttributePreferredLocation, ptr, BYTES));
    ASK(hipMemAdvise_v2, pointer(ptr), HALF, hipMemAdviseSetPreferredLocation, device);
    SAY("half", range_value(hipMemRangeAttributePreferredLocation, ptr, HALF));
    SAY("all", range_value(hipMemRangeAttributePreferredLocation, ptr, BYTES));
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, hipMemAdviseSetPreferredLocation, host);
    SAY("all", range_value(hipMemRangeAttributePreferredLocation, ptr, BYTES));
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, hipMemAdviseUnsetPreferredLocation, host);
    SAY("all", range_value(hipMemRangeAttributePreferredLocation, ptr, BYTES));
    MUST(hipFree, pointer(ptr));
}

QUESTION(accessed_by, "hipMemRangeAttributeAccessedBy") {
    uintptr_t ptr = make_managed(BYTES);
    int devices[3] = {9, 9, 9};
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, hipMemAdviseSetAccessedBy, device);
    ASK(hipMemRangeGetAttribute, devices, sizeof devices, hipMemRangeAttributeAccessedBy,
        pointer(ptr), BYTES);
    for (int i = 0; i < 3; i++) SAY("device", devices[i]);
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, hipMemAdviseSetAccessedBy, host);
    ASK(hipMemRangeGetAttribute, devices, sizeof devices, hipMemRangeAttributeAccessedBy,
        pointer(ptr), BYTES);
    for (int i = 0; i < 3; i++) SAY("device", devices[i]);
    MUST(hipFree, pointer(ptr));
}

QUESTION(bad_advice, "hipMemAdvise_v2") {
    uintptr_t ptr = make_managed(BYTES), plain = make_memory(MIB);
    hipMemLocation far = {hipMemLocationTypeDevice, 99};
    ASK(hipMemAdvise_v2, pointer(ptr), 2 * (size_t)BYTES, hipMemAdviseSetReadMostly, device);
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, (hipMemoryAdvise)99, device);
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, (hipMemoryAdvise)0, device);
    ASK(hipMemAdvise_v2, pointer(ptr), 0, hipMemAdviseSetReadMostly, device);
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, hipMemAdviseSetPreferredLocation, far);
    ASK(hipMemAdvise_v2, pointer(ptr), BYTES, hipMemAdviseSetReadMostly, far);
    ASK(hipMemAdvise_v2, pointer(plain), MIB, hipMemAdviseSetReadMostly, device);
    MUST(hipFree, pointer(plain));
    MUST(hipFree, pointer(ptr));
}

QUESTION(bad_sizes_of_attributes, "hipMemRangeGetAttribute") {
    uintptr_t ptr = make_managed(BYTES);
    int values[2] = {7, 7};
    ASK(hipMemRangeGetAttribute, values, 3, hipMemRangeAttributeReadMostly, pointer(ptr), BYTES);
    ASK(hipMemRangeGetAttribute, values, 8, hipMemRangeAttributeReadMostly, pointer(ptr), BYTES);
    ASK(hipMemRangeGetAttribute, values, 0, hipMemRangeAttributeReadMostly, pointer(ptr), BYTES);
    ASK(hipMemRangeGetAttribute, values, 6, hipMemRangeAttributeAccessedBy, pointer(ptr), BYTES);
    ASK(hipMemRangeGetAttribute, NULL, 4, hipMemRangeAttributeReadMostly, pointer(ptr), BYTES);
    ASK(hipMemRangeGetAttribute, values, 4, (hipMemRangeAttribute)99, pointer(ptr), BYTES);
    ASK(hipMemRangeGetAttribute, values, 4, hipMemRangeAttributeReadMostly, pointer(ptr), 0);
    SAY("value", values[0]);
    MUST(hipFree, pointer(ptr));
}

QUESTION(attributes_of_other_memory, "hipMemRangeGetAttribute") {
    uintptr_t ptr = make_memory(BYTES);
    int value = 7;
    ASK(hipMemRangeGetAttribute, &value, 4, hipMemRangeAttributeReadMostly, pointer(ptr), BYTES);
    ASK(hipMemRangeGetAttribute, &value, 4, hipMemRangeAttributeReadMostly, &value, 4);
    MUST(hipFree, pointer(ptr));
}

QUESTION(several_attributes, "hipMemRangeGetAttributes") {
    uintptr_t ptr = make_managed(BYTES);
    int mostly = 9, last = 9;
    void *data[] = {&mostly, &last};
    size_t sizes[] = {4, 4};
    hipMemRangeAttribute which[] = {hipMemRangeAttributeReadMostly,
                                    hipMemRangeAttributeLastPrefetchLocation};
    ASK(hipMemRangeGetAttributes, data, sizes, which, 2, pointer(ptr), BYTES);
    SAY("mostly", mostly);
    SAY("last", last);
    ASK(hipMemRangeGetAttributes, data, sizes, which, 0, pointer(ptr), BYTES);
    sizes[1] = 3;
    ASK(hipMemRangeGetAttributes, data, sizes, which, 2, pointer(ptr), BYTES);
    MUST(hipFree, pointer(ptr));
}

QUESTION(attached_to_a_stream, "hipStreamAttachMemAsync") {
    uintptr_t ptr = make_managed(BYTES);
    hipStream_t stream = make_stream();
    ASK(hipStreamAttachMemAsync, stream, pointer(ptr), 0, hipMemAttachSingle);
    ASK(hipStreamAttachMemAsync, stream, pointer(ptr), 0, hipMemAttachGlobal);
    ASK(hipStreamAttachMemAsync, stream, pointer(ptr), BYTES, hipMemAttachHost);
    ASK(hipStreamAttachMemAsync, stream, pointer(ptr), 100, hipMemAttachGlobal);
    ASK(hipStreamAttachMemAsync, stream, pointer(ptr), 0, 8);
    ASK(hipStreamAttachMemAsync, stream, pointer(ptr + 512), 0, hipMemAttachGlobal);
    ASK(hipStreamAttachMemAsync, NULL, pointer(ptr), 0, hipMemAttachSingle);
    MUST(hipStreamSynchronize, stream);
    MUST(hipStreamDestroy, stream);
    MUST(hipFree, pointer(ptr));
}

QUESTION(attached_plain_memory, "hipStreamAttachMemAsync") {
    uintptr_t ptr = make_memory(BYTES);
    hipStream_t stream = make_stream();
    ASK(hipStreamAttachMemAsync, stream, pointer(ptr), 0, hipMemAttachGlobal);
    MUST(hipStreamDestroy, stream);
    MUST(hipFree, pointer(ptr));
}
