// SPDX-License-Identifier: Apache-2.0
// hipMemPoolCreate and its like, attributes, rights, and the pools of devices.
#include "support/work.h"

#define MIB ((size_t)1 << 20)

static size_t free_bytes(void) {
    size_t left = 0;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    return left;
}

static hipMemPoolProps props_of(int device) {
    hipMemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    props.location.id = device;
    return props;
}

static hipMemPool_t create_on(int device) {
    hipMemPoolProps props = props_of(device);
    hipMemPool_t pool = NULL;
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    assert_non_null(pool);
    return pool;
}

static char *get(hipMemPool_t pool, size_t size) {
    void *ptr = NULL;
    assert_hip_ok(hipMallocFromPoolAsync(&ptr, size, pool, NULL));
    return ptr;
}

static void give(void *ptr) { assert_hip_ok(hipFreeAsync(ptr, NULL)); }

static uint64_t read_wide(hipMemPool_t pool, hipMemPoolAttr attribute) {
    uint64_t value = 0x7777777777777777;
    assert_hip_ok(hipMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

static int read_int(hipMemPool_t pool, hipMemPoolAttr attribute) {
    int value[2] = {77, 77};
    assert_hip_ok(hipMemPoolGetAttribute(pool, attribute, value));
    assert_int_equal(value[1], 77); // it is no wider
    return value[0];
}

static void set_wide(hipMemPool_t pool, hipMemPoolAttr attribute, uint64_t value) {
    assert_hip_ok(hipMemPoolSetAttribute(pool, attribute, &value));
}

// ---- making and ending

static void what_cannot_be_made_is_refused(void **state) {
    hipMemPool_t pool = (hipMemPool_t)(uintptr_t)0x77;
    hipMemPoolProps good = props_of(0);
    hipMemPoolProps props = good;
    (void)state;
    assert_hip(hipMemPoolCreate(NULL, &good), hipErrorInvalidValue);
    assert_hip(hipMemPoolCreate(&pool, NULL), hipErrorInvalidValue);
    props.allocType = hipMemAllocationTypeInvalid;
    assert_hip(hipMemPoolCreate(&pool, &props), hipErrorInvalidValue);
    props = good;
    props.location.type = hipMemLocationTypeInvalid;
    assert_hip(hipMemPoolCreate(&pool, &props), hipErrorInvalidValue);
    props.location.type = hipMemLocationTypeHost;
    assert_hip(hipMemPoolCreate(&pool, &props), hipErrorNotSupported);
    props = good;
    props.location.id = 2;
    assert_hip(hipMemPoolCreate(&pool, &props), hipErrorInvalidValue);
    props.location.id = -1;
    assert_hip(hipMemPoolCreate(&pool, &props), hipErrorInvalidValue);
    props = good;
    props.handleTypes = hipMemHandleTypeWin32;
    assert_hip(hipMemPoolCreate(&pool, &props), hipErrorNotSupported);
    props = good;
    props.reserved[55] = 1;
    assert_hip(hipMemPoolCreate(&pool, &props), hipErrorInvalidValue);
    assert_true((uintptr_t)pool == 0x77);
}

static void a_destroyed_pool_is_refused(void **state) {
    hipMemPool_t pool = create_on(0);
    hipMemAccessFlags flags;
    hipMemLocation location = {hipMemLocationTypeDevice, 0};
    hipMemAccessDesc desc = {{hipMemLocationTypeDevice, 1}, hipMemAccessFlagsProtRead};
    uint64_t value = 0;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_hip(hipMemPoolDestroy(pool), hipErrorInvalidValue);
    assert_hip(hipMemPoolDestroy(NULL), hipErrorInvalidValue);
    assert_hip(hipMemPoolTrimTo(pool, 0), hipErrorInvalidValue);
    assert_hip(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &value),
               hipErrorInvalidValue);
    assert_hip(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &value),
               hipErrorInvalidValue);
    assert_hip(hipMemPoolSetAccess(pool, &desc, 1), hipErrorInvalidValue);
    assert_hip(hipMemPoolGetAccess(&flags, pool, &location), hipErrorInvalidValue);
    assert_hip(hipDeviceSetMemPool(0, pool), hipErrorInvalidValue);
    assert_hip(hipMallocFromPoolAsync(&ptr, 16, pool, NULL), hipErrorInvalidValue);
}

static void blocks_outlive_their_pool(void **state) {
    size_t before = free_bytes();
    hipMemPool_t pool = create_on(0);
    char *one = get(pool, 20 * MIB);
    char *two = get(pool, 20 * MIB);
    (void)state;
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_true(free_bytes() <= before - 40 * MIB);
    memset(one, 1, 20 * MIB);
    give(one);
    memset(two, 2, 20 * MIB);
    assert_true(free_bytes() < before);
    give(two);
    assert_true(free_bytes() == before);
}

static void the_most_is_kept(void **state) {
    hipMemPoolProps props = props_of(0);
    hipMemPool_t pool = NULL;
    void *ptr = NULL;
    (void)state;
    props.maxSize = 10 * MIB;
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    assert_hip(hipMallocFromPoolAsync(&ptr, 11 * MIB, pool, NULL), hipErrorOutOfMemory);
    give(get(pool, 10 * MIB));
    assert_hip_ok(hipMemPoolDestroy(pool));
}

// ---- attributes

static void reuse_is_allowed_and_told_back(void **state) {
    hipMemPool_t pool = create_on(0);
    int off = 0;
    int on = 1;
    (void)state;
    for (int a = hipMemPoolReuseFollowEventDependencies;
         a <= hipMemPoolReuseAllowInternalDependencies; a++) {
        hipMemPoolAttr attribute = (hipMemPoolAttr)a;
        assert_int_equal(read_int(pool, attribute), 1);
        assert_hip_ok(hipMemPoolSetAttribute(pool, attribute, &off));
        for (int b = hipMemPoolReuseFollowEventDependencies;
             b <= hipMemPoolReuseAllowInternalDependencies; b++)
            assert_int_equal(read_int(pool, (hipMemPoolAttr)b), b != a);
        assert_hip_ok(hipMemPoolSetAttribute(pool, attribute, &on));
        assert_int_equal(read_int(pool, attribute), 1);
    }
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void bad_attributes_are_refused(void **state) {
    hipMemPool_t pool = create_on(0);
    uint64_t value = 1;
    (void)state;
#define SET(attribute, value) hipMemPoolSetAttribute(pool, (hipMemPoolAttr)(attribute), value)
#define GET(attribute, value) hipMemPoolGetAttribute(pool, (hipMemPoolAttr)(attribute), value)
    assert_hip(SET(hipMemPoolAttrReleaseThreshold, NULL), hipErrorInvalidValue);
    assert_hip(GET(hipMemPoolAttrReleaseThreshold, NULL), hipErrorInvalidValue);
    assert_hip(SET(0, &value), hipErrorInvalidValue);
    assert_hip(SET(9, &value), hipErrorInvalidValue);
    assert_hip(GET(0, &value), hipErrorInvalidValue);
    assert_hip(GET(9, &value), hipErrorInvalidValue);
    assert_hip(SET(hipMemPoolAttrReservedMemCurrent, &value), hipErrorInvalidValue);
    assert_hip(SET(hipMemPoolAttrUsedMemCurrent, &value), hipErrorInvalidValue);
    assert_hip(SET(hipMemPoolAttrUsedMemCurrent, (void *)-1), hipErrorInvalidValue); // not read
    assert_hip(SET(hipMemPoolAttrReservedMemHigh, &value), hipErrorInvalidValue);
    assert_hip(SET(hipMemPoolAttrUsedMemHigh, &value), hipErrorInvalidValue);
#undef SET
#undef GET
    assert_int_equal(value, 1);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void use_and_its_high_mark_are_told(void **state) {
    hipMemPool_t pool = create_on(0);
    (void)state;
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemCurrent), 0);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 0);
    char *one = get(pool, 3 * MIB);
    char *two = get(pool, 8 * MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemCurrent), 11 * MIB);
    give(two);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemCurrent), 3 * MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemHigh), 11 * MIB);
    assert_true(read_wide(pool, hipMemPoolAttrReservedMemHigh) >= 11 * MIB);
    assert_true(read_wide(pool, hipMemPoolAttrReservedMemCurrent) < 11 * MIB);
    give(one);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void each_high_mark_is_reset_alone(void **state) {
    hipMemPool_t pool = create_on(0);
    (void)state;
    give(get(pool, 8 * MIB));
    assert_hip_ok(hipDeviceSynchronize());
    char *one = get(pool, 2 * MIB);
    set_wide(pool, hipMemPoolAttrUsedMemHigh, 0);
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemHigh), 2 * MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemHigh), 8 * MIB);
    set_wide(pool, hipMemPoolAttrReservedMemHigh, 0);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemHigh), 2 * MIB);
    give(get(pool, 4 * MIB));
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemHigh), 6 * MIB);
    set_wide(pool, hipMemPoolAttrReservedMemHigh, 0);
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemHigh), 6 * MIB);
    give(one);
    assert_hip_ok(hipDeviceSynchronize());
    set_wide(pool, hipMemPoolAttrUsedMemHigh, 0);
    set_wide(pool, hipMemPoolAttrReservedMemHigh, 0);
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemHigh), 0);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemHigh), 0);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void use_is_told_as_requested_and_reserved_memory_in_pages(void **state) {
    const size_t page = (size_t)512 << 10;
    hipMemPool_t pool = create_on(0);
    (void)state;
    set_wide(pool, hipMemPoolAttrReleaseThreshold, UINT64_MAX);
    char *one = get(pool, 3 * MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 3 * MIB);
    give(one);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 3 * MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemHigh), 3 * MIB);
    assert_hip_ok(hipMemPoolTrimTo(pool, 0));
    one = get(pool, 100);
    assert_int_equal(read_wide(pool, hipMemPoolAttrUsedMemCurrent), 100);
    assert_true(read_wide(pool, hipMemPoolAttrReservedMemCurrent) <= 2 * page);
    give(one);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

// ---- giving back

static void the_last_free_gives_back_all_at_a_threshold_of_0(void **state) {
    hipMemPool_t pool = create_on(0);
    (void)state;
    char *one = get(pool, MIB);
    char *two = get(pool, MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 2 * MIB);
    give(one);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 2 * MIB);
    give(two);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 0);
    set_wide(pool, hipMemPoolAttrReleaseThreshold, UINT64_MAX);
    give(get(pool, MIB));
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), MIB);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static size_t measure_free(void) {
    size_t left = 0;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    return left;
}

// The pool may release its memory later than at that free, as long as no figure shows it.
static void no_figure_shows_memory_after_the_last_free(void **state) {
    hipMemPool_t pool = create_on(0);
    size_t before = measure_free();
    (void)state;
    give(get(pool, MIB));
    assert_int_equal(measure_free(), before);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemHigh), MIB);
    give(get(pool, MIB));
    char *more = get(pool, 2 * MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemHigh), 2 * MIB);
    give(more);
    char *less = get(pool, MIB);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), MIB);
    give(less);
    set_wide(pool, hipMemPoolAttrReservedMemHigh, 0);
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemHigh), 0);
    give(get(pool, MIB));
    set_wide(pool, hipMemPoolAttrReleaseThreshold, UINT64_MAX); // for later frees
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 0);
    set_wide(pool, hipMemPoolAttrReleaseThreshold, 0);
    give(get(pool, MIB));
    assert_hip_ok(hipMemPoolTrimTo(pool, MIB));
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 0);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void wait_for_stream(hipStream_t stream) { assert_hip_ok(hipStreamSynchronize(stream)); }

static void wait_for_event(hipStream_t stream) {
    hipEvent_t event = NULL;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventRecord(event, stream));
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipEventDestroy(event));
}

static void wait_for_device(hipStream_t stream) {
    (void)stream;
    assert_hip_ok(hipDeviceSynchronize());
}

static void a_wait_gives_back_what_is_beyond_the_threshold(void **state) {
    void (*const waits[])(hipStream_t) = {wait_for_stream, wait_for_event, wait_for_device};
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    for (size_t i = 0; i < 3; i++) {
        hipMemPool_t pool = create_on(0);
        assert_int_equal(read_wide(pool, hipMemPoolAttrReleaseThreshold), 0);
        set_wide(pool, hipMemPoolAttrReleaseThreshold, 16 * MIB);
        assert_int_equal(read_wide(pool, hipMemPoolAttrReleaseThreshold), 16 * MIB);
        void *ptr = NULL;
        assert_hip_ok(hipMallocFromPoolAsync(&ptr, 40 * MIB, pool, stream));
        assert_hip_ok(hipFreeAsync(ptr, stream));
        assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 40 * MIB);
        waits[i](stream);
        uint64_t kept = read_wide(pool, hipMemPoolAttrReservedMemCurrent);
        assert_in_range(kept, 0, 16 * MIB); // in handles, whose length is the pool's to choose
        set_wide(pool, hipMemPoolAttrReleaseThreshold, 0);
        assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), kept);
        waits[i](stream);
        assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 0);
        assert_hip_ok(hipMemPoolDestroy(pool));
    }
    assert_hip_ok(hipStreamDestroy(stream));
}

static void trimming_keeps_what_was_asked_for_and_what_is_used(void **state) {
    size_t before = free_bytes();
    hipMemPool_t pool = create_on(0);
    char *one = get(pool, 10 * MIB);
    (void)state;
    set_wide(pool, hipMemPoolAttrReleaseThreshold, UINT64_MAX);
    give(get(pool, 30 * MIB));
    assert_hip_ok(hipDeviceSynchronize());
    size_t reserved = read_wide(pool, hipMemPoolAttrReservedMemCurrent);
    assert_true(reserved >= 40 * MIB && reserved <= 44 * MIB); // the pool may round up
    assert_hip_ok(hipMemPoolTrimTo(pool, 20 * MIB));
    reserved = read_wide(pool, hipMemPoolAttrReservedMemCurrent);
    assert_true(reserved >= 10 * MIB && reserved <= 20 * MIB);
    assert_hip_ok(hipMemPoolTrimTo(pool, 0));
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 10 * MIB);
    memset(one, 1, 10 * MIB);
    give(one);
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipMemPoolTrimTo(pool, 0));
    assert_true(free_bytes() == before);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

// Neither trimming nor a wait for another stream may wait for the one that is held up.
static void memory_in_flight_is_neither_given_back_nor_waited_for(void **state) {
    struct gate gate = {false, 0};
    hipMemPool_t pool = create_on(0);
    hipStream_t held_up = NULL;
    hipStream_t other = NULL;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&held_up, hipStreamNonBlocking));
    assert_hip_ok(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    assert_hip_ok(hipMallocFromPoolAsync(&ptr, 8 * MIB, pool, held_up));
    assert_hip_ok(hipLaunchHostFunc(held_up, pass_gate, &gate));
    assert_hip_ok(hipFreeAsync(ptr, held_up));
    assert_hip_ok(hipMemPoolTrimTo(pool, 0));
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 8 * MIB);
    assert_hip_ok(hipStreamSynchronize(other));
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 8 * MIB);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(held_up));
    assert_int_equal(read_wide(pool, hipMemPoolAttrReservedMemCurrent), 0);
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_hip_ok(hipStreamDestroy(held_up));
    assert_hip_ok(hipStreamDestroy(other));
}

// ---- rights

static hipMemAccessFlags rights(hipMemPool_t pool, int device) {
    hipMemAccessFlags flags = (hipMemAccessFlags)77;
    hipMemLocation location = {hipMemLocationTypeDevice, device};
    assert_hip_ok(hipMemPoolGetAccess(&flags, pool, &location));
    return flags;
}

// Release 6 lets no device lose its rights; release 7 lets the peers. `level` is "6" or "7".
static void give_and_take_rights(void *level) {
    bool seven = *(const char *)level == '7';
    hipMemPool_t pool = create_on(0);
    hipMemAccessDesc desc = {{hipMemLocationTypeDevice, 1}, hipMemAccessFlagsProtRead};
    char *ptr = get(pool, 1000);
    assert_int_equal(rights(pool, 0), hipMemAccessFlagsProtReadWrite);
    assert_int_equal(rights(pool, 1), hipMemAccessFlagsProtNone);
    assert_hip_ok(hipMemPoolSetAccess(pool, &desc, 1));
    assert_int_equal(rights(pool, 1), hipMemAccessFlagsProtRead);
    desc.flags = hipMemAccessFlagsProtNone;
    assert_hip(hipMemPoolSetAccess(pool, &desc, 1), seven ? hipSuccess : hipErrorInvalidDevice);
    assert_int_equal(rights(pool, 1),
                     seven ? hipMemAccessFlagsProtNone : hipMemAccessFlagsProtRead);
    desc.location.id = 0;
    assert_hip(hipMemPoolSetAccess(pool, &desc, 1), hipErrorInvalidDevice);
    desc.flags = hipMemAccessFlagsProtRead;
    assert_hip(hipMemPoolSetAccess(pool, &desc, 1), seven ? hipErrorNotSupported : hipSuccess);
    assert_int_equal(rights(pool, 0), hipMemAccessFlagsProtReadWrite);
    assert_hip(hipMemPoolSetAccess(pool, &desc, 0), seven ? hipErrorInvalidValue : hipSuccess);
    give(ptr);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void rights_are_given_and_taken(void **state) {
    (void)state;
    hip_in_child(give_and_take_rights, (void *)(uintptr_t) "6", "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(give_and_take_rights, (void *)(uintptr_t) "7", "TARN_HIP_COMPAT", "7", NULL);
}

static void bad_rights_are_refused_and_change_nothing(void **state) {
    hipMemPool_t pool = create_on(0);
    hipMemAccessDesc two[2] = {{{hipMemLocationTypeDevice, 1}, hipMemAccessFlagsProtRead},
                               {{hipMemLocationTypeDevice, 2}, hipMemAccessFlagsProtRead}};
    hipMemAccessFlags flags = (hipMemAccessFlags)77;
    hipMemLocation location = {hipMemLocationTypeDevice, 2};
    (void)state;
    assert_hip(hipMemPoolSetAccess(NULL, two, 1), hipErrorInvalidValue);
    assert_hip(hipMemPoolSetAccess(pool, NULL, 1), hipErrorInvalidValue);
    assert_hip(hipMemPoolSetAccess(pool, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipMemPoolSetAccess(pool, two, 2), hipErrorInvalidDevice);
    two[1].location.id = 1;
    two[1].flags = (hipMemAccessFlags)2;
    assert_hip(hipMemPoolSetAccess(pool, two, 2), hipErrorInvalidValue);
    two[1].flags = hipMemAccessFlagsProtRead;
    two[1].location.type = hipMemLocationTypeHost;
    assert_hip(hipMemPoolSetAccess(pool, two, 2), hipErrorInvalidValue);
    two[1] = (hipMemAccessDesc){{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtNone};
    assert_hip(hipMemPoolSetAccess(pool, two, 2), hipErrorInvalidDevice);
    assert_hip(hipMemPoolSetAccess(pool, two, 3), hipErrorInvalidDevice); // more than devices
    assert_int_equal(rights(pool, 1), hipMemAccessFlagsProtNone);
    assert_hip(hipMemPoolGetAccess(&flags, pool, &location), hipErrorInvalidValue);
    location = (hipMemLocation){hipMemLocationTypeHost, 0};
    assert_hip(hipMemPoolGetAccess(&flags, pool, &location), hipErrorInvalidValue);
    location = (hipMemLocation){hipMemLocationTypeDevice, 0};
    assert_hip(hipMemPoolGetAccess(NULL, pool, &location), hipErrorInvalidValue);
    assert_hip(hipMemPoolGetAccess(&flags, pool, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPoolGetAccess(&flags, NULL, &location), hipErrorInvalidValue);
    assert_int_equal(flags, 77);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

// ---- devices

static hipMemPool_t own_of(int device) {
    hipMemPool_t pool = NULL;
    assert_hip_ok(hipDeviceGetDefaultMemPool(&pool, device));
    assert_non_null(pool);
    return pool;
}

static hipMemPool_t current_of(int device) {
    hipMemPool_t pool = NULL;
    assert_hip_ok(hipDeviceGetMemPool(&pool, device));
    return pool;
}

static uint64_t used_bytes(hipMemPool_t pool) {
    uint64_t bytes = 0;
    assert_hip_ok(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &bytes));
    return bytes;
}

static void each_device_has_a_pool_of_its_own(void **state) {
    (void)state;
    assert_ptr_equal(own_of(0), own_of(0));
    assert_ptr_not_equal(own_of(0), own_of(1));
    assert_ptr_equal(current_of(0), own_of(0));
    assert_hip(hipMemPoolDestroy(own_of(0)), hipErrorInvalidValue);
    assert_ptr_equal(current_of(0), own_of(0));
}

static void another_pool_becomes_current(void **state) {
    hipMemPool_t pool = create_on(0);
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipDeviceSetMemPool(0, pool));
    assert_ptr_equal(current_of(0), pool);
    assert_ptr_not_equal(own_of(0), pool);
    assert_hip_ok(hipMallocAsync(&ptr, 100, NULL));
    assert_true(used_bytes(pool) > 0);
    give(ptr);
    assert_hip_ok(hipDeviceSetMemPool(0, own_of(0)));
    assert_ptr_equal(current_of(0), own_of(0));
    assert_hip_ok(hipMallocAsync(&ptr, 100, NULL));
    assert_true(used_bytes(own_of(0)) > 0);
    give(ptr);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void destroying_the_current_pool_brings_back_the_own(void **state) {
    hipMemPool_t pool = create_on(1);
    (void)state;
    assert_hip_ok(hipDeviceSetMemPool(1, pool));
    assert_hip_ok(hipMemPoolDestroy(pool));
    assert_ptr_equal(current_of(1), own_of(1));
}

static void bad_devices_and_pools_are_refused(void **state) {
    hipMemPool_t there = create_on(1);
    hipMemPool_t pool = (hipMemPool_t)(uintptr_t)0x77;
    (void)state;
    assert_hip(hipDeviceGetDefaultMemPool(NULL, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetDefaultMemPool(&pool, 2), hipErrorInvalidDevice);
    assert_hip(hipDeviceGetMemPool(NULL, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetMemPool(&pool, -1), hipErrorInvalidValue);
    assert_true((uintptr_t)pool == 0x77);
    assert_hip(hipDeviceSetMemPool(2, there), hipErrorInvalidValue);
    assert_hip(hipDeviceSetMemPool(0, NULL), hipErrorInvalidValue);
    assert_hip(hipDeviceSetMemPool(0, there), hipErrorInvalidDevice);
    assert_hip_ok(hipMemPoolDestroy(there));
}

// The names of ROCm 7.2 and 10.0.
static void a_location_has_pools_as_its_device(void **state) {
    hipMemLocation here = {hipMemLocationTypeDevice, 1}, host = {hipMemLocationTypeHost, 0};
    const hipMemAllocationType pinned = hipMemAllocationTypePinned;
    hipMemPool_t pool = create_on(1), found = NULL;
    (void)state;
    assert_hip_ok(hipMemGetDefaultMemPool(&found, &here, pinned));
    assert_ptr_equal(found, own_of(1));
    assert_hip_ok(hipMemSetMemPool(&here, pinned, pool));
    assert_hip_ok(hipMemGetMemPool(&found, &here, pinned));
    assert_ptr_equal(found, pool);
    assert_ptr_equal(current_of(1), pool);
    assert_hip_ok(hipMemSetMemPool(&here, pinned, own_of(1)));
    assert_hip(hipMemGetMemPool(&found, &host, pinned), hipErrorInvalidValue);
    assert_hip(hipMemGetMemPool(&found, NULL, pinned), hipErrorInvalidValue);
    assert_hip(hipMemGetMemPool(&found, &here, hipMemAllocationTypeInvalid), hipErrorInvalidValue);
    assert_hip(hipMemGetDefaultMemPool(&found, &here, hipMemAllocationTypeManaged),
               hipErrorNotSupported);
    here.id = 0;
    assert_hip(hipMemSetMemPool(&here, pinned, pool), hipErrorInvalidDevice);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

int main(void) {
    (void)setenv("TARN_HIP_GAPS", "0", 1); // the figures are those without ASan
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rights_are_given_and_taken), // in children: first
        cmocka_unit_test(what_cannot_be_made_is_refused),
        cmocka_unit_test(a_destroyed_pool_is_refused),
        cmocka_unit_test(blocks_outlive_their_pool),
        cmocka_unit_test(the_most_is_kept),
        cmocka_unit_test(reuse_is_allowed_and_told_back),
        cmocka_unit_test(bad_attributes_are_refused),
        cmocka_unit_test(use_and_its_high_mark_are_told),
        cmocka_unit_test(each_high_mark_is_reset_alone),
        cmocka_unit_test(use_is_told_as_requested_and_reserved_memory_in_pages),
        cmocka_unit_test(the_last_free_gives_back_all_at_a_threshold_of_0),
        cmocka_unit_test(no_figure_shows_memory_after_the_last_free),
        cmocka_unit_test(a_wait_gives_back_what_is_beyond_the_threshold),
        cmocka_unit_test(trimming_keeps_what_was_asked_for_and_what_is_used),
        cmocka_unit_test(memory_in_flight_is_neither_given_back_nor_waited_for),
        cmocka_unit_test(bad_rights_are_refused_and_change_nothing),
        cmocka_unit_test(each_device_has_a_pool_of_its_own),
        cmocka_unit_test(another_pool_becomes_current),
        cmocka_unit_test(destroying_the_current_pool_brings_back_the_own),
        cmocka_unit_test(bad_devices_and_pools_are_refused),
        cmocka_unit_test(a_location_has_pools_as_its_device),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
