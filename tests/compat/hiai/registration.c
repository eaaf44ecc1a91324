// SPDX-License-Identifier: Apache-2.0
// Registration of kinds of messages and of engines, and messages in the library's care.
#include <stdatomic.h>

#include "support/hiai.h"

static HIAI_StatusT serialize(const void *msg, void *ctrl, uint32_t *ctrl_len, uint8_t **data,
                              uint32_t *data_len, void *arg) {
    (void)msg;
    (void)ctrl;
    (void)data;
    (void)data_len;
    (void)arg;
    *ctrl_len = 0;
    return HIAI_OK;
}

static void *deserialize(const void *ctrl, uint32_t ctrl_len, uint8_t *data, uint32_t data_len,
                         void *arg) {
    (void)ctrl;
    (void)ctrl_len;
    (void)data_len;
    (void)arg;
    return data;
}

static HIAI_StatusT process(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)self;
    (void)port;
    (void)msg;
    (void)arg;
    return HIAI_OK;
}

HIAIX_REGISTER_SERIALIZE_FUNC("before main", struct frame, serialize, deserialize, NULL)
HIAIX_REGISTER_ENGINE("before main", 1, 1, process)

static const char long_name[] =
    "a name that is longer than what fits into a descriptor of a channel";

// Conformance test 15.
static void kinds_of_messages_are_registered_once_and_whole(void **state) {
    (void)state;
    assert_hiai(HIAIX_RegisterSerialize("k", NULL, deserialize, NULL, NULL),
                HIAI_ENGINE_FUNCTOR_NULL);
    assert_hiai(HIAIX_RegisterSerialize("k", serialize, NULL, NULL, NULL),
                HIAI_ENGINE_FUNCTOR_NULL);
    assert_hiai(HIAIX_RegisterSerialize(NULL, serialize, deserialize, NULL, NULL),
                HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_RegisterSerialize("", serialize, deserialize, NULL, NULL),
                HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_RegisterSerialize(long_name, serialize, deserialize, NULL, NULL),
                HIAI_GRAPH_INVALID_VALUE);
    assert_hiai_ok(HIAIX_RegisterSerialize("k", serialize, deserialize, NULL, NULL));
    assert_hiai(HIAIX_RegisterSerialize("k", serialize, deserialize, NULL, NULL),
                HIAI_ENGINE_FUNCTOR_EXIST);
    assert_hiai(HIAIX_RegisterSerialize("before main", serialize, deserialize, NULL, NULL),
                HIAI_ENGINE_FUNCTOR_EXIST);
    assert_hiai_ok(HIAIX_UnregisterSerialize("k"));
    assert_hiai(HIAIX_UnregisterSerialize("k"), HIAI_GRAPH_SEARFUNC_IS_NULL);
    assert_hiai(HIAIX_UnregisterSerialize(NULL), HIAI_GRAPH_SEARFUNC_IS_NULL);
}

static void engines_are_registered_once_and_whole(void **state) {
    (void)state;
    assert_hiai(HIAIX_RegisterEngine("e", 1, 1, NULL, NULL), HIAI_ENGINE_FUNCTOR_NULL);
    assert_hiai(HIAIX_RegisterEngine(NULL, 1, 1, process, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_RegisterEngine("e", 17, 1, process, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_RegisterEngine("e", 1, 17, process, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai_ok(HIAIX_RegisterEngine("e", 16, 16, process, NULL));
    assert_hiai(HIAIX_RegisterEngine("e", 1, 1, process, NULL), HIAI_ENGINE_FUNCTOR_EXIST);
    assert_hiai(HIAIX_RegisterEngine("before main", 1, 1, process, NULL),
                HIAI_ENGINE_FUNCTOR_EXIST);
    assert_hiai_ok(HIAIX_UnregisterEngine("e"));
    assert_hiai(HIAIX_UnregisterEngine("e"), HIAI_GRAPH_ENGINE_NOT_EXIST);
}

// ---- conformance test 15: nobody there to take it

// Registered here only: the receiver has no deserializer of that name.
static void message_that_nobody_takes_gives_its_block_back(void **state) {
    struct frame frame = {.bytes = 5000};
    (void)state;
    frame.data = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 1);
    assert_hiai_ok(HIAIX_SendRaw(hiai_port(WORKER, 0), "unknown", NULL, 0, frame.data, 5000,
                                 LONG_ENOUGH)); // the Worker does not take it
    hiai_wait_for_empty_pool();
}

static HIAI_StatusT with_block(const void *msg, void *ctrl, uint32_t *ctrl_len, uint8_t **data,
                               uint32_t *data_len, void *arg) {
    const struct frame *frame = (const struct frame *)msg;
    *data = frame->data;
    *data_len = frame->bytes;
    return serialize(msg, ctrl, ctrl_len, data, data_len, arg);
}

static void kind_that_only_the_sender_knows_is_dropped_there(void **state) {
    struct frame frame = {.bytes = 5000};
    (void)state;
    assert_hiai_ok(HIAIX_RegisterSerialize("here only", with_block, deserialize, NULL, NULL));
    for (int i = 0; i < 100; i++) { // more than the port has places: credits come back too
        frame.data = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 1);
        assert_hiai_ok(HIAIX_SendData(hiai_port(WORKER, 1), "here only", &frame, LONG_ENOUGH));
    }
    hiai_wait_for_empty_pool();
    assert_hiai_ok(HIAIX_UnregisterSerialize("here only"));
}

// Asks for the room that it had.
static HIAI_StatusT ask_for_the_same(const void *msg, void *ctrl, uint32_t *ctrl_len,
                                     uint8_t **data, uint32_t *data_len, void *arg) {
    (void)msg;
    (void)ctrl;
    (void)ctrl_len;
    (void)data;
    (void)data_len;
    ++*(int *)arg;
    return HIAI_GRAPH_TARGET_SIZE_ENOUGH;
}

static void serializer_that_asks_for_the_room_it_had_is_not_called_again(void **state) {
    int calls = 0;
    (void)state;
    assert_hiai_ok(HIAIX_RegisterSerialize("same", ask_for_the_same, deserialize, NULL, &calls));
    assert_hiai(HIAIX_SendData(hiai_port(WORKER, 1), "same", &calls, 0),
                HIAI_GRAPH_TARGET_SIZE_ENOUGH);
    assert_int_equal(calls, 1);
    assert_hiai_ok(HIAIX_UnregisterSerialize("same"));
}

// Asks for more room, and then has even more.
static HIAI_StatusT have_more_each_time(const void *msg, void *ctrl, uint32_t *ctrl_len,
                                        uint8_t **data, uint32_t *data_len, void *arg) {
    (void)msg;
    (void)ctrl;
    (void)data;
    (void)data_len;
    *ctrl_len = *ctrl_len * 2;
    return ++*(int *)arg == 1 ? HIAI_GRAPH_TARGET_SIZE_ENOUGH : HIAI_OK;
}

static void serializer_that_exceeds_the_room_it_asked_for_fails(void **state) {
    int calls = 0;
    (void)state;
    assert_hiai_ok(HIAIX_RegisterSerialize("more", have_more_each_time, deserialize, NULL, &calls));
    assert_hiai(HIAIX_SendData(hiai_port(WORKER, 1), "more", &calls, 0),
                HIAI_GRAPH_DATA_SIZE_WRONG);
    assert_int_equal(calls, 2);
    assert_hiai_ok(HIAIX_UnregisterSerialize("more"));
}

static void rejected_message_gives_its_block_back(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        uint8_t *block = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 1);
        assert_hiai_ok(hiai_send(REJECT, block, 5000));
    }
    hiai_wait_for_empty_pool();
}

static void deserializer_may_adopt_its_message_itself(void **state) {
    uint8_t *block = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 1);
    (void)state;
    assert_hiai_ok(hiai_send(ADOPTED, block, 5000));
    hiai_wait_for_empty_pool(); // destroyed, once, with its block
    assert_int_equal(hiai_ask(DO_STATS, 0, 0).value, 0);
}

// ---- care

static atomic_int destroyed;

static void destroy(void *msg, void *arg) {
    assert_ptr_equal(msg, arg);
    atomic_fetch_add(&destroyed, 1);
}

static void adopted_message_lives_until_the_last_engine_is_done(void **state) {
    int message = 5;
    (void)state;
    atomic_store(&destroyed, 0);
    hiai_close_gate_here();
    assert_hiai(HIAIX_Adopt(NULL, destroy, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_Adopt(&message, NULL, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai_ok(HIAIX_Adopt(&message, destroy, &message));
    assert_hiai(HIAIX_Adopt(&message, destroy, &message), HIAI_GRAPH_ID_EXIST);
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "any", &message, LONG_ENOUGH));
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "any", &message, LONG_ENOUGH));
    assert_hiai_ok(HIAIX_Release(&message));
    assert_ptr_equal(hiai_next_here(), &message);
    assert_int_equal(atomic_load(&destroyed), 0); // the engine is still at it
    hiai_open_gate_here();
    assert_ptr_equal(hiai_next_here(), &message);
    while (atomic_load(&destroyed) == 0) hiai_nap_ms(10);
    assert_int_equal(atomic_load(&destroyed), 1);
    assert_hiai(HIAIX_Release(&message), HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_hiai(HIAIX_Release(NULL), HIAI_GRAPH_NOT_FOND_MEMORY);
}

#define WITH_GRAPH(test) cmocka_unit_test_setup_teardown(test, hiai_setup, hiai_teardown)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds_of_messages_are_registered_once_and_whole),
    cmocka_unit_test(engines_are_registered_once_and_whole),
    WITH_GRAPH(message_that_nobody_takes_gives_its_block_back),
    WITH_GRAPH(kind_that_only_the_sender_knows_is_dropped_there),
    WITH_GRAPH(serializer_that_asks_for_the_room_it_had_is_not_called_again),
    WITH_GRAPH(serializer_that_exceeds_the_room_it_asked_for_fails),
    WITH_GRAPH(rejected_message_gives_its_block_back),
    WITH_GRAPH(deserializer_may_adopt_its_message_itself),
    WITH_GRAPH(adopted_message_lives_until_the_last_engine_is_done),
};

HIAI_MAIN(tests)
