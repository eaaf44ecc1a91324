// SPDX-License-Identifier: Apache-2.0
// Claims about the queue of a stream, made without workers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/host/engine/queue.c"

struct world {
    struct tn_host_engine engine;
    struct tn_host_engine_device device;
    struct tn_soft_failure failure;
    struct tn_host_stream stream;
};

// A stream with two host functions, of which the first is ready. The lock is held.
static int set_up(void **state) {
    struct world *w = (struct world *)calloc(1, sizeof *w);
    assert_non_null(w);
    w->engine.devices = &w->device;
    tn_spin_init(&w->engine.lock, TN_RANK_BACKEND_STREAM, "engine");
    w->stream.engine = &w->engine;
    w->stream.failure = &w->failure;
    tn_spin_lock(&w->engine.lock);
    for (int i = 0; i < 2; i++)
        tn_host_op_enqueue(&w->stream, tn_host_op_new(&w->engine, TN_HOST_OP_CALL));
    tn_host_streams_advance(&w->engine);
    *state = w;
    return 0;
}

static int tear_down(void **state) {
    struct world *w = (struct world *)*state;
    tn_host_stream_forget(&w->stream);
    while (w->engine.spare_ops != NULL) {
        struct tn_host_op *op = w->engine.spare_ops;
        w->engine.spare_ops = op->next;
        free(op);
    }
    tn_spin_unlock(&w->engine.lock);
    free(w);
    return 0;
}

static void an_operation_stays_at_the_head_until_it_is_complete(void **state) {
    struct world *w = (struct world *)*state;
    struct tn_host_stream *s = &w->stream;
    for (uint64_t number = 1; number <= 2; number++) {
        assert_int_equal(s->state, TN_HOST_STREAM_READY);
        assert_int_equal(w->engine.ready_count, 1);
        tn_host_stream_start(s);
        assert_int_equal(s->head->seq, number);
        assert_false(tn_host_stream_passed(s, number));
        tn_host_op_finish(s, NULL);
        tn_host_streams_advance(&w->engine);
        assert_true(tn_host_stream_passed(s, number));
    }
    assert_int_equal(s->state, TN_HOST_STREAM_IDLE);
    assert_int_equal(w->device.pending, 0);
}

static void a_failure_drops_what_is_behind_it(void **state) {
    struct world *w = (struct world *)*state;
    tn_host_stream_start(&w->stream);
    tn_host_op_finish(&w->stream, "out of order");
    tn_host_streams_advance(&w->engine);
    assert_null(w->stream.head);
    assert_int_equal(tn_host_stream_status(&w->stream), TARN_DEVICE_FAILED);
}

static void a_queue_out_of_order_is_not_sound(void **state) {
    struct world *w = (struct world *)*state;
    struct tn_host_stream *s = &w->stream;
    struct tn_host_op *tail = s->tail;
    assert_true(is_sound(s));
    tail->seq = s->head->seq; // two operations of one number
    assert_false(is_sound(s));
    tail->seq = w->engine.seq + 1; // one that was never submitted
    assert_false(is_sound(s));
    tail->seq = w->engine.seq;
    s->tail = NULL;
    assert_false(is_sound(s));
    s->tail = s->head; // behind which there is another one
    assert_false(is_sound(s));
    s->tail = tail;
    s->state = TN_HOST_STREAM_WAITING; // for no event
    assert_false(is_sound(s));
    s->state = TN_HOST_STREAM_READY;
    assert_true(is_sound(s));
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CLAIM(an_operation_stays_at_the_head_until_it_is_complete),
        CLAIM(a_failure_drops_what_is_behind_it),
        CLAIM(a_queue_out_of_order_is_not_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
