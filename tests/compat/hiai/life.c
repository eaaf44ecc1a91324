// SPDX-License-Identifier: Apache-2.0
// The life of graphs: several of them, the end of stuck ones, and peers that are killed.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/child.h"
#include "support/hiai.h"

static const char here_text[] =
    "graphs { graph_id: 101 engines { id: 4 engine_name: \"Here\" side: HOST queue_size: 4 } }\n"
    "graphs { graph_id: 7 engines { id: 4 engine_name: \"Here\" side: HOST } }\n";

// ---- several graphs

static void ids_are_told_in_order(void **state) {
    uint32_t id = 0;
    (void)state;
    assert_hiai(HIAI_GetFirstGraphId(&id), HIAI_GRAPH_GET_GRAPHID_ERROR);
    assert_hiai_ok(hiai_create(here_text));
    assert_hiai_ok(HIAI_GetFirstGraphId(&id));
    assert_int_equal(id, 7);
    assert_hiai_ok(HIAI_GetNextGraphId(7, &id));
    assert_int_equal(id, 101);
    assert_hiai(HIAI_GetNextGraphId(101, &id), HIAI_GRAPH_GET_GRAPHID_ERROR);
    assert_hiai(HIAI_GetNextGraphId(UINT32_MAX, &id), HIAI_GRAPH_GET_GRAPHID_ERROR);
    assert_hiai(HIAI_GetFirstGraphId(NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAI_GetNextGraphId(0, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(hiai_create(here_text), HIAI_GRAPH_ID_EXIST);
    assert_hiai_ok(HIAI_DestroyGraph(7));
    assert_hiai(HIAI_DestroyGraph(7), HIAI_GRAPH_NOT_EXIST);
    assert_hiai_ok(HIAI_DestroyGraph(101));
}

static void first_id_may_be_zero(void **state) {
    uint32_t id = 77;
    (void)state;
    assert_hiai_ok(hiai_create("graphs { graph_id: 0 } graphs { graph_id: 1 }"));
    assert_hiai_ok(HIAI_GetFirstGraphId(&id));
    assert_int_equal(id, 0);
    assert_hiai_ok(HIAI_DestroyGraph(0));
    assert_hiai_ok(HIAI_DestroyGraph(1));
}

// All or none: the second graph is there already.
static void file_of_graphs_is_created_whole_or_not(void **state) {
    uint32_t id;
    (void)state;
    assert_hiai_ok(hiai_create("graphs { graph_id: 7 }"));
    assert_hiai(hiai_create(here_text), HIAI_GRAPH_ID_EXIST);
    assert_hiai_ok(HIAI_GetFirstGraphId(&id));
    assert_int_equal(id, 7);
    assert_hiai(HIAI_GetNextGraphId(7, &id), HIAI_GRAPH_GET_GRAPHID_ERROR);
    assert_hiai_ok(HIAI_DestroyGraph(7));
}

// Conformance test 28. The first one made the device process; blocks are under way.
static void destroying_the_first_graph_leaves_the_pool_to_the_second(void **state) {
    uint8_t *before = hiai_block(1000, MEMORY_ATTR_AUTO_FREE, 5);
    (void)state;
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(hiai_create(here_text));
    uint8_t *sent = hiai_block(1000, MEMORY_ATTR_AUTO_FREE, 5);
    assert_hiai_ok(hiai_send(KEEP_IT, sent, 1000));
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    for (int i = 0; i < 100; i++) // never MEMORY_POOL_STOPPED
        assert_hiai_ok(HIAI_DFree(hiai_block(5000, MEMORY_ATTR_MANUAL_FREE, 1)));
    HIAI_PortID_t here = {101, HERE, 0};
    assert_hiai_ok(HIAIX_SendData(here, "any", before, 0));
    assert_ptr_equal(hiai_next_here(), before);
    assert_hiai_ok(HIAI_DFree(before));
    assert_int_equal(hiai_stats(101).poolBlocks, 0); // what the first one's device kept came back
    assert_hiai_ok(HIAI_DestroyGraph(101));
    assert_hiai_ok(HIAI_DestroyGraph(7));
}

static void statistics_fill_what_the_caller_knows(void **state) {
    struct {
        size_t size;
        uint64_t pool;
        uint64_t beyond;
    } small = {2 * sizeof(uint64_t), 0, 77};
    struct HIAIX_Stats stats = {.size = 8};
    (void)state;
    assert_hiai_ok(hiai_create("graphs { graph_id: 7 }"));
    assert_hiai(HIAIX_Stats(7, NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAIX_Stats(7, &stats), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai_ok(HIAIX_Stats(7, (struct HIAIX_Stats *)(void *)&small));
    assert_int_equal(small.pool, 32 * MIB);
    assert_int_equal(small.beyond, 77);
    assert_hiai_ok(HIAI_DestroyGraph(7));
    stats.size = sizeof stats;
    assert_hiai(HIAIX_Stats(7, &stats), HIAI_GRAPH_NOT_EXIST);
}

static void count_end(void *msg, void *arg) {
    (void)msg;
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void waiting_messages_are_destroyed_with_their_graph(void **state) {
    int messages[4];
    atomic_int ended = 0;
    HIAI_PortID_t here = {101, HERE, 0};
    (void)state;
    assert_hiai_ok(hiai_create(here_text));
    assert_hiai_ok(HIAIX_SetDestroyTimeout(60));
    hiai_close_gate_here();
    for (int i = 0; i < 4; i++) {
        assert_hiai_ok(HIAIX_Adopt(&messages[i], count_end, &ended));
        assert_hiai_ok(HIAIX_SendData(here, "any", &messages[i], 0));
        assert_hiai_ok(HIAIX_Release(&messages[i]));
    }
    assert_ptr_equal(hiai_next_here(), &messages[0]);
    assert_hiai(HIAI_DestroyGraph(101), HIAI_GRAPH_DESTROY_TIMEOUT);
    hiai_open_gate_here();
    assert_hiai_ok(HIAIX_SetDestroyTimeout(30000));
    assert_hiai_ok(HIAI_DestroyGraph(101)); // the engine has had the first one, and no other
    assert_int_equal(atomic_load(&ended), 4);
    assert_hiai_ok(HIAI_DestroyGraph(7));
}

// ---- blocks between several device processes

static const char second_text[] =
    "graphs { graph_id: 102 engines { id: 1 engine_name: 'Answers' side: HOST }\n"
    "  engines { id: 6 engine_name: 'Teller' } }";

// Takes all of the pool, and returns the number of blocks.
static size_t fill_pool(void *blocks[], size_t max) {
    size_t count = 0;
    for (uint32_t bytes = 16 * MIB; bytes >= 4096; bytes /= 2)
        while (count < max &&
               (blocks[count] = HIAI_DMalloc(bytes, 0, MEMORY_ATTR_AUTO_FREE)) != NULL)
            count++;
    return count;
}

static void block_of_one_device_stays_if_it_cannot_be_copied(void **state) {
    static void *blocks[10000];
    HIAI_PortID_t teller = {102, 6, 0};
    (void)state;
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(hiai_create(second_text));
    assert_hiai_ok(hiai_ask(DO_SEND_FRAME, 50000, MEMORY_ATTR_AUTO_FREE).status);
    struct frame frame = hiai_next_frame();
    uint64_t sum = hiai_sum(frame.data, frame.bytes);
    size_t count = fill_pool(blocks, sizeof blocks / sizeof blocks[0]);
    assert_hiai(HIAIX_SendData(teller, "frame", &frame, 1), HIAI_GRAPH_NO_USEFUL_MEMORY);
    assert_true(hiai_sum(frame.data, frame.bytes) == sum);
    while (count-- > 0) assert_hiai_ok(HIAI_DFree(blocks[count]));
    assert_hiai_ok(HIAI_DFree(frame.data));
    assert_hiai_ok(HIAI_DestroyGraph(102));
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
}

// A block of one device goes to another through the host: copied, and then its owner has it back.
static void block_of_one_device_is_copied_for_another(void **state) {
    HIAI_PortID_t teller = {102, 6, 0};
    (void)state;
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(hiai_create(second_text));
    assert_hiai_ok(hiai_ask(DO_SEND_FRAME, 50000, MEMORY_ATTR_AUTO_FREE).status);
    struct frame frame = hiai_next_frame();
    uint64_t sum = hiai_sum(frame.data, frame.bytes);
    struct frame longer = frame;
    longer.bytes = 50001;
    assert_hiai(HIAIX_SendData(teller, "frame", &longer, 0), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai_ok(HIAIX_SendData(teller, "frame", &frame, LONG_ENOUGH));
    assert_true(hiai_next_reply().value == sum);
    assert_int_equal(hiai_stats(102).copies, 1);
    assert_hiai(HIAI_DFree(frame.data), HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_int_equal(hiai_ask(DO_STATS, 0, 0).value, 0); // it is back
    assert_hiai_ok(HIAI_DestroyGraph(102));
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
}

// ---- conformance test 27

static void stuck_engine_here_is_told_and_can_be_waited_for_again(void **state) {
    int message = 1;
    HIAI_PortID_t here = {101, HERE, 0};
    (void)state;
    assert_hiai_ok(hiai_create(here_text));
    assert_hiai_ok(HIAIX_SetDestroyTimeout(60));
    hiai_close_gate_here();
    for (int i = 0; i < 3; i++) assert_hiai_ok(HIAIX_SendData(here, "any", &message, 0));
    assert_ptr_equal(hiai_next_here(), &message); // it is stuck now
    assert_hiai(HIAI_DestroyGraph(101), HIAI_GRAPH_DESTROY_TIMEOUT);
    assert_hiai(HIAIX_SendData(here, "any", &message, 0), HIAI_QUEUE_STOPPED);
    assert_hiai(HIAI_DestroyGraph(101), HIAI_GRAPH_DESTROY_TIMEOUT);
    hiai_open_gate_here();
    assert_hiai_ok(HIAIX_SetDestroyTimeout(30000));
    assert_hiai_ok(HIAI_DestroyGraph(101));
    assert_hiai_ok(HIAI_DestroyGraph(7));
    assert_hiai(HIAIX_SendData(here, "any", &message, 0), HIAI_GRAPH_NOT_EXIST);
}

static void stuck_engine_of_the_device_is_cut_off(void **state) {
    (void)state;
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(hiai_ask(DO_HANG, 0, 0).status);
    assert_hiai_ok(HIAIX_SetDestroyTimeout(60));
    assert_hiai(HIAI_DestroyGraph(GRAPH), HIAI_GRAPH_DESTROY_TIMEOUT);
    assert_hiai_ok(HIAIX_SetDestroyTimeout(30000));
    assert_hiai(HIAI_DestroyGraph(GRAPH), HIAI_GRAPH_NOT_EXIST);
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
}

struct blocked {
    pthread_t thread;
    _Atomic(HIAI_StatusT) status;
};

static void *send_for_ever(void *arg) {
    struct blocked *b = (struct blocked *)arg;
    HIAI_StatusT status = HIAI_OK;
    while (status == HIAI_OK) status = hiai_send_to(GATE, 0, FREE_IT, NULL, 0, UINT32_MAX);
    atomic_store(&b->status, status);
    return NULL;
}

// The gate has one message and four wait before it, so the next send waits.
static void start_blocked(struct blocked *b) {
    uint64_t before = hiai_stats(GRAPH).sends;
    atomic_init(&b->status, 0);
    assert_int_equal(pthread_create(&b->thread, NULL, send_for_ever, b), 0);
    while (hiai_stats(GRAPH).sends < before + 5 || hiai_stats(GRAPH).sendWaits < 1) hiai_nap_ms(5);
    assert_int_equal(atomic_load(&b->status), 0);
}

static void blocked_send_ends_with_its_graph(void **state) {
    struct blocked blocked;
    (void)state;
    assert_hiai_ok(hiai_create(hiai_graph_text));
    start_blocked(&blocked);
    assert_hiai_ok(HIAIX_SetDestroyTimeout(100)); // the gate is never opened
    assert_hiai(HIAI_DestroyGraph(GRAPH), HIAI_GRAPH_DESTROY_TIMEOUT);
    assert_int_equal(pthread_join(blocked.thread, NULL), 0);
    assert_hiai(atomic_load(&blocked.status), HIAI_QUEUE_STOPPED);
    assert_hiai_ok(HIAIX_SetDestroyTimeout(30000));
}

static _Atomic(HIAI_StatusT) destroyed_from_within;

static HIAI_StatusT destroy_own_graph(void *msg) {
    (void)msg;
    atomic_store(&destroyed_from_within, HIAI_DestroyGraph(101));
    return HIAI_OK;
}

static void graph_is_not_destroyed_by_its_own_threads(void **state) {
    int message = 1;
    HIAI_PortID_t here = {101, HERE, 0};
    (void)state;
    atomic_store(&destroyed_from_within, 0);
    assert_hiai_ok(hiai_create(here_text));
    assert_hiai_ok(HIAI_SetDataRecvFunctor(here, destroy_own_graph));
    assert_hiai_ok(HIAIX_SendData(here, "any", &message, 0));
    assert_ptr_equal(hiai_next_here(), &message);
    while (atomic_load(&destroyed_from_within) == 0) hiai_nap_ms(10);
    assert_hiai(atomic_load(&destroyed_from_within), HIAI_GRAPH_ENGINE_DESTROY_FAILED);
    assert_hiai_ok(HIAI_DestroyGraph(101));
    assert_hiai_ok(HIAI_DestroyGraph(7));
}

// ---- conformance test 23: the device is killed

static atomic_int events;

static HIAI_StatusT on_event(uint32_t graph, void *arg) {
    assert_int_equal(graph, GRAPH);
    assert_ptr_equal(arg, &events);
    // No lock is held: calls work from here.
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 0);
    assert_hiai(hiai_send_to(WORKER, 1, FREE_IT, NULL, 0, 0), HIAI_HDC_SESSION_DEAD);
    atomic_fetch_add(&events, 1);
    return HIAI_OK;
}

static pid_t create_watched(void) {
    atomic_store(&events, 0);
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai(HIAIX_RegisterEventHandle(GRAPH + 1, 0, on_event, &events), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAIX_RegisterEventHandle(GRAPH, 1, on_event, &events), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai_ok(HIAIX_RegisterEventHandle(GRAPH, HIAIX_EVENT_DISCONNECT, on_event, &events));
    return (pid_t)hiai_ask(DO_PID, 0, 0).value;
}

static void wait_for_event(void) {
    while (atomic_load(&events) == 0) hiai_nap_ms(5);
    assert_int_equal(atomic_load(&events), 1);
}

// The graph without its device, and after it.
static void clear_up(void) {
    wait_for_event();
    assert_hiai(hiai_send(FREE_IT, NULL, 0), HIAI_HDC_SESSION_DEAD);
    assert_hiai(HIAIX_RegisterEventHandle(GRAPH, 0, on_event, &events), HIAI_HDC_SESSION_DEAD);
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 0);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    assert_int_equal(atomic_load(&events), 1);
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(hiai_ask(DO_DMALLOC, 1, 2).status);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    assert_int_equal(atomic_load(&events), 1);
}

static void device_killed_between_sends_is_told_once(void **state) {
    pid_t device = create_watched();
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_hiai_ok(hiai_send(KEEP_IT, hiai_block(9000, MEMORY_ATTR_AUTO_FREE, 1), 9000));
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 10);
    assert_int_equal(kill(device, SIGKILL), 0);
    wait_for_event();
    assert_true(hiai_stats(GRAPH).reclaimed >= 10);
    clear_up();
}

static void device_killed_during_a_send_ends_it(void **state) {
    struct blocked blocked;
    pid_t device = create_watched();
    (void)state;
    start_blocked(&blocked);
    assert_int_equal(kill(device, SIGKILL), 0);
    assert_int_equal(pthread_join(blocked.thread, NULL), 0);
    assert_hiai(atomic_load(&blocked.status), HIAI_HDC_SESSION_DEAD);
    clear_up();
}

static void *alloc_for_ever(void *arg) {
    *(void **)arg = HIAI_DMalloc(20 * MIB, UINT32_MAX, MEMORY_ATTR_AUTO_FREE);
    return NULL;
}

static void device_killed_during_a_dmalloc_gives_it_room(void **state) {
    pthread_t thread;
    void *block = NULL;
    pid_t device = create_watched();
    (void)state;
    assert_hiai_ok(hiai_send(KEEP_IT, hiai_block(20 * MIB, MEMORY_ATTR_AUTO_FREE, 1), 20 * MIB));
    assert_int_equal(pthread_create(&thread, NULL, alloc_for_ever, &block), 0);
    hiai_nap_ms(50);
    assert_hiai_ok(HIAIX_RegisterEventHandle(GRAPH, 0, NULL, NULL)); // the block is live by then
    assert_int_equal(kill(device, SIGKILL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_non_null(block);
    assert_hiai_ok(HIAI_DFree(block));
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    assert_int_equal(atomic_load(&events), 0);
}

static void device_that_ends_by_itself_is_told_too(void **state) {
    (void)state;
    (void)create_watched();
    hiai_order(DO_EXIT, 0, 0);
    clear_up();
}

// Blocks of the device that the host still reads stay until it frees them.
static void block_of_a_killed_device_can_be_read_and_freed(void **state) {
    pid_t device = create_watched();
    (void)state;
    assert_hiai_ok(hiai_ask(DO_SEND_FRAME, 100000, MEMORY_ATTR_AUTO_FREE).status);
    struct frame frame = hiai_next_frame();
    uint64_t sum = hiai_sum(frame.data, frame.bytes);
    assert_int_equal(kill(device, SIGKILL), 0);
    clear_up();
    assert_true(hiai_sum(frame.data, frame.bytes) == sum);
    assert_hiai_ok(HIAI_DFree(frame.data));
}

static void messages_of_a_dead_device_are_delivered(void **state) {
    (void)state;
    (void)create_watched();
    for (int i = 0; i < 20; i++) hiai_order(DO_SEND_FRAME, 5000, MEMORY_ATTR_AUTO_FREE);
    hiai_order(DO_EXIT, 0, 0);
    for (int i = 0; i < 20; i++) {
        assert_hiai_ok(hiai_next_reply().status);
        struct frame frame = hiai_next_frame();
        assert_int_equal(frame.bytes, 5000);
        assert_int_equal(frame.data[0], (uint8_t)5000);
        assert_hiai_ok(HIAI_DFree(frame.data));
    }
    clear_up();
}

// ---- conformance test 24: the host is killed

static void be_a_host(void *arg) {
    const int *out = (const int *)arg;
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(hiai_ask(DO_WATCH, 0, 0).status);
    pid_t device = (pid_t)hiai_ask(DO_PID, 0, 0).value;
    if (getenv("HIAI_TEST_HANG") != NULL) assert_hiai_ok(hiai_ask(DO_HANG, 0, 0).status);
    assert_int_equal(write(*out, &device, sizeof device), (ssize_t)sizeof device);
    for (;;) hiai_nap_ms(1000);
}

// The orphan becomes our child, so that its end can be seen: its status.
static int kill_host(void) {
    int ends[2];
    pid_t device;
    int status;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    pid_t host = fork();
    assert_true(host >= 0);
    if (host == 0) be_a_host(&ends[1]);
    assert_int_equal(read(ends[0], &device, sizeof device), (ssize_t)sizeof device);
    assert_int_equal(kill(host, SIGKILL), 0);
    assert_int_equal(waitpid(host, &status, 0), host);
    uint64_t before = hiai_now_ms();
    assert_int_equal(waitpid(device, &status, 0), device);
    print_message("the device process ended after %d ms\n", (int)(hiai_now_ms() - before));
    (void)close(ends[0]);
    (void)close(ends[1]);
    return status;
}

static void device_ends_with_its_host(void **state) {
    char path[64];
    (void)state;
    (void)snprintf(path, sizeof path, "%s", hiai_file(""));
    assert_int_equal(unlink(path), 0);
    (void)setenv("HIAI_TEST_FILE", path, 1);
    assert_int_equal(kill_host(), 0);
    assert_int_equal(unlink(path), 0); // the event on the device made it
}

static void stuck_device_ends_with_its_host_too(void **state) {
    (void)state;
    (void)setenv("HIAI_TEST_FILE", "/dev/null", 1);
    (void)setenv("HIAI_TEST_HANG", "1", 1);
    int status = kill_host();
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    (void)unsetenv("HIAI_TEST_HANG");
}

// ---- starting device processes

static void device_program_that_is_none_is_told(void **state) {
    (void)state;
    (void)unsetenv("TARN_HIAI_DEVICE_PROGRAM");
    assert_hiai_ok(HIAIX_SetDeviceProgram("/nowhere/program"));
    assert_hiai(hiai_create(hiai_graph_text), HIAI_HDC_SESSION_DEAD);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "/nowhere/program"));
    assert_hiai_ok(HIAIX_SetDeviceProgram("true")); // ends before it connects
    assert_hiai(hiai_create(hiai_graph_text), HIAI_HDC_SESSION_DEAD);
    assert_hiai_ok(HIAIX_SetDeviceProgram(NULL));
    // The one beside the library has none of the engines.
    assert_hiai(hiai_create(hiai_graph_text), HIAI_GRAPH_ENGINE_NOT_EXIST);
    (void)setenv("TARN_HIAI_DEVICE_PROGRAM", "/proc/self/exe", 1);
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
}

// Engines of a shared object register when it is opened, by whichever program.
static void engines_come_from_shared_objects(void **state) {
    char text[1200];
    HIAI_PortID_t to = {GRAPH, 2, 0};
    const char *folder = getenv("MODULES");
    (void)state;
    if (folder == NULL) skip();
    (void)snprintf(
        text, sizeof text,
        "graphs { graph_id: 100 engines { id: 1 engine_name: 'Answers' side: HOST }\n"
        "engines { id: 2 engine_name: 'Loaded' so_name: '%.900s/compat_hiai_loaded.so' }\n"
        "connects { src_engine_id: 2 target_engine_id: 1 } }",
        folder);
    (void)unsetenv("TARN_HIAI_DEVICE_PROGRAM");
    assert_hiai_ok(hiai_create(text));
    assert_hiai_ok(HIAIX_SendRaw(to, "twice", "\x15", 1, NULL, 0, LONG_ENOUGH));
    assert_int_equal(hiai_next_reply().value, 42);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    (void)setenv("TARN_HIAI_DEVICE_PROGRAM", "/proc/self/exe", 1);
}

// As a user would who starts it by hand.
static void device_process_may_be_started_by_the_user(void **state) {
    char path[64];
    (void)state;
    (void)snprintf(path, sizeof path, "%s", hiai_file(hiai_graph_text));
    (void)setenv("TARN_HIAI_DEVICE_PROGRAM", "none", 1);
    char address[64];
    (void)snprintf(address, sizeof address, "@tarn-hiai-%u-%u", (unsigned)getuid(), GRAPH);
    pid_t device = fork();
    if (device == 0) {
        (void)execl("/proc/self/exe", "test", "--hiaix-device", address, path, "100", (char *)NULL);
        _exit(9);
    }
    assert_hiai_ok(HIAI_CreateGraph(path, strlen(path)));
    assert_int_equal(hiai_ask(DO_PID, 0, 0).value, device);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    int status;
    assert_int_equal(waitpid(device, &status, 0), device);
    assert_int_equal(status, 0);
    assert_int_equal(unlink(path), 0);
    (void)setenv("TARN_HIAI_DEVICE_PROGRAM", "/proc/self/exe", 1);
}

static void without_a_device(void *arg) {
    (void)arg;
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai(hiai_create(hiai_graph_text), HIAI_GRAPH_START_TIMEOUT);
}

static void as_a_board(void *arg) {
    (void)arg;
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_int_equal(hiai_ask(DO_PID, 0, 0).value, getpid());
    int before = hiai_serialized();
    assert_hiai(HIAIX_RegisterEventHandle(GRAPH, 0, on_event, NULL), HIAI_OK);
    assert_int_equal(hiai_serialized(), before);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
}

static void in_child(void (*body)(void *arg), ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, NULL, pairs);
    va_end(pairs);
}

static void settings_of_graphs_are_read_from_the_environment(void **state) {
    (void)state;
    in_child(without_a_device, "TARN_HIAI_DEVICE_PROGRAM", "none", "TARN_HIAI_START_TIMEOUT", "80",
             (const char *)NULL);
    in_child(as_a_board, "TARN_HIAI_MODE", "RC", (const char *)NULL);
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, hiai_setup_alone, hiai_teardown_alone)

static const struct CMUnitTest tests[] = {
    ALONE(ids_are_told_in_order),
    ALONE(first_id_may_be_zero),
    ALONE(file_of_graphs_is_created_whole_or_not),
    ALONE(destroying_the_first_graph_leaves_the_pool_to_the_second),
    ALONE(statistics_fill_what_the_caller_knows),
    ALONE(waiting_messages_are_destroyed_with_their_graph),
    ALONE(block_of_one_device_stays_if_it_cannot_be_copied),
    ALONE(block_of_one_device_is_copied_for_another),
    ALONE(stuck_engine_here_is_told_and_can_be_waited_for_again),
    ALONE(stuck_engine_of_the_device_is_cut_off),
    ALONE(blocked_send_ends_with_its_graph),
    ALONE(graph_is_not_destroyed_by_its_own_threads),
    ALONE(device_killed_between_sends_is_told_once),
    ALONE(device_killed_during_a_send_ends_it),
    ALONE(device_killed_during_a_dmalloc_gives_it_room),
    ALONE(device_that_ends_by_itself_is_told_too),
    ALONE(block_of_a_killed_device_can_be_read_and_freed),
    ALONE(messages_of_a_dead_device_are_delivered),
    ALONE(device_ends_with_its_host),
    ALONE(stuck_device_ends_with_its_host_too),
    ALONE(device_program_that_is_none_is_told),
    ALONE(engines_come_from_shared_objects),
    ALONE(device_process_may_be_started_by_the_user),
    ALONE(settings_of_graphs_are_read_from_the_environment),
};

HIAI_MAIN(tests)
