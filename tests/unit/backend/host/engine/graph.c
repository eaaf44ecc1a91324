// SPDX-License-Identifier: Apache-2.0
// Random graphs of streams and events against a sequential model. Steps on a few blocks of memory
// are spread over many streams. If a step uses data of a step on another stream, an event orders
// them, so the result must be that of executing all steps in sequence. Events are few, and are
// recorded again while waits for their last record are pending.
#include "world.h"

#include <stdio.h>

#define BLOCKS      6u
#define BLOCK_BYTES ((uint64_t)320 * 1024)
#define STREAMS     9u
#define EVENTS      5u
#define NOBODY      UINT64_MAX

// The part of the world that one thread uses, and its expected contents.
struct graph {
    struct tn_host *h;
    tarn_addr base;
    uint64_t random;
    unsigned char *model; // BLOCKS * BLOCK_BYTES
    void *streams[STREAMS];
    void *events[EVENTS];
    uint64_t writer[BLOCKS];      // stream that wrote it last
    bool reader[BLOCKS][STREAMS]; // streams that read it since
    struct twist *twists;         // one per host function
    int steps;
    pthread_t thread;
};

// The work of a host function: adds a number to each byte of a part of a block.
struct twist {
    struct tn_host *h;
    tarn_addr addr;
    uint64_t bytes;
    unsigned char add;
};

static uint64_t roll(struct graph *g, uint64_t below) { return world_random(&g->random) % below; }

static unsigned char *model_at(struct graph *g, tarn_addr addr) {
    return g->model + (addr - g->base);
}

static void twist(void *arg) {
    const struct twist *t = (const struct twist *)arg;
    for (uint64_t i = 0; i < t->bytes; i++)
        *world_at(t->h, t->addr + i) = (unsigned char)(*world_at(t->h, t->addr + i) + t->add);
}

// Makes `stream` wait for all operations submitted to `other` so far.
static void order(struct graph *g, uint64_t stream, uint64_t other) {
    if (other != NOBODY && other != stream) {
        void *event = g->events[roll(g, EVENTS)];
        assert_int_equal(tn_host_event_record(g->h, event, g->streams[other]), TARN_OK);
        assert_int_equal(tn_host_stream_wait(g->h, g->streams[stream], event), TARN_OK);
    }
}

static void order_read(struct graph *g, uint64_t stream, uint64_t block) {
    order(g, stream, g->writer[block]);
    g->reader[block][stream] = true;
}

static void order_write(struct graph *g, uint64_t stream, uint64_t block) {
    order(g, stream, g->writer[block]);
    for (uint64_t i = 0; i < STREAMS; i++) {
        if (g->reader[block][i]) {
            order(g, stream, i);
            g->reader[block][i] = false;
        }
    }
    g->writer[block] = stream;
}

static void step_copy(struct graph *g, uint64_t stream, uint64_t from, uint64_t to) {
    uint64_t bytes = 1 + roll(g, BLOCK_BYTES);
    tarn_addr src = g->base + from * BLOCK_BYTES + roll(g, BLOCK_BYTES - bytes + 1);
    tarn_addr dst = g->base + to * BLOCK_BYTES + roll(g, BLOCK_BYTES - bytes + 1);
    order_read(g, stream, from);
    order_write(g, stream, to);
    memcpy(model_at(g, dst), model_at(g, src), bytes);
    assert_int_equal(world_copy(g->h, g->streams[stream], dst, src, bytes), TARN_OK);
}

static void step_fill(struct graph *g, uint64_t stream, uint64_t to) {
    uint64_t bytes = 1 + roll(g, BLOCK_BYTES);
    uint32_t value = (uint32_t)roll(g, 256);
    tarn_addr dst = g->base + to * BLOCK_BYTES;
    order_write(g, stream, to);
    memset(model_at(g, dst), (int)value, bytes);
    assert_int_equal(world_fill(g->h, g->streams[stream], dst, value, bytes), TARN_OK);
}

static void step_twist(struct graph *g, uint64_t stream, uint64_t to, struct twist *t) {
    t->h = g->h;
    t->addr = g->base + to * BLOCK_BYTES + roll(g, BLOCK_BYTES / 2);
    t->bytes = 1 + roll(g, 2000);
    t->add = (unsigned char)roll(g, 256);
    order_write(g, stream, to);
    for (uint64_t i = 0; i < t->bytes; i++)
        *model_at(g, t->addr + i) = (unsigned char)(*model_at(g, t->addr + i) + t->add);
    assert_int_equal(tn_host_stream_call(g->h, g->streams[stream], twist, t), TARN_OK);
}

// Sometimes the host waits, in each of the possible ways.
static void step_wait(struct graph *g) {
    uint64_t stream = roll(g, STREAMS);
    switch (roll(g, 4)) {
    case 0:
        assert_int_equal(tn_host_stream_synchronize(g->h, g->streams[stream], UINT64_MAX), TARN_OK);
        assert_int_equal(tn_host_stream_query(g->h, g->streams[stream]), TARN_OK);
        break;
    case 1:
        assert_int_equal(tn_host_event_synchronize(g->h, g->events[roll(g, EVENTS)], UINT64_MAX),
                         TARN_OK);
        break;
    case 2:
        assert_int_equal(tn_host_device_synchronize(g->h, (int)roll(g, WORLD_DEVICES), UINT64_MAX),
                         TARN_OK);
        break;
    default:
        tn_host_stream_destroy(g->h, g->streams[stream]);
        g->streams[stream] = world_stream(g->h, (int)roll(g, WORLD_DEVICES));
    }
}

static void step(struct graph *g, struct twist *t) {
    uint64_t stream = roll(g, STREAMS);
    uint64_t from = roll(g, BLOCKS);
    uint64_t to = (from + 1 + roll(g, BLOCKS - 1)) % BLOCKS;
    uint64_t what = roll(g, 100);
    if (what < 50)
        step_copy(g, stream, from, to);
    else if (what < 75)
        step_fill(g, stream, to);
    else if (what < 97)
        step_twist(g, stream, to, t);
    else
        step_wait(g);
}

static void graph_open(struct graph *g, struct tn_host *h, unsigned index, int steps) {
    *g = (struct graph){.h = h, .random = 1234567 + 7919 * index, .steps = steps};
    g->base = WORLD_BASE + index * BLOCKS * BLOCK_BYTES;
    g->model = (unsigned char *)calloc(BLOCKS, BLOCK_BYTES);
    g->twists = (struct twist *)calloc((size_t)steps, sizeof *g->twists);
    assert_true(g->model != NULL && g->twists != NULL);
    for (unsigned i = 0; i < STREAMS; i++)
        g->streams[i] = world_stream(h, (int)(i % WORLD_DEVICES));
    for (unsigned i = 0; i < EVENTS; i++) g->events[i] = world_event(h);
    for (unsigned i = 0; i < BLOCKS; i++) g->writer[i] = NOBODY;
}

static void graph_close(struct graph *g) {
    for (unsigned i = 0; i < STREAMS; i++) tn_host_stream_destroy(g->h, g->streams[i]);
    for (unsigned i = 0; i < EVENTS; i++) tn_host_event_destroy(g->h, g->events[i]);
    free(g->twists);
    free(g->model);
}

static void *graph_run(void *arg) {
    struct graph *g = (struct graph *)arg;
    for (int i = 0; i < g->steps; i++) step(g, &g->twists[i]);
    return NULL;
}

static void assert_graph_is_its_model(struct graph *g) {
    for (unsigned i = 0; i < STREAMS; i++)
        assert_int_equal(tn_host_stream_synchronize(g->h, g->streams[i], UINT64_MAX), TARN_OK);
    for (uint64_t at = 0; at < BLOCKS * BLOCK_BYTES; at += WORLD_PAGE)
        assert_memory_equal(world_at(g->h, g->base + at), g->model + at, WORLD_PAGE);
}

static void run_graphs_in(unsigned threads, unsigned workers, enum tn_host_schedule schedule,
                          int steps) {
    struct tn_host *h = world_open(workers);
    tn_host_engine_set_schedule(&h->engine, schedule, 7);
    struct graph graphs[4];
    for (unsigned i = 0; i < threads; i++) graph_open(&graphs[i], h, i, steps);
    for (unsigned i = 0; i < threads; i++)
        assert_int_equal(pthread_create(&graphs[i].thread, NULL, graph_run, &graphs[i]), 0);
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(graphs[i].thread, NULL);
        assert_graph_is_its_model(&graphs[i]);
        graph_close(&graphs[i]);
    }
    world_close(h);
}

static void run_graphs(unsigned threads, unsigned workers) {
    run_graphs_in(threads, workers, TN_HOST_SCHEDULE_PARALLEL, 3000);
}

static void every_schedule_runs_random_graphs_as_their_models(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        run_graphs_in(threads, 2, TN_HOST_SCHEDULE_EAGER, 1000);
        run_graphs_in(threads, 2, TN_HOST_SCHEDULE_LATE, 1000);
        run_graphs_in(threads, 2, TN_HOST_SCHEDULE_RANDOM, 1000);
    }
}

static void one_worker_runs_a_random_graph_as_its_model(void **state) {
    (void)state;
    run_graphs(1, 1);
}

static void two_workers_run_a_random_graph_as_its_model(void **state) {
    (void)state;
    run_graphs(1, 2);
}

static void four_threads_run_random_graphs_as_their_models(void **state) {
    (void)state;
    run_graphs(4, 3);
}

// ---- races around waking

struct ping {
    struct tn_host *h;
    unsigned rounds;
    uint64_t seen;
};

static void count_up(void *arg) { (*(uint64_t *)arg)++; }

static void *ping(void *arg) {
    struct ping *p = (struct ping *)arg;
    void *stream = world_stream(p->h, 0);
    void *event = world_event(p->h);
    for (unsigned i = 0; i < p->rounds; i++) {
        assert_int_equal(tn_host_stream_call(p->h, stream, count_up, &p->seen), TARN_OK);
        assert_int_equal(tn_host_event_record(p->h, event, stream), TARN_OK);
        assert_int_equal(i % 2 == 0 ? tn_host_stream_synchronize(p->h, stream, UINT64_MAX)
                                    : tn_host_event_synchronize(p->h, event, UINT64_MAX),
                         TARN_OK);
        assert_int_equal(p->seen, i + 1);
    }
    tn_host_event_destroy(p->h, event);
    tn_host_stream_destroy(p->h, stream);
    return NULL;
}

// A lost wake-up would hang this test.
static void nobody_sleeps_through_a_wake_up(void **state) {
    struct tn_host *h = world_open(2);
    struct ping pings[3];
    pthread_t threads[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        pings[i] = (struct ping){.h = h, .rounds = 4000};
        assert_int_equal(pthread_create(&threads[i], NULL, ping, &pings[i]), 0);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    world_close(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_runs_a_random_graph_as_its_model),
        cmocka_unit_test(two_workers_run_a_random_graph_as_its_model),
        cmocka_unit_test(four_threads_run_random_graphs_as_their_models),
        cmocka_unit_test(every_schedule_runs_random_graphs_as_their_models),
        cmocka_unit_test(nobody_sleeps_through_a_wake_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
