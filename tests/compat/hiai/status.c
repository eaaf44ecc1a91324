// SPDX-License-Identifier: Apache-2.0
// Statuses by number, and what is said of a failure.
#include "support/hiai.h"

// Conformance test 1.
static void ok_is_not_zero(void **state) {
    (void)state;
    assert_int_equal(HIAI_OK, 16846848);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(HIAI_OK), HIAI_INFO);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(HIAI_GRAPH_NO_MEMORY), HIAI_ERROR);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(HIAI_ENGINE_FUNCTOR_EXIST), HIAI_WARNING);
    assert_int_equal(HIAI_ERROR, 3);
}

static void statuses_have_the_numbers_of_the_interface(void **state) {
    static const struct {
        HIAI_StatusT status;
        uint32_t number;
    } all[] = {
        {HIAI_OK, 0x01011000},
        {HIAI_GRAPH_ID_EXIST, 0x01013006},
        {HIAI_GRAPH_SENDMSG_FAILED, 0x01013007},
        {HIAI_GRAPH_NOT_EXIST, 0x01013008},
        {HIAI_GRAPH_SEARFUNC_IS_NULL, 0x01013009},
        {HIAI_GRAPH_ENGINE_NOT_EXIST, 0x0101300a},
        {HIAI_GRAPH_START_TIMEOUT, 0x0101300b},
        {HIAI_GRAPH_DESTROY_TIMEOUT, 0x0101300c},
        {HIAI_GRAPH_ENGINE_DESTROY_FAILED, 0x0101300d},
        {HIAI_GRAPH_SRC_PORT_NOT_EXIST, 0x01012016},
        {HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL, 0x01013018},
        {HIAI_GRAPH_CONVCFUNC_IS_NULL, 0x01013019},
        {HIAI_GRAPH_PROTO_FILE_PARSE_FAILED, 0x0101301a},
        {HIAI_GRAPH_NOT_FOND_MEMORY, 0x0101301e},
        {HIAI_GRAPH_NOT_FIND_MEMORY, 0x0101301e},
        {HIAI_GRAPH_WRONG_MEMORY_TYPE, 0x01013020},
        {HIAI_GRAPH_NO_USEFUL_MEMORY, 0x01013021},
        {HIAI_GRAPH_RELEASE_WRONG_ADDR, 0x01013023},
        {HIAI_GRAPH_INVALID_VALUE, 0x01013024},
        {HIAI_GRAPH_NO_MEMORY, 0x01013028},
        {HIAI_GRAPH_MEMORY_POOL_INITED, 0x01013029},
        {HIAI_GRAPH_MEMORY_POOL_NOT_EXISTED, 0x0101302a},
        {HIAI_GRAPH_TARGET_SIZE_ENOUGH, 0x0101302c},
        {HIAI_GRAPH_MALLOC_SMALLER, 0x0101302d},
        {HIAI_GRAPH_MALLOC_LARGER, 0x0101302e},
        {HIAI_GRAPH_DATA_SIZE_WRONG, 0x0101302f},
        {HIAI_MEMORY_POOL_UPDATE_FAILED, 0x01013030},
        {HIAI_GRAPH_GET_DEVNUM_ERROR, 0x01013081},
        {HIAI_GRAPH_GET_GRAPHID_ERROR, 0x01013082},
        {HIAI_GRAPH_GET_DEVID_ERROR, 0x01013083},
        {HIAI_GRAPH_GET_PCIEINFO_ERROR, 0x01013084},
        {HIAI_MEMORY_EXHAUSTED, 0x0101308d},
        {HIAI_GRAPH_MESSAGE_NULL, 0x0101308f},
        {HIAI_REPEATED_GRAPH, 0x01013091},
        {HIAI_PORT_ID_NOT_EXIST, 0x01013093},
        {HIAI_ALREADY_USED_IN_ANOTHER_PROCESS, 0x0101309c},
        {HIAI_TRAN_TIMEOUT, 0x010130a5},
        {HIAI_GRAPH_MEMORY_POOL_INIT_FAILED, 0x010130aa},
        {HIAI_GRAPH_MEMORY_POOL_STOPPED, 16847020},
        {HIAI_DFREE_FAILED, 0x010130bb},
        {HIAI_BUFFER_SIZE_OVER_DMALLOC_SIZE, 0x010130bc},
        {HIAI_QUEUE_STOPPED, 0x01021032},
        {HIAI_QUEUE_PUSH_FAILED, 0x01021034},
        {HIAI_ENGINE_WAIT_TIMEOUT, 0x01021035},
        {HIAI_ENGINE_NULL_POINTER, 0x0102303a},
        {HIAI_PORT_ID_ERROR, 0x0102303b},
        {HIAI_QUEUE_FULL, 16920638},
        {HIAI_QUEUE_EMPTY, 0x0102303f},
        {HIAI_ENGINE_FUNCTOR_NULL, 0x01023046},
        {HIAI_ENGINE_FUNCTOR_EXIST, 0x01022047},
        {HIAI_HDC_SEND_MSG_ERROR, 0x0103304e},
        {HIAI_HDC_SEND_ERROR, 0x0103304f},
        {HIAI_HDC_SRV_HEART_BEAT_TIMEOUT, 0x01033059},
        {HIAI_HDC_SESSION_DEAD, 0x0103309d},
        {HIAI_INIT_FAIL, 0x0104306e},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(all[i].status, all[i].number);
        assert_memory_equal(HIAIX_StatusStr(all[i].status), "HIAI_", 5);
    }
    assert_string_equal(HIAIX_StatusStr(HIAIX_WRONG_SIDE), "HIAIX_WRONG_SIDE");
    assert_string_equal(HIAIX_StatusStr(0), "unknown status");
    assert_int_equal(HIAIX_STATUS(HIAIX_MODULE_ENGINE, HIAI_ERROR, 0x3e), HIAI_QUEUE_FULL);
}

static int class_of(HIAI_StatusT status) {
    switch (status) {
    case HIAI_OK: return 1;
    case HIAI_QUEUE_FULL:
    case HIAI_GRAPH_NO_USEFUL_MEMORY: return 2;
    default: return 3;
    }
}

static void statuses_can_stand_in_case(void **state) {
    (void)state;
    assert_int_equal(class_of(HIAI_OK), 1);
    assert_int_equal(class_of(HIAI_QUEUE_FULL), 2);
    assert_int_equal(class_of(0), 3);
}

static void flags_and_versions_have_the_numbers_of_the_interface(void **state) {
    (void)state;
    assert_int_equal(MEMORY_ATTR_NONE, 0);
    assert_int_equal(MEMORY_ATTR_AUTO_FREE, 2);
    assert_int_equal(MEMORY_ATTR_MANUAL_FREE, 4);
    assert_int_equal(MEMORY_ATTR_MAX, 5);
    assert_int_equal(HIAI_GetAPIVersion(), HIAI_API_VERSION_V2_00);
    assert_int_equal(sizeof(HIAI_PortID_t), 12);
}

static void last_error_is_that_of_the_latest_call_and_has_a_text(void **state) {
    (void)state;
    assert_null(HIAI_DMalloc(0, 0, 0));
    assert_hiai(HIAIX_GetLastError(), HIAI_GRAPH_INVALID_VALUE);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "0 bytes"));
    void *block = HIAI_DMalloc(1, 0, 0);
    assert_hiai(HIAIX_GetLastError(), HIAI_OK);
    assert_hiai_ok(HIAI_DFree(block));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ok_is_not_zero),
        cmocka_unit_test(statuses_have_the_numbers_of_the_interface),
        cmocka_unit_test(statuses_can_stand_in_case),
        cmocka_unit_test(flags_and_versions_have_the_numbers_of_the_interface),
        cmocka_unit_test_setup_teardown(last_error_is_that_of_the_latest_call_and_has_a_text,
                                        hiai_setup_alone, hiai_teardown_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
