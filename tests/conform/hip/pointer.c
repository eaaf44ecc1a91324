// SPDX-License-Identifier: Apache-2.0
// Attributes of pointers, of each kind of memory.
#include <stdlib.h>

#include "old.h"

#define TN_GROUP "pointer"

// The bytes that an attribute may write.
enum { WIDTH = 16 };

// States the code of an attribute and how many bytes it writes, and its value if it is no address.
static void state_attribute(const char *name, int which, uintptr_t ptr, bool has_value) {
    unsigned char bytes[WIDTH];
    unsigned value = 0;
    int width = WIDTH;
    memset(bytes, 0xee, sizeof bytes);
    long long code =
        (long long)CALL(hipPointerGetAttribute, bytes, (hipPointer_attribute)which, pointer(ptr));
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

static void state_all(uintptr_t ptr) {
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        state_attribute(plain[i].name, plain[i].which, ptr, true);
}

static void state_runtime(uintptr_t ptr) {
    hipPointerAttribute_t view;
    memset(&view, 0xee, sizeof view);
    ASK(hipPointerGetAttributes, &view, pointer(ptr));
    SAY("type", view.type);
    SAY("device", view.device);
    SAY("device_pointer", view.devicePointer == pointer(ptr) ? 1
                          : view.devicePointer != NULL       ? 2
                                                             : 0);
    SAY("host_pointer", view.hostPointer == pointer(ptr) ? 1 : view.hostPointer != NULL ? 2 : 0);
}

static void state_range(uintptr_t ptr, uintptr_t base) {
    uintptr_t start = 7;
    size_t bytes = 7;
    ASK(hipPointerGetAttribute, &start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer(ptr));
    SAY("base", start == base);
    ASK(hipPointerGetAttribute, &bytes, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, pointer(ptr));
    SAY("bytes", bytes);
}

static void state_context(uintptr_t ptr) {
    hipCtx_t owner = (hipCtx_t)&owner, now = NULL;
    MUST(hipCtxGetCurrent, &now);
    ASK(hipPointerGetAttribute, &owner, HIP_POINTER_ATTRIBUTE_CONTEXT, pointer(ptr));
    SAY("context", owner == now ? 1 : owner == NULL ? 0 : 2);
}

// Questions about each kind of memory. The memory is made and ended around them.
#define KIND(name, make, finish)                                                                   \
    QUESTION(attributes_of_##name, "hipPointerGetAttribute") {                                     \
        uintptr_t ptr = 0;                                                                         \
        make;                                                                                      \
        state_all(ptr + 9);                                                                        \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(view_of_##name, "hipPointerGetAttributes") {                                          \
        uintptr_t ptr = 0;                                                                         \
        make;                                                                                      \
        state_runtime(ptr + 9);                                                                    \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(range_of_##name, "HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR") {                          \
        uintptr_t ptr = 0;                                                                         \
        make;                                                                                      \
        state_range(ptr + 9, ptr);                                                                 \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(context_of_##name, "HIP_POINTER_ATTRIBUTE_CONTEXT") {                                 \
        uintptr_t ptr = 0;                                                                         \
        make;                                                                                      \
        state_context(ptr + 9);                                                                    \
        finish;                                                                                    \
    }                                                                                              \
    QUESTION(sides_of_##name, "HIP_POINTER_ATTRIBUTE_HOST_POINTER") {                              \
        uintptr_t ptr = 0, got = 7;                                                                \
        make;                                                                                      \
        ASK(hipPointerGetAttribute, &got, HIP_POINTER_ATTRIBUTE_HOST_POINTER, pointer(ptr + 9));   \
        SAY("same", got == ptr + 9);                                                               \
        got = 7;                                                                                   \
        ASK(hipPointerGetAttribute, &got, HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, pointer(ptr + 9)); \
        SAY("same", got == ptr + 9);                                                               \
        finish;                                                                                    \
    }

static char mine[4096] __attribute__((aligned(4096)));

KIND(plain_memory, ptr = make_memory(8 * MIB), MUST(hipFree, pointer(ptr)))
KIND(small_memory, ptr = make_memory(1000), MUST(hipFree, pointer(ptr)))
KIND(pinned_memory, ptr = number(make_pinned(8 * MIB)), MUST(hipHostFree, pointer(ptr)))
KIND(registered_memory, MUST(hipHostRegister, mine, 4096, 0);
     ptr = number(mine), MUST(hipHostUnregister, mine))
KIND(managed_memory, ptr = make_managed(8 * MIB), MUST(hipFree, pointer(ptr)))
KIND(pooled_memory, MUST(hipMallocAsync, (void **)&ptr, 8 * MIB, NULL), MUST(hipFree, pointer(ptr)))
KIND(unknown_memory, ptr = number(mine), (void)0)
KIND(reserved_addresses, ptr = make_range(2 * G), MUST(hipMemAddressFree, pointer(ptr), 2 * G))
KIND(mapped_memory, ptr = make_range(2 * G); map_memory(ptr, G);
     grant_rights(ptr, G, hipMemAccessFlagsProtReadWrite), end_range(ptr, G, 2 * G))
KIND(freed_memory, ptr = make_memory(64 * MIB); MUST(hipFree, pointer(ptr)), (void)0)

QUESTION(of_null, "hipPointerGetAttribute") {
    unsigned value = 7;
    ASK(hipPointerGetAttribute, &value, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, NULL);
    state_runtime(0);
    SAY("value", value);
}

QUESTION(of_a_small_number, "hipPointerGetAttribute") {
    unsigned value = 7;
    ASK(hipPointerGetAttribute, &value, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer(0x10));
    state_runtime(0x10);
}

QUESTION(unknown_attributes, "hipPointerGetAttribute") {
    uintptr_t ptr = make_memory(MIB);
    unsigned long long value = 7;
    ASK(hipPointerGetAttribute, &value, (hipPointer_attribute)0, pointer(ptr));
    ASK(hipPointerGetAttribute, &value, (hipPointer_attribute)22, pointer(ptr));
    ASK(hipPointerGetAttribute, &value, (hipPointer_attribute)99, pointer(ptr));
    ASK(hipPointerGetAttribute, NULL, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer(ptr));
    SAY("value", value);
    MUST(hipFree, pointer(ptr));
}

QUESTION(tokens, "HIP_POINTER_ATTRIBUTE_P2P_TOKENS") {
    uintptr_t ptr = make_memory(MIB);
    unsigned long long tokens[2] = {7, 7};
    ASK(hipPointerGetAttribute, tokens, HIP_POINTER_ATTRIBUTE_P2P_TOKENS, pointer(ptr));
    MUST(hipFree, pointer(ptr));
}

QUESTION(several_of_unknown_memory, "hipDrvPointerGetAttributes") {
    unsigned type = 77;
    int ordinal = 77;
    hipCtx_t ctx = (hipCtx_t)&ctx;
    void *at = &at;
    hipPointer_attribute list[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_CONTEXT,
                                   HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                   HIP_POINTER_ATTRIBUTE_HOST_POINTER};
    void *outputs[] = {&type, &ctx, &ordinal, &at};
    ASK(hipDrvPointerGetAttributes, 4, list, outputs, mine);
    SAY("type", type);
    SAY("context", ctx != NULL);
    SAY("ordinal", ordinal);
    SAY("host", at != NULL);
}

QUESTION(several_of_plain_memory, "hipDrvPointerGetAttributes") {
    uintptr_t ptr = make_memory(MIB), start = 7;
    unsigned type = 77;
    void *at = &at;
    hipPointer_attribute list[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                   HIP_POINTER_ATTRIBUTE_HOST_POINTER};
    void *outputs[] = {&type, &start, &at};
    ASK(hipDrvPointerGetAttributes, 3, list, outputs, pointer(ptr + 5));
    SAY("type", type);
    SAY("base", start == ptr);
    SAY("host", at != NULL);
    MUST(hipFree, pointer(ptr));
}

QUESTION(several_with_an_unknown_attribute, "hipDrvPointerGetAttributes") {
    uintptr_t ptr = make_memory(MIB);
    unsigned values[2] = {7, 7};
    hipPointer_attribute list[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, (hipPointer_attribute)99};
    void *outputs[] = {&values[0], &values[1]};
    ASK(hipDrvPointerGetAttributes, 2, list, outputs, pointer(ptr));
    SAY("first", values[0]);
    SAY("second", values[1]);
    MUST(hipFree, pointer(ptr));
}

QUESTION(several_with_bad_arguments, "hipDrvPointerGetAttributes") {
    uintptr_t ptr = make_memory(MIB);
    unsigned value = 7;
    hipPointer_attribute list[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *outputs[] = {&value};
    ASK(hipDrvPointerGetAttributes, 0, list, outputs, pointer(ptr));
    ASK(hipDrvPointerGetAttributes, 1, NULL, outputs, pointer(ptr));
    ASK(hipDrvPointerGetAttributes, 1, list, NULL, pointer(ptr));
    outputs[0] = NULL;
    ASK(hipDrvPointerGetAttributes, 1, list, outputs, pointer(ptr));
    MUST(hipFree, pointer(ptr));
}

QUESTION(view_to_null, "hipPointerGetAttributes") {
    int local = 0;
    ASK(hipPointerGetAttributes, NULL, &local);
    ASK0(hipGetLastError);
}

QUESTION(ids_are_new, "HIP_POINTER_ATTRIBUTE_BUFFER_ID") {
    unsigned long long first = 0, second = 0, inside = 0;
    uintptr_t ptr = make_memory(8 * MIB);
    ASK(hipPointerGetAttribute, &first, HIP_POINTER_ATTRIBUTE_BUFFER_ID, pointer(ptr));
    MUST(hipPointerGetAttribute, &inside, HIP_POINTER_ATTRIBUTE_BUFFER_ID,
         pointer(ptr + 8 * MIB - 1));
    SAY("same_inside", first == inside);
    MUST(hipFree, pointer(ptr));
    ptr = make_memory(8 * MIB);
    MUST(hipPointerGetAttribute, &second, HIP_POINTER_ATTRIBUTE_BUFFER_ID, pointer(ptr));
    SAY("greater", second > first);
    MUST(hipFree, pointer(ptr));
}

QUESTION(ids_of_host_memory, "HIP_POINTER_ATTRIBUTE_BUFFER_ID") {
    unsigned long long id = 0;
    void *ptr = make_pinned(MIB);
    ASK(hipPointerGetAttribute, &id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, ptr);
    SAY("has_one", id != 0);
    MUST(hipHostFree, ptr);
    ASK(hipPointerGetAttribute, &id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, mine);
}

QUESTION(handle_types, "HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES") {
    unsigned long long types = 77;
    uintptr_t plain_ptr = make_memory(MIB), at = make_range(G);
    hipMemGenericAllocationHandle_t handle = make_handle(G, hipMemHandleTypePosixFileDescriptor);
    MUST(hipMemMap, pointer(at), G, 0, handle, 0);
    MUST(hipMemRelease, handle);
    ASK(hipPointerGetAttribute, &types, HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
        pointer(plain_ptr));
    SAY("types", types);
    ASK(hipPointerGetAttribute, &types, HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, pointer(at));
    SAY("types", types);
    end_range(at, G, G);
    MUST(hipFree, pointer(plain_ptr));
}

QUESTION(pool_of_pooled_memory, "HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE") {
    hipMemPool_t pool = NULL, got = (hipMemPool_t)&pool;
    uintptr_t ptr = 0, other = make_memory(MIB);
    MUST(hipDeviceGetMemPool, &pool, 0);
    MUST(hipMallocAsync, (void **)&ptr, MIB, NULL);
    ASK(hipPointerGetAttribute, &got, HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, pointer(ptr));
    SAY("same", got == pool);
    got = (hipMemPool_t)&pool;
    ASK(hipPointerGetAttribute, &got, HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, pointer(other));
    SAY("null", got == NULL);
    MUST(hipFree, pointer(ptr));
    MUST(hipFree, pointer(other));
}

QUESTION(mapping_of_mapped_memory, "hipPointerGetAttribute") {
    uintptr_t at = make_range(4 * G);
    map_memory(at + G, G);
    state_range(at + G + 5, at);
    state_attribute("access", HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, at + G + 5, true);
    state_attribute("gap_type", HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, at, true);
    state_attribute("gap_mapped", HIP_POINTER_ATTRIBUTE_MAPPED, at, true);
    MUST(hipMemUnmap, pointer(at + G), G);
    MUST(hipMemAddressFree, pointer(at), 4 * G);
}

QUESTION(address_range_of_a_mapping, "hipMemGetAddressRange") {
    uintptr_t at = make_range(4 * G), base = 7;
    size_t bytes = 7;
    map_memory(at, G);
    map_memory(at + G, G);
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(at + G + 5));
    SAY("base", (base - at) / G);
    SAY("bytes", bytes);
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(at + 3 * G));
    end_range(at, 2 * G, 4 * G);
}

QUESTION(synchronous_operations, "hipPointerSetAttribute") {
    uintptr_t ptr = make_memory(MIB);
    unsigned value = 1;
    ASK(hipPointerSetAttribute, &value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer(ptr));
    state_attribute("sync", HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr, true);
    value = 0;
    ASK(hipPointerSetAttribute, &value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer(ptr));
    ASK(hipPointerSetAttribute, &value, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer(ptr));
    ASK(hipPointerSetAttribute, NULL, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer(ptr));
    ASK(hipPointerSetAttribute, &value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, &value);
    MUST(hipFree, pointer(ptr));
}
