// SPDX-License-Identifier: Apache-2.0
// hipMemUnmap. Numbers are the rows of its table of checks.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/vmm.h"

static void refuses(void *at, size_t size) {
    assert_hip(hipMemUnmap(at, size), hipErrorInvalidValue);
}

// ROCm 6.3, ROCm 7 and CUDA; asserted by AMD's tests.
static void missing_arguments_are_refused(void **state) {
    char *at = reserve(G);
    (void)state;
    map_fresh(at, G);
    refuses(NULL, G);
    refuses(NULL, 0);
    refuses(at, 0);
    assert_int_equal(rights(at, 0), READ_WRITE);
    unmap_and_free(at, G);
}

// ROCm 7 and CUDA. ROCm 6.3 crashes.
static void what_is_not_mapped_is_refused(void **state) {
    static char ordinary[G];
    char *at = reserve(4 * G);
    (void)state;
    refuses(at, 4 * G);
    map_fresh(at, G);
    refuses(at + G, G);
    refuses(at + 2 * G, 2 * G);
    assert_hip_ok(hipMemUnmap(at, G));
    refuses(at, G); // twice
    refuses(ordinary, G);
    refuses((void *)1, G);
    refuses((void *)(~(uintptr_t)0), 1);
    refuses((void *)(~(uintptr_t)0 - G + 1), G);
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
    refuses(at, G);
}

// CUDA. ROCm 6.3 answers success and loses its records; ROCm 7 rounds the start down.
static void parts_of_a_mapping_are_refused(void **state) {
    char *at = reserve(4 * G);
    (void)state;
    map_fresh(at, 4 * G);
    memset(at, 9, 4 * G);
    refuses(at + G, 3 * G);     // begins inside
    refuses(at + 1, 4 * G - 1); // begins inside, and between granules
    refuses(at, 2 * G);         // half
    refuses(at, 4 * G - 1);
    refuses(at, G);
    refuses(at + G, G);
    refuses(at, 4 * G + 1);
    assert_int_equal(at[0], 9);
    assert_int_equal(at[4 * G - 1], 9);
    assert_int_equal(rights(at, 0), READ_WRITE);
    unmap_and_free(at, 4 * G);
}

// ROCm 7 and CUDA. ggml and GMLake rely on it.
static void several_whole_mappings_go_at_once(void **state) {
    char *at = reserve(8 * G);
    unsigned long long flags = 0;
    (void)state;
    map_fresh(at, G);
    map_fresh(at + G, 2 * G);
    map_fresh(at + 3 * G, G);
    map_fresh(at + 4 * G, 4 * G);
    refuses(at, 5 * G); // the last one cut
    refuses(at + 2 * G, 2 * G);
    assert_hip_ok(hipMemUnmap(at + G, 3 * G)); // the middle two
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_int_equal(rights(at + 4 * G, 0), READ_WRITE);
    assert_hip(get_rights(at + G, 0, &flags), hipErrorInvalidValue);
    assert_hip(get_rights(at + 4 * G - 1, 0, &flags), hipErrorInvalidValue);
    map_fresh(at + G, 3 * G);
    unmap_and_free(at, 8 * G);
    assert_free_bytes(0, CAPACITY);
}

// ROCm 7. ROCm 6.3 answered success.
static void gaps_are_refused_and_nothing_goes(void **state) {
    char *at = reserve(4 * G);
    (void)state;
    map_fresh(at, G);
    map_fresh(at + 2 * G, G);
    refuses(at, 3 * G);
    refuses(at, 4 * G);
    refuses(at + G, 2 * G);
    refuses(at + 2 * G, 2 * G);
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_int_equal(rights(at + 2 * G, 0), READ_WRITE);
    assert_hip_ok(hipMemUnmap(at, G));
    assert_hip_ok(hipMemUnmap(at + 2 * G, G));
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

// Neighbouring reservations are two.
static void a_range_over_two_reservations_is_refused(void **state) {
    char *at = reserve(2 * G);
    void *next = NULL;
    (void)state;
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    assert_hip_ok(hipMemAddressReserve((void **)&at, G, 0, at, 0));
    assert_hip_ok(hipMemAddressReserve(&next, G, 0, at + G, 0));
    map_fresh(at, G);
    map_fresh(next, G);
    if (next == (void *)(at + G)) refuses(at, 2 * G);
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_int_equal(rights(next, 0), READ_WRITE);
    unmap_and_free(at, G);
    unmap_and_free(next, G);
}

static void the_range_stays_reserved(void **state) {
    char *at = reserve(2 * G);
    void *other = NULL;
    (void)state;
    map_fresh(at, 2 * G);
    assert_hip_ok(hipMemUnmap(at, 2 * G));
    assert_hip_ok(hipMemAddressReserve(&other, 2 * G, 0, at, 0));
    assert_ptr_not_equal(other, at); // taken
    map_fresh(at + G, G);
    assert_hip_ok(hipMemUnmap(at + G, G));
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    assert_hip_ok(hipMemAddressFree(other, 2 * G));
}

static void the_last_mapping_frees_released_memory(void **state) {
    char *at = reserve(2 * G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemMap(at + G, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemUnmap(at, G));
    assert_free_bytes(0, CAPACITY - G);
    assert_hip_ok(hipMemUnmap(at + G, G));
    assert_free_bytes(0, CAPACITY);
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
}

static size_t bytes_left(void) {
    size_t left = 0;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    return left;
}

static void hold_memory(void *arg) {
    size_t before = bytes_left();
    char *at = reserve(G);
    (void)arg;
    map_fresh(at, G);
    assert_hip_ok(hipMemUnmap(at, G));
    assert_int_equal(bytes_left(), before - G);
    assert_hip_ok(hipMemAddressFree(at, G));
    assert_int_equal(bytes_left(), before);
}

static void held_memory_returns_with_its_reservation(void **state) {
    (void)state;
    hip_in_child(hold_memory, NULL, "TARN_HIP_DEVICE", "host:0,quirk=held-memory", NULL);
}

// A stream that is held up, with work on the range behind what holds it up.
struct held {
    char *at;
    sem_t gate;
    _Atomic(bool) unmapped;
};

static void wait_at_gate(void *arg) {
    struct held *held = arg;
    while (sem_wait(&held->gate) != 0) {
    }
}

static void *unmap_held(void *arg) {
    struct held *held = arg;
    hipError_t error = hipMemUnmap(held->at, G);
    atomic_store(&held->unmapped, true);
    return error == hipSuccess ? NULL : arg;
}

static void work_on_the_range_is_waited_for(void **state) {
    struct held held = {.at = reserve(G)};
    hipStream_t stream = NULL;
    pthread_t thread;
    void *failed = &failed;
    (void)state;
    assert_int_equal(sem_init(&held.gate, 0, 0), 0);
    map_fresh(held.at, G);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipLaunchHostFunc(stream, wait_at_gate, &held));
    assert_hip_ok(hipMemsetAsync(held.at, 1, G, stream));
    assert_int_equal(pthread_create(&thread, NULL, unmap_held, &held), 0);
    assert_int_equal(usleep(20000), 0);
    assert_false(atomic_load(&held.unmapped));
    assert_int_equal(rights(held.at, 0), READ_WRITE);
    assert_int_equal(sem_post(&held.gate), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_hip_ok(hipStreamSynchronize(stream)); // the work found its memory
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipMemAddressFree(held.at, G));
    assert_int_equal(sem_destroy(&held.gate), 0);
}

// Every stream of whoever has a right in the range, whatever it does: here one that does not look
// at the NULL stream, of a device that does not own the memory.
static void streams_of_a_device_with_rights_are_waited_for(void **state) {
    struct held held = {.at = reserve(G)};
    hipStream_t stream = NULL;
    pthread_t thread;
    void *failed = &failed;
    (void)state;
    assert_int_equal(sem_init(&held.gate, 0, 0), 0);
    map_fresh(held.at, G);
    grant(held.at, G, 1, READ);
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipLaunchHostFunc(stream, wait_at_gate, &held));
    assert_int_equal(pthread_create(&thread, NULL, unmap_held, &held), 0);
    assert_int_equal(usleep(20000), 0);
    assert_false(atomic_load(&held.unmapped));
    assert_int_equal(sem_post(&held.gate), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipMemAddressFree(held.at, G));
    assert_int_equal(sem_destroy(&held.gate), 0);
}

// Were it waited for, this would never end.
static void a_device_without_rights_is_not_waited_for(void **state) {
    struct held held = {.at = reserve(G)};
    hipStream_t stream = NULL;
    (void)state;
    assert_int_equal(sem_init(&held.gate, 0, 0), 0);
    map_fresh(held.at, G);
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipLaunchHostFunc(stream, wait_at_gate, &held));
    unmap_and_free(held.at, G);
    assert_int_equal(sem_post(&held.gate), 0);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_int_equal(sem_destroy(&held.gate), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(what_is_not_mapped_is_refused),
        cmocka_unit_test(parts_of_a_mapping_are_refused),
        cmocka_unit_test(several_whole_mappings_go_at_once),
        cmocka_unit_test(gaps_are_refused_and_nothing_goes),
        cmocka_unit_test(a_range_over_two_reservations_is_refused),
        cmocka_unit_test(the_range_stays_reserved),
        cmocka_unit_test(the_last_mapping_frees_released_memory),
        cmocka_unit_test(held_memory_returns_with_its_reservation),
        cmocka_unit_test(work_on_the_range_is_waited_for),
        cmocka_unit_test(streams_of_a_device_with_rights_are_waited_for),
        cmocka_unit_test(a_device_without_rights_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
