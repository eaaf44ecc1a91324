// SPDX-License-Identifier: Apache-2.0
// Two devices: rights between them, copies, pools, virtual memory, streams and events of the other one.
#include "begin.h"

#define TN_GROUP "pair"

#define BYTES ((size_t)1 << 16)

static bool is_alone(void) {
    int count = 0;
    MUST(cuDeviceGetCount, &count);
    return count < 2;
}
#define NEEDS_TWO                                                                                  \
    if (is_alone()) SKIP("needs two devices")

static CUdeviceptr make_on(int device) {
    MUST(cudaSetDevice, device);
    CUdeviceptr ptr = make_memory(BYTES);
    MUST(cudaSetDevice, 0);
    return ptr;
}

QUESTION(access_is_asked_for, EITHER("cudaDeviceCanAccessPeer", "hipDeviceCanAccessPeer")) {
    NEEDS_TWO;
    int can = -1;
    ASK(cudaDeviceCanAccessPeer, &can, 0, 1);
    SAY("can", can);
    ASK(cudaDeviceCanAccessPeer, &can, 1, 1);
    SAY("can", can);
    ASK(cudaDeviceCanAccessPeer, NULL, 0, 1);
    ASK(cudaDeviceCanAccessPeer, &can, 0, -1);
}

QUESTION(access_is_one_way, EITHER("cudaDeviceEnablePeerAccess", "hipDeviceEnablePeerAccess")) {
    NEEDS_TWO;
    ASK(cudaDeviceEnablePeerAccess, 1, 0);
    MUST(cudaSetDevice, 1);
    ASK(cudaDeviceDisablePeerAccess, 0);
    ASK(cudaDeviceEnablePeerAccess, 0, 0);
    ASK(cudaDeviceDisablePeerAccess, 0);
    MUST(cudaSetDevice, 0);
    ASK(cudaDeviceDisablePeerAccess, 1);
}

QUESTION(copies_without_access, EITHER("cudaMemcpyPeer", "hipMemcpyPeer")) {
    NEEDS_TWO;
    CUdeviceptr here = make_on(0), there = make_on(1);
    CUstream stream = make_stream();
    unsigned char byte = 0;
    MUST(cuMemsetD8, here, 5, BYTES);
    ASK(cudaMemcpyPeer, pointer(there), 1, pointer(here), 0, BYTES);
    MUST(cuMemcpyDtoH, &byte, there, 1);
    SAY("byte", byte);
    ASK(cudaMemcpy, pointer(here), pointer(there), BYTES, cudaMemcpyDefault);
    ASK(cudaMemcpy, pointer(here), pointer(there), BYTES, cudaMemcpyDeviceToDevice);
    ASK(cudaMemcpyPeer, pointer(there), 0, pointer(here), 1, 16);
    ASK(cudaMemcpyPeer, pointer(there), 99, pointer(here), 0, 16);
    ASK(cudaMemcpyPeer, pointer(there), 1, pointer(here), -1, 16);
    ASK(cudaMemcpyPeer, pointer(there), 1, NULL, 0, 16);
    ASK(cudaMemcpyPeer, pointer(there), 1, pointer(here), 0, 0);
    ASK(cudaMemcpyPeerAsync, pointer(there), 1, pointer(here), 0, BYTES, stream);
    ASK(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemFree, there);
    MUST(cuMemFree, here);
}

QUESTION(fills_of_the_other_device, EITHER("cudaMemset", "hipMemset")) {
    NEEDS_TWO;
    CUdeviceptr there = make_on(1);
    unsigned char byte = 0;
    ASK(cudaMemset, pointer(there), 9, 16);
    ASK(cuMemcpyDtoH, &byte, there, 1);
    SAY("byte", byte);
    ASK(cuMemFree, there);
}

QUESTION(pointers_of_the_other_device, EITHER("cuPointerGetAttribute", "hipPointerGetAttribute")) {
    NEEDS_TWO;
    CUdeviceptr there = make_on(1);
    int ordinal = -7;
    ASK(cuPointerGetAttribute, &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, there);
    SAY("ordinal", ordinal);
    MUST(cuMemFree, there);
}

QUESTION(pools_of_the_other_device, EITHER("cuDeviceSetMemPool", "hipDeviceSetMemPool")) {
    NEEDS_TWO;
    CUmemoryPool here = NULL, there = NULL, now = NULL;
    CUmemAccess_flags flags = (CUmemAccess_flags)77;
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    MUST(cuDeviceGetDefaultMemPool, &here, 0);
    MUST(cuDeviceGetDefaultMemPool, &there, 1);
    SAY("same", here == there);
    ASK(cuDeviceSetMemPool, 0, there);
    MUST(cuDeviceGetMemPool, &now, 0);
    SAY("kept", now == here);
    ASK(cuMemPoolGetAccess, &flags, there, &desc.location);
    SAY("flags", flags);
    ASK(cuMemPoolSetAccess, there, &desc, 1);
    ASK(cuMemPoolGetAccess, &flags, there, &desc.location);
    SAY("flags", flags);
    desc.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    ASK(cuMemPoolSetAccess, there, &desc, 1);
    ASK(cuMemPoolSetAccess, here, &desc, 1); // its own device
    desc.location.id = 99;
    ASK(cuMemPoolSetAccess, there, &desc, 1);
}

QUESTION(ordered_memory_of_the_other_device,
         EITHER("cuMemAllocFromPoolAsync", "hipMallocFromPoolAsync")) {
    NEEDS_TWO;
    CUmemoryPool there = NULL;
    CUdeviceptr ptr = 0;
    CUstream stream = make_stream();
    int ordinal = -7;
    MUST(cuDeviceGetDefaultMemPool, &there, 1);
    ASK(cuMemAllocFromPoolAsync, &ptr, 4096, there, stream);
    ASK(cuPointerGetAttribute, &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, ptr);
    SAY("ordinal", ordinal);
    if (ptr != 0) ASK(cuMemFreeAsync, ptr, stream);
    ASK(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
}

QUESTION(mappings_for_the_other_device, EITHER("cuMemSetAccess", "hipMemSetAccess")) {
    NEEDS_TWO;
    CUdeviceptr at = make_range(G);
    CUmemAccessDesc descs[2] = {rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
                                rights_of(CU_MEM_ACCESS_FLAGS_PROT_READ)};
    unsigned long long flags = 77;
    descs[1].location.id = 1;
    map_memory(at, G);
    ASK(cuMemSetAccess, at, G, descs, 2);
    ASK(cuMemGetAccess, &flags, &descs[1].location, at);
    SAY("flags", flags);
    descs[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASK(cuMemSetAccess, at, G, &descs[1], 1);
    ASK(cuMemGetAccess, &flags, &descs[0].location, at);
    SAY("flags", flags);
    descs[1].location.id = 2;
    ASK(cuMemSetAccess, at, G, descs, 2);
    end_range(at, G, G);
}

QUESTION(memory_of_the_other_device_by_handles, EITHER("cuMemCreate", "hipMemCreate")) {
    NEEDS_TWO;
    CUmemAllocationProp prop = props_of(0);
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = make_range(G);
    int ordinal = -7;
    prop.location.id = 1;
    ASK(cuMemCreate, &handle, G, &prop, 0);
    ASK(cuMemMap, at, G, 0, handle, 0);
    grant_rights(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    ASK(cuMemsetD8, at, 1, G);
    ASK(cuPointerGetAttribute, &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, at);
    SAY("ordinal", ordinal);
    MUST(cuMemRelease, handle);
    end_range(at, G, G);
}

QUESTION(streams_and_events_of_two,
         EITHER("cuEventRecord: the event and stream must be of one context", "hipEventRecord")) {
    NEEDS_TWO;
    CUstream here = make_stream();
    MUST(cudaSetDevice, 1);
    CUstream there = make_stream();
    CUevent event = make_event(0);
    MUST(cudaSetDevice, 0);
    ASK(cuEventRecord, event, here);
    ASK(cuEventRecord, event, there);
    ASK(cuStreamWaitEvent, here, event, 0);
    ASK(cuStreamSynchronize, here);
    ASK(cuEventSynchronize, event);
    MUST(cuEventDestroy, event);
    MUST(cuStreamDestroy, there);
    MUST(cuStreamDestroy, here);
}

QUESTION(managed_memory_of_two,
         EITHER("cuMemPrefetchAsync, cuMemAdvise", "hipMemPrefetchAsync_v2")) {
    NEEDS_TWO;
    CUdeviceptr ptr = make_managed(BYTES);
    CUmemLocation there = rights_of(CU_MEM_ACCESS_FLAGS_PROT_NONE).location;
    CUstream stream = make_stream();
    int last = -7;
    there.id = 1;
    ASK(cuMemPrefetchAsync, ptr, BYTES, there, 0, stream);
    MUST(cuStreamSynchronize, stream);
    ASK(cuMemRangeGetAttribute, &last, sizeof last, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
        ptr, BYTES);
    SAY("last", last);
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, there);
    there.id = 2;
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, there);
    ASK(cuMemPrefetchAsync, ptr, BYTES, there, 0, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemFree, ptr);
}
