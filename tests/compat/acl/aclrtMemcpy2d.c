// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2d() and aclrtMemcpy2dAsync(), rule by rule (spec 3.8).
#include "support/bytes.h"
#include "support/work.h"

#define SIZE  4096
#define WIDTH 48
#define PITCH 64
#define ROWS  10
#define H2H   ACL_MEMCPY_HOST_TO_HOST
#define H2D   ACL_MEMCPY_HOST_TO_DEVICE
#define D2H   ACL_MEMCPY_DEVICE_TO_HOST
#define D2D   ACL_MEMCPY_DEVICE_TO_DEVICE

static int with_device(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

static int without_device(void **state) {
    (void)state;
    return aclrtResetDeviceForce(0);
}

static aclError now(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                    size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
    (void)stream;
    return aclrtMemcpy2d(dst, dpitch, src, spitch, width, height, kind);
}

typedef aclError copy_function(void *dst, size_t dpitch, const void *src, size_t spitch,
                               size_t width, size_t height, aclrtMemcpyKind kind,
                               aclrtStream stream);
static copy_function *const copies[] = {now, aclrtMemcpy2dAsync};

static void rows_without_a_context_come_in_order(void **state) {
    unsigned char a[16] = {0};
    unsigned char b[16] = {0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        // V11
        assert_acl_ok(copies[i](NULL, 0, NULL, 0, 1, 0, (aclrtMemcpyKind)99, NULL));
        assert_acl_ok(copies[i](NULL, 0, NULL, 0, 0, 1, (aclrtMemcpyKind)99, NULL));
        assert_acl(copies[i](NULL, 64, b, 64, 65, 1, H2D, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 64, NULL, 64, 65, 1, H2D, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 65, b, 64, 65, 1, H2D, NULL), ACL_ERROR_INVALID_PARAM); // V11
        assert_acl(copies[i](a, 64, b, 65, 65, 1, H2D, NULL), ACL_ERROR_INVALID_PARAM);
        assert_non_null(strstr(aclGetRecentErrMsg(), "dpitch 64"));
        assert_acl(copies[i](a, 8, b, 8, 8, 5242881, H2H, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 8, b, 8, 8, 1, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, NULL),
                   ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 8, b, 8, 8, 1, (aclrtMemcpyKind)-1, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 8, b, 8, 8, 5242881, D2D, NULL), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(copies[i](a, 5000001, b, 5000001, 5000001, 1, H2D, NULL),
                   ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(copies[i](a, 5000000, b, 5000000, 5000000, 5242880, H2D, NULL),
                   ACL_ERROR_RT_CONTEXT_NULL); // the most there may be
        assert_acl(copies[i](a, 8, b, 8, 8, 1, D2H, NULL), ACL_ERROR_RT_CONTEXT_NULL);
        assert_acl(copies[i](a, 8, b, 8, 8, 1, ACL_MEMCPY_DEFAULT, NULL),
                   ACL_ERROR_RT_CONTEXT_NULL);
    }
    assert_acl(aclrtMemcpy2d(a, 8, b, 8, 8, 1, D2D), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

// The rows of a box are `inside`, the bytes between them `between`.
static void assert_box(const unsigned char *box, int inside, int between) {
    for (size_t row = 0; row < ROWS; row++) {
        assert_bytes(box + row * PITCH, WIDTH, inside);
        assert_bytes(box + row * PITCH + WIDTH, PITCH - WIDTH, between);
    }
}

static void rows_are_copied_and_what_is_between_them_not(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        unsigned char *device = device_bytes(SIZE, 1);
        unsigned char *host = pageable_bytes(SIZE, 2);
        unsigned char *pinned = pinned_bytes(SIZE, 3);
        assert_acl_ok(copies[i](device, PITCH, host, WIDTH, WIDTH, ROWS, H2D, NULL));
        assert_box(device, 2, 1);
        assert_acl_ok(copies[i](pinned, PITCH, device, PITCH, WIDTH, ROWS, D2H, NULL));
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        assert_box(pinned, 2, 3);
        memset(pinned, 4, SIZE);
        assert_acl_ok(
            copies[i](device, PITCH, pinned, PITCH, WIDTH, ROWS, ACL_MEMCPY_DEFAULT, NULL));
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        assert_box(device, 4, 1);
        assert_acl_ok(aclrtFree(device));
        assert_acl_ok(aclrtFreeHost(pinned));
        free(host);
    }
}

static void only_streams_copy_from_device_to_device(void **state) {
    struct gate gate = {false, 0};
    aclrtStream stream = NULL;
    unsigned char *to = device_bytes(SIZE, 1);
    unsigned char *from = device_bytes(SIZE, 2);
    (void)state;
    assert_acl(aclrtMemcpy2d(to, PITCH, from, PITCH, WIDTH, ROWS, D2D),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemcpy2d(to, PITCH, from, PITCH, WIDTH, ROWS, ACL_MEMCPY_DEFAULT),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtMemcpy2dAsync(to, PITCH, from, PITCH, WIDTH, ROWS, D2D, stream));
    let_others_begin();
    assert_bytes(to, SIZE, 1);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_box(to, 2, 1);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtMemcpy2dAsync(to, PITCH, from, PITCH, WIDTH, ROWS, D2D, stream),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(from));
    assert_acl_ok(aclrtFree(to));
}

static void from_host_to_host_there_is_nothing(void **state) {
    unsigned char *a = pageable_bytes(SIZE, 1);
    unsigned char *b = pageable_bytes(SIZE, 2);
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_acl(copies[i](a, PITCH, b, PITCH, WIDTH, ROWS, ACL_MEMCPY_DEFAULT, NULL),
                   ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    }
    assert_bytes(a, SIZE, 1);
    free(a);
    free(b);
}

static void boxes_that_leave_their_memory_are_refused(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_acl(copies[i](device, 4 << 20, host, PITCH, WIDTH, ROWS, H2D, NULL),
                   ACL_ERROR_RT_PARAM_INVALID);
    }
    assert_bytes(device, SIZE, 1);
    assert_acl_ok(aclrtFree(device));
    free(host);
}

static void copying_on_the_device(void *arg) {
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    for (int i = 0; i < 2; i++) {
        assert_acl_ok(copies[i](NULL, 0, NULL, 0, 1, 0, H2D, NULL));
        assert_acl(copies[i](device, PITCH, host, PITCH, WIDTH, ROWS, H2H, NULL),
                   ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](device, PITCH, host, PITCH, WIDTH, ROWS, H2D, NULL),
                   ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    }
    assert_bytes(device, SIZE, 1);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtResetDevice(0));
    free(host);
}

static void rc_mode_has_no_boxes(void **state) {
    (void)state;
    acl_in_child(copying_on_the_device, NULL, "TARN_ACL_MODE", "RC", "TARN_ACL_DEVICE", NULL, NULL);
}

#define with_a_device(test) cmocka_unit_test_setup_teardown(test, with_device, without_device)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rc_mode_has_no_boxes), // forks: first
        cmocka_unit_test(rows_without_a_context_come_in_order),
        with_a_device(rows_are_copied_and_what_is_between_them_not),
        with_a_device(only_streams_copy_from_device_to_device),
        with_a_device(from_host_to_host_there_is_nothing),
        with_a_device(boxes_that_leave_their_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
