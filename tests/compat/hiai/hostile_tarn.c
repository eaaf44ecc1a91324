// SPDX-License-Identifier: Apache-2.0
// Conformance test 25: a device process that says what makes no sense. The host tells what is
// wrong, or drops it, and goes on. What a peer can do to the channel itself is in
// tests/unit/channel/hostile.c and tests/fuzz/channel.c.
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tarn/channel.h>

#include "support/hiai.h"

#define MS UINT64_C(1000000)

// As compat/hiai/link.c has it.
struct greeting {
    uint32_t version;
    uint32_t status;
    uint32_t count;
    char why[244];
    struct {
        uint32_t id, inputs, outputs;
    } ports[4];
};

static const struct greeting good = {
    2, HIAI_OK, 2, "", {{WORKER, 2, 3}, {GATE, 2, 0}, {0, 0, 0}, {0, 0, 0}}};
#define HEAD      (sizeof good - sizeof good.ports)
#define GOOD_SIZE (HEAD + 2 * sizeof good.ports[0])

// What the device process does.
struct part {
    struct greeting greeting;
    size_t bytes;  // of it
    uint64_t code; // of the message; 1: a greeting
    void (*then)(tarn_channel *channel, tarn_arena *arena);
};

static void send_word(tarn_channel *channel, uint32_t port, uint64_t code, const char *name,
                      const void *control, size_t bytes, void *parcel) {
    tarn_message message = TARN_INIT(tarn_message);
    message.port = port;
    message.code = code;
    message.name = name;
    message.control = control;
    message.control_bytes = bytes;
    message.parcel = parcel;
    message.bytes = 100;
    (void)tarn_channel_send(channel, &message, 5000 * MS);
}

// Until the host is gone.
static void listen_on(tarn_channel *channel, tarn_arena *arena) {
    const tarn_delivery *delivery;
    tarn_status status;
    while ((status = tarn_channel_receive(channel, TARN_FOREVER, &delivery)) == TARN_OK) {
        (void)tarn_parcel_free(arena, delivery->parcel);
        (void)tarn_channel_done(channel, delivery);
    }
}

static void play(const struct part *part) {
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *channel;
    char address[64];
    (void)snprintf(address, sizeof address, "@tarn-hiai-%u-%u", (unsigned)getuid(), GRAPH);
    arena_desc.bytes = 4 << 20;
    desc.ports = 65;
    if (tarn_arena_create(&arena_desc, &desc.arena) != TARN_OK ||
        tarn_channel_connect(address, &desc, 20000 * MS, &channel) != TARN_OK ||
        tarn_channel_open_port(channel, 0, 8, 0) != TARN_OK)
        _exit(9);
    for (uint32_t port = 17; port < 65; port++) (void)tarn_channel_open_port(channel, port, 8, 0);
    if (part->bytes != 0) send_word(channel, 0, part->code, "", &part->greeting, part->bytes, NULL);
    if (part->then != NULL) {
        part->then(channel, desc.arena);
        listen_on(channel, desc.arena);
    }
    _exit(0);
}

static pid_t start(const struct part *part) {
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) play(part);
    return pid;
}

static void end(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void is_answered(struct part part, HIAI_StatusT status) {
    pid_t pid = start(&part);
    assert_hiai(hiai_create(hiai_graph_text), status);
    end(pid);
}

// ---- greetings

static void greeting_that_makes_no_sense_is_refused(void **state) {
    struct part part = {good, GOOD_SIZE, 1, NULL};
    (void)state;
    part.greeting.version = 1;
    is_answered(part, HIAI_HDC_SEND_MSG_ERROR);
    part.greeting = good;
    part.greeting.count = 3; // more than there are bytes for
    is_answered(part, HIAI_HDC_SEND_MSG_ERROR);
    part.greeting.count = UINT32_MAX;
    is_answered(part, HIAI_HDC_SEND_MSG_ERROR);
    part.greeting = good;
    part.bytes = 5;
    is_answered(part, HIAI_HDC_SEND_MSG_ERROR);
    part.bytes = HEAD + 1;
    is_answered(part, HIAI_HDC_SEND_MSG_ERROR);
}

static void greeting_of_another_file_is_refused(void **state) {
    struct part part = {good, GOOD_SIZE, 1, NULL};
    (void)state;
    part.greeting.ports[0].id = ANSWERS; // runs on the host
    is_answered(part, HIAI_GRAPH_ENGINE_NOT_EXIST);
    part.greeting.ports[0].id = 99;
    is_answered(part, HIAI_GRAPH_ENGINE_NOT_EXIST);
    part.greeting = good;
    part.greeting.ports[1].inputs = 17;
    is_answered(part, HIAI_GRAPH_ENGINE_NOT_EXIST);
}

static void failure_of_the_device_is_passed_on(void **state) {
    struct part part = {good, GOOD_SIZE, 1, NULL};
    (void)state;
    part.greeting.status = HIAI_MEMORY_EXHAUSTED;
    // Not terminated, and followed by bytes that are not zero.
    memset(part.greeting.why, 'w', sizeof part.greeting.why);
    memset(part.greeting.ports, 'p', sizeof part.greeting.ports);
    is_answered(part, HIAI_MEMORY_EXHAUSTED);
    char expected[sizeof "the other side: " + sizeof part.greeting.why] = "the other side: ";
    memset(expected + strlen(expected), 'w', sizeof part.greeting.why - 1);
    assert_string_equal(HIAIX_GetLastErrorText(), expected);
}

static void device_that_says_nothing_is_not_waited_for(void **state) {
    struct part part = {good, 0, 1, NULL};
    (void)state;
    is_answered(part, HIAI_HDC_SESSION_DEAD);
    part.bytes = GOOD_SIZE;
    part.code = 77; // no word that there is
    is_answered(part, HIAI_HDC_SESSION_DEAD);
}

// ---- later on

static void talk_nonsense(tarn_channel *channel, tarn_arena *arena) {
    static const char bytes[64] = "nonsense";
    void *parcel = NULL;
    (void)tarn_parcel_alloc(arena, 100, 5000 * MS, &parcel);
    send_word(channel, 0, 77, "", bytes, sizeof bytes, parcel); // the host frees it
    send_word(channel, 0, 1, "", bytes, sizeof bytes, NULL);    // a second greeting
    for (int i = 0; i < 300; i++) {                             // more than the ports have places
        (void)tarn_parcel_alloc(arena, 100, 5000 * MS, &parcel);
        send_word(channel, 2, 0, "unknown", bytes, sizeof bytes, parcel);
    }
    send_word(channel, 1, 0, "", NULL, 0, NULL);
    send_word(channel, 2, 55, "nor this", NULL, 0, NULL);
    if (tarn_channel_flush(channel, 20000 * MS) != TARN_OK) _exit(8);
}

static void nonsense_is_dropped_and_counted(void **state) {
    struct part part = {good, GOOD_SIZE, 1, talk_nonsense};
    pid_t pid = start(&part);
    (void)state;
    assert_hiai_ok(hiai_create(hiai_graph_text));
    while (hiai_stats(GRAPH).rejected < 302) hiai_nap_ms(5);
    assert_int_equal(hiai_stats(GRAPH).rejected, 302);
    assert_hiai_ok(hiai_send(FREE_IT, hiai_block(100, MEMORY_ATTR_AUTO_FREE, 1), 100));
    assert_hiai_ok(HIAIX_SetDestroyTimeout(50)); // this device does not stop when it is asked to
    assert_hiai(HIAI_DestroyGraph(GRAPH), HIAI_GRAPH_DESTROY_TIMEOUT);
    assert_hiai_ok(HIAIX_SetDestroyTimeout(30000));
    end(pid);
}

static void ask_host_to_stop(tarn_channel *channel, tarn_arena *arena) {
    (void)arena;
    send_word(channel, 0, 2, "", NULL, 0, NULL);
}

static atomic_int events;

static HIAI_StatusT on_event(uint32_t graph, void *arg) {
    (void)graph;
    (void)arg;
    atomic_fetch_add(&events, 1);
    return HIAI_OK;
}

// Only hosts ask. And its end is told like any other.
static void host_is_not_stopped_by_its_device(void **state) {
    struct part part = {good, GOOD_SIZE, 1, ask_host_to_stop};
    pid_t pid = start(&part);
    (void)state;
    assert_hiai_ok(hiai_create(hiai_graph_text));
    assert_hiai_ok(HIAIX_RegisterEventHandle(GRAPH, HIAIX_EVENT_DISCONNECT, on_event, NULL));
    assert_hiai_ok(hiai_send(FREE_IT, NULL, 0));
    assert_hiai_ok(HIAIX_SendData(hiai_port(HERE, 0), "any", &pid, 0));
    assert_ptr_equal(hiai_next_here(), &pid);
    int status;
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    while (atomic_load(&events) == 0) hiai_nap_ms(5);
    assert_int_equal(atomic_load(&events), 1);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
}

// Somebody waits for a device process of that graph already.
static void second_host_for_a_graph_is_refused(void **state) {
    tarn_listener *listener;
    char address[64];
    (void)state;
    (void)snprintf(address, sizeof address, "@tarn-hiai-%u-%u", (unsigned)getuid(), GRAPH);
    assert_int_equal(tarn_channel_listen(address, &listener), TARN_OK);
    assert_hiai(hiai_create(hiai_graph_text), HIAI_ALREADY_USED_IN_ANOTHER_PROCESS);
    tarn_listener_close(listener);
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, hiai_setup_alone, hiai_teardown_alone)

static const struct CMUnitTest tests[] = {
    ALONE(greeting_that_makes_no_sense_is_refused),
    ALONE(greeting_of_another_file_is_refused),
    ALONE(failure_of_the_device_is_passed_on),
    ALONE(device_that_says_nothing_is_not_waited_for),
    ALONE(nonsense_is_dropped_and_counted),
    ALONE(host_is_not_stopped_by_its_device),
    ALONE(second_host_for_a_graph_is_refused),
};

int main(void) {
    (void)setenv("TARN_HIAI_DEVICE_PROGRAM", "none", 1);
    hiai_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
