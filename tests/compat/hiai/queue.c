// SPDX-License-Identifier: Apache-2.0
// Ports: full ones, missing ones, functions at them; and sends that stay on one side.
#include <pthread.h>
#include <stdatomic.h>

#include "support/hiai.h"

static HIAI_StatusT send_to_gate(uint32_t port, uint32_t timeout_ms) {
    uint8_t *block = hiai_block(100, MEMORY_ATTR_AUTO_FREE, 0);
    HIAI_StatusT status = hiai_send_to(GATE, port, 0, block, 100, timeout_ms);
    if (status != HIAI_OK) assert_hiai_ok(HIAI_DFree(block));
    return status;
}

// Conformance test 17. One message is at the engine, four have places.
static void full_port_refuses_and_holds_up_no_other(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) assert_hiai_ok(send_to_gate(0, LONG_ENOUGH));
    uint64_t before = hiai_now_ms();
    assert_hiai(send_to_gate(0, 0), HIAI_QUEUE_FULL);
    assert_hiai(send_to_gate(0, 50), HIAI_QUEUE_FULL);
    assert_true(hiai_now_ms() - before >= 49);
    for (int i = 0; i < 4; i++) assert_hiai_ok(send_to_gate(1, 0));
    assert_hiai(send_to_gate(1, 0), HIAI_QUEUE_FULL);
    assert_hiai_ok(hiai_send(FREE_IT, NULL, 0)); // another engine
    struct HIAIX_Stats stats = hiai_stats(GRAPH);
    assert_int_equal(stats.sendTimeouts, 3);
    assert_true(stats.sendWaits >= 1);
    assert_hiai_ok(hiai_ask(DO_OPEN_GATE, 0, 0).status);
    assert_hiai_ok(send_to_gate(0, LONG_ENOUGH)); // places come back
}

static void default_timeout_is_what_the_c_send_waits(void **state) {
    struct frame frame = {.number = FREE_IT};
    (void)state;
    for (int i = 0; i < 5; i++) assert_hiai_ok(send_to_gate(0, LONG_ENOUGH));
    assert_hiai(HIAI_C_SendData(hiai_port(GATE, 0), "frame", 0, &frame), HIAI_QUEUE_FULL);
    assert_hiai_ok(HIAIX_SetDefaultSendTimeout(60));
    uint64_t before = hiai_now_ms();
    assert_hiai(HIAI_C_SendData(hiai_port(GATE, 0), "frame", 0, &frame), HIAI_QUEUE_FULL);
    assert_true(hiai_now_ms() - before >= 59);
    assert_hiai_ok(HIAIX_SetDefaultSendTimeout(0));
    assert_hiai_ok(hiai_ask(DO_OPEN_GATE, 0, 0).status);
}

// Of an engine that looks at its own queue at the first message, when three more wait.
static atomic_uint most, waiting;
static atomic_bool filled;

static HIAI_StatusT look_at_queue(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)msg;
    (void)arg;
    while (!atomic_load(&filled)) hiai_nap_ms(1);
    if (atomic_load(&most) == 0) {
        atomic_store(&waiting, HIAIX_GetQueueCurrentSize(self, port));
        atomic_store(&most, HIAIX_GetQueueMaxSize(self));
    }
    return HIAI_OK;
}

static void engine_sees_how_full_its_queue_is(void **state) {
    HIAI_PortID_t to = {7, 1, 0};
    int message = 1;
    (void)state;
    atomic_store(&most, 0);
    assert_hiai_ok(HIAIX_RegisterEngine("Looker", 1, 0, look_at_queue, NULL));
    assert_hiai_ok(
        hiai_create("graphs { graph_id: 7 engines { id: 1 engine_name: 'Looker' side: HOST\n"
                    "queue_size: 3 } }"));
    for (int i = 0; i < 4; i++) assert_hiai_ok(HIAIX_SendData(to, "any", &message, LONG_ENOUGH));
    atomic_store(&filled, true);
    while (atomic_load(&most) == 0) hiai_nap_ms(10);
    assert_int_equal(atomic_load(&most), 3);
    assert_int_equal(atomic_load(&waiting), 3);
    assert_int_equal(HIAIX_GetQueueMaxSize(NULL), 0);
    assert_int_equal(HIAIX_GetQueueCurrentSize(NULL, 0), 0);
    assert_hiai_ok(HIAI_DestroyGraph(7));
    assert_hiai_ok(HIAIX_UnregisterEngine("Looker"));
}

// ---- on one side

// Conformance test 18.
static void send_on_one_side_hands_the_pointer_over(void **state) {
    struct frame frame = {.bytes = 1000};
    int before = hiai_serialized();
    (void)state;
    frame.data = hiai_block(1000, MEMORY_ATTR_AUTO_FREE, 1);
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "no such kind", &frame, 0));
    assert_ptr_equal(hiai_next_here(), &frame);
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "frame", frame.data, LONG_ENOUGH));
    assert_ptr_equal(hiai_next_here(), frame.data);
    assert_int_equal(hiai_serialized(), before);
    assert_int_equal(hiai_stats(GRAPH).localSends, 2);
    assert_int_equal(hiai_stats(GRAPH).sends, 2); // the handshake and the start
    assert_hiai_ok(HIAI_DFree(frame.data));       // neither handed over nor freed
}

static void full_port_here_refuses(void **state) {
    int message = 1;
    (void)state;
    hiai_close_gate_here();
    for (int i = 0; i < 5; i++)
        assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "any", &message, LONG_ENOUGH));
    assert_hiai(HIAIX_SendData(hiai_port(HERE, 0), "any", &message, 0), HIAI_QUEUE_FULL);
    assert_hiai(HIAIX_SendData(hiai_port(HERE, 0), "any", &message, 50), HIAI_QUEUE_FULL);
    hiai_open_gate_here();
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "any", &message, LONG_ENOUGH));
    for (int i = 0; i < 6; i++) assert_ptr_equal(hiai_next_here(), &message);
}

static void raw_message_on_one_side_leaves_its_data_with_the_sender(void **state) {
    uint8_t *block = hiai_block(1000, MEMORY_ATTR_AUTO_FREE, 1);
    char ctrl[] = "control";
    (void)state;
    hiai_close_gate_here();
    assert_hiai_ok(HIAIX_SendRaw(hiai_port(HERE, 0), "raw", ctrl, sizeof ctrl, block, 900, 0));
    memset(ctrl, 0, sizeof ctrl); // it was copied
    const HIAIX_RawMessage *raw = (const HIAIX_RawMessage *)hiai_next_here();
    assert_string_equal(raw->name, "raw");
    assert_string_equal((const char *)raw->ctrl, "control");
    assert_int_equal(raw->ctrlLen, sizeof ctrl);
    assert_ptr_equal(raw->data, block);
    assert_int_equal(raw->dataLen, 900);
    hiai_open_gate_here();
    assert_hiai_ok(HIAI_DFree(block));
}

// ---- conformance test 21

static void missing_targets_are_named(void **state) {
    struct frame frame = {.number = FREE_IT};
    HIAI_PortID_t other_graph = {GRAPH + 1, WORKER, 0};
    (void)state;
    assert_hiai(HIAIX_SendData(other_graph, "frame", &frame, 0), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAIX_SendData(hiai_port(9, 0), "frame", &frame, 0), HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_hiai(HIAIX_SendData(hiai_port(WORKER, 2), "frame", &frame, 0), HIAI_PORT_ID_NOT_EXIST);
    assert_hiai(HIAIX_SendData(hiai_port(HERE, 1), "frame", &frame, 0), HIAI_PORT_ID_NOT_EXIST);
    assert_hiai(HIAIX_SendData(hiai_port(HERE, 0), "frame", NULL, 0), HIAI_ENGINE_NULL_POINTER);
    assert_hiai(HIAIX_SendRaw(other_graph, "raw", NULL, 0, NULL, 0, 0), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAIX_SendRaw(hiai_port(9, 0), "raw", NULL, 0, NULL, 0, 0),
                HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_hiai(HIAIX_SendRaw(hiai_port(WORKER, 9), "raw", NULL, 0, NULL, 0, 0),
                HIAI_PORT_ID_NOT_EXIST);
    assert_hiai_ok(hiai_send(SEND_UNCONNECTED, NULL, 0));
    assert_hiai(hiai_next_reply().status, HIAI_GRAPH_SRC_PORT_NOT_EXIST);
    assert_hiai(HIAIX_EngineSendData(NULL, 0, "frame", &frame, 0), HIAI_ENGINE_NULL_POINTER);
}

// ---- conformance test 22

static atomic_int calls;
static void *last_message;

static HIAI_StatusT callback(void *msg) {
    last_message = msg;
    atomic_fetch_add(&calls, 1);
    return HIAI_OK;
}

static void count_end(void *msg, void *arg) {
    (void)msg;
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void wait_for_count(atomic_int *counter, int count) {
    while (atomic_load(counter) < count) hiai_nap_ms(10);
    assert_int_equal(atomic_load(counter), count);
}

static void function_at_a_port_hears_what_comes_after_it_was_set(void **state) {
    int before = 1, after = 2;
    atomic_int ended = 0;
    (void)state;
    atomic_store(&calls, 0);
    assert_hiai_ok(HIAIX_Adopt(&before, count_end, &ended));
    // Without it the port leads nowhere: the engine's send is refused, and nothing is kept for
    // later.
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "any", &before, 0));
    assert_ptr_equal(hiai_next_here(), &before);
    assert_hiai_ok(HIAIX_Release(&before));
    wait_for_count(&ended, 1); // the engine is done with it
    assert_hiai_ok(HIAI_SetDataRecvFunctor(hiai_port(HERE, 0), callback));
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "any", &after, LONG_ENOUGH));
    assert_ptr_equal(hiai_next_here(), &after);
    wait_for_count(&calls, 1);
    assert_ptr_equal(last_message, &after);
}

static void functions_are_set_where_the_engine_runs(void **state) {
    HIAI_PortID_t other_graph = {GRAPH + 1, HERE, 0};
    (void)state;
    assert_hiai(HIAI_SetDataRecvFunctor(hiai_port(HERE, 0), NULL),
                HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL);
    assert_hiai(HIAI_SetDataRecvFunctor(other_graph, callback), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAI_SetDataRecvFunctor(hiai_port(9, 0), callback), HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_hiai(HIAI_SetDataRecvFunctor(hiai_port(WORKER, 0), callback),
                HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_hiai(HIAI_SetDataRecvFunctor(hiai_port(HERE, 1), callback), HIAI_PORT_ID_ERROR);
}

// ---- order

static void messages_of_a_thread_to_a_port_arrive_in_order(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        struct frame frame = {.number = SEND_BACK, .large = i};
        assert_hiai_ok(HIAIX_SendData(hiai_port(WORKER, 1), "frame", &frame, LONG_ENOUGH));
    }
    for (uint32_t i = 0; i < 60; i++) assert_int_equal(hiai_next_frame().large, i);
}

// ---- several targets

static const char fan_text[] = "graphs { graph_id: 100\n"
                               "  engines { id: 1 engine_name: \"Answers\" side: HOST }\n"
                               "  engines { id: 4 engine_name: \"Here\" side: HOST }\n"
                               "  engines { id: 5 engine_name: \"Relay\" side: HOST }\n"
                               "  engines { id: 6 engine_name: \"Teller\" }\n"
                               "  engines { id: 7 engine_name: \"Teller\" thread_num: 2 }\n"
                               "  engines { id: 8 engine_name: \"Relay\" side: HOST }\n"
                               "  connects { src_engine_id: 5 target_engine_id: 6 }\n"
                               "  connects { src_engine_id: 5 target_engine_id: 7 }\n"
                               "  connects { src_engine_id: 8 target_engine_id: 4 }\n"
                               "  connects { src_engine_id: 8 target_engine_id: 7 }\n"
                               "}\n";

static int fan_setup(void **state) {
    hiai_setup_alone(state);
    assert_hiai_ok(hiai_create(fan_text));
    return 0;
}

// The two share one block, which is freed when both are done with it.
static void engines_on_the_other_side_share_one_message(void **state) {
    struct frame frame = {.bytes = 70000};
    (void)state;
    for (int i = 0; i < 300; i++) {
        frame.data = hiai_block(70000, MEMORY_ATTR_AUTO_FREE, (uint32_t)i);
        uint64_t sum = hiai_sum(frame.data, 70000);
        assert_hiai_ok(HIAIX_SendData(hiai_port(5, 0), "any", &frame, LONG_ENOUGH));
        assert_hiai_ok(hiai_relayed());
        assert_true(hiai_next_reply().value == sum);
        assert_true(hiai_next_reply().value == sum);
        assert_hiai(HIAI_DFree(frame.data), HIAI_GRAPH_NOT_FOND_MEMORY);
    }
    assert_int_equal(hiai_stats(GRAPH).copies, 0);
    assert_int_equal(hiai_stats(GRAPH).sends, 302); // with the handshake and the start
}

static void targets_on_both_sides_leave_the_block_here_too(void **state) {
    struct frame frame = {.bytes = 5000};
    (void)state;
    frame.data = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 3);
    uint64_t sum = hiai_sum(frame.data, 5000);
    assert_hiai_ok(HIAIX_SendData(hiai_port(8, 0), "any", &frame, LONG_ENOUGH));
    assert_hiai_ok(hiai_relayed());
    assert_true(hiai_next_reply().value == sum);
    assert_ptr_equal(hiai_next_here(), &frame);
    assert_int_equal(HIAIX_BlockSize(frame.data), 5000);
    assert_hiai_ok(HIAI_DFree(frame.data));
}

static void failed_send_to_several_reaches_none(void **state) {
    struct frame frame = {.wrong = HIAI_GRAPH_MESSAGE_NULL};
    (void)state;
    assert_hiai_ok(HIAIX_SendData(hiai_port(8, 0), "any", &frame, LONG_ENOUGH));
    assert_hiai(hiai_relayed(), HIAI_GRAPH_MESSAGE_NULL);
    frame.wrong = 0;
    assert_hiai_ok(HIAIX_SendData(hiai_port(8, 0), "any", &frame, LONG_ENOUGH));
    assert_hiai_ok(hiai_relayed());
    (void)hiai_next_reply();
    assert_ptr_equal(hiai_next_here(), &frame); // once
    assert_int_equal(hiai_stats(GRAPH).localSends, 3);
}

// An engine that sends without a wait.
static atomic_uint hasty_status;
static atomic_int hasty_calls;

static HIAI_StatusT send_at_once(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)arg;
    atomic_store(&hasty_status, HIAIX_EngineSendData(self, port, "frame", msg, 0));
    atomic_fetch_add(&hasty_calls, 1);
    return HIAI_OK;
}

// Engine 5 sends to two engines of this side, engine 6 to one of each side.
static const char hasty_text[] =
    "graphs { graph_id: 100\n"
    "  engines { id: 1 engine_name: \"Answers\" side: HOST }\n"
    "  engines { id: 2 engine_name: \"Worker\" }\n"
    "  engines { id: 3 engine_name: \"Gate\" queue_size: 4 }\n"
    "  engines { id: 4 engine_name: \"Here\" side: HOST queue_size: 4 }\n"
    "  engines { id: 5 engine_name: \"Hasty\" side: HOST }\n"
    "  engines { id: 6 engine_name: \"Hasty\" side: HOST }\n"
    "  engines { id: 9 engine_name: \"Here\" side: HOST queue_size: 4 }\n"
    "  connects { src_engine_id: 2 target_engine_id: 1 }\n"
    "  connects { src_engine_id: 5 target_engine_id: 9 }\n"
    "  connects { src_engine_id: 5 target_engine_id: 4 }\n"
    "  connects { src_engine_id: 6 target_engine_id: 4 }\n"
    "  connects { src_engine_id: 6 target_engine_id: 3 }\n"
    "}\n";

static int hasty_setup(void **state) {
    hiai_setup_alone(state);
    (void)HIAIX_RegisterEngine("Hasty", 1, 1, send_at_once, NULL);
    assert_hiai_ok(hiai_create(hasty_text));
    return 0;
}

static HIAI_StatusT send_hastily(uint32_t engine, void *message) {
    int before = atomic_load(&hasty_calls);
    assert_hiai_ok(HIAIX_SendData(hiai_port(engine, 0), "any", message, LONG_ENOUGH));
    wait_for_count(&hasty_calls, before + 1);
    return atomic_load(&hasty_status);
}

static void full_target_gives_the_places_of_the_others_back(void **state) {
    struct frame frame = {.number = FREE_IT};
    (void)state;
    hiai_close_gate_here();
    for (int i = 0; i < 5; i++)
        assert_hiai_ok(HIAIX_SendData(hiai_port(4, 0), "any", &frame, LONG_ENOUGH));
    for (int i = 0; i < 6; i++) assert_hiai(send_hastily(5, &frame), HIAI_QUEUE_FULL);
    for (int i = 0; i < 4; i++) assert_hiai_ok(HIAIX_SendData(hiai_port(9, 0), "any", &frame, 0));
    hiai_open_gate_here();
    for (int i = 0; i < 9; i++) assert_ptr_equal(hiai_next_here(), &frame);
    assert_hiai_ok(send_hastily(5, &frame));
    (void)hiai_next_here();
    (void)hiai_next_here();
}

static void refusal_of_the_other_side_leaves_the_block_with_one_hold(void **state) {
    struct frame frame = {.bytes = 5000};
    (void)state;
    for (int i = 0; i < 5; i++) assert_hiai_ok(send_to_gate(0, LONG_ENOUGH));
    frame.data = hiai_block(5000, MEMORY_ATTR_AUTO_FREE, 3);
    uint64_t sum = hiai_sum(frame.data, 5000);
    for (int i = 0; i < 6; i++) // more than the places of the target here
        assert_hiai(send_hastily(6, &frame), HIAI_QUEUE_FULL);
    assert_true(hiai_sum(frame.data, 5000) == sum);
    assert_hiai_ok(HIAI_DFree(frame.data));
    assert_hiai(HIAI_DFree(frame.data), HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_hiai_ok(hiai_ask(DO_OPEN_GATE, 0, 0).status);
    assert_int_equal(hiai_stats(GRAPH).localSends, 6); // to the Hasty
}

static void connection_leads_to_another_graph(void **state) {
    struct frame frame = {.bytes = 100};
    HIAI_PortID_t relay = {7, 5, 0};
    (void)state;
    assert_hiai_ok(
        hiai_create("graphs { graph_id: 7 engines { id: 5 engine_name: 'Relay' side: HOST }\n"
                    "connects { src_engine_id: 5 target_graph_id: 100\n"
                    "           target_engine_id: 4 } }"));
    assert_hiai_ok(HIAIX_SendData(relay, "frame", &frame, LONG_ENOUGH));
    assert_hiai(hiai_relayed(), HIAI_GRAPH_NOT_EXIST); // that graph may come later
    assert_hiai(HIAI_SetDataRecvFunctor(relay, callback), HIAI_PORT_ID_ERROR);
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(HIAIX_SendData(relay, "frame", &frame, LONG_ENOUGH));
    assert_hiai_ok(hiai_relayed());
    assert_ptr_equal(hiai_next_here(), &frame);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    assert_hiai_ok(HIAI_DestroyGraph(7));
}

// Of two threads of one engine.
static char names[2][16];
static atomic_int named;

static HIAI_StatusT tell_name(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    int at = atomic_fetch_add(&named, 1);
    (void)self;
    (void)port;
    (void)msg;
    (void)arg;
    (void)pthread_getname_np(pthread_self(), names[at], sizeof names[at]);
    while (atomic_load(&named) < 2) hiai_nap_ms(10); // the other thread takes the other message
    return HIAI_OK;
}

static void threads_of_an_engine_have_names_and_work_at_once(void **state) {
    HIAI_PortID_t to = {7, 1234, 0};
    int message = 1;
    (void)state;
    assert_hiai_ok(HIAIX_RegisterEngine("Namer", 1, 0, tell_name, NULL));
    assert_hiai_ok(hiai_create("graphs { graph_id: 7 engines { id: 1234 engine_name: 'Namer'\n"
                               "side: HOST thread_num: 2 thread_priority: 5 } }"));
    assert_hiai_ok(HIAIX_SendData(to, "any", &message, 0));
    assert_hiai_ok(HIAIX_SendData(to, "any", &message, 0));
    wait_for_count(&named, 2);
    assert_hiai_ok(HIAI_DestroyGraph(7));
    bool in_order = strcmp(names[0], "e1234_w0") == 0;
    assert_string_equal(names[in_order ? 0 : 1], "e1234_w0");
    assert_string_equal(names[in_order ? 1 : 0], "e1234_w1");
    assert_hiai_ok(HIAIX_UnregisterEngine("Namer"));
}

#define WITH_GRAPH(test) cmocka_unit_test_setup_teardown(test, hiai_setup, hiai_teardown)
#define WITH_FAN(test)   cmocka_unit_test_setup_teardown(test, fan_setup, hiai_teardown)

static const struct CMUnitTest tests[] = {
    WITH_GRAPH(full_port_refuses_and_holds_up_no_other),
    WITH_GRAPH(default_timeout_is_what_the_c_send_waits),
    WITH_GRAPH(engine_sees_how_full_its_queue_is),
    WITH_GRAPH(send_on_one_side_hands_the_pointer_over),
    WITH_GRAPH(full_port_here_refuses),
    WITH_GRAPH(raw_message_on_one_side_leaves_its_data_with_the_sender),
    WITH_GRAPH(missing_targets_are_named),
    WITH_GRAPH(function_at_a_port_hears_what_comes_after_it_was_set),
    WITH_GRAPH(functions_are_set_where_the_engine_runs),
    WITH_GRAPH(messages_of_a_thread_to_a_port_arrive_in_order),
    WITH_FAN(engines_on_the_other_side_share_one_message),
    WITH_FAN(targets_on_both_sides_leave_the_block_here_too),
    WITH_FAN(failed_send_to_several_reaches_none),
    cmocka_unit_test_setup_teardown(full_target_gives_the_places_of_the_others_back, hasty_setup,
                                    hiai_teardown),
    cmocka_unit_test_setup_teardown(refusal_of_the_other_side_leaves_the_block_with_one_hold,
                                    hasty_setup, hiai_teardown),
    cmocka_unit_test_setup_teardown(connection_leads_to_another_graph, hiai_setup_alone,
                                    hiai_teardown_alone),
    cmocka_unit_test_setup_teardown(threads_of_an_engine_have_names_and_work_at_once,
                                    hiai_setup_alone, hiai_teardown_alone),
};

HIAI_MAIN(tests)
