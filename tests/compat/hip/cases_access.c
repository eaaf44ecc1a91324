// SPDX-License-Identifier: Apache-2.0
// What hip-tests asks of rights and of copies (unit/virtualMemoryManagement of HIP 6.3), written
// anew from its description. Which test here stands for which case there, all of whose names begin
// with hipMemSetAccess_; see cases_create.c for the rest of the table.
//
//   SetGet                    who_is_granted_can_and_who_is_not_cannot
//   MultDevSetGet             two_devices_are_granted_in_one_call
//   EntireVMMRangeSetGet      the_first_and_the_last_byte_have_the_same_rights
//   (hipMemGetAccess_NegTst)  hipMemGetAccess.c missing_arguments_are_refused,
//                             addresses_in_no_mapping_are_refused
//   FuncTstOnMultDev          memory_of_a_device_is_used_before_it_is_current
//   AccessDirectlyFromHost    the_cpu_loads_and_stores_after_a_grant_to_a_device
//   ChangeAccessProp          rights_come_and_go_and_copies_follow
//   Vmm2UnifiedMemCpy         bytes_go_from_managed_memory_through_mapped_memory_and_back
//   Vmm2DevMemCpy             bytes_go_from_mapped_memory_to_plain_memory
//   Vmm2PeerDevMemCpy         a_device_without_rights_copies_what_the_owner_may_read
//   Vmm2PeerPeerMemCpy        a_peer_copies_what_it_may_read
//   Vmm2VMMMemCpy             bytes_go_from_range_to_range
//   Vmm2VMMInterDevMemCpy     ranges_of_two_devices_exchange_bytes
//   MapPhysChksFromMulDev     chunks_of_all_devices_are_one_range
//   GrowVMM                   a_range_moves_to_a_bigger_one_with_its_bytes
//   Multithreaded             threads_have_ranges_of_their_own
//   MultiProc                 parent_and_child_have_memory_of_their_own
//   negative                  hipMemSetAccess.c missing_arguments_are_refused,
//                             what_is_not_mapped_is_refused, parts_and_gaps_are_refused,
//                             a_bad_description_leaves_the_others_unapplied
#include <pthread.h>

#include "support/partner.h"
#include "support/values.h"

#define DEVICES 2

static void who_is_granted_can_and_who_is_not_cannot(void **state) {
    char *at = values_range(0);
    (void)state;
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_int_equal(rights(at, 1), NONE);
    unmap_and_free(at, VALUE_BYTES);
}

static void two_devices_are_granted_in_one_call(void **state) {
    hipMemAccessDesc desc[DEVICES] = {desc_of(0, READ_WRITE), desc_of(1, READ_WRITE)};
    char *at = reserve(VALUE_BYTES);
    handle_t handle = create(VALUE_BYTES);
    (void)state;
    assert_hip_ok(hipMemMap(at, VALUE_BYTES, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemSetAccess(at, VALUE_BYTES, desc, DEVICES));
    for (int i = 0; i < DEVICES; i++) assert_int_equal(rights(at, i), READ_WRITE);
    unmap_and_free(at, VALUE_BYTES);
}

static void the_first_and_the_last_byte_have_the_same_rights(void **state) {
    char *at = values_range(0);
    (void)state;
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_int_equal(rights(at + VALUE_BYTES - 1, 0), READ_WRITE);
    unmap_and_free(at, VALUE_BYTES);
}

static void memory_of_a_device_is_used_before_it_is_current(void **state) {
    (void)state;
    for (int i = 0; i < DEVICES; i++) {
        char *at = values_range(i);
        values_put(at, i); // with another device current
        assert_hip_ok(hipSetDevice(i));
        values_launch_square(at, NULL);
        values_get_squares(at, i);
        assert_hip_ok(hipSetDevice(0));
        unmap_and_free(at, VALUE_BYTES);
    }
}

static void the_cpu_loads_and_stores_after_a_grant_to_a_device(void **state) {
    (void)state;
    for (int i = 0; i < DEVICES; i++) {
        char *at = values_range(i);
        values_make((int *)(void *)at, i);
        values_get(at, i);
        values_put(at, i + 5);
        values_expect((const int *)(void *)at, i + 5);
        unmap_and_free(at, VALUE_BYTES);
    }
}

static void rights_come_and_go_and_copies_follow(void **state) {
    char *at = values_range(0);
    int value = 0;
    (void)state;
    values_put(at, 1);
    grant(at, VALUE_BYTES, 0, READ);
    values_get(at, 1);
    assert_hip(hipMemcpyHtoD(at, &value, sizeof value), hipErrorInvalidValue);
    grant(at, VALUE_BYTES, 0, NONE);
    assert_hip(hipMemcpyHtoD(at, &value, sizeof value), hipErrorInvalidValue);
    assert_hip(hipMemcpyDtoH(&value, at, sizeof value), hipErrorInvalidValue);
    grant(at, VALUE_BYTES, 0, READ_WRITE);
    values_get(at, 1);
    values_round_trip(at, 2);
    unmap_and_free(at, VALUE_BYTES);
}

static void bytes_go_from_managed_memory_through_mapped_memory_and_back(void **state) {
    char *at = values_range(0);
    int *managed[2] = {NULL, NULL};
    void *plain = NULL;
    (void)state;
    assert_hip_ok(hipMallocManaged((void **)&managed[0], VALUE_BYTES, hipMemAttachGlobal));
    assert_hip_ok(hipMallocManaged((void **)&managed[1], VALUE_BYTES, hipMemAttachGlobal));
    assert_hip_ok(hipMalloc(&plain, VALUE_BYTES));
    values_make(managed[0], 4);
    assert_hip_ok(hipMemcpy(at, managed[0], VALUE_BYTES, hipMemcpyDefault));
    assert_hip_ok(hipMemcpy(plain, at, VALUE_BYTES, hipMemcpyDefault));
    assert_hip_ok(hipMemcpy(managed[1], plain, VALUE_BYTES, hipMemcpyDefault));
    assert_hip_ok(hipDeviceSynchronize());
    values_expect(managed[1], 4);
    assert_hip_ok(hipFree(plain));
    assert_hip_ok(hipFree(managed[0]));
    assert_hip_ok(hipFree(managed[1]));
    unmap_and_free(at, VALUE_BYTES);
}

static void bytes_go_from_mapped_memory_to_plain_memory(void **state) {
    char *at = values_range(0);
    void *plain = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&plain, VALUE_BYTES));
    values_put(at, 9);
    assert_hip_ok(hipMemcpyDtoD(plain, at, VALUE_BYTES));
    values_get(plain, 9);
    assert_hip_ok(hipFree(plain));
    unmap_and_free(at, VALUE_BYTES);
}

static void a_device_without_rights_copies_what_the_owner_may_read(void **state) {
    char *at = values_range(0);
    void *plain = NULL;
    (void)state;
    values_put(at, 2);
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&plain, VALUE_BYTES));
    assert_int_equal(rights(at, 1), NONE);
    assert_hip_ok(hipMemcpyDtoD(plain, at, VALUE_BYTES));
    values_get(plain, 2);
    assert_hip_ok(hipFree(plain));
    assert_hip_ok(hipSetDevice(0));
    unmap_and_free(at, VALUE_BYTES);
}

static void a_peer_copies_what_it_may_read(void **state) {
    char *at = values_range(0);
    void *plain = NULL;
    (void)state;
    values_put(at, 7);
    grant(at, VALUE_BYTES, 1, READ);
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&plain, VALUE_BYTES));
    assert_hip_ok(hipMemcpyPeer(plain, 1, at, 0, VALUE_BYTES));
    values_get(plain, 7);
    assert_hip_ok(hipFree(plain));
    assert_hip_ok(hipSetDevice(0));
    unmap_and_free(at, VALUE_BYTES);
}

static void bytes_go_from_range_to_range(void **state) {
    char *from = values_range(0);
    char *to = values_range(0);
    (void)state;
    values_put(from, 11);
    assert_hip_ok(hipMemcpyDtoD(to, from, VALUE_BYTES));
    values_get(to, 11);
    unmap_and_free(from, VALUE_BYTES);
    values_get(to, 11);
    unmap_and_free(to, VALUE_BYTES);
}

// The second range takes memory whose handle is released already, but still mapped.
static void ranges_of_two_devices_exchange_bytes(void **state) {
    char *from = reserve(VALUE_BYTES);
    char *again = reserve(VALUE_BYTES);
    char *to = values_range(1);
    handle_t handle = create_on(0, VALUE_BYTES);
    (void)state;
    assert_hip_ok(hipMemMap(from, VALUE_BYTES, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(from, VALUE_BYTES, 0, READ_WRITE);
    values_put(from, 21);
    assert_hip_ok(hipMemcpyPeer(to, 1, from, 0, VALUE_BYTES));
    values_get(to, 21);
    assert_hip_ok(hipMemMap(again, VALUE_BYTES, 0, handle, 0));
    grant(again, VALUE_BYTES, 0, READ_WRITE);
    values_put(to, 22);
    assert_hip_ok(hipMemcpyPeer(again, 0, to, 1, VALUE_BYTES));
    values_get(from, 22);
    unmap_and_free(from, VALUE_BYTES);
    unmap_and_free(again, VALUE_BYTES);
    unmap_and_free(to, VALUE_BYTES);
    assert_free_bytes(0, CAPACITY);
}

static void chunks_of_all_devices_are_one_range(void **state) {
    hipMemAccessDesc desc[DEVICES] = {desc_of(0, READ_WRITE), desc_of(1, READ_WRITE)};
    char *at = reserve(VALUE_BYTES);
    (void)state;
    for (size_t i = 0; i < VALUE_BYTES / G; i++) {
        handle_t handle = create_on((int)i % DEVICES, G);
        assert_hip_ok(hipMemMap(at + i * G, G, 0, handle, 0));
        assert_hip_ok(hipMemRelease(handle));
    }
    assert_hip_ok(hipMemSetAccess(at, VALUE_BYTES, desc, DEVICES));
    values_put(at, 6); // one copy across all of them
    values_launch_square(at, NULL);
    values_get_squares(at, 6);
    unmap_and_free(at, VALUE_BYTES);
}

static void a_range_moves_to_a_bigger_one_with_its_bytes(void **state) {
    handle_t handles[2] = {create(VALUE_BYTES), create(VALUE_BYTES)};
    char *small = reserve(VALUE_BYTES);
    (void)state;
    assert_hip_ok(hipMemMap(small, VALUE_BYTES, 0, handles[0], 0));
    grant(small, VALUE_BYTES, 0, READ_WRITE);
    values_put(small, 31);
    unmap_and_free(small, VALUE_BYTES);
    char *large = reserve(2 * VALUE_BYTES);
    assert_hip_ok(hipMemMap(large, VALUE_BYTES, 0, handles[0], 0));
    assert_hip_ok(hipMemMap(large + VALUE_BYTES, VALUE_BYTES, 0, handles[1], 0));
    grant(large, 2 * VALUE_BYTES, 0, READ_WRITE);
    values_get(large, 31);
    values_round_trip(large + VALUE_BYTES / 2, 32); // over the border
    assert_hip_ok(hipMemRelease(handles[0]));
    assert_hip_ok(hipMemRelease(handles[1]));
    unmap_and_free(large, 2 * VALUE_BYTES); // one call over two mappings
    assert_free_bytes(0, CAPACITY);
}

// Asserts nothing itself: threads must not.
static void *live(void *arg) {
    hipMemAllocationProp prop = prop_on(0);
    hipMemAccessDesc desc = desc_of(0, READ_WRITE);
    handle_t handle = NULL;
    void *at = NULL;
    int values[VALUES];
    int back[VALUES];
    bool good = true;
    values_make(values, *(const int *)arg);
    for (int i = 0; i < 10 && good; i++) {
        good = hipMemCreate(&handle, VALUE_BYTES, &prop, 0) == hipSuccess &&
               hipMemAddressReserve(&at, VALUE_BYTES, 0, NULL, 0) == hipSuccess &&
               hipMemMap(at, VALUE_BYTES, 0, handle, 0) == hipSuccess &&
               hipMemRelease(handle) == hipSuccess &&
               hipMemSetAccess(at, VALUE_BYTES, &desc, 1) == hipSuccess &&
               hipMemcpyHtoD(at, values, VALUE_BYTES) == hipSuccess &&
               hipMemcpyDtoH(back, at, VALUE_BYTES) == hipSuccess &&
               memcmp(values, back, VALUE_BYTES) == 0 &&
               hipMemUnmap(at, VALUE_BYTES) == hipSuccess &&
               hipMemAddressFree(at, VALUE_BYTES) == hipSuccess;
    }
    return good ? NULL : arg;
}

static void threads_have_ranges_of_their_own(void **state) {
    enum { THREADS = 5 };
    pthread_t threads[THREADS];
    int seeds[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, live, &seeds[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_free_bytes(0, CAPACITY);
}

static void live_beside(struct partner *other) {
    char *at = values_range(1);
    for (int i = 0; i < 20; i++) {
        say(other, 's');
        values_round_trip(at, i);
        hear(other, 's');
        values_get(at, i);
    }
    assert_free_bytes(1, CAPACITY - VALUE_BYTES);
    unmap_and_free(at, VALUE_BYTES);
}

static void parent_and_child_have_memory_of_their_own(void **state) {
    (void)state;
    play(live_beside, live_beside);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(parent_and_child_have_memory_of_their_own),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_granted_can_and_who_is_not_cannot),
        cmocka_unit_test(two_devices_are_granted_in_one_call),
        cmocka_unit_test(the_first_and_the_last_byte_have_the_same_rights),
        cmocka_unit_test(memory_of_a_device_is_used_before_it_is_current),
        cmocka_unit_test(the_cpu_loads_and_stores_after_a_grant_to_a_device),
        cmocka_unit_test(rights_come_and_go_and_copies_follow),
        cmocka_unit_test(bytes_go_from_managed_memory_through_mapped_memory_and_back),
        cmocka_unit_test(bytes_go_from_mapped_memory_to_plain_memory),
        cmocka_unit_test(a_device_without_rights_copies_what_the_owner_may_read),
        cmocka_unit_test(a_peer_copies_what_it_may_read),
        cmocka_unit_test(bytes_go_from_range_to_range),
        cmocka_unit_test(ranges_of_two_devices_exchange_bytes),
        cmocka_unit_test(chunks_of_all_devices_are_one_range),
        cmocka_unit_test(a_range_moves_to_a_bigger_one_with_its_bytes),
        cmocka_unit_test(threads_have_ranges_of_their_own),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
