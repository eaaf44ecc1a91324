// SPDX-License-Identifier: Apache-2.0
// Attributes of pointers, of each kind of memory.
#include <stdlib.h>

#include "begin.h"

#define TN_GROUP "pointer"

// The bytes that an attribute may write.
enum { WIDTH = 16 };

// States the code of an attribute and how many bytes it writes, and its value if it is no address.
static void state_attribute(const char *name, int which, CUdeviceptr ptr, bool has_value) {
    unsigned char bytes[WIDTH];
    unsigned value = 0;
    int width = WIDTH;
    memset(bytes, 0xee, sizeof bytes);
    long long code = (long long)CALL(cuPointerGetAttribute, bytes, (CUpointer_attribute)which, ptr);
    while (width > 0 && bytes[width - 1] == 0xee) width--;
    memcpy(&value, bytes, sizeof value);
    SAY(name, code);
    if (code == 0) SAY("width", width);
    if (code == 0 && has_value) SAY("value", (int)(width == 1 ? bytes[0] : value));
}

// The attributes whose values are no addresses.
static const struct {
    const char *name;
    int which;
} plain[] = {{"type", 2},        {"sync", 6},    {"managed", 8}, {"ordinal", 9},
             {"legacy_ipc", 10}, {"mapped", 13}, {"rdma", 15},   {"access_flags", 16}};

static void state_all(CUdeviceptr ptr) {
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        state_attribute(plain[i].name, plain[i].which, ptr, true);
}

static void state_runtime(CUdeviceptr ptr) {
    struct cudaPointerAttributes view;
    memset(&view, 0xee, sizeof view);
    ASK(cudaPointerGetAttributes, &view, pointer(ptr));
    SAY("type", view.type);
    SAY("device", view.device);
    SAY("device_pointer", view.devicePointer == pointer(ptr) ? 1
                          : view.devicePointer != NULL       ? 2
                                                             : 0);
    SAY("host_pointer", view.hostPointer == pointer(ptr) ? 1 : view.hostPointer != NULL ? 2 : 0);
}

static void state_range(CUdeviceptr ptr, CUdeviceptr base) {
    CUdeviceptr start = UNSET;
    size_t bytes = 7;
    ASK(cuPointerGetAttribute, &start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, ptr);
    SAY("base", start == base);
    ASK(cuPointerGetAttribute, &bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, ptr);
    SAY("bytes", bytes);
}

static void state_context(CUdeviceptr ptr) {
    CUcontext owner = (CUcontext)&owner, now = NULL;
    MUST(cuCtxGetCurrent, &now);
    ASK(cuPointerGetAttribute, &owner, CU_POINTER_ATTRIBUTE_CONTEXT, ptr);
    SAY("context", owner == now ? 1 : owner == NULL ? 0 : 2);
}

// Questions about each kind of memory. The memory is made and ended around them.
#define KIND(name, make, finish)                                                                   \
    QUESTION(attributes_of_##name, EITHER("cuPointerGetAttribute", "hipPointerGetAttribute")) {    \
        CUdeviceptr ptr = 0;                                                                       \
        make;                                                                                      \
        state_all(ptr + 9);                                                                        \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(view_of_##name, EITHER("cudaPointerGetAttributes", "hipPointerGetAttributes")) {      \
        CUdeviceptr ptr = 0;                                                                       \
        make;                                                                                      \
        state_runtime(ptr + 9);                                                                    \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(range_of_##name, EITHER("CU_POINTER_ATTRIBUTE_RANGE_START_ADDR",                      \
                                     "HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR")) {                  \
        CUdeviceptr ptr = 0;                                                                       \
        make;                                                                                      \
        state_range(ptr + 9, ptr);                                                                 \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(context_of_##name,                                                                    \
             EITHER("CU_POINTER_ATTRIBUTE_CONTEXT", "HIP_POINTER_ATTRIBUTE_CONTEXT")) {            \
        CUdeviceptr ptr = 0;                                                                       \
        make;                                                                                      \
        state_context(ptr + 9);                                                                    \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(sides_of_##name,                                                                      \
             EITHER("CU_POINTER_ATTRIBUTE_HOST_POINTER", "HIP_POINTER_ATTRIBUTE_HOST_POINTER")) {  \
        CUdeviceptr ptr = 0, got = UNSET;                                                          \
        make;                                                                                      \
        ASK(cuPointerGetAttribute, &got, CU_POINTER_ATTRIBUTE_HOST_POINTER, ptr + 9);              \
        SAY("same", got == ptr + 9);                                                               \
        got = UNSET;                                                                               \
        ASK(cuPointerGetAttribute, &got, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, ptr + 9);            \
        SAY("same", got == ptr + 9);                                                               \
        finish;                                                                                    \
    }

static char mine[4096] __attribute__((aligned(4096)));

KIND(plain_memory, ptr = make_memory(8 * MIB), MUST(cuMemFree, ptr))
KIND(small_memory, ptr = make_memory(1000), MUST(cuMemFree, ptr))
KIND(pinned_memory, ptr = number(make_pinned(8 * MIB)), MUST(cuMemFreeHost, pointer(ptr)))
KIND(registered_memory, MUST(cuMemHostRegister, mine, 4096, 0);
     ptr = number(mine), MUST(cuMemHostUnregister, mine))
KIND(managed_memory, ptr = make_managed(8 * MIB), MUST(cuMemFree, ptr))
KIND(pooled_memory, MUST(cuMemAllocAsync, &ptr, 8 * MIB, NULL), MUST(cuMemFree, ptr))
KIND(unknown_memory, ptr = number(mine), (void)0)
KIND(reserved_addresses, ptr = make_range(2 * G), MUST(cuMemAddressFree, ptr, 2 * G))
KIND(mapped_memory, ptr = make_range(2 * G); map_memory(ptr, G);
     grant_rights(ptr, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), end_range(ptr, G, 2 * G))
KIND(freed_memory, ptr = make_memory(64 * MIB); MUST(cuMemFree, ptr), (void)0)

QUESTION(of_null, EITHER("cuPointerGetAttribute", "hipPointerGetAttribute")) {
    unsigned value = 7;
    ASK(cuPointerGetAttribute, &value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0);
    state_runtime(0);
    SAY("value", value);
}

QUESTION(of_a_small_number, EITHER("cuPointerGetAttribute", "hipPointerGetAttribute")) {
    unsigned value = 7;
    ASK(cuPointerGetAttribute, &value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, number((void *)0x10));
    state_runtime(number((void *)0x10));
}

QUESTION(unknown_attributes, EITHER("cuPointerGetAttribute", "hipPointerGetAttribute")) {
    CUdeviceptr ptr = make_memory(MIB);
    unsigned long long value = 7;
    ASK(cuPointerGetAttribute, &value, (CUpointer_attribute)0, ptr);
    ASK(cuPointerGetAttribute, &value, (CUpointer_attribute)22, ptr);
    ASK(cuPointerGetAttribute, &value, (CUpointer_attribute)99, ptr);
    ASK(cuPointerGetAttribute, NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr);
    SAY("value", value);
    MUST(cuMemFree, ptr);
}

QUESTION(tokens, EITHER("CU_POINTER_ATTRIBUTE_P2P_TOKENS", "HIP_POINTER_ATTRIBUTE_P2P_TOKENS")) {
    CUdeviceptr ptr = make_memory(MIB);
    unsigned long long tokens[2] = {7, 7};
    ASK(cuPointerGetAttribute, tokens, CU_POINTER_ATTRIBUTE_P2P_TOKENS, ptr);
    MUST(cuMemFree, ptr);
}

QUESTION(several_of_unknown_memory, EITHER("cuPointerGetAttributes: 0 or NULL for unknown pointers",
                                           "hipDrvPointerGetAttributes")) {
    unsigned type = 77;
    int ordinal = 77;
    CUcontext ctx = (CUcontext)&ctx;
    void *at = &at;
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT,
                                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                  CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *outputs[] = {&type, &ctx, &ordinal, &at};
    ASK(cuPointerGetAttributes, 4, list, outputs, number(mine));
    SAY("type", type);
    SAY("context", ctx != NULL);
    SAY("ordinal", ordinal);
    SAY("host", at != NULL);
}

QUESTION(several_of_plain_memory, EITHER("cuPointerGetAttributes", "hipDrvPointerGetAttributes")) {
    CUdeviceptr ptr = make_memory(MIB), start = UNSET;
    unsigned type = 77;
    void *at = &at;
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                  CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *outputs[] = {&type, &start, &at};
    ASK(cuPointerGetAttributes, 3, list, outputs, ptr + 5);
    SAY("type", type);
    SAY("base", start == ptr);
    SAY("host", at != NULL);
    MUST(cuMemFree, ptr);
}

QUESTION(several_with_an_unknown_attribute,
         EITHER("cuPointerGetAttributes: order of checks", "hipDrvPointerGetAttributes")) {
    CUdeviceptr ptr = make_memory(MIB);
    unsigned values[2] = {7, 7};
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUpointer_attribute)99};
    void *outputs[] = {&values[0], &values[1]};
    ASK(cuPointerGetAttributes, 2, list, outputs, ptr);
    SAY("first", values[0]);
    SAY("second", values[1]);
    MUST(cuMemFree, ptr);
}

QUESTION(several_with_bad_arguments,
         EITHER("cuPointerGetAttributes", "hipDrvPointerGetAttributes")) {
    CUdeviceptr ptr = make_memory(MIB);
    unsigned value = 7;
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *outputs[] = {&value};
    ASK(cuPointerGetAttributes, 0, list, outputs, ptr);
    ASK(cuPointerGetAttributes, 1, NULL, outputs, ptr);
    ASK(cuPointerGetAttributes, 1, list, NULL, ptr);
    outputs[0] = NULL;
    ASK(cuPointerGetAttributes, 1, list, outputs, ptr);
    MUST(cuMemFree, ptr);
}

QUESTION(view_to_null, EITHER("cudaPointerGetAttributes", "hipPointerGetAttributes")) {
    int local = 0;
    ASK(cudaPointerGetAttributes, NULL, &local);
    ASK0(cudaGetLastError);
}

QUESTION(ids_are_new, EITHER("CU_POINTER_ATTRIBUTE_BUFFER_ID: unique in the process",
                             "HIP_POINTER_ATTRIBUTE_BUFFER_ID")) {
    unsigned long long first = 0, second = 0, inside = 0;
    CUdeviceptr ptr = make_memory(8 * MIB);
    ASK(cuPointerGetAttribute, &first, CU_POINTER_ATTRIBUTE_BUFFER_ID, ptr);
    MUST(cuPointerGetAttribute, &inside, CU_POINTER_ATTRIBUTE_BUFFER_ID, ptr + 8 * MIB - 1);
    SAY("same_inside", first == inside);
    MUST(cuMemFree, ptr);
    ptr = make_memory(8 * MIB);
    MUST(cuPointerGetAttribute, &second, CU_POINTER_ATTRIBUTE_BUFFER_ID, ptr);
    SAY("greater", second > first);
    MUST(cuMemFree, ptr);
}

QUESTION(ids_of_host_memory,
         EITHER("CU_POINTER_ATTRIBUTE_BUFFER_ID", "HIP_POINTER_ATTRIBUTE_BUFFER_ID")) {
    unsigned long long id = 0;
    void *ptr = make_pinned(MIB);
    ASK(cuPointerGetAttribute, &id, CU_POINTER_ATTRIBUTE_BUFFER_ID, number(ptr));
    SAY("has_one", id != 0);
    MUST(cuMemFreeHost, ptr);
    ASK(cuPointerGetAttribute, &id, CU_POINTER_ATTRIBUTE_BUFFER_ID, number(mine));
}

QUESTION(handle_types, EITHER("CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES",
                              "HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES")) {
    unsigned long long types = 77;
    CUdeviceptr plain_ptr = make_memory(MIB), at = make_range(G);
    CUmemGenericAllocationHandle handle = make_handle(G, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    MUST(cuMemMap, at, G, 0, handle, 0);
    MUST(cuMemRelease, handle);
    ASK(cuPointerGetAttribute, &types, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, plain_ptr);
    SAY("types", types);
    ASK(cuPointerGetAttribute, &types, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, at);
    SAY("types", types);
    end_range(at, G, G);
    MUST(cuMemFree, plain_ptr);
}

QUESTION(pool_of_pooled_memory,
         EITHER("CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE", "HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE")) {
    CUmemoryPool pool = NULL, got = (CUmemoryPool)&pool;
    CUdeviceptr ptr = 0, other = make_memory(MIB);
    MUST(cuDeviceGetMemPool, &pool, 0);
    MUST(cuMemAllocAsync, &ptr, MIB, NULL);
    ASK(cuPointerGetAttribute, &got, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, ptr);
    SAY("same", got == pool);
    got = (CUmemoryPool)&pool;
    ASK(cuPointerGetAttribute, &got, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, other);
    SAY("null", got == NULL);
    MUST(cuMemFree, ptr);
    MUST(cuMemFree, other);
}

#if !IS_HIP
QUESTION(mapping_of_plain_memory, "CU_POINTER_ATTRIBUTE_MAPPING_SIZE") {
    CUdeviceptr ptr = make_memory(8 * MIB + 1), base = 7;
    size_t bytes = 7;
    ASK(cuPointerGetAttribute, &bytes, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, ptr);
    SAY("bytes", bytes);
    ASK(cuPointerGetAttribute, &base, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, ptr + MIB);
    SAY("base", base == ptr);
    MUST(cuMemFree, ptr);
}
#endif

QUESTION(mapping_of_mapped_memory,
         EITHER("CU_POINTER_ATTRIBUTE_MAPPING_SIZE", "hipPointerGetAttribute")) {
    CUdeviceptr at = make_range(4 * G);
    map_memory(at + G, G);
#if !IS_HIP
    CUdeviceptr base = 7;
    size_t bytes = 7;
    ASK(cuPointerGetAttribute, &bytes, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, at + G + 5);
    SAY("bytes", bytes);
    ASK(cuPointerGetAttribute, &base, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, at + G + 5);
    SAY("base", base == at + G);
#endif
    state_range(at + G + 5, at);
    state_attribute("access", CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, at + G + 5, true);
    state_attribute("gap_type", CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at, true);
    state_attribute("gap_mapped", CU_POINTER_ATTRIBUTE_MAPPED, at, true);
    MUST(cuMemUnmap, at + G, G);
    MUST(cuMemAddressFree, at, 4 * G);
}

QUESTION(address_range_of_a_mapping, EITHER("cuMemGetAddressRange", "hipMemGetAddressRange")) {
    CUdeviceptr at = make_range(4 * G), base = UNSET;
    size_t bytes = 7;
    map_memory(at, G);
    map_memory(at + G, G);
    ASK(cuMemGetAddressRange, &base, &bytes, at + G + 5);
    SAY("base", EITHER(base == at + G, (size_t)(base - at) / G));
    SAY("bytes", bytes);
    ASK(cuMemGetAddressRange, &base, &bytes, at + 3 * G);
    end_range(at, 2 * G, 4 * G);
}

QUESTION(synchronous_operations, EITHER("cuPointerSetAttribute", "hipPointerSetAttribute")) {
    CUdeviceptr ptr = make_memory(MIB);
    unsigned value = 1;
    ASK(cuPointerSetAttribute, &value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr);
    state_attribute("sync", CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr, true);
    value = 0;
    ASK(cuPointerSetAttribute, &value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr);
    ASK(cuPointerSetAttribute, &value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr);
    ASK(cuPointerSetAttribute, NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr);
    ASK(cuPointerSetAttribute, &value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, number(&value));
    MUST(cuMemFree, ptr);
}
