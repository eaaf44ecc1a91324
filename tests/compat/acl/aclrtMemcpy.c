// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy(), row by row (spec 3.5).
#include <pthread.h>
#include <sys/mman.h>

#include "support/bytes.h"
#include "support/vmm.h"
#include "support/work.h"

#define SIZE 4096
#define H2H  ACL_MEMCPY_HOST_TO_HOST
#define H2D  ACL_MEMCPY_HOST_TO_DEVICE
#define D2H  ACL_MEMCPY_DEVICE_TO_HOST
#define D2D  ACL_MEMCPY_DEVICE_TO_DEVICE

static int with_device(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

static int without_device(void **state) {
    (void)state;
    return aclrtResetDeviceForce(0);
}

static void rows_without_a_context_come_in_order(void **state) {
    unsigned char a[16] = {1};
    unsigned char b[16] = {2};
    (void)state;
    // V7
    assert_acl_ok(aclrtMemcpy(NULL, 0, NULL, 0, H2H));
    assert_acl_ok(aclrtMemcpy(NULL, 0, NULL, 0, (aclrtMemcpyKind)99));
    assert_acl(aclrtMemcpy(NULL, 0, b, 16, (aclrtMemcpyKind)99), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpy(a, 16, NULL, 16, H2H), ACL_ERROR_INVALID_PARAM);
    assert_non_null(strstr(aclGetRecentErrMsg(), "src"));
    assert_acl(aclrtMemcpy(a, 0, b, 16, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE),
               ACL_ERROR_INVALID_PARAM); // V8
    assert_acl(aclrtMemcpy(a, 0, b, 16, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpy(a, 0, b, 16, (aclrtMemcpyKind)-1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpy(a, 0, a, 16, H2H), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(a, 15, a, 16, H2H), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "destMax 15"));
    assert_acl_ok(aclrtMemcpy(a, 16, a, 16, H2H));
    assert_acl(aclrtMemcpy(a, 16, b, 16, H2H), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(a[0], 1);
}

static void rows_of_generation_1(void *arg) {
    unsigned char a[16] = {0};
    unsigned char b[16] = {0};
    (void)arg;
    assert_acl(aclrtMemcpy(NULL, 0, NULL, 0, H2H), ACL_ERROR_INVALID_PARAM); // V7
    assert_acl(aclrtMemcpy(a, 0, NULL, 0, H2H), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpy(a, 16, b, 0, H2H), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(a, 16, a, 0, H2H), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(a, 16, b, 16, H2H), ACL_ERROR_RT_CONTEXT_NULL);
}

static void generation_1_wants_a_count(void **state) {
    (void)state;
    acl_in_child(rows_of_generation_1, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

// Each kind between each pair of places: the addresses say the direction.
static void the_kind_changes_nothing(void **state) {
    unsigned char *places[2][3] = {
        {device_bytes(SIZE, 0), pinned_bytes(SIZE, 0), pageable_bytes(SIZE, 0)},
        {device_bytes(SIZE, 0), pinned_bytes(SIZE, 0), pageable_bytes(SIZE, 0)}};
    int byte = 0;
    (void)state;
    for (int dst = 0; dst < 3; dst++) {
        for (int src = 0; src < 3; src++) {
            for (int kind = 0; kind <= 5; kind++) {
                unsigned char *fresh = pageable_bytes(SIZE, ++byte);
                assert_acl_ok(aclrtMemcpy(places[1][src], SIZE, fresh, SIZE, ACL_MEMCPY_DEFAULT));
                assert_acl_ok(
                    aclrtMemcpy(places[0][dst], SIZE, places[1][src], SIZE, (aclrtMemcpyKind)kind));
                assert_bytes(places[0][dst], SIZE, byte);
                free(fresh);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        assert_acl_ok(aclrtFree(places[i][0]));
        assert_acl_ok(aclrtFreeHost(places[i][1]));
        free(places[i][2]);
    }
}

static void the_room_is_the_callers_word(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    (void)state;
    // V8
    assert_acl(aclrtMemcpy(device, 8, host, 16, H2D), ACL_ERROR_RT_PARAM_INVALID);
    // Clients pass address + 2 * size.
    assert_acl_ok(aclrtMemcpy(host, (size_t)host + 2 * SIZE, device, SIZE, D2H));
    assert_int_equal(host[SIZE - 1], 1);
    assert_acl_ok(aclrtMemcpy(device, SIZE_MAX, host, SIZE, H2D));
    assert_acl_ok(aclrtFree(device));
    free(host);
}

static void any_alignment_and_length_will_do(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    (void)state;
    assert_acl_ok(aclrtMemcpy(device + 3, 7, host + 1, 7, H2D));
    assert_bytes(device, 3, 1);
    assert_bytes(device + 3, 7, 2);
    assert_bytes(device + 10, 100, 1);
    assert_acl_ok(aclrtFree(device));
    free(host);
}

static void onto_itself_is_nothing(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    (void)state;
    assert_acl_ok(aclrtMemcpy(device, SIZE, device, SIZE, D2D));
    assert_acl(aclrtMemcpy(device, SIZE - 1, device, SIZE, D2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(device + 1, SIZE, device, 16, D2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_bytes(device, SIZE, 1);
    assert_acl_ok(aclrtFree(device));
}

static void memory_that_is_not_there_is_refused(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *freed = device_bytes(SIZE, 2);
    unsigned char *host = pageable_bytes(4 << 20, 3);
    (void)state;
    assert_acl_ok(aclrtFree(freed));
    assert_acl(aclrtMemcpy(freed, SIZE, host, SIZE, H2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(host, SIZE, freed, SIZE, D2H), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(device, SIZE, freed, SIZE, D2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(host, SIZE, (void *)(uintptr_t)16, 8, H2H), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(device, SIZE_MAX, host, 4 << 20, H2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_bytes(device, SIZE, 1);
    assert_bytes(host, SIZE, 3);
    assert_acl_ok(aclrtFree(device));
    free(host);
}

// V4, and what is behind: sizes are multiples of 32.
static void an_allocation_is_copied_to_its_last_byte(void **state) {
    unsigned char *host = pageable_bytes(4096 + 64, 3);
    unsigned char *other = device_bytes((size_t)2 * SIZE, 4);
    void *ptr = NULL;
    (void)state;
    for (size_t size = 32; size <= 4096; size += 4064) {
        assert_acl_ok(aclrtMallocAlign32(&ptr, size, ACL_MEM_MALLOC_HUGE_FIRST));
        unsigned char *device = ptr;
        assert_acl_ok(aclrtMemcpy(device, size, host, size, H2D));
        assert_bytes(device, size, 3);
        assert_acl(aclrtMemcpy(device, SIZE_MAX, host, size + 1, H2D), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(aclrtMemcpy(host, SIZE_MAX, device + 1, size, D2H), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(aclrtMemcpy(other, SIZE_MAX, device, size + 1, D2D), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(aclrtMemcpy(device + 1, SIZE_MAX, other, size, D2D), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl_ok(aclrtFree(ptr));
    }
    assert_bytes(other, (size_t)2 * SIZE, 4);
    assert_bytes(host, 4096 + 64, 3);
    assert_acl_ok(aclrtFree(other));
    free(host);
}

static void memory_serves_every_context_of_its_device(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&own, 0));
    assert_acl_ok(aclrtMemcpy(device, SIZE, host, SIZE, H2D));
    assert_acl_ok(aclrtMemcpyAsync(device, SIZE, device + SIZE / 2, SIZE / 2, D2D, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtDestroyContext(own));
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_bytes(device, SIZE, 2);
    assert_acl_ok(aclrtFree(device));
    free(host);
}

static void ordinary_memory_must_begin_and_end(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *pages =
        mmap(NULL, (size_t)3 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_true(pages != MAP_FAILED);
    assert_int_equal(munmap(pages, SIZE), 0);
    assert_int_equal(mprotect(pages + (size_t)2 * SIZE, SIZE, PROT_NONE), 0);
    assert_acl(aclrtMemcpy(device, SIZE, pages + SIZE - 8, 16, H2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(device, SIZE, pages + (size_t)2 * SIZE - 8, 16, H2D),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(device, SIZE_MAX, pages + SIZE, SIZE_MAX, H2D),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_bytes(device, SIZE, 1);
    assert_acl_ok(aclrtMemcpy(device, SIZE, pages + SIZE, SIZE, H2D));
    assert_int_equal(munmap(pages + SIZE, (size_t)2 * SIZE), 0);
    assert_acl_ok(aclrtFree(device));
}

static void streams_are_not_waited_for(void **state) {
    struct gate gate = {false, 0};
    unsigned char *device = device_bytes(SIZE, 1);
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    let_others_begin();
    assert_bytes(device, SIZE, 1); // copies
    assert_int_equal(gate.passed, 0);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtFree(device));
}

static void between_devices_the_one_that_copies_must_reach_both(void **state) {
    unsigned char *near = device_bytes(SIZE, 1);
    (void)state;
    assert_acl_ok(aclrtSetDevice(1));
    unsigned char *far = device_bytes(SIZE, 2);
    assert_acl(aclrtMemcpy(far, SIZE, near, SIZE, D2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "aclrtDeviceEnablePeerAccess"));
    assert_bytes(far, SIZE, 2);
    assert_bytes(near, SIZE, 1); // to the host from any device
    assert_acl_ok(aclrtDeviceEnablePeerAccess(0, 0));
    assert_acl_ok(aclrtMemcpy(far, SIZE, near, SIZE, D2D));
    assert_bytes(far, SIZE, 1);
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl(aclrtMemcpy(near, SIZE, far, SIZE, D2D), ACL_ERROR_RT_PARAM_INVALID); // one way
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtMemcpy(near, SIZE, far, SIZE, D2D));
    assert_acl_ok(aclrtDeviceDisablePeerAccess(0));
    assert_acl(aclrtMemcpy(far, SIZE, near, SIZE, D2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(far));
    assert_acl_ok(aclrtFree(near));
    assert_acl_ok(aclrtResetDeviceForce(1));
    assert_acl_ok(aclrtSetDevice(0));
}

static void mapped_memory_is_one_across_its_chunks(void **state) {
    unsigned char *host = pageable_bytes(4 * MIB, 5);
    char *start = vmm_reserve(6 * MIB);
    (void)state;
    vmm_fill(start, 2 * MIB);
    vmm_fill(start + 2 * MIB, 2 * MIB);
    assert_acl_ok(aclrtMemcpy(start, 4 * MIB, host, 4 * MIB, H2D));
    assert_bytes(start + 2 * MIB - 64, 128, 5);
    assert_acl(aclrtMemcpy(start + MIB, 4 * MIB, host, 4 * MIB, H2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpy(start + 4 * MIB, 64, host, 64, H2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl(aclrtMemcpy(start, 64, host, 64, H2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtUnmapMem(start + 2 * MIB));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl(aclrtMemcpy(start, 64, host, 64, H2D), ACL_ERROR_RT_PARAM_INVALID);
    free(host);
}

static void a_grant_is_as_good_as_a_peer(void **state) {
    aclrtMemAccessDesc desc = {
        ACL_RT_MEM_ACCESS_FLAGS_READWRITE, {1, ACL_MEM_LOCATION_TYPE_DEVICE}, {0}};
    char *start = vmm_reserve(2 * MIB);
    (void)state;
    vmm_fill(start, 2 * MIB);
    assert_acl_ok(aclrtMemset(start, SIZE, 1, SIZE));
    assert_acl_ok(aclrtSetDevice(1));
    unsigned char *far = device_bytes(SIZE, 2);
    assert_acl(aclrtMemcpy(far, SIZE, start, SIZE, D2D), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtMemSetAccess(start, 2 * MIB, &desc, 1));
    assert_acl_ok(aclrtMemcpy(far, SIZE, start, SIZE, D2D));
    assert_bytes(far, SIZE, 1);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtFree(far));
    assert_acl_ok(aclrtResetDeviceForce(1));
    assert_acl_ok(aclrtSetDevice(0));
}

static void copying_on_the_device(void *arg) {
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *pinned = pinned_bytes(SIZE, 2);
    assert_int_equal(device[0], 1); // in the CPU's reach
    for (int kind = 0; kind <= 5; kind++) {
        device[0] = (unsigned char)(10 + kind);
        assert_acl_ok(aclrtMemcpy(pinned, SIZE, device, SIZE, (aclrtMemcpyKind)kind));
        assert_int_equal(pinned[0], 10 + kind);
    }
    assert_acl_ok(aclrtFree(device)); // in the CPU's reach or not
    assert_acl(aclrtMemcpy(pinned, SIZE, device, SIZE, D2H), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFreeHost(pinned));
    assert_acl_ok(aclrtResetDevice(0));
}

static void rc_mode_copies_everything(void **state) {
    (void)state;
    acl_in_child(copying_on_the_device, NULL, "TARN_ACL_MODE", "RC", "TARN_ACL_DEVICE", NULL, NULL);
}

struct share {
    aclrtContext context;
    unsigned char *device;
    int index;
};

static void *copy_often(void *arg) {
    struct share *share = arg;
    assert_acl_ok(aclrtSetCurrentContext(share->context));
    for (int i = 0; i < 50; i++) {
        unsigned char *mine = pageable_bytes(64, share->index + i);
        unsigned char *device = share->device + (size_t)64 * (size_t)share->index;
        assert_acl_ok(aclrtMemcpy(device, 64, mine, 64, H2D));
        assert_bytes(device, 64, share->index + i);
        free(mine);
    }
    return NULL;
}

static void threads_copy_beside_each_other(void **state) {
    struct share shares[3];
    pthread_t threads[3];
    aclrtContext context = NULL;
    unsigned char *device = device_bytes(SIZE, 0);
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&context));
    for (int i = 0; i < 3; i++) {
        shares[i] = (struct share){context, device, i};
        assert_int_equal(pthread_create(&threads[i], NULL, copy_often, &shares[i]), 0);
    }
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_acl_ok(aclrtFree(device));
}

#define with_a_device(test) cmocka_unit_test_setup_teardown(test, with_device, without_device)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generation_1_wants_a_count), // these two fork: first
        cmocka_unit_test(rc_mode_copies_everything),
        cmocka_unit_test(rows_without_a_context_come_in_order),
        with_a_device(the_kind_changes_nothing),
        with_a_device(the_room_is_the_callers_word),
        with_a_device(any_alignment_and_length_will_do),
        with_a_device(onto_itself_is_nothing),
        with_a_device(memory_that_is_not_there_is_refused),
        with_a_device(an_allocation_is_copied_to_its_last_byte),
        with_a_device(memory_serves_every_context_of_its_device),
        with_a_device(ordinary_memory_must_begin_and_end),
        with_a_device(streams_are_not_waited_for),
        with_a_device(between_devices_the_one_that_copies_must_reach_both),
        with_a_device(mapped_memory_is_one_across_its_chunks),
        with_a_device(a_grant_is_as_good_as_a_peer),
        with_a_device(threads_copy_beside_each_other),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
