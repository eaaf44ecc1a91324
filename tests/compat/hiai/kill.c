// SPDX-License-Identifier: Apache-2.0
// Device processes killed at any moment while threads allocate, send and receive: each time the
// host hears of it once, has its pool back, and goes on with a new graph; 40 rounds. And hosts,
// from before they meet their device process on: each time that one ends; 12 rounds.
// TARN_TEST_ROUNDS for more. The channel's own test has 200 rounds with either side.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/hiai.h"

static atomic_int events;

static HIAI_StatusT on_event(uint32_t graph, void *arg) {
    (void)graph;
    (void)arg;
    atomic_fetch_add(&events, 1);
    return HIAI_OK;
}

static uint32_t draw(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % below);
}

// Sends until it is told that nobody is there. Some are echoed, some kept there.
static void *send_until_gone(void *arg) {
    uint64_t seed = (uint64_t)(uintptr_t)arg;
    HIAI_StatusT status = HIAI_OK;
    while (status != HIAI_HDC_SESSION_DEAD) {
        uint32_t flag = draw(&seed, 2) == 0 ? MEMORY_ATTR_AUTO_FREE : MEMORY_ATTR_MANUAL_FREE;
        uint32_t bytes = 1 + draw(&seed, 300 * KIB);
        uint32_t what = draw(&seed, 4) == 0 && flag == MEMORY_ATTR_AUTO_FREE ? SEND_BACK : FREE_IT;
        uint8_t *block = (uint8_t *)HIAI_DMalloc(bytes, draw(&seed, 3), flag);
        if (block != NULL) {
            status = hiai_send_to(WORKER, 1, what, block, bytes, draw(&seed, 3));
            if (status != HIAI_OK || flag == MEMORY_ATTR_MANUAL_FREE)
                assert_hiai_ok(HIAI_DFree(block));
        }
    }
    return NULL;
}

static void free_what_came_back(void) {
    while (hiai_frames_waiting() != 0) assert_hiai_ok(HIAI_DFree(hiai_next_frame().data));
}

static void wait_for_event(void) {
    while (atomic_load(&events) == 0) {
        free_what_came_back();
        hiai_nap_ms(5);
    }
    assert_int_equal(atomic_load(&events), 1);
}

static void play(uint64_t round) {
    pthread_t threads[3];
    uint64_t seed = round;
    atomic_store(&events, 0);
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(HIAIX_RegisterEventHandle(GRAPH, HIAIX_EVENT_DISCONNECT, on_event, NULL));
    pid_t device = (pid_t)hiai_ask(DO_PID, 0, 0).value;
    for (uintptr_t i = 0; i < 3; i++) {
        assert_int_equal(
            pthread_create(&threads[i], NULL, send_until_gone, (void *)(round * 3 + i)), 0);
    }
    for (uint32_t naps = draw(&seed, 8); naps > 0; naps--) {
        free_what_came_back();
        hiai_nap_ms(1);
    }
    assert_int_equal(kill(device, SIGKILL), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    wait_for_event();
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    free_what_came_back();
    assert_int_equal(atomic_load(&events), 1);
}

static int rounds(int otherwise) {
    const char *text = getenv("TARN_TEST_ROUNDS");
    return text != NULL ? atoi(text) : otherwise;
}

static void killed_device_leaves_the_host_whole(void **state) {
    (void)state;
    for (int round = 0; round < rounds(40); round++) play((uint64_t)round);
    assert_hiai_ok(hiai_create("graphs { graph_id: 100 }"));
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 0);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
}

// ---- hosts

static void be_a_host(const char *path) {
    pthread_t thread;
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai_ok(HIAI_CreateGraph(path, strlen(path)));
    assert_int_equal(pthread_create(&thread, NULL, send_until_gone, NULL), 0);
    for (;;) {
        free_what_came_back();
        hiai_nap_ms(1);
    }
}

// Orphans become our children: all of them end.
static void killed_host_takes_its_device_along(void **state) {
    const char *path = hiai_file(hiai_graph_text);
    uint64_t seed = 1;
    int status;
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    for (int round = 0; round < rounds(12); round++) {
        pid_t host = fork();
        assert_true(host >= 0);
        if (host == 0) be_a_host(path);
        hiai_nap_ms(draw(&seed, 60));
        assert_int_equal(kill(host, SIGKILL), 0);
        while (waitpid(-1, &status, 0) > 0) {
        }
    }
    assert_int_equal(unlink(path), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(killed_device_leaves_the_host_whole, hiai_setup_alone,
                                    hiai_teardown_alone),
    cmocka_unit_test(killed_host_takes_its_device_along),
};

HIAI_MAIN(tests)
