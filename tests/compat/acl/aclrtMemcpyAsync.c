// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync() and aclrtMemcpyAsyncWithCondition(), row by row (spec 3.6).
#include <pthread.h>

#include "support/bytes.h"
#include "support/work.h"

#define SIZE 4096
#define H2H  ACL_MEMCPY_HOST_TO_HOST
#define H2D  ACL_MEMCPY_HOST_TO_DEVICE
#define D2H  ACL_MEMCPY_DEVICE_TO_HOST
#define D2D  ACL_MEMCPY_DEVICE_TO_DEVICE
#define BUF  ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE
#define ANY  ACL_MEMCPY_DEFAULT

typedef aclError copy_function(void *dst, size_t room, const void *src, size_t count,
                               aclrtMemcpyKind kind, aclrtStream stream);
static copy_function *const copies[] = {aclrtMemcpyAsync, aclrtMemcpyAsyncWithCondition};

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
    for (int i = 0; i < 2; i++) {
        assert_acl_ok(copies[i](NULL, 0, NULL, 0, (aclrtMemcpyKind)99, NULL));
        assert_acl(copies[i](NULL, 0, b, 16, H2D, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 0, NULL, 16, H2D, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 0, b, 16, (aclrtMemcpyKind)6, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl(copies[i](a, 15, b, 16, H2D, NULL), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl(copies[i](a, 16, b, 16, H2D, NULL), ACL_ERROR_RT_CONTEXT_NULL);
        assert_acl(copies[i](a, 16, a, 16, H2D, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    }
}

static void *copy_without_a_context(void *stream) {
    unsigned char a[16] = {0};
    unsigned char b[16] = {0};
    assert_acl(aclrtMemcpyAsync(a, 15, b, 16, H2D, stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpyAsync(a, 16, b, 16, H2D, stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl(aclrtMemcpyAsync(a, 16, b, 16, H2D, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    return NULL;
}

static void the_stream_comes_before_the_context(void **state) {
    aclrtStream stream = NULL;
    aclrtContext usual = NULL;
    aclrtContext other = NULL;
    pthread_t thread;
    unsigned char a[16] = {0};
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_int_equal(pthread_create(&thread, NULL, copy_without_a_context, stream), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&other, 0));
    assert_acl(aclrtMemcpyAsync(a, 16, a, 16, H2H, stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl_ok(aclrtDestroyContext(other));
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtMemcpyAsync(a, 16, a, 16, H2H, stream), ACL_ERROR_RT_PARAM_INVALID);
}

// ---- kinds

enum { DEVICE, PINNED, PAGEABLE, PLACES };

// [source][destination][kind]: the entry of the table; 0 for kinds that end as a copy between host and
// device or on the device.
static const aclError answers[PLACES][PLACES][5] = {
    {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {107000, 107000, 0, 0, 0}},
    {{0, 0, 0, 0, 0},
     {207000, 207000, 207000, 207000, 207000},
     {207000, 0, 107000, 107000, 207000}},
    {{107000, 0, 107000, 0, 0}, {207000, 107000, 0, 107000, 207000}, {207000, 0, 0, 0, 207000}},
};

static unsigned char *make(int place, int byte) {
    return place == DEVICE   ? device_bytes(SIZE, byte)
           : place == PINNED ? pinned_bytes(SIZE, byte)
                             : pageable_bytes(SIZE, byte);
}

static void drop(int place, unsigned char *ptr) {
    if (place == PAGEABLE)
        free(ptr);
    else
        assert_acl_ok(place == DEVICE ? aclrtFree(ptr) : aclrtFreeHost(ptr));
}

static void try_kinds(copy_function *copy, int from, int to) {
    for (int kind = 0; kind <= 4; kind++) {
        unsigned char *src = make(from, 1);
        unsigned char *dst = make(to, 2);
        print_message("from %d to %d as %d\n", from, to, kind);
        assert_acl(copy(dst, SIZE, src, SIZE, (aclrtMemcpyKind)kind, NULL),
                   answers[from][to][kind]);
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        assert_bytes(dst, SIZE, answers[from][to][kind] == 0 ? 1 : 2);
        drop(from, src);
        drop(to, dst);
    }
}

// The table of 3.6, every cell.
static void kinds_are_corrected_or_refused(void **state) {
    (void)state;
    for (int from = 0; from < PLACES; from++) {
        for (int to = 0; to < PLACES; to++) {
            try_kinds(copies[0], from, to);
            try_kinds(copies[1], from, to);
        }
    }
}

// Memory of both sides: nothing is corrected.
static void managed_memory_leaves_the_kind_alone(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    void *managed = NULL;
    (void)state;
    assert_acl_ok(aclrtMemAllocManaged(&managed, SIZE, ACL_RT_MEM_ATTACH_GLOBAL));
    for (int kind = 1; kind <= 4; kind++) {
        memset(managed, kind, SIZE);
        assert_acl_ok(aclrtMemcpyAsync(device, SIZE, managed, SIZE, (aclrtMemcpyKind)kind, NULL));
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        assert_bytes(device, SIZE, kind);
    }
    assert_acl(aclrtMemcpyAsync(device, SIZE, managed, SIZE, H2H, NULL),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtMemcpyAsync(managed, SIZE, host, SIZE, BUF, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(managed, SIZE, 2);
    assert_acl_ok(aclrtFree(managed));
    assert_acl_ok(aclrtFree(device));
    free(host);
}

static void host_to_host_comes_before_onto_itself(void **state) {
    unsigned char *pinned = pinned_bytes(SIZE, 1);
    unsigned char *device = device_bytes(SIZE, 1);
    (void)state;
    assert_acl(aclrtMemcpyAsync(pinned, SIZE, pinned, SIZE, H2D, NULL),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT); // V9
    assert_acl_ok(aclrtMemcpyAsync(device, SIZE, device, SIZE, H2H, NULL));
    assert_acl_ok(aclrtFreeHost(pinned));
    assert_acl_ok(aclrtFree(device));
}

// ---- order

// Copies as `kind` behind a closed gate: not there before it opens, there after.
static void copies_later(int from, int to, aclrtMemcpyKind kind) {
    struct gate gate = {false, 0};
    aclrtStream stream = NULL;
    unsigned char *src = make(from, 1);
    unsigned char *dst = make(to, 2);
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtMemcpyAsync(dst, SIZE, src, SIZE, kind, stream));
    let_others_begin();
    assert_bytes(dst, SIZE, 2);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(dst, SIZE, 1);
    assert_acl_ok(aclrtDestroyStream(stream));
    drop(from, src);
    drop(to, dst);
}

static void pinned_and_device_memory_is_copied_when_its_turn_comes(void **state) {
    (void)state;
    copies_later(PINNED, DEVICE, H2D);
    copies_later(DEVICE, PINNED, D2H);
    copies_later(DEVICE, DEVICE, D2D);
}

// As that which was allocated so.
static void registered_memory_is_pinned(void **state) {
    struct gate gate = {false, 0};
    aclrtStream stream = NULL;
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *other = pinned_bytes(SIZE, 3);
    unsigned char *host = pageable_bytes(SIZE, 2);
    (void)state;
    assert_acl_ok(aclrtHostRegisterV2(host, SIZE, ACL_HOST_REG_PINNED));
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtMemcpyAsync(device, SIZE, host, SIZE, D2H, stream)); // a wrong kind
    let_others_begin();
    assert_bytes(device, SIZE, 1);
    assert_acl(aclrtMemcpyAsync(other, SIZE, host, SIZE, H2D, stream),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(device, SIZE, 2);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtHostUnregister(host));
    assert_acl_ok(aclrtFreeHost(other));
    assert_acl_ok(aclrtFree(device));
    free(host);
}

// A kind that pageable memory keeps, and that is neither from nor to the host.
static void pageable_memory_as_device_memory_is_copied_when_its_turn_comes(void **state) {
    (void)state;
    copies_later(PAGEABLE, DEVICE, D2D);
    copies_later(DEVICE, PAGEABLE, D2D);
}

static void pageable_memory_is_copied_within_the_call(void **state) {
    static const struct {
        int from;
        int to;
        aclrtMemcpyKind kind;
    } rows[] = {{PAGEABLE, DEVICE, H2D}, {PAGEABLE, DEVICE, ANY}, {DEVICE, PAGEABLE, D2H},
                {PINNED, PAGEABLE, H2D}, {PAGEABLE, PINNED, D2H}, {PAGEABLE, PAGEABLE, H2D}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        _Atomic(int) counter = 0;
        aclrtStream stream = NULL;
        unsigned char *src = make(rows[i].from, 1);
        unsigned char *dst = make(rows[i].to, 2);
        assert_acl_ok(aclrtCreateStream(&stream));
        assert_acl_ok(aclrtLaunchHostFunc(stream, count, &counter));
        assert_acl_ok(aclrtMemcpyAsync(dst, SIZE, src, SIZE, rows[i].kind, stream));
        assert_int_equal(counter, 1); // the stream was waited for
        assert_bytes(dst, SIZE, 1);
        assert_acl_ok(aclrtDestroyStream(stream));
        drop(rows[i].from, src);
        drop(rows[i].to, dst);
    }
}

static void captured_bytes_are_those_of_the_call(void **state) {
    (void)state;
    for (int from = PINNED; from <= PAGEABLE; from++) {
        struct gate gate = {false, 0};
        aclrtStream stream = NULL;
        unsigned char *device = device_bytes(SIZE, 1);
        unsigned char *src = make(from, 2);
        assert_acl_ok(aclrtCreateStream(&stream));
        assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
        assert_acl_ok(aclrtMemcpyAsync(device, SIZE, src, SIZE, BUF, stream));
        memset(src, 3, SIZE);
        assert_acl_ok(aclrtMemcpyAsync(device + SIZE / 2, SIZE / 2, src, SIZE / 2, BUF, stream));
        memset(src, 4, SIZE);
        if (from == PAGEABLE) free(src);
        let_others_begin();
        assert_bytes(device, SIZE, 1);
        gate.open = true;
        assert_acl_ok(aclrtSynchronizeStream(stream));
        assert_bytes(device, SIZE / 2, 2);
        assert_bytes(device + SIZE / 2, SIZE / 2, 3);
        assert_acl_ok(aclrtDestroyStream(stream));
        assert_acl_ok(aclrtFree(device));
        if (from == PINNED) assert_acl_ok(aclrtFreeHost(src));
    }
}

static void captures_go_from_the_host_to_a_device(void **state) {
    (void)state;
    for (int from = 0; from < PLACES; from++) {
        for (int to = 0; to < PLACES; to++) {
            unsigned char *src = make(from, 1);
            unsigned char *dst = make(to, 2);
            bool good = from != DEVICE && to == DEVICE;
            assert_acl(aclrtMemcpyAsync(dst, SIZE, src, SIZE, BUF, NULL),
                       good ? 0 : ACL_ERROR_RT_PARAM_INVALID);
            assert_acl_ok(aclrtSynchronizeDevice());
            assert_bytes(dst, SIZE, good ? 1 : 2);
            drop(from, src);
            drop(to, dst);
        }
    }
}

// ---- addresses

static void odd_addresses_are_fine(void **state) {
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *pinned = pinned_bytes(SIZE, 2);
    (void)state;
    assert_acl_ok(aclrtMemcpyAsync(device + 1, 7, pinned + 3, 7, H2D, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(device + 1, 7, 2);
    assert_bytes(device + 8, 64, 1);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
}

static void refusing_odd_addresses(void *arg) {
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *pinned = pinned_bytes(SIZE, 2);
    assert_acl(aclrtMemcpyAsync(device + 32, 64, pinned, 64, H2D, NULL),
               ACL_ERROR_RT_ADDR_UNALIGNED);
    assert_acl(aclrtMemcpyAsync(device, 64, pinned + 32, 64, H2D, NULL),
               ACL_ERROR_RT_ADDR_UNALIGNED);
    assert_non_null(strstr(aclGetRecentErrMsg(), "64"));
    assert_acl_ok(aclrtMemcpyAsync(device + 64, 7, pinned + 128, 7, H2D, NULL));
    assert_acl_ok(aclrtMemcpy(device + 1, 7, pinned + 3, 7, H2D)); // the rule is not for this one
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
    assert_acl_ok(aclrtResetDevice(0));
}

static void generation_1_and_strict_mode_refuse_odd_addresses(void **state) {
    (void)state;
    acl_in_child(refusing_odd_addresses, NULL, "TARN_ACL_GENERATION", "1", NULL);
    acl_in_child(refusing_odd_addresses, NULL, "TARN_ACL_STRICT", "1", NULL);
}

static void memory_that_is_not_there_is_refused(void **state) {
    unsigned char *freed = device_bytes(SIZE, 1);
    unsigned char *device = device_bytes(SIZE, 2);
    unsigned char *pinned = pinned_bytes(4 << 20, 3);
    (void)state;
    assert_acl_ok(aclrtFree(freed));
    assert_acl(aclrtMemcpyAsync(freed, SIZE, pinned, SIZE, H2D, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpyAsync(pinned, SIZE, freed, SIZE, D2H, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpyAsync(freed, SIZE, freed, SIZE, D2D, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpyAsync((void *)(uintptr_t)64, 8, pinned, 8, H2H, NULL),
               ACL_ERROR_RT_PARAM_INVALID); // before the kind is looked at
    assert_acl(aclrtMemcpyAsync(device, SIZE_MAX, pinned, 4 << 20, H2D, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtSynchronizeStream(NULL)); // still good
    assert_bytes(device, SIZE, 2);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
}

static void between_devices_the_one_of_the_stream_must_reach_both(void **state) {
    unsigned char *near = device_bytes(SIZE, 1);
    (void)state;
    assert_acl_ok(aclrtSetDevice(1));
    unsigned char *far = device_bytes(SIZE, 2);
    assert_acl(aclrtMemcpyAsync(far, SIZE, near, SIZE, D2D, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDeviceEnablePeerAccess(0, 0));
    assert_acl_ok(aclrtMemcpyAsync(far, SIZE, near, SIZE, D2D, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(far, SIZE, 1);
    assert_acl_ok(aclrtDeviceDisablePeerAccess(0));
    assert_acl_ok(aclrtFree(far));
    assert_acl_ok(aclrtFree(near));
    assert_acl_ok(aclrtResetDeviceForce(1));
    assert_acl_ok(aclrtSetDevice(0));
}

// ---- other generations and modes

static void believing_the_kind(void *arg) {
    unsigned char a[16] = {0};
    (void)arg;
    assert_acl(aclrtMemcpyAsync(NULL, 0, NULL, 0, H2D, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpyAsync(a, 0, a, 0, H2D, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtSetDevice(0));
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *pinned = pinned_bytes(SIZE, 2);
    assert_acl(aclrtMemcpyAsync(device, SIZE, pinned, SIZE, H2H, NULL),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtMemcpyAsync(device, SIZE, pinned, SIZE, D2H, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(device, SIZE, 2);
    assert_acl(aclrtMemcpyAsync(pinned, SIZE, pinned + 64, 64, ANY, NULL),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
    assert_acl_ok(aclrtResetDevice(0));
}

static void generation_1_takes_the_kind_as_it_is(void **state) {
    (void)state;
    acl_in_child(believing_the_kind, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

static void copying_on_the_device(void *arg) {
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    for (int from = 0; from < PLACES; from++) {
        for (int to = 0; to < PLACES; to++) {
            for (int kind = 0; kind <= 5; kind++) {
                unsigned char *src = make(from, 1);
                unsigned char *dst = make(to, 2);
                assert_acl_ok(aclrtMemcpyAsync(dst, SIZE, src, SIZE, (aclrtMemcpyKind)kind, NULL));
                assert_acl_ok(aclrtSynchronizeStream(NULL));
                assert_bytes(dst, SIZE, 1);
                drop(from, src);
                drop(to, dst);
            }
        }
    }
    copies_later(PAGEABLE, PINNED, H2D); // nothing is pageable there
    assert_acl_ok(aclrtResetDevice(0));
}

static void rc_mode_copies_everything(void **state) {
    (void)state;
    acl_in_child(copying_on_the_device, NULL, "TARN_ACL_MODE", "RC", "TARN_ACL_DEVICE", NULL, NULL);
}

#define with_a_device(test) cmocka_unit_test_setup_teardown(test, with_device, without_device)

int main(void) {
    const struct CMUnitTest tests[] = {
        // these three fork: first
        cmocka_unit_test(generation_1_and_strict_mode_refuse_odd_addresses),
        cmocka_unit_test(generation_1_takes_the_kind_as_it_is),
        cmocka_unit_test(rc_mode_copies_everything),
        cmocka_unit_test(rows_without_a_context_come_in_order),
        with_a_device(the_stream_comes_before_the_context),
        with_a_device(kinds_are_corrected_or_refused),
        with_a_device(managed_memory_leaves_the_kind_alone),
        with_a_device(host_to_host_comes_before_onto_itself),
        with_a_device(pinned_and_device_memory_is_copied_when_its_turn_comes),
        with_a_device(registered_memory_is_pinned),
        with_a_device(pageable_memory_as_device_memory_is_copied_when_its_turn_comes),
        with_a_device(pageable_memory_is_copied_within_the_call),
        with_a_device(captured_bytes_are_those_of_the_call),
        with_a_device(captures_go_from_the_host_to_a_device),
        with_a_device(odd_addresses_are_fine),
        with_a_device(memory_that_is_not_there_is_refused),
        with_a_device(between_devices_the_one_of_the_stream_must_reach_both),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
