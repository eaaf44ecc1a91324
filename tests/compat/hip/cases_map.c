// SPDX-License-Identifier: Apache-2.0
// What hip-tests asks of mappings (unit/virtualMemoryManagement of HIP 6.3), written anew from its
// description. Which test stands for which case there; see cases_create.c.
//
//   hipMemMap_SameMemoryReuse                one_memory_is_mapped_at_one_place_again_and_again
//   hipMemMap_PhysicalMemoryReuse_SingleGPU  one_memory_goes_through_three_ranges
//   hipMemMap_PhysicalMemory_Map2MultVMMs    one_memory_shows_in_three_ranges_at_once
//   hipMemMap_PhysicalMemoryReuse_MultiDev   memory_of_each_device_is_used_from_each
//   hipMemMap_VMMMemoryReuse_SingleGPU       one_range_takes_three_memories_in_turn
//   hipMemMap_VMMMemoryReuse_MultiGPU        one_range_takes_memory_of_all_devices_in_turn
//   hipMemMap_MapPartialPhysicalMem          half_of_the_memory_is_mapped
//   hipMemMap_MapPartialVMMMem               half_of_the_range_is_mapped
//   hipMemMap_negative                       hipMemMap.c missing_arguments_are_refused
//   hipMemMapArrayAsync_Positive_Basic       hipMemMapArrayAsync.c tiles_keep_their_memory
//   hipMemRelease_negative                   hipMemRelease.c handles_that_are_not_alive_are_refused
//   hipMemRetainAllocationHandle_SetGet      hipMemRetainAllocationHandle.c
//                                            any_byte_gives_the_handle_that_was_mapped
//   hipMemRetainAllocationHandle_NegTst      hipMemRetainAllocationHandle.c
//                                            missing_arguments_are_refused,
//                                            addresses_in_no_mapping_are_refused
//   hipMemUnmap_negative                     hipMemUnmap.c missing_arguments_are_refused,
//                                            parts_of_a_mapping_are_refused
#include "support/values.h"

#define DEVICES 2

static void map_for(int device, char *at, size_t size, handle_t handle) {
    assert_hip_ok(hipMemMap(at, size, 0, handle, 0));
    grant(at, size, device, READ_WRITE);
}

static void one_memory_is_mapped_at_one_place_again_and_again(void **state) {
    char *at = reserve(VALUE_BYTES);
    handle_t handle = create(VALUE_BYTES);
    (void)state;
    for (int i = 0; i < 20; i++) {
        map_for(0, at, VALUE_BYTES, handle);
        if (i > 0) values_get(at, i - 1);
        values_round_trip(at, i);
        assert_hip_ok(hipMemUnmap(at, VALUE_BYTES));
    }
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(at, VALUE_BYTES));
}

static void one_memory_goes_through_three_ranges(void **state) {
    handle_t handle = create(VALUE_BYTES);
    char *at[3];
    (void)state;
    for (int i = 0; i < 3; i++) at[i] = reserve(VALUE_BYTES);
    for (int i = 0; i < 9; i++) {
        map_for(0, at[i % 3], VALUE_BYTES, handle);
        if (i > 0) values_get(at[i % 3], i - 1); // what was written elsewhere
        values_put(at[i % 3], i);
        assert_hip_ok(hipMemUnmap(at[i % 3], VALUE_BYTES));
    }
    for (int i = 0; i < 3; i++) assert_hip_ok(hipMemAddressFree(at[i], VALUE_BYTES));
    assert_hip_ok(hipMemRelease(handle));
}

static void one_memory_shows_in_three_ranges_at_once(void **state) {
    handle_t handle = create(VALUE_BYTES);
    char *at[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        at[i] = reserve(VALUE_BYTES);
        map_for(0, at[i], VALUE_BYTES, handle);
    }
    for (int writer = 0; writer < 3; writer++) {
        values_put(at[writer], writer);
        for (int reader = 0; reader < 3; reader++) values_get(at[reader], writer);
    }
    assert_hip_ok(hipMemRelease(handle));
    for (int i = 0; i < 3; i++) unmap_and_free(at[i], VALUE_BYTES);
    assert_free_bytes(0, CAPACITY);
}

static void memory_of_each_device_is_used_from_each(void **state) {
    (void)state;
    for (int owner = 0; owner < DEVICES; owner++) {
        handle_t handle = create_on(owner, VALUE_BYTES);
        for (int user = 0; user < DEVICES; user++) {
            char *at = reserve(VALUE_BYTES);
            assert_hip_ok(hipSetDevice(user));
            map_for(user, at, VALUE_BYTES, handle);
            values_round_trip(at, 10 * owner + user);
            values_launch_square(at, NULL);
            values_get_squares(at, 10 * owner + user);
            unmap_and_free(at, VALUE_BYTES);
        }
        assert_hip_ok(hipMemRelease(handle));
    }
    assert_hip_ok(hipSetDevice(0));
}

// `count` memories of the devices in turn take the same place, twice; each keeps its bytes.
static void take_turns(int devices, int count, bool others_too) {
    handle_t handles[6];
    char *at = reserve(VALUE_BYTES);
    for (int i = 0; i < count; i++) handles[i] = create_on(i % devices, VALUE_BYTES);
    for (int turn = 0; turn < 2 * count; turn++) {
        int i = turn % count;
        map_for(i % devices, at, VALUE_BYTES, handles[i]);
        if (turn >= count) values_get(at, i);
        if (others_too) grant(at, VALUE_BYTES, 0, READ_WRITE); // the owner first, then device 0
        values_round_trip(at, i);
        assert_hip_ok(hipMemUnmap(at, VALUE_BYTES));
    }
    for (int i = 0; i < count; i++) assert_hip_ok(hipMemRelease(handles[i]));
    assert_hip_ok(hipMemAddressFree(at, VALUE_BYTES));
}

static void one_range_takes_three_memories_in_turn(void **state) {
    (void)state;
    take_turns(1, 3, false);
}

static void one_range_takes_memory_of_all_devices_in_turn(void **state) {
    (void)state;
    take_turns(DEVICES, 6, true);
}

static void half_of_the_memory_is_mapped(void **state) {
    char *at = reserve(VALUE_BYTES);
    handle_t handle = create(2 * VALUE_BYTES);
    (void)state;
    map_for(0, at, VALUE_BYTES, handle);
    values_round_trip(at, 1);
    assert_free_bytes(0, CAPACITY - 2 * VALUE_BYTES);
    assert_hip_ok(hipMemRelease(handle));
    values_round_trip(at, 2);
    unmap_and_free(at, VALUE_BYTES);
    assert_free_bytes(0, CAPACITY);
}

static void half_of_the_range_is_mapped(void **state) {
    char *at = reserve(2 * VALUE_BYTES);
    handle_t handle = create(VALUE_BYTES);
    (void)state;
    map_for(0, at, VALUE_BYTES, handle);
    values_round_trip(at, 1);
    assert_hip(hipMemset(at + VALUE_BYTES, 0, 1), hipErrorInvalidValue); // the other half
    assert_hip(hipMemset(at + VALUE_BYTES - 1, 0, 2), hipErrorInvalidValue);
    values_get(at, 1);
    assert_hip_ok(hipMemUnmap(at, VALUE_BYTES));
    map_for(0, at + VALUE_BYTES, VALUE_BYTES, handle);
    values_get(at + VALUE_BYTES, 1);
    assert_hip_ok(hipMemUnmap(at + VALUE_BYTES, VALUE_BYTES));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(at, 2 * VALUE_BYTES));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_memory_is_mapped_at_one_place_again_and_again),
        cmocka_unit_test(one_memory_goes_through_three_ranges),
        cmocka_unit_test(one_memory_shows_in_three_ranges_at_once),
        cmocka_unit_test(memory_of_each_device_is_used_from_each),
        cmocka_unit_test(one_range_takes_three_memories_in_turn),
        cmocka_unit_test(one_range_takes_memory_of_all_devices_in_turn),
        cmocka_unit_test(half_of_the_memory_is_mapped),
        cmocka_unit_test(half_of_the_range_is_mapped),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
