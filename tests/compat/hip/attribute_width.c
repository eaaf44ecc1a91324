// SPDX-License-Identifier: Apache-2.0
// Attributes that are written through an untyped pointer have exactly the bytes of AMD's library:
// the bytes before and behind them stay as they are.
#include <stdio.h>

#include "support/hip.h"

#define ROOM  32
#define GUARD 8

static char *device;
static char *managed;
static hipMemPool_t pool;

// A query that writes to `data`.
struct query {
    const char *name;
    hipError_t (*ask)(int attribute, void *data);
    int attribute;
    size_t bytes;
};

static hipError_t ask_pointer(int attribute, void *data) {
    return hipPointerGetAttribute(data, (hipPointer_attribute)attribute, managed);
}
static hipError_t ask_device_memory(int attribute, void *data) {
    return hipPointerGetAttribute(data, (hipPointer_attribute)attribute, device);
}
static hipError_t ask_pointer_among_many(int attribute, void *data) {
    hipPointer_attribute wish = (hipPointer_attribute)attribute;
    return hipDrvPointerGetAttributes(1, &wish, &data, managed);
}
static hipError_t ask_unknown(int attribute, void *data) {
    hipPointer_attribute wish = (hipPointer_attribute)attribute;
    return hipDrvPointerGetAttributes(1, &wish, &data, &data);
}
static hipError_t ask_pool(int attribute, void *data) {
    return hipMemPoolGetAttribute(pool, (hipMemPoolAttr)attribute, data);
}
static hipError_t ask_range(int attribute, void *data) {
    return hipMemRangeGetAttribute(data, sizeof(int), (hipMemRangeAttribute)attribute, managed, 1);
}
static hipError_t ask_device(int attribute, void *data) {
    return hipDeviceGetAttribute(data, (hipDeviceAttribute_t)attribute, 0);
}
static hipError_t ask_peer(int attribute, void *data) {
    return hipDeviceGetP2PAttribute(data, (hipDeviceP2PAttr)attribute, 0, 1);
}

// Fills the room with a byte, and lets the query write into it.
static void ask_into(const struct query *query, int fill, unsigned char *room) {
    memset(room, fill, ROOM);
    hipError_t error = query->ask(query->attribute, room + GUARD);
    if (error != hipSuccess)
        fail_msg("%s gives %s: %s", query->name, hipGetErrorName(error), hipExtGetLastErrorText());
}

// A byte that keeps two different fills was not written.
static void expect_width(const struct query *query) {
    unsigned char ones[ROOM];
    unsigned char zeros[ROOM];
    ask_into(query, 0xff, ones);
    ask_into(query, 0x00, zeros);
    for (size_t i = 0; i < ROOM; i++) {
        bool written = !(ones[i] == 0xff && zeros[i] == 0x00);
        if (written != (i >= GUARD && i < GUARD + query->bytes)) {
            fail_msg("%s: byte %d is %swritten", query->name, (int)i - GUARD,
                     written ? "" : "not ");
        }
    }
}

#define POINTER(name, bytes)                                                                       \
    {#name, ask_pointer, HIP_POINTER_ATTRIBUTE_##name, bytes},                                     \
        {#name " among many", ask_pointer_among_many, HIP_POINTER_ATTRIBUTE_##name, bytes}, {      \
#name " of unknown memory", ask_unknown, HIP_POINTER_ATTRIBUTE_##name, bytes               \
    }

static void pointer_attributes_have_the_width_of_amd(void **state) {
    static const struct query queries[] = {
        POINTER(MEMORY_TYPE, 4),
        POINTER(DEVICE_POINTER, 8),
        POINTER(HOST_POINTER, 8),
        POINTER(SYNC_MEMOPS, 1),
        POINTER(BUFFER_ID, 4),
        POINTER(IS_MANAGED, 1),
        POINTER(DEVICE_ORDINAL, 4),
        POINTER(RANGE_START_ADDR, 8),
        POINTER(RANGE_SIZE, 4),
        POINTER(MAPPED, 1),
        POINTER(ACCESS_FLAGS, 4),
        {"CONTEXT", ask_pointer_among_many, HIP_POINTER_ATTRIBUTE_CONTEXT, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) expect_width(&queries[i]);
    const struct query plain = {"RANGE_SIZE of device memory", ask_device_memory,
                                HIP_POINTER_ATTRIBUTE_RANGE_SIZE, 4};
    expect_width(&plain);
}

static void attributes_of_pools_and_ranges_have_their_width(void **state) {
    static const struct query queries[] = {
        {"FollowEventDependencies", ask_pool, hipMemPoolReuseFollowEventDependencies, 4},
        {"AllowOpportunistic", ask_pool, hipMemPoolReuseAllowOpportunistic, 4},
        {"AllowInternalDependencies", ask_pool, hipMemPoolReuseAllowInternalDependencies, 4},
        {"ReleaseThreshold", ask_pool, hipMemPoolAttrReleaseThreshold, 8},
        {"ReservedMemCurrent", ask_pool, hipMemPoolAttrReservedMemCurrent, 8},
        {"ReservedMemHigh", ask_pool, hipMemPoolAttrReservedMemHigh, 8},
        {"UsedMemCurrent", ask_pool, hipMemPoolAttrUsedMemCurrent, 8},
        {"UsedMemHigh", ask_pool, hipMemPoolAttrUsedMemHigh, 8},
        {"ReadMostly", ask_range, hipMemRangeAttributeReadMostly, 4},
        {"PreferredLocation", ask_range, hipMemRangeAttributePreferredLocation, 4},
        {"AccessedBy", ask_range, hipMemRangeAttributeAccessedBy, 4},
        {"LastPrefetchLocation", ask_range, hipMemRangeAttributeLastPrefetchLocation, 4},
        {"CoherencyMode", ask_range, hipMemRangeAttributeCoherencyMode, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) expect_width(&queries[i]);
}

static bool is_address(int attribute) {
    return attribute == hipDeviceAttributeHdpMemFlushCntl ||
           attribute == hipDeviceAttributeHdpRegFlushCntl;
}

static void attributes_of_devices_have_4_bytes_and_addresses_8(void **state) {
    char name[32];
    int value[2];
    unsigned known = 0;
    (void)state;
    for (int attribute = 0; attribute < 11000; attribute++) {
        struct query query = {name, ask_device, attribute, is_address(attribute) ? 8 : 4};
        (void)snprintf(name, sizeof name, "attribute %d", attribute);
        if (hipDeviceGetAttribute(value, (hipDeviceAttribute_t)attribute, 0) == hipSuccess) {
            expect_width(&query);
            known++;
        }
    }
    assert_true(known > 90);
    for (int attribute = hipDevP2PAttrPerformanceRank;
         attribute <= hipDevP2PAttrHipArrayAccessSupported; attribute++) {
        struct query query = {"attribute of peers", ask_peer, attribute, 4};
        expect_width(&query);
    }
}

static void measure_4_gib(void *arg) {
    void *memory = NULL;
    unsigned size = 77;
    (void)arg;
    assert_hip_ok(hipMalloc(&memory, (size_t)4 << 30));
    assert_hip_ok(hipPointerGetAttribute(&size, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, memory));
    assert_int_equal(size, 0);
    assert_hip_ok(hipFree(memory));
}

static void the_size_of_4_gib_wraps(void **state) {
    (void)state;
    hip_in_child(measure_4_gib, NULL, "TARN_HIP_DEVICE", "host:0,memory=8G", NULL);
}

static int make_memory(void **state) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    (void)state;
    assert_hip_ok(hipMalloc((void **)&device, 4096));
    assert_hip_ok(hipMallocManaged((void **)&managed, 4096, hipMemAttachGlobal));
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    return 0;
}

static int free_memory(void **state) {
    (void)state;
    assert_hip_ok(hipFree(device));
    assert_hip_ok(hipFree(managed));
    assert_hip_ok(hipMemPoolDestroy(pool));
    return 0;
}

#define WITH_MEMORY(test) cmocka_unit_test_setup_teardown(test, make_memory, free_memory)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_of_4_gib_wraps), // forks: first
        WITH_MEMORY(pointer_attributes_have_the_width_of_amd),
        WITH_MEMORY(attributes_of_pools_and_ranges_have_their_width),
        WITH_MEMORY(attributes_of_devices_have_4_bytes_and_addresses_8),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
