// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatch() and aclrtMemcpyBatchAsync(), row by row (spec 3.9).
#include "support/bytes.h"
#include "support/work.h"

#define SIZE      256
#define UNTOUCHED 77
#define MANY      4097

static int with_device(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

static int without_device(void **state) {
    (void)state;
    return aclrtResetDeviceForce(0);
}

// Three copies: to the device from pinned and from pageable memory, then from the device to pinned
// memory. Tests change what they are about.
struct batch {
    void *dsts[3];
    size_t rooms[3];
    void *srcs[3];
    size_t sizes[3];
    aclrtMemcpyBatchAttr attrs[2];
    size_t firsts[2];
    size_t count;
    size_t attr_count;
    size_t fail;
    unsigned char *device;
    unsigned char *pinned;
    unsigned char *pageable;
};

#define HOST_0   ((aclrtMemLocation){0, ACL_MEM_LOCATION_TYPE_HOST})
#define DEVICE_0 ((aclrtMemLocation){0, ACL_MEM_LOCATION_TYPE_DEVICE})

static void set_up(struct batch *b) {
    unsigned char *device = device_bytes((size_t)3 * SIZE, 1);
    unsigned char *pinned = pinned_bytes((size_t)2 * SIZE, 2);
    unsigned char *pageable = pageable_bytes(SIZE, 3);
    *b = (struct batch){{device, device + SIZE, pinned + SIZE},
                        {SIZE, SIZE, SIZE},
                        {pinned, pageable, device + (size_t)2 * SIZE},
                        {SIZE, SIZE, SIZE},
                        {{DEVICE_0, HOST_0, {0}}, {HOST_0, DEVICE_0, {0}}},
                        {0, 2},
                        3,
                        2,
                        UNTOUCHED,
                        device,
                        pinned,
                        pageable};
}

static void tear_down(const struct batch *b) {
    assert_acl_ok(aclrtFree(b->device));
    assert_acl_ok(aclrtFreeHost(b->pinned));
    free(b->pageable);
}

static aclError now(struct batch *b) {
    return aclrtMemcpyBatch(b->dsts, b->rooms, b->srcs, b->sizes, b->count, b->attrs, b->firsts,
                            b->attr_count, &b->fail);
}

static aclError later(struct batch *b) {
    return aclrtMemcpyBatchAsync(b->dsts, b->rooms, b->srcs, b->sizes, b->count, b->attrs,
                                 b->firsts, b->attr_count, &b->fail, NULL);
}

typedef aclError copy_function(struct batch *b);
static copy_function *const copies[] = {now, later};

static void assert_nothing_copied(const struct batch *b) {
    assert_bytes(b->device, (size_t)3 * SIZE, 1);
    assert_bytes(b->pinned, (size_t)2 * SIZE, 2);
}

static void all_copies_of_a_batch_are_made(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct batch b;
        set_up(&b);
        assert_acl_ok(copies[i](&b));
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        assert_true(b.fail == SIZE_MAX);
        assert_bytes(b.device, SIZE, 2);
        assert_bytes(b.device + SIZE, SIZE, 3);
        assert_bytes(b.device + (size_t)2 * SIZE, SIZE, 1);
        assert_bytes(b.pinned + SIZE, SIZE, 1);
        tear_down(&b);
    }
}

static void empty_batches_are_not_looked_at(void **state) {
    size_t sizes[2] = {0, 0};
    size_t fail = UNTOUCHED;
    (void)state;
    assert_acl_ok(aclrtMemcpyBatch(NULL, NULL, NULL, sizes, 2, NULL, NULL, 9, &fail));
    assert_true(fail == SIZE_MAX);
    fail = UNTOUCHED;
    assert_acl_ok(aclrtMemcpyBatchAsync(NULL, NULL, NULL, sizes, 2, NULL, NULL, 9, &fail, NULL));
    assert_true(fail == SIZE_MAX);
    assert_acl_ok(aclrtMemcpyBatch(NULL, NULL, NULL, sizes, 2, NULL, NULL, 0, NULL));
    fail = UNTOUCHED;
    assert_acl(aclrtMemcpyBatch(NULL, NULL, NULL, NULL, 2, NULL, NULL, 0, &fail),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpyBatch(NULL, NULL, NULL, sizes, 0, NULL, NULL, 0, &fail),
               ACL_ERROR_INVALID_PARAM);
    assert_int_equal(fail, UNTOUCHED);
}

static void lists_must_be_there(void **state) {
    struct batch b;
    (void)state;
    set_up(&b);
    assert_acl(aclrtMemcpyBatch(NULL, b.rooms, b.srcs, b.sizes, 3, b.attrs, b.firsts, 0, &b.fail),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpyBatch(b.dsts, NULL, b.srcs, b.sizes, 3, b.attrs, b.firsts, 0, &b.fail),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpyBatch(b.dsts, b.rooms, NULL, b.sizes, 3, b.attrs, b.firsts, 0, &b.fail),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpyBatch(b.dsts, b.rooms, b.srcs, b.sizes, 3, NULL, b.firsts, 0, &b.fail),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemcpyBatch(b.dsts, b.rooms, b.srcs, b.sizes, 3, b.attrs, NULL, 0, &b.fail),
               ACL_ERROR_INVALID_PARAM);
    assert_non_null(strstr(aclGetRecentErrMsg(), "attrsIndexes"));
    assert_int_equal(b.fail, UNTOUCHED);
    tear_down(&b);
}

static void rooms_and_reserved_bytes_are_of_the_acl_layer(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct batch b;
        set_up(&b);
        b.rooms[2] = SIZE - 1;
        b.attr_count = 0; // comes later
        assert_acl(copies[i](&b), ACL_ERROR_INVALID_PARAM);
        assert_non_null(strstr(aclGetRecentErrMsg(), "destMaxs[2]"));
        b.rooms[2] = SIZE_MAX;
        b.attr_count = 2;
        b.attrs[1].rsv[15] = 1;
        assert_acl(copies[i](&b), ACL_ERROR_INVALID_PARAM);
        assert_int_equal(b.fail, UNTOUCHED);
        b.attrs[1].rsv[15] = 0;
        assert_acl_ok(copies[i](&b));
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        tear_down(&b);
    }
}

static void attributes_cover_the_list(void **state) {
    static const struct {
        size_t count;
        size_t firsts[2];
    } bad[] = {{0, {0, 2}}, {4, {0, 2}}, {2, {1, 2}}, {2, {0, 0}}, {2, {0, 3}}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct batch b;
        set_up(&b);
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
            b.fail = UNTOUCHED;
            b.attr_count = bad[k].count;
            b.count = bad[k].count == 4 ? 2 : 3; // else no copy has the attributes
            memcpy(b.firsts, bad[k].firsts, sizeof b.firsts);
            assert_acl(copies[i](&b), ACL_ERROR_RT_PARAM_INVALID);
            assert_true(b.fail == SIZE_MAX);
        }
        assert_nothing_copied(&b);
        tear_down(&b);
    }
}

static void at_once_there_is_a_limit(void **state) {
    static void *dsts[MANY];
    static void *srcs[MANY];
    static size_t sizes[MANY];
    aclrtMemcpyBatchAttr attr = {DEVICE_0, HOST_0, {0}};
    unsigned char *device = device_bytes(MANY, 1);
    unsigned char *pinned = pinned_bytes(MANY, 2);
    size_t first = 0;
    size_t fail = UNTOUCHED;
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        dsts[i] = device + i;
        srcs[i] = pinned + i;
        sizes[i] = 1;
    }
    assert_acl(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, MANY, &attr, &first, 1, &fail),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_true(fail == SIZE_MAX);
    assert_acl_ok(aclrtMemcpyBatch(dsts, sizes, srcs, sizes, MANY - 1, &attr, &first, 1, &fail));
    assert_bytes(device, MANY - 1, 2);
    assert_bytes(device + MANY - 1, 1, 1);
    assert_acl_ok(
        aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, MANY, &attr, &first, 1, &fail, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(device, MANY, 2);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(pinned));
}

// The attributes of the second copy: its destination, its source.
static void places_must_be_where_attributes_say(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int wrong = 0; wrong < 6; wrong++) {
            struct batch b;
            set_up(&b);
            b.attr_count = 1;
            b.count = 2;
            switch (wrong) {
            case 0: // another device
                b.attrs[0].dstLoc.id = 1;
                break;
            case 1: b.attrs[0].dstLoc.type = ACL_MEM_LOCATION_TYPE_HOST; break;
            case 2: b.attrs[0].srcLoc.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED; break;
            case 3: // the second copy goes another way than its attributes
                b.srcs[1] = b.device + (size_t)2 * SIZE;
                b.dsts[1] = b.pageable;
                break;
            case 4: // both on the device, as the attributes say
                b.attrs[0].srcLoc = DEVICE_0;
                b.srcs[0] = b.device + SIZE;
                break;
            default: // both on the host
                b.attrs[0].dstLoc = HOST_0;
                b.dsts[0] = b.pageable;
                break;
            }
            assert_acl(copies[i](&b), ACL_ERROR_RT_PARAM_INVALID);
            assert_int_equal(b.fail, wrong == 3 ? 1 : 0);
            assert_nothing_copied(&b);
            tear_down(&b);
        }
    }
}

static void the_host_has_one_number_of_devices(void **state) {
    struct batch b;
    (void)state;
    set_up(&b);
    b.attrs[0].srcLoc.id = 5;
    assert_acl_ok(now(&b));
    tear_down(&b);
}

static void the_failed_copy_need_not_be_asked_for(void **state) {
    struct batch b;
    (void)state;
    set_up(&b);
    assert_acl_ok(
        aclrtMemcpyBatch(b.dsts, b.rooms, b.srcs, b.sizes, 3, b.attrs, b.firsts, 2, NULL));
    assert_acl_ok(aclrtMemcpyBatchAsync(b.dsts, b.rooms, b.srcs, b.sizes, 3, b.attrs, b.firsts, 2,
                                        NULL, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl(aclrtMemcpyBatch(b.dsts, b.rooms, b.srcs, b.sizes, 3, b.attrs, b.firsts, 0, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    b.attrs[0].dstLoc.id = 1;
    assert_acl(aclrtMemcpyBatch(b.dsts, b.rooms, b.srcs, b.sizes, 3, b.attrs, b.firsts, 2, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemcpyBatchAsync(b.dsts, b.rooms, b.srcs, b.sizes, 3, b.attrs, b.firsts, 2,
                                     NULL, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    tear_down(&b);
}

static void copies_of_nothing_are_passed_over(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct batch b;
        set_up(&b);
        b.sizes[0] = b.sizes[2] = 0;
        b.dsts[0] = b.srcs[2] = NULL;
        assert_acl_ok(copies[i](&b));
        assert_acl_ok(aclrtSynchronizeStream(NULL));
        assert_bytes(b.device, SIZE, 1);
        assert_bytes(b.device + SIZE, SIZE, 3);
        tear_down(&b);
    }
}

static void a_batch_takes_its_turn_in_a_stream(void **state) {
    struct gate gate = {false, 0};
    aclrtStream stream = NULL;
    struct batch b;
    (void)state;
    set_up(&b);
    b.count = 1; // pageable memory would be waited for
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtMemcpyBatchAsync(b.dsts, b.rooms, b.srcs, b.sizes, b.count, b.attrs,
                                        b.firsts, 1, &b.fail, stream));
    let_others_begin();
    assert_nothing_copied(&b);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(b.device, SIZE, 2);
    assert_acl_ok(aclrtDestroyStream(stream));
    tear_down(&b);
}

static void without_a_context_nothing_is_blamed(void **state) {
    unsigned char a[8] = {0};
    unsigned char b[8] = {0};
    void *dst = a;
    void *src = b;
    size_t size = 8;
    size_t first = 0;
    size_t fail = UNTOUCHED;
    aclrtMemcpyBatchAttr attr = {DEVICE_0, HOST_0, {0}};
    (void)state;
    assert_acl(aclrtMemcpyBatch(&dst, &size, &src, &size, 1, &attr, &first, 1, &fail),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMemcpyBatchAsync(&dst, &size, &src, &size, 1, &attr, &first, 1, &fail, NULL),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(fail, UNTOUCHED);
}

#define with_a_device(test) cmocka_unit_test_setup_teardown(test, with_device, without_device)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_context_nothing_is_blamed),
        cmocka_unit_test(empty_batches_are_not_looked_at),
        with_a_device(all_copies_of_a_batch_are_made),
        with_a_device(lists_must_be_there),
        with_a_device(rooms_and_reserved_bytes_are_of_the_acl_layer),
        with_a_device(attributes_cover_the_list),
        with_a_device(at_once_there_is_a_limit),
        with_a_device(places_must_be_where_attributes_say),
        with_a_device(the_host_has_one_number_of_devices),
        with_a_device(the_failed_copy_need_not_be_asked_for),
        with_a_device(copies_of_nothing_are_passed_over),
        with_a_device(a_batch_takes_its_turn_in_a_stream),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
