// SPDX-License-Identifier: Apache-2.0
// Memory of the host's nodes. Node 0 exists on each machine, and node 500 on none.
#include "begin.h"

#define TN_GROUP "numa"

static CUmemLocation place_of(CUmemLocationType type, int id) {
    CUmemLocation place;
    memset(&place, 0, sizeof place);
    place.type = type;
    place.id = id;
    return place;
}

static const struct {
    CUmemLocationType type;
    int id;
} places[] = {{CU_MEM_LOCATION_TYPE_HOST_NUMA, 0},
              {CU_MEM_LOCATION_TYPE_HOST_NUMA, 500},
              {CU_MEM_LOCATION_TYPE_HOST_NUMA, -1},
              {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0},
              {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 9}};
enum { PLACES = sizeof places / sizeof *places };

QUESTION(granularities, EITHER("cuMemGetAllocationGranularity", "hipMemGetAllocationGranularity")) {
    CUmemAllocationProp prop = props_of(0);
    for (int i = 0; i < PLACES; i++) {
        size_t bytes = 7;
        prop.location = place_of(places[i].type, places[i].id);
        ASK(cuMemGetAllocationGranularity, &bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
        SAY("bytes", bytes);
    }
}

QUESTION(handles, EITHER("cuMemCreate", "hipMemCreate")) {
    CUmemAllocationProp prop = props_of(0);
    for (int i = 0; i < PLACES; i++) {
        CUmemGenericAllocationHandle handle = 0;
        prop.location = place_of(places[i].type, places[i].id);
        ASK(cuMemCreate, &handle, G, &prop, 0);
        if (handle != 0) MUST(cuMemRelease, handle);
    }
}

QUESTION(pools, EITHER("cuMemPoolCreate", "hipMemPoolCreate")) {
    for (int i = 0; i < PLACES; i++) {
        CUmemoryPool pool = NULL;
        CUmemPoolProps props;
        memset(&props, 0, sizeof props);
        props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location = place_of(places[i].type, places[i].id);
        ASK(cuMemPoolCreate, &pool, &props);
        if (pool != NULL) MUST(cuMemPoolDestroy, pool);
    }
}

QUESTION(rights, EITHER("cuMemSetAccess", "hipMemSetAccess")) {
    CUdeviceptr at = make_range(G);
    map_memory(at, G);
    for (int i = 0; i < PLACES; i++) {
        CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        unsigned long long flags = 77;
        desc.location = place_of(places[i].type, places[i].id);
        ASK(cuMemSetAccess, at, G, &desc, 1);
        ASK(cuMemGetAccess, &flags, &desc.location, at);
    }
    end_range(at, G, G);
}

QUESTION(advice, EITHER("cuMemAdvise", "hipMemAdvise_v2")) {
    CUdeviceptr ptr = make_managed(4096);
    for (int i = 0; i < PLACES; i++) {
        CUmemLocation place = place_of(places[i].type, places[i].id);
        ASK(cuMemAdvise, ptr, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, place);
        ASK(cuMemAdvise, ptr, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, place);
        ASK(cuMemAdvise, ptr, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, place);
    }
    MUST(cuMemFree, ptr);
}
