// SPDX-License-Identifier: Apache-2.0
// aclrtMemset() and its relatives, row by row (spec 3.7).
#include "support/bytes.h"
#include "support/work.h"

#define SIZE 4096

static int with_device(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

static int without_device(void **state) {
    (void)state;
    return aclrtResetDeviceForce(0);
}

static void rows_without_a_context_come_in_order(void **state) {
    unsigned char *bytes = pageable_bytes(64, 1);
    (void)state;
    assert_acl_ok(aclrtMemset(NULL, 0, 1, 0));
    assert_acl_ok(aclrtMemsetAsync(NULL, 0, 1, 0, NULL));
    assert_acl_ok(aclrtMemsetD32(NULL, 0, 1, 0));
    assert_acl_ok(aclrtMemsetD32Async(NULL, 0, 1, 0, NULL));
    assert_acl(aclrtMemset(NULL, 0, 1, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetAsync(NULL, 0, 1, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32(NULL, 0, 1, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32Async(NULL, 0, 1, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemset(bytes, 16, 1, 17), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemsetAsync(bytes, 16, 1, 17, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "17"));
    assert_acl(aclrtMemset(bytes, 16, 1, 16), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMemsetAsync(bytes, 16, 1, 16, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    free(bytes);
}

static void rows_of_generation_1(void *arg) {
    unsigned char bytes[4];
    (void)arg;
    assert_acl(aclrtMemset(NULL, 0, 1, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemset(bytes, 4, 1, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemsetAsync(bytes, 4, 1, 0, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemsetD32(bytes, 4, 1, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemsetD32Async(bytes, 4, 1, 0, NULL), ACL_ERROR_RT_PARAM_INVALID);
}

static void generation_1_wants_a_count(void **state) {
    (void)state;
    acl_in_child(rows_of_generation_1, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

// V10
static void the_value_is_its_low_bits(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *pinned = pinned_bytes(SIZE, 1);
    (void)state;
    assert_acl_ok(aclrtMemset(device, 16, 0x1FF, 16));
    assert_bytes(device, 16, 0xFF);
    assert_bytes(device + 16, SIZE - 16, 1);
    assert_acl_ok(aclrtMemset(pinned + 1, SIZE, -2, 7));
    assert_bytes(pinned + 1, 7, 0xFE);
    assert_bytes(pinned + 8, SIZE - 8, 1);
    assert_acl_ok(aclrtMemset(device, SIZE_MAX, 5, SIZE)); // the room is the caller's word
    assert_bytes(device, SIZE, 5);
    assert_acl_ok(aclrtMemsetAsync(device, 16, 0x1FF, 16, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(device, 16, 0xFF);
    assert_bytes(device + 16, SIZE - 16, 5);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
}

static void words_are_set_whole(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    uint32_t words[4] = {0, 0, 0, 0};
    (void)state;
    assert_acl_ok(aclrtMemsetD32(device + 4, 8, 0x12345678, 2));
    assert_acl_ok(aclrtMemcpy(words, sizeof words, device, sizeof words, ACL_MEMCPY_DEFAULT));
    assert_int_equal(words[0], 0x01010101);
    assert_int_equal(words[1], 0x12345678);
    assert_int_equal(words[2], 0x12345678);
    assert_int_equal(words[3], 0x01010101);
    assert_acl_ok(aclrtFree(device));
}

// These are of the acl layer: before the context.
static void words_have_more_rules(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    (void)state;
    assert_acl(aclrtMemsetD32(device + 2, SIZE, 1, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32(device, 7, 1, 2), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32(device, SIZE, 1, SIZE_MAX / 2), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32(host, SIZE, 1, 2), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32Async(host, SIZE, 1, 2, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32Async(device + 2, SIZE, 1, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemsetD32Async(device, 7, 1, 2, NULL), ACL_ERROR_INVALID_PARAM);
    assert_bytes(device, SIZE, 1);
    assert_bytes(host, SIZE, 2);
    assert_acl_ok(aclrtFree(device));
    free(host);
}

static void words_need_a_context(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    (void)state;
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl(aclrtMemsetD32(device, SIZE, 1, 2), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMemsetD32Async(device, SIZE, 1, 2, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetDevice(0));
    assert_bytes(device, SIZE, 1);
    assert_acl_ok(aclrtFree(device));
}

static void ordinary_memory_and_none_are_refused(void **state) {
    unsigned char *freed = device_bytes(SIZE, 1);
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    (void)state;
    assert_acl_ok(aclrtFree(freed));
    assert_acl(aclrtMemset(freed, SIZE, 1, SIZE), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemset(host, SIZE, 1, SIZE), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemsetAsync(host, SIZE, 1, SIZE, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemset(device, SIZE_MAX, 9, 4 << 20), ACL_ERROR_RT_PARAM_INVALID);
    assert_bytes(device, SIZE, 1);
    assert_bytes(host, SIZE, 2);
    assert_acl_ok(aclrtFree(device));
    free(host);
}

static void sets_take_their_turn_in_streams(void **state) {
    struct gate gate = {false, 0};
    aclrtStream stream = NULL;
    unsigned char *device = device_bytes(SIZE, 1);
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtMemsetAsync(device, SIZE, 2, SIZE / 2, stream));
    assert_acl_ok(aclrtMemsetD32Async(device + SIZE / 2, SIZE / 2, 0x03030303, SIZE / 8, stream));
    let_others_begin();
    assert_bytes(device, SIZE, 1);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(device, SIZE / 2, 2);
    assert_bytes(device + SIZE / 2, SIZE / 2, 3);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtMemsetAsync(device, SIZE, 2, SIZE, stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(device));
}

#define with_a_device(test) cmocka_unit_test_setup_teardown(test, with_device, without_device)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generation_1_wants_a_count), // forks: first
        cmocka_unit_test(rows_without_a_context_come_in_order),
        with_a_device(the_value_is_its_low_bits),
        with_a_device(words_are_set_whole),
        with_a_device(words_have_more_rules),
        with_a_device(words_need_a_context),
        with_a_device(ordinary_memory_and_none_are_refused),
        with_a_device(sets_take_their_turn_in_streams),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
