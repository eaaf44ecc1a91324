// SPDX-License-Identifier: Apache-2.0
// Claims about sessions: how two sides find each other, callbacks, ends, and what a child of fork()
// may do.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/channel.h"

static struct pair *of(void **state) { return (struct pair *)*state; }

static void nap(uint64_t ns) {
    struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    (void)nanosleep(&time, NULL);
}

// An address that nobody else uses.
static const char *address(void) {
    static char text[64];
    static int count;
    (void)snprintf(text, sizeof text, "@tarn-test-%d-%d", (int)getpid(), count++);
    return text;
}

// ---- finding each other

struct connecting {
    const char *address;
    tarn_arena *arena;
    tarn_channel *end;
    tarn_status status;
};

static void *connect_to(void *arg) {
    struct connecting *c = (struct connecting *)arg;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = c->arena;
    c->status = tarn_channel_connect(c->address, &desc, LONG_ENOUGH, &c->end);
    return NULL;
}

static void meet_at(const char *where) {
    struct connecting c = {where, channel_arena(4 * MIB), NULL, TARN_OK};
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    pthread_t thread;
    desc.arena = channel_arena(4 * MIB);
    assert_int_equal(pthread_create(&thread, NULL, connect_to, &c), 0);
    nap(5 * MS); // it waits for somebody to listen
    assert_ok(tarn_channel_listen(where, &listener));
    assert_ok(tarn_channel_accept(listener, &desc, LONG_ENOUGH, &end));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_ok(c.status);
    assert_int_equal(channel_stats(end).peer_pid, getpid());
    tarn_listener_close(listener);
    assert_ok(tarn_channel_open_port(c.end, 5, 1, 0));
    assert_ok(channel_send(end, 5, NULL, 0));
    (void)channel_take(c.end);
    assert_ok(tarn_channel_close(end));
    assert_ok(tarn_channel_close(c.end));
    channel_end_arena(desc.arena);
    channel_end_arena(c.arena);
}

static void sides_meet_at_a_name_or_at_a_file(void **state) {
    char path[64];
    struct stat file;
    (void)state;
    meet_at(address());
    (void)snprintf(path, sizeof path, "/tmp/tarn-test-%d", (int)getpid());
    meet_at(path);
    assert_int_not_equal(stat(path, &file), 0); // went with the listener
}

static void addresses_are_checked(void **state) {
    tarn_listener *listener = NULL;
    tarn_listener *second = NULL;
    char longest[120];
    const char *where = address();
    (void)state;
    memset(longest, 'x', sizeof longest);
    longest[0] = '@';
    longest[119] = '\0';
    assert_status(tarn_channel_listen(NULL, &listener), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_listen("", &listener), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_listen(longest, &listener), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_listen(where, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_channel_listen(where, &listener));
    assert_status(tarn_channel_listen(where, &second), TARN_BUSY);
    tarn_listener_close(listener);
    tarn_listener_close(NULL);
}

static void nobody_there_is_a_matter_of_time(void **state) {
    tarn_arena *arena = channel_arena(4 * MIB);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    (void)state;
    assert_status(tarn_channel_connect(address(), &desc, 0, &end), TARN_BAD_ARGUMENT); // no arena
    desc.arena = arena;
    assert_status(tarn_channel_connect(address(), &desc, 0, &end), TARN_TIMED_OUT);
    assert_ok(tarn_channel_listen(address(), &listener));
    assert_status(tarn_channel_accept(listener, &desc, 5 * MS, &end), TARN_TIMED_OUT);
    desc.slots = 65537;
    assert_status(tarn_channel_accept(listener, &desc, 0, &end), TARN_BAD_ARGUMENT);
    desc.slots = 0;
    desc.flags = 1u << 20;
    assert_status(tarn_channel_accept(listener, &desc, 0, &end), TARN_BAD_ARGUMENT);
    desc.struct_size = 0;
    assert_status(tarn_channel_accept(listener, &desc, 0, &end), TARN_BAD_STRUCT);
    tarn_listener_close(listener);
    assert_null(end);
    channel_end_arena(arena);
}

static void attach_takes_local_seqpacket_sockets_only(void **state) {
    tarn_arena *arena = channel_arena(4 * MIB);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *end = NULL;
    int sockets[2];
    (void)state;
    desc.arena = arena;
    assert_status(tarn_channel_attach(-1, &desc, 0, &end), TARN_BAD_ARGUMENT);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    assert_status(tarn_channel_attach(sockets[0], &desc, 0, &end), TARN_BAD_ARGUMENT);
    (void)close(sockets[0]);
    (void)close(sockets[1]);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    assert_status(tarn_channel_attach(sockets[0], &desc, MS, &end), TARN_TIMED_OUT);
    assert_true(fcntl(sockets[0], F_GETFD) >= 0); // still ours
    (void)close(sockets[1]);
    assert_status(tarn_channel_attach(sockets[0], &desc, MS, &end), TARN_PEER_GONE);
    (void)close(sockets[0]);
    assert_null(end);
    channel_end_arena(arena);
}

static void one_arena_serves_several_channels(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    tarn_arena *third = channel_arena(4 * MIB);
    tarn_channel *near_end;
    tarn_channel *far_end;
    channel_join(p->arena[0], third, NULL, &near_end, &far_end);
    assert_ok(tarn_channel_open_port(far_end, 0, 4, 0));
    void *lent = channel_get_manual(p->arena[0], 10);
    assert_ok(channel_send(p->end[0], 0, lent, 10));
    assert_ok(channel_send(near_end, 0, lent, 10));
    assert_ok(tarn_parcel_free(p->arena[0], lent));
    assert_ok(tarn_parcel_free(p->arena[1], channel_take(p->end[1])));
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 1);
    assert_ok(tarn_parcel_free(third, channel_take(far_end)));
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    assert_ok(tarn_channel_close(near_end));
    assert_ok(tarn_channel_close(far_end));
    channel_end_arena(third);
}

// ---- callbacks

struct heard {
    tarn_arena *arena;
    _Atomic int messages;
    _Atomic int ends;
    _Atomic int reason;
    _Atomic int close_status;
    _Atomic uint64_t codes;
};

// The end of a channel may be told while a test is taken down: what hears it outlives the test.
static struct heard *hear_for(const struct pair *p) {
    static struct heard heard;
    heard.arena = p->arena[1];
    heard.messages = heard.ends = heard.reason = heard.close_status = 0;
    heard.codes = 0;
    return &heard;
}

static void on_message(tarn_channel *channel, const tarn_delivery *delivery, void *arg) {
    struct heard *heard = (struct heard *)arg;
    heard->codes = heard->codes * 10 + delivery->code;
    heard->close_status = tarn_channel_close(channel);
    (void)tarn_parcel_free(heard->arena, delivery->parcel);
    heard->messages++;
}

static void on_end(tarn_channel *channel, tarn_status reason, void *arg) {
    struct heard *heard = (struct heard *)arg;
    (void)channel;
    heard->reason = reason;
    heard->ends++;
}

static void start(tarn_channel *end, struct heard *heard, bool messages) {
    tarn_receiver receiver = TARN_INIT(tarn_receiver);
    receiver.on_message = messages ? on_message : NULL;
    receiver.on_end = on_end;
    receiver.arg = heard;
    assert_ok(tarn_channel_start(end, &receiver));
    assert_status(tarn_channel_start(end, &receiver), TARN_BUSY);
}

static void await(const _Atomic int *count, int wanted) {
    uint64_t until = channel_now_ns() + LONG_ENOUGH;
    while (*count < wanted && channel_now_ns() < until) nap(MS / 10);
    assert_int_equal(*count, wanted);
}

static void send_code(tarn_channel *end, tarn_arena *arena, uint64_t code) {
    tarn_message message = TARN_INIT(tarn_message);
    message.code = code;
    message.parcel = channel_get(arena, 1000);
    message.bytes = 1000;
    assert_ok(tarn_channel_send(end, &message, LONG_ENOUGH));
}

static void callback_hears_what_came_before_and_after_it(void **state) {
    struct pair *p = of(state);
    struct heard *heard = hear_for(p);
    const tarn_delivery *d = NULL;
    send_code(p->end[0], p->arena[0], 1);
    send_code(p->end[0], p->arena[0], 2);
    start(p->end[1], heard, true);
    send_code(p->end[0], p->arena[0], 3);
    await(&heard->messages, 3);
    assert_int_equal(heard->codes, 123);
    assert_int_equal(heard->close_status, TARN_BUSY); // not from its own callback
    assert_status(tarn_channel_receive(p->end[1], 0, &d), TARN_BUSY);
    assert_int_equal(heard->ends, 0);
    assert_ok(tarn_channel_close(p->end[1]));
    p->end[1] = NULL;
    assert_int_equal(heard->ends, 0); // our own close is no event
}

// The thread of the first one sleeps for both by then.
static void channel_made_while_another_sleeps_is_heard(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    struct heard *heard = hear_for(p);
    tarn_arena *third = channel_arena(4 * MIB);
    tarn_channel *near_end, *far_end;
    start(p->end[1], heard, true);
    nap(50 * MS);
    channel_join(p->arena[1], third, NULL, &near_end, &far_end);
    assert_ok(tarn_channel_open_port(near_end, 0, 4, 0));
    start(near_end, heard, true);
    nap(50 * MS);
    send_code(far_end, third, 7);
    await(&heard->messages, 1);
    assert_ok(tarn_channel_close(near_end));
    assert_ok(tarn_channel_close(far_end));
    channel_end_arena(third);
}

static void receiver_needs_a_callback(void **state) {
    struct pair *p = of(state);
    tarn_receiver receiver = TARN_INIT(tarn_receiver);
    assert_status(tarn_channel_start(p->end[1], &receiver), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_start(p->end[1], NULL), TARN_BAD_ARGUMENT);
    receiver.struct_size = 0;
    assert_status(tarn_channel_start(p->end[1], &receiver), TARN_BAD_STRUCT);
}

static void callback_gives_credits_back(void **state) {
    struct pair *p = of(state);
    struct heard *heard = hear_for(p);
    start(p->end[1], heard, true);
    for (uint64_t i = 0; i < 200; i++) // ports are 16 deep: credits come back by callbacks
        send_code(p->end[0], p->arena[0], 1);
    await(&heard->messages, 200);
    assert_ok(tarn_channel_flush(p->end[0], LONG_ENOUGH));
}

static void on_message_done_early(tarn_channel *channel, const tarn_delivery *delivery, void *arg) {
    struct heard *heard = (struct heard *)arg;
    uint64_t code = delivery->code;
    heard->close_status = tarn_channel_done(channel, delivery);
    heard->messages++;
    while (code == 2 && heard->codes == 0) nap(MS / 10);
}

// One message was done, and the second one is held up. A second grant for the first would be one more.
static void delivery_that_a_callback_ends_grants_one_credit(void **state) {
    skip_over_ucx(); // where credits come later
    struct pair *p = of(state);
    struct heard *heard = hear_for(p);
    tarn_receiver receiver = TARN_INIT(tarn_receiver);
    tarn_message message = TARN_INIT(tarn_message);
    const uint32_t depth = 16;
    uint32_t sent = 2;
    receiver.on_message = on_message_done_early;
    receiver.arg = heard;
    for (message.code = 1; message.code <= 2; message.code++)
        assert_ok(tarn_channel_send(p->end[0], &message, LONG_ENOUGH));
    assert_ok(tarn_channel_start(p->end[1], &receiver));
    await(&heard->messages, 2);
    while (tarn_channel_send(p->end[0], &message, 0) == TARN_OK) sent++;
    heard->codes = 1; // lets the callback go on
    assert_int_equal(heard->close_status, TARN_OK);
    assert_int_equal(sent, depth + 2); // each message has granted one
    await(&heard->messages, (int)sent);
}

// ---- ends

static void closing_is_told_to_the_peer_once_and_after_the_messages(void **state) {
    struct pair *p = of(state);
    struct heard *heard = hear_for(p);
    send_code(p->end[0], p->arena[0], 7);
    assert_ok(tarn_channel_close(p->end[0]));
    p->end[0] = NULL;
    start(p->end[1], heard, true);
    await(&heard->ends, 1);
    assert_int_equal(heard->messages, 1);
    assert_int_equal(heard->reason, TARN_PEER_GONE);
    assert_status(channel_send(p->end[1], 0, NULL, 0), TARN_PEER_GONE);
    nap(5 * MS);
    assert_int_equal(heard->ends, 1);
}

static void watcher_leaves_messages_to_others(void **state) {
    struct pair *p = of(state);
    struct heard *heard = hear_for(p);
    start(p->end[1], heard, false);
    send_code(p->end[0], p->arena[0], 7);
    assert_ok(tarn_parcel_free(p->arena[1], channel_take(p->end[1])));
    assert_ok(tarn_channel_close(p->end[0]));
    p->end[0] = NULL;
    await(&heard->ends, 1);
    assert_int_equal(heard->messages, 0);
}

static void peers_messages_outlive_it(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    char *parcel = (char *)channel_get(p->arena[0], 100);
    const tarn_delivery *d = NULL;
    memcpy(parcel, "last", 5);
    assert_ok(channel_send(p->end[0], 0, parcel, 100));
    assert_ok(tarn_channel_close(p->end[0]));
    p->end[0] = NULL;
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    assert_int_equal(channel_arena_stats(p->arena[0]).recovered, 1);
    channel_end_arena(p->arena[0]);
    p->arena[0] = NULL;
    char *got = (char *)channel_take(p->end[1]);
    assert_string_equal(got, "last"); // the memory lives as long as it is mapped
    assert_status(tarn_channel_receive(p->end[1], TARN_FOREVER, &d), TARN_PEER_GONE);
    assert_status(channel_send(p->end[1], 0, NULL, 0), TARN_PEER_GONE);
    assert_int_equal(channel_stats(p->end[1]).gone, -TARN_PEER_GONE);
    assert_ok(tarn_parcel_free(p->arena[1], got));
}

static void parcels_lent_to_a_peer_that_went_are_recovered(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    const tarn_delivery *d = NULL;
    void *kept = channel_get_manual(p->arena[0], 100);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 100), 100));
    assert_ok(channel_send(p->end[0], 0, kept, 100));
    void *held = channel_take(p->end[1]);
    assert_ok(tarn_channel_close(p->end[1]));
    p->end[1] = NULL;
    assert_status(tarn_arena_destroy(p->arena[1]), TARN_BUSY); // it holds a parcel still
    assert_status(tarn_channel_receive(p->end[0], LONG_ENOUGH, &d), TARN_PEER_GONE);
    assert_int_equal(channel_state(p->arena[0], kept), TARN_PARCEL_OWNED);
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 1);
    assert_int_equal(channel_arena_stats(p->arena[0]).recovered, 2);
    assert_ok(tarn_parcel_free(p->arena[0], kept));
    assert_ok(tarn_parcel_free(p->arena[1], held));
}

static void parcel_on_its_way_home_arrives_from_a_peer_that_went(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    void *parcel = channel_get(p->arena[0], 100);
    void *lost = channel_get(p->arena[0], 100);
    assert_ok(channel_send(p->end[0], 0, parcel, 100));
    assert_ok(channel_send(p->end[0], 0, lost, 100));
    assert_ok(channel_send(p->end[1], 0, channel_take(p->end[1]), 100));
    void *held = channel_take(p->end[1]);
    assert_ok(tarn_channel_close(p->end[1]));
    p->end[1] = NULL;
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 1);
    assert_ok(tarn_parcel_free(p->arena[1], held));
    assert_ptr_equal(channel_take(p->end[0]), parcel);
    assert_ok(tarn_parcel_free(p->arena[0], parcel));
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
}

static void unread_parcel_on_its_way_home_is_freed_by_the_close(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 100), 100));
    assert_ok(channel_send(p->end[1], 0, channel_take(p->end[1]), 100));
    assert_ok(tarn_channel_close(p->end[1]));
    assert_ok(tarn_channel_close(p->end[0]));
    p->end[0] = NULL;
    p->end[1] = NULL;
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
}

struct waiting {
    struct pair *pair;
    tarn_status status;
};

static void *wait_to_send(void *arg) {
    struct waiting *w = (struct waiting *)arg;
    tarn_message message = TARN_INIT(tarn_message);
    message.port = 40; // not open
    w->status = tarn_channel_send(w->pair->end[0], &message, TARN_FOREVER);
    return NULL;
}

static void *wait_to_alloc(void *arg) {
    struct waiting *w = (struct waiting *)arg;
    void *parcel = NULL;
    w->status = tarn_parcel_alloc(w->pair->arena[0], 32 * MIB, TARN_FOREVER, &parcel);
    if (w->status == TARN_OK) w->status = tarn_parcel_free(w->pair->arena[0], parcel);
    return NULL;
}

static void all_who_wait_hear_that_the_peer_went(void **state) {
    struct pair *p = of(state);
    struct waiting sender = {p, TARN_OK};
    struct waiting allocator = {p, TARN_BUSY};
    pthread_t threads[2];
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], MIB), MIB));
    assert_int_equal(pthread_create(&threads[0], NULL, wait_to_send, &sender), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, wait_to_alloc, &allocator), 0);
    nap(10 * MS);
    assert_ok(tarn_channel_close(p->end[1]));
    p->end[1] = NULL;
    assert_int_equal(pthread_join(threads[0], NULL), 0);
    assert_int_equal(pthread_join(threads[1], NULL), 0);
    assert_int_equal(sender.status, TARN_PEER_GONE);
    assert_int_equal(allocator.status, TARN_OK); // the parcel that the peer had made room
}

static void *wait_to_receive(void *arg) {
    struct waiting *w = (struct waiting *)arg;
    const tarn_delivery *d = NULL;
    w->status = tarn_channel_receive(w->pair->end[0], TARN_FOREVER, &d);
    return NULL;
}

// Of those who wait one sleeps for all; when it goes another one must take over.
static void who_waits_longest_is_not_forgotten(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    struct waiting receiver = {p, TARN_BUSY};
    struct waiting allocator = {p, TARN_BUSY};
    pthread_t threads[2];
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], MIB), MIB));
    void *held = channel_take(p->end[1]);
    assert_int_equal(pthread_create(&threads[0], NULL, wait_to_receive, &receiver), 0);
    nap(10 * MS);
    assert_int_equal(pthread_create(&threads[1], NULL, wait_to_alloc, &allocator), 0);
    nap(10 * MS);
    assert_ok(channel_send(p->end[1], 0, NULL, 0));
    assert_int_equal(pthread_join(threads[0], NULL), 0);
    assert_int_equal(receiver.status, TARN_OK);
    nap(10 * MS);
    assert_ok(tarn_parcel_free(p->arena[1], held));
    assert_int_equal(pthread_join(threads[1], NULL), 0);
    assert_int_equal(allocator.status, TARN_OK);
}

static void arena_with_open_channels_is_not_destroyed(void **state) {
    struct pair *p = of(state);
    assert_status(tarn_arena_destroy(p->arena[0]), TARN_BUSY);
    assert_ok(tarn_channel_close(NULL));
}

// ---- fork

static int child_is_refused(const struct pair *p) {
    void *parcel = NULL;
    tarn_message message = TARN_INIT(tarn_message);
    const tarn_delivery *d = NULL;
    int bad = tarn_parcel_alloc(p->arena[0], 1, 0, &parcel) != TARN_FORKED;
    bad |= tarn_channel_send(p->end[0], &message, 0) != TARN_FORKED;
    bad |= tarn_channel_receive(p->end[0], 0, &d) != TARN_FORKED;
    bad |= tarn_channel_close(p->end[0]) != TARN_FORKED;
    bad |= tarn_arena_destroy(p->arena[0]) != TARN_FORKED;
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *own = NULL;
    bad |= tarn_arena_create(&desc, &own) != TARN_OK; // but may have its own
    bad |= tarn_arena_destroy(own) != TARN_OK;
    return bad;
}

static void child_of_fork_has_no_part_in_it(void **state) {
    struct pair *p = of(state);
    int status = 1;
    int stay[2];
    char byte;
    assert_int_equal(pipe(stay), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)close(stay[1]);
        int bad = child_is_refused(p);
        ssize_t n = read(stay[0], &byte, 1); // lives until the parent has seen what follows
        _exit(bad | (n != 0));
    }
    (void)close(stay[0]);
    assert_ok(channel_send(p->end[0], 0, NULL, 0));
    (void)channel_take(p->end[1]);
    assert_ok(tarn_channel_close(p->end[0]));
    p->end[0] = NULL;
    // Had the child kept the socket, nobody would be told.
    assert_status(channel_send(p->end[1], 9, NULL, 0), TARN_PEER_GONE);
    (void)close(stay[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(sides_meet_at_a_name_or_at_a_file),
        TEST(addresses_are_checked),
        TEST(nobody_there_is_a_matter_of_time),
        TEST(attach_takes_local_seqpacket_sockets_only),
        TEST(one_arena_serves_several_channels),
        TEST(callback_hears_what_came_before_and_after_it),
        TEST(channel_made_while_another_sleeps_is_heard),
        TEST(receiver_needs_a_callback),
        TEST(callback_gives_credits_back),
        TEST(delivery_that_a_callback_ends_grants_one_credit),
        TEST(closing_is_told_to_the_peer_once_and_after_the_messages),
        TEST(watcher_leaves_messages_to_others),
        TEST(peers_messages_outlive_it),
        TEST(parcels_lent_to_a_peer_that_went_are_recovered),
        TEST(parcel_on_its_way_home_arrives_from_a_peer_that_went),
        TEST(unread_parcel_on_its_way_home_is_freed_by_the_close),
        TEST(all_who_wait_hear_that_the_peer_went),
        TEST(who_waits_longest_is_not_forgotten),
        TEST(arena_with_open_channels_is_not_destroyed),
        TEST(child_of_fork_has_no_part_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
