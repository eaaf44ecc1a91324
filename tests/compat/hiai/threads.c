// SPDX-License-Identifier: Apache-2.0
// Conformance test 26: sixteen threads that allocate, send and free at random. Nothing may be left
// at the end. Runs for TARN_TEST_SECONDS, 2 without it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "support/hiai.h"

#define THREADS 16

struct worker {
    uint64_t seed;
    uint64_t until_ms;
    uint64_t sent;
    uint64_t wrong;
};

static uint32_t draw(struct worker *w, uint32_t below) {
    w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((w->seed >> 33) % below);
}

static bool may_be_refused(HIAI_StatusT status) {
    return status == HIAI_QUEUE_FULL || status == HIAI_GRAPH_NO_USEFUL_MEMORY;
}

static void send_block(struct worker *w, uint32_t flag) {
    uint32_t bytes = 1 + draw(w, draw(w, 8) == 0 ? 4 * MIB : 100 * KIB);
    uint8_t *block = (uint8_t *)HIAI_DMalloc(bytes, draw(w, 3), flag);
    if (block == NULL) {
        w->wrong += HIAIX_GetLastError() != HIAI_GRAPH_NO_MEMORY;
        return;
    }
    block[0] = 1;
    block[bytes - 1] = 2;
    HIAI_StatusT status = hiai_send_to(WORKER, 1, FREE_IT, block, bytes, draw(w, 3));
    w->sent += status == HIAI_OK;
    w->wrong += status != HIAI_OK && !may_be_refused(status);
    if (status != HIAI_OK || flag == MEMORY_ATTR_MANUAL_FREE)
        w->wrong += HIAI_DFree(block) != HIAI_OK;
}

static void send_plain(struct worker *w) {
    uint8_t plain[3000] = {1};
    HIAI_StatusT status = hiai_send_to(WORKER, 1, FREE_IT, plain, sizeof plain, draw(w, 3));
    w->sent += status == HIAI_OK;
    w->wrong += status != HIAI_OK && !may_be_refused(status);
}

// There and back again, to whichever thread is first.
static void echo(struct worker *w) {
    uint8_t *block = (uint8_t *)HIAI_DMalloc(5000, draw(w, 3), MEMORY_ATTR_AUTO_FREE);
    if (block == NULL) return;
    HIAI_StatusT status = hiai_send_to(WORKER, 1, SEND_BACK, block, 5000, draw(w, 3));
    if (status == HIAI_OK) {
        w->wrong += HIAI_DFree(hiai_next_frame().data) != HIAI_OK;
        return;
    }
    w->wrong += !may_be_refused(status) || HIAI_DFree(block) != HIAI_OK;
}

static void *work(void *arg) {
    struct worker *w = (struct worker *)arg;
    static const uint32_t flags[] = {MEMORY_ATTR_NONE, MEMORY_ATTR_AUTO_FREE,
                                     MEMORY_ATTR_MANUAL_FREE};
    while (hiai_now_ms() < w->until_ms || w->sent <= 100 / THREADS) {
        switch (draw(w, 8)) {
        case 0: send_plain(w); break;
        case 1: echo(w); break;
        case 2: w->wrong += HIAI_DFree(hiai_block(1 + draw(w, 200 * KIB), 4, 1)) != HIAI_OK; break;
        default: send_block(w, flags[draw(w, 3)]); break;
        }
    }
    return NULL;
}

static void threads_lose_nothing(void **state) {
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    const char *text = getenv("TARN_TEST_SECONDS");
    uint64_t until = hiai_now_ms() + 1000 * (uint64_t)(text != NULL ? atoi(text) : 2);
    uint64_t sent = 0;
    (void)state;
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.seed = i, .until_ms = until};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
        sent += workers[i].sent;
    }
    assert_true(sent > 100);
    assert_int_equal(hiai_stats(GRAPH).failures, 0);
    print_message("%llu messages\n", (unsigned long long)sent);
}

// ---- several graphs, each with its device process, over one pool

#define GRAPHS 4

static const char side_by_side[] =
    "graphs { graph_id: %u engines { id: 1 engine_name: 'Answers' side: HOST }\n"
    "  engines { id: 2 engine_name: 'Worker' }\n"
    "  connects { src_engine_id: 2 src_port_id: 1 target_engine_id: 1 target_port_id: 1 } }";

static void *go_there_and_back(void *arg) {
    HIAI_PortID_t to = {(uint32_t)(uintptr_t)arg, WORKER, 1};
    for (int i = 0; i < 500; i++) {
        struct frame frame = {.number = SEND_BACK, .bytes = 5000};
        frame.data = (uint8_t *)HIAI_DMalloc(5000, LONG_ENOUGH, MEMORY_ATTR_AUTO_FREE);
        assert_non_null(frame.data);
        assert_hiai_ok(HIAIX_SendData(to, "frame", &frame, LONG_ENOUGH));
        assert_hiai_ok(HIAI_DFree(hiai_next_frame().data)); // of whichever graph
        if (i % 100 == 0) hiai_nap_ms(5);                   // all sleep
    }
    return NULL;
}

static void graphs_side_by_side_lose_nothing(void **state) {
    pthread_t threads[GRAPHS];
    char text[sizeof side_by_side + 16];
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        (void)snprintf(text, sizeof text, side_by_side, 200 + i);
        assert_hiai_ok(hiai_create(text));
        assert_int_equal(
            pthread_create(&threads[i], NULL, go_there_and_back, (void *)(uintptr_t)(200 + i)), 0);
    }
    for (uint32_t i = 0; i < GRAPHS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(hiai_stats(200).poolBlocks, 0);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        assert_int_equal(hiai_stats(200 + i).copies, 0);
        assert_hiai_ok(HIAI_DestroyGraph(200 + i));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(threads_lose_nothing, hiai_setup, hiai_teardown),
    cmocka_unit_test_setup_teardown(graphs_side_by_side_lose_nothing, hiai_setup_alone,
                                    hiai_teardown_alone),
};

HIAI_MAIN(tests)
