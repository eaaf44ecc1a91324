// SPDX-License-Identifier: Apache-2.0
// Sends between the sides and what becomes of blocks: a row of spec 2.2 each.
#include "support/hiai.h"

static struct reply kept_sum(void) { return hiai_ask(DO_SUM_KEPT, 0, 0); }

static void free_kept(void) { assert_hiai_ok(hiai_ask(DO_FREE_KEPT, 0, 0).status); }

// ---- AUTO

// Conformance tests 7 and 8.
static void auto_send_hands_the_block_over(void **state) {
    uint8_t *block = hiai_block(100000, MEMORY_ATTR_AUTO_FREE, 5);
    uint64_t sum = hiai_sum(block, 100000);
    (void)state;
    assert_hiai_ok(hiai_send(KEEP_IT, block, 100000));
    assert_hiai(HIAI_DFree(block), HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_hiai(hiai_send(KEEP_IT, block, 100000), HIAI_GRAPH_INVALID_VALUE);
    assert_int_equal(HIAIX_IsDMalloc(block, 1), 0);
    assert_true(kept_sum().value == sum);
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 1);
    free_kept();
    hiai_wait_for_empty_pool();
    assert_int_equal(hiai_stats(GRAPH).copies, 0);
}

static void many_auto_sends_do_not_grow_the_pool(void **state) {
    const uint32_t bytes = 300000;
    const char *count = getenv("TARN_TEST_SENDS"); // conformance test 8 asks for 1000000
    int sends = count != NULL ? atoi(count) : 20000;
    (void)state;
    for (int i = 0; i < sends; i++) {
        uint8_t *block = (uint8_t *)HIAI_DMalloc(bytes, LONG_ENOUGH, MEMORY_ATTR_AUTO_FREE);
        assert_non_null(block);
        assert_hiai_ok(hiai_send(FREE_IT, block, bytes));
    }
    struct HIAIX_Stats stats = hiai_stats(GRAPH);
    assert_int_equal(stats.copies, 0);
    assert_true(stats.poolPeak <= stats.poolBytes);
}

// Conformance test 9.
static void failed_auto_send_leaves_the_block_with_its_owner(void **state) {
    struct frame frame = {.number = FREE_IT, .bytes = 5000};
    uint64_t sum;
    (void)state;
    frame.data = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 9);
    sum = hiai_sum(frame.data, 5000);
    assert_hiai(HIAIX_SendData(hiai_port(WORKER, 1), "unknown", &frame, 0),
                HIAI_GRAPH_SEARFUNC_IS_NULL);
    frame.wrong = HIAI_GRAPH_MESSAGE_NULL;
    assert_hiai(HIAIX_SendData(hiai_port(WORKER, 1), "frame", &frame, 0),
                HIAI_GRAPH_MESSAGE_NULL); // what the serializer said
    frame.wrong = 0;
    HIAI_StatusT status = HIAI_OK;
    while (status == HIAI_OK) { // the receiver takes some in, until the gate's own queue is full
        uint8_t *other = hiai_block(100, MEMORY_ATTR_AUTO_FREE, 0);
        status = hiai_send_to(GATE, 0, 0, other, 100, 300);
        if (status != HIAI_OK) {
            assert_hiai(status, HIAI_QUEUE_FULL);
            assert_hiai_ok(HIAI_DFree(other));
        }
    }
    assert_hiai(hiai_send_to(GATE, 0, 0, frame.data, 5000, 0), HIAI_QUEUE_FULL);
    assert_int_equal(HIAIX_BlockSize(frame.data), 5000);
    assert_true(hiai_sum(frame.data, 5000) == sum);
    frame.number = KEEP_IT;
    assert_hiai_ok(HIAIX_SendData(hiai_port(WORKER, 1), "frame", &frame, LONG_ENOUGH));
    assert_true(kept_sum().value == sum);
    free_kept();
    assert_hiai_ok(hiai_ask(DO_OPEN_GATE, 0, 0).status);
}

// ---- MANUAL

// Conformance test 10.
static void manual_block_may_be_freed_right_after_the_send(void **state) {
    uint8_t *block = hiai_block(200000, MEMORY_ATTR_MANUAL_FREE, 3);
    uint64_t sum = hiai_sum(block, 200000);
    (void)state;
    assert_hiai_ok(hiai_send(KEEP_IT, block, 200000));
    assert_hiai_ok(HIAI_DFree(block));
    assert_hiai(HIAI_DFree(block), HIAI_GRAPH_NOT_FOND_MEMORY);
    hiai_nap_ms(100);
    assert_true(kept_sum().value == sum);
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 1);
    free_kept();
    hiai_wait_for_empty_pool();
}

static void manual_block_may_be_read_while_it_is_lent(void **state) {
    uint8_t *block = hiai_block(1000, MEMORY_ATTR_MANUAL_FREE, 3);
    uint64_t sum = hiai_sum(block, 1000);
    (void)state;
    assert_hiai_ok(hiai_send(FREE_IT, block, 1000));
    assert_int_equal(HIAIX_IsDMalloc(block, 1000), 1);
    assert_true(hiai_sum(block, 1000) == sum);
    assert_hiai_ok(HIAI_DFree(block));
}

static void manual_block_may_be_sent_twice(void **state) {
    uint8_t *block = hiai_block(4000, MEMORY_ATTR_MANUAL_FREE, 8);
    uint64_t sum = hiai_sum(block, 4000);
    (void)state;
    assert_hiai_ok(hiai_send(KEEP_IT, block, 4000));
    assert_hiai_ok(hiai_send(KEEP_IT, block, 4000));
    assert_true(kept_sum().value == sum);
    free_kept();
    assert_true(kept_sum().value == sum);
    assert_hiai_ok(HIAI_DFree(block));
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 1);
    free_kept();
}

// ---- what part of a block; other memory

// Conformance test 11.
static void send_begins_at_the_start_and_stays_within(void **state) {
    uint8_t *block = hiai_block(9000, MEMORY_ATTR_AUTO_FREE, 1);
    uint64_t sum = hiai_sum(block, 100);
    (void)state;
    assert_hiai(hiai_send(FREE_IT, block + 1, 100), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(hiai_send(FREE_IT, block + 4096, 100), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(hiai_send(FREE_IT, block, 9001), HIAI_BUFFER_SIZE_OVER_DMALLOC_SIZE);
    assert_int_equal(HIAIX_BlockSize(block), 9000);
    assert_hiai_ok(hiai_send(KEEP_IT, block, 100));
    assert_true(kept_sum().value == sum);
    free_kept();
}

// Conformance test 12.
static void ordinary_memory_is_copied_and_stays_the_callers(void **state) {
    uint8_t *plain = (uint8_t *)malloc(70000);
    (void)state;
    assert_non_null(plain);
    hiai_fill(plain, 70000, 4);
    uint64_t sum = hiai_sum(plain, 70000);
    assert_hiai_ok(hiai_send(KEEP_IT, plain, 70000));
    assert_int_equal(hiai_stats(GRAPH).copies, 1);
    memset(plain, 0, 70000);
    free(plain);
    assert_true(kept_sum().value == sum);
    free_kept();
}

static void no_room_to_copy_to_is_told(void **state) {
    uint8_t *plain = (uint8_t *)calloc(1, 20 * MIB);
    void *most = HIAI_DMalloc(20 * MIB, 0, MEMORY_ATTR_AUTO_FREE); // of 32
    (void)state;
    assert_non_null(plain);
    assert_hiai(hiai_send_to(WORKER, 1, FREE_IT, plain, 20 * MIB, 0), HIAI_GRAPH_NO_USEFUL_MEMORY);
    assert_hiai(hiai_send_to(WORKER, 1, FREE_IT, plain, 20 * MIB, 30), HIAI_GRAPH_NO_USEFUL_MEMORY);
    assert_hiai(hiai_send_to(WORKER, 1, FREE_IT, plain, 40 * MIB, 0), HIAI_GRAPH_NO_USEFUL_MEMORY);
    assert_hiai(hiai_send_to(WORKER, 1, FREE_IT, plain, 256 * MIB + 1, 0),
                HIAI_GRAPH_MALLOC_LARGER);
    assert_hiai_ok(HIAI_DFree(most));
    assert_hiai_ok(hiai_send_to(WORKER, 1, FREE_IT, plain, 20 * MIB, LONG_ENOUGH));
    free(plain);
}

// Conformance test 13.
static void message_without_a_block_arrives(void **state) {
    uint8_t *block = hiai_block(10, MEMORY_ATTR_AUTO_FREE, 1);
    struct frame back;
    (void)state;
    assert_hiai_ok(hiai_send(SEND_BACK, NULL, 0));
    back = hiai_next_frame();
    assert_null(back.data);
    assert_int_equal(back.bytes, 0);
    assert_hiai_ok(hiai_send(SEND_BACK, NULL, 0xdeadbeef));
    back = hiai_next_frame();
    assert_null(back.data);
    assert_int_equal(back.bytes, 0);
    assert_hiai_ok(hiai_send(SEND_BACK, block, 0)); // the block is not part of it
    back = hiai_next_frame();
    assert_null(back.data);
    assert_hiai_ok(HIAI_DFree(block));
    assert_int_equal(hiai_stats(GRAPH).copies, 0);
}

// Conformance test 14. The frame itself is some bytes of it.
static void control_of_any_length_arrives_whole(void **state) {
    static const uint32_t lengths[] = {0, 400, 1000, 64 * KIB, 1 * MIB};
    (void)state;
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct frame frame = {.number = SEND_BACK, .large = lengths[i], .bytes = 50};
        frame.data = hiai_block(50, MEMORY_ATTR_AUTO_FREE, i);
        assert_hiai_ok(HIAIX_SendData(hiai_port(WORKER, 1), "frame", &frame, LONG_ENOUGH));
        struct frame back = hiai_next_frame(); // checked byte by byte by both deserializers
        assert_int_equal(back.large, lengths[i]);
        assert_hiai_ok(HIAI_DFree(back.data));
    }
    struct frame frame = {.number = SEND_BACK, .large = 17 * MIB};
    assert_hiai(HIAIX_SendData(hiai_port(WORKER, 1), "frame", &frame, 0),
                HIAI_GRAPH_DATA_SIZE_WRONG);
}

// Conformance test 16: the deserializers build a larger object, and look for its mark.
static void received_object_may_be_of_another_type(void **state) {
    (void)state;
    assert_hiai_ok(hiai_send(SEND_BACK, NULL, 0));
    assert_int_equal(hiai_next_frame().number, SEND_BACK);
    assert_int_equal(hiai_stats(GRAPH).failures, 0);
}

// Conformance test 20.
static void block_makes_a_round_trip_without_a_copy(void **state) {
    uint8_t *block = hiai_block(3110400, MEMORY_ATTR_AUTO_FREE, 6);
    uint64_t sum = hiai_sum(block, 3110400);
    (void)state;
    assert_hiai_ok(hiai_send(SEND_BACK, block, 3110400));
    struct frame back = hiai_next_frame();
    assert_ptr_equal(back.data, block);
    assert_int_equal(back.bytes, 3110400);
    assert_true(hiai_sum(block, 3110400) == sum);
    assert_int_equal(hiai_stats(GRAPH).copies, 0);
    assert_int_equal(hiai_ask(DO_STATS, 0, 0).value, 0); // neither copies nor blocks there
    assert_hiai_ok(HIAI_DFree(block));
}

// ---- from the device

// Conformance tests 7 and 19.
static void device_sends_blocks_of_all_kinds(void **state) {
    static const uint32_t flags[] = {MEMORY_ATTR_AUTO_FREE, MEMORY_ATTR_MANUAL_FREE, DVPP};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_hiai_ok(hiai_ask(DO_SEND_FRAME, 3133440, flags[i]).status);
        struct frame frame = hiai_next_frame();
        assert_int_equal(frame.bytes, 3133440);
        uint8_t first = (uint8_t)3133440;
        assert_int_equal(frame.data[0], first);
        assert_int_equal(frame.data[100], (uint8_t)(first + 700));
        assert_hiai(HIAI_DFree(frame.data + 1), HIAI_GRAPH_RELEASE_WRONG_ADDR);
        assert_hiai_ok(HIAI_DFree(frame.data)); // received: whatever it was there
        assert_hiai(HIAI_DFree(frame.data), HIAI_GRAPH_NOT_FOND_MEMORY);
    }
    assert_int_equal(hiai_ask(DO_STATS, 0, 0).value, 0);
}

// ---- the C send

static void c_send_takes_a_name_with_or_without_its_length(void **state) {
    struct frame frame = {.number = SEND_BACK};
    HIAI_PortID_t to = hiai_port(WORKER, 1);
    (void)state;
    assert_hiai_ok(HIAI_C_SendData(to, "frame", 5, &frame));
    assert_hiai_ok(HIAI_C_SendData(to, "frame", 0, &frame));
    assert_hiai_ok(HIAI_C_SendData(to, "frameXX", 5, &frame));
    assert_hiai_ok(HIAI_C_SendData(to, "frame", 60, &frame)); // up to its end
    memset(&frame, 0xff, sizeof frame);                       // the struct is the caller's again
    for (int i = 0; i < 4; i++) assert_int_equal(hiai_next_frame().number, SEND_BACK);
    assert_hiai(HIAI_C_SendData(to, "frame", 4, &frame), HIAI_GRAPH_SEARFUNC_IS_NULL);
    assert_hiai(HIAI_C_SendData(to, NULL, 5, &frame), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAI_C_SendData(to, "", 0, &frame), HIAI_GRAPH_INVALID_VALUE);
    char name[80];
    memset(name, 'n', 79);
    name[79] = '\0';
    assert_hiai(HIAI_C_SendData(to, name, 64, &frame), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAI_C_SendData(to, name, 63, &frame), HIAI_GRAPH_SEARFUNC_IS_NULL);
    assert_hiai(HIAI_C_SendData(to, "frame", 5, NULL), HIAI_ENGINE_NULL_POINTER);
}

// ---- raw

static void raw_message_needs_no_registration(void **state) {
    uint8_t *block = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 1);
    HIAI_PortID_t to = hiai_port(WORKER, 0);
    int plain = 0;
    (void)state;
    assert_hiai(HIAIX_SendRaw(to, "any", NULL, 3, NULL, 0, 0), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_SendRaw(to, NULL, &plain, 4, NULL, 0, 0), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_SendRaw(to, "any", NULL, 0, &plain, 4, 0), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_SendRaw(to, "any", NULL, 0, block, 5001, 0),
                HIAI_BUFFER_SIZE_OVER_DMALLOC_SIZE);
    assert_hiai(HIAIX_SendRaw(to, "any", &plain, (16u << 20) + 1, NULL, 0, 0),
                HIAI_GRAPH_DATA_SIZE_WRONG);
    assert_hiai_ok(HIAIX_SendRaw(to, "any", &plain, 4, block, 5000, LONG_ENOUGH));
    hiai_wait_for_empty_pool(); // the engine did not take the block over
    assert_hiai(HIAI_DFree(block), HIAI_GRAPH_NOT_FOND_MEMORY);
}

#define WITH_GRAPH(test) cmocka_unit_test_setup_teardown(test, hiai_setup, hiai_teardown)

static const struct CMUnitTest tests[] = {
    WITH_GRAPH(auto_send_hands_the_block_over),
    WITH_GRAPH(many_auto_sends_do_not_grow_the_pool),
    WITH_GRAPH(failed_auto_send_leaves_the_block_with_its_owner),
    WITH_GRAPH(manual_block_may_be_freed_right_after_the_send),
    WITH_GRAPH(manual_block_may_be_read_while_it_is_lent),
    WITH_GRAPH(manual_block_may_be_sent_twice),
    WITH_GRAPH(send_begins_at_the_start_and_stays_within),
    WITH_GRAPH(ordinary_memory_is_copied_and_stays_the_callers),
    WITH_GRAPH(no_room_to_copy_to_is_told),
    WITH_GRAPH(message_without_a_block_arrives),
    WITH_GRAPH(control_of_any_length_arrives_whole),
    WITH_GRAPH(received_object_may_be_of_another_type),
    WITH_GRAPH(block_makes_a_round_trip_without_a_copy),
    WITH_GRAPH(device_sends_blocks_of_all_kinds),
    WITH_GRAPH(c_send_takes_a_name_with_or_without_its_length),
    WITH_GRAPH(raw_message_needs_no_registration),
};

HIAI_MAIN(tests)
