// SPDX-License-Identifier: Apache-2.0
// A stream of messages from this process to a child. The producer writes every byte; the consumer
// reads every byte and checks a sum, or each word. Memory is allocated before the clock starts.
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tarn/channel.h>

#include "base/error.h"
#include "tools/channel/channel.h"

#define SECOND    UINT64_C(1000000000)
#define PATIENCE  (10 * SECOND)
#define WARM_UP   8u // uncounted messages for each parcel in transit
#define CODE_LAST UINT64_MAX
#define WORD      sizeof(uint64_t)
#define PATTERN   UINT64_C(0x9e3779b97f4a7c15)

static enum tn_exit fail_bench(const char *what, tarn_status status) {
    return tn_exit_with(TN_EXIT_FAILED, "%s: %s: %s", what, tarn_status_name(status),
                        tn_text_of(status));
}

// ---- payload: word i of message m is m + i times a constant. Bytes after the last group of four
// words have the low byte of m

enum { STEP = 4 };

static uint64_t groups_of(uint64_t bytes) { return bytes / (STEP * WORD); }

static uint64_t rest_of(uint64_t bytes) { return bytes % (STEP * WORD); }

static void write_words(void *to, uint64_t bytes, uint64_t message) {
    uint64_t *at = (uint64_t *)to;
    uint64_t value = message;
    for (uint64_t i = 0; i < groups_of(bytes); i++, at += STEP, value += STEP * PATTERN) {
        at[0] = value;
        at[1] = value + PATTERN;
        at[2] = value + 2 * PATTERN;
        at[3] = value + 3 * PATTERN;
    }
    memset(at, (int)(message & 0xff), rest_of(bytes));
}

static uint64_t expected_sum(uint64_t bytes, uint64_t message) {
    uint64_t n = groups_of(bytes) * STEP; // an even number of words
    return n * message + n / 2 * (n - 1) * PATTERN + rest_of(bytes) * (message & 0xff);
}

static uint64_t sum_words(const void *from, uint64_t bytes) {
    const uint64_t *at = (const uint64_t *)from;
    uint64_t a = 0, b = 0, c = 0, d = 0;
    for (uint64_t i = 0; i < groups_of(bytes); i++, at += STEP) {
        a += at[0];
        b += at[1];
        c += at[2];
        d += at[3];
    }
    const unsigned char *rest = (const unsigned char *)at;
    for (uint64_t i = 0; i < rest_of(bytes); i++) a += rest[i];
    return a + b + c + d;
}

static bool words_are_right(const void *from, uint64_t bytes, uint64_t message) {
    const uint64_t *at = (const uint64_t *)from;
    for (uint64_t i = 0; i < groups_of(bytes) * STEP; i++)
        if (at[i] != message + i * PATTERN) return false;
    return true;
}

// ---- resource usage

struct usage {
    uint64_t faults;
    uint64_t cpu_ns;
};

static struct usage usage_now(void) {
    struct rusage r;
    (void)getrusage(RUSAGE_SELF, &r);
    return (struct usage){(uint64_t)r.ru_minflt,
                          ((uint64_t)r.ru_utime.tv_sec + (uint64_t)r.ru_stime.tv_sec) * SECOND +
                              ((uint64_t)r.ru_utime.tv_usec + (uint64_t)r.ru_stime.tv_usec) * 1000};
}

static void count_usage(struct tn_channel_side *side, struct usage before) {
    struct usage now = usage_now();
    side->faults = now.faults - before.faults;
    side->cpu_ns = now.cpu_ns - before.cpu_ns;
}

// ---- one side's arena and channel

static tarn_status open_side(const struct tn_channel_options *options, uint64_t bytes, int socket,
                             tarn_arena **arena, tarn_channel **channel) {
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    const uint64_t unit = UINT64_C(2) << 20;
    uint64_t room = bytes >= unit ? (bytes + unit - 1) / unit * unit : bytes + (64 << 10);
    arena_desc.bytes = bytes != 0 ? room * options->depth : unit;
    arena_desc.prefault = UINT64_MAX;
    TN_TRY(tarn_arena_create(&arena_desc, arena));
    desc.arena = *arena;
    desc.ports = options->ports;
    desc.spin_ns = options->spin ? 30000 : 0;
    desc.flags = options->spin ? 0 : TARN_CHANNEL_NO_SPIN;
    return tarn_channel_attach(socket, &desc, PATIENCE, channel);
}

// ---- consumer

struct control {
    uint64_t message; // its number; a warm-up message has none
    uint64_t sum;
    uint64_t sent_ns;
};

static void check_delivery(const struct tn_channel_options *options, const tarn_delivery *d,
                           struct tn_channel_side *side) {
    struct control control;
    memcpy(&control, d->control, sizeof control);
    uint64_t now = tn_timing_now();
    bool good = sum_words(d->parcel, d->bytes) == control.sum;
    if (options->verify) good = good && words_are_right(d->parcel, d->bytes, control.message);
    side->damaged += !good;
    if (d->code == 1) {
        side->messages++;
        tn_histogram_add(&side->times, now > control.sent_ns ? now - control.sent_ns : 0);
    }
}

static tarn_status consume_messages(const struct tn_channel_options *options, tarn_arena *arena,
                                    tarn_channel *channel, struct tn_channel_side *side) {
    struct usage before = {0, 0};
    bool counting = false;
    for (;;) {
        const tarn_delivery *d;
        TN_TRY(tarn_channel_receive(channel, PATIENCE, &d));
        if (d->code == CODE_LAST) {
            count_usage(side, before);
            return tarn_channel_done(channel, d);
        }
        if (d->code == 1 && !counting) {
            counting = true;
            before = usage_now();
        }
        check_delivery(options, d, side);
        TN_TRY(tarn_parcel_free(arena, d->parcel));
        TN_TRY(tarn_channel_done(channel, d));
    }
}

static enum tn_exit run_consumer(const struct tn_channel_options *options, int socket,
                                 struct tn_channel_side *side) {
    tarn_arena *arena = NULL;
    tarn_channel *channel = NULL;
    tarn_status status = open_side(options, 0, socket, &arena, &channel);
    for (uint32_t port = 0; status == TARN_OK && port < options->ports; port++)
        status = tarn_channel_open_port(channel, port, options->depth, 0);
    if (status == TARN_OK) status = consume_messages(options, arena, channel, side);
    if (status != TARN_OK) return fail_bench("consumer", status);
    // The producer closes when it has all results.
    const tarn_delivery *d;
    (void)tarn_channel_receive(channel, PATIENCE, &d);
    return TN_EXIT_OK;
}

// ---- producer

static tarn_status produce_one(tarn_arena *arena, tarn_channel *channel, tarn_message *message,
                               uint64_t number, struct tn_channel_side *side) {
    struct control control = {number, expected_sum(message->bytes, number), 0};
    TN_TRY(tarn_parcel_alloc(arena, message->bytes, PATIENCE, &message->parcel));
    write_words(message->parcel, message->bytes, number);
    message->control = &control;
    message->control_bytes = sizeof control;
    control.sent_ns = tn_timing_now();
    tarn_status status = tarn_channel_send(channel, message, PATIENCE);
    if (side != NULL && status == TARN_OK) {
        tn_histogram_add(&side->times, tn_timing_now() - control.sent_ns);
        side->messages++;
    }
    return status;
}

// With a rate, the number of messages is fixed, however long they take.
static bool goes_on(const struct tn_channel_options *options, uint64_t begun, uint64_t number) {
    if (options->rate != 0) return number * 1000 < options->rate * options->milliseconds;
    return tn_timing_now() < begun + options->milliseconds * 1000000;
}

// Sleeps until the time of a message. Returns true if the time of the next one had already passed.
static bool await_turn(uint64_t begun, uint64_t rate, uint64_t number) {
    uint64_t when = begun + number * SECOND / rate;
    bool late = tn_timing_now() > when + SECOND / rate;
    struct timespec time = {(time_t)(when / SECOND), (long)(when % SECOND)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
    return late;
}

static tarn_status produce_messages(const struct tn_channel_options *options, tarn_arena *arena,
                                    tarn_channel *channel, struct tn_channel_result *result) {
    tarn_message message = TARN_INIT(tarn_message);
    message.name = "frame";
    message.bytes = result->bytes;
    for (uint64_t i = 0; i < (uint64_t)options->depth * WARM_UP; i++)
        TN_TRY(produce_one(arena, channel, &message, i, NULL));
    struct usage before = usage_now();
    uint64_t begun = tn_timing_now();
    message.code = 1;
    for (uint64_t i = 0; goes_on(options, begun, i); i++) {
        message.port = (uint32_t)(i % options->ports);
        if (options->rate != 0) result->late += await_turn(begun, options->rate, i);
        TN_TRY(produce_one(arena, channel, &message, i, &result->producer));
    }
    count_usage(&result->producer, before);
    tarn_status status = tarn_channel_flush(channel, PATIENCE);
    result->elapsed_ns = tn_timing_now() - begun;
    return status;
}

static enum tn_exit run_producer(const struct tn_channel_options *options, int socket,
                                 struct tn_channel_result *result) {
    tarn_arena *arena = NULL;
    tarn_channel *channel = NULL;
    tarn_channel_stats stats = {.struct_size = sizeof stats};
    tarn_message last = TARN_INIT(tarn_message);
    last.code = CODE_LAST;
    tarn_status status = open_side(options, result->bytes, socket, &arena, &channel);
    if (status == TARN_OK) status = produce_messages(options, arena, channel, result);
    if (status == TARN_OK) status = tarn_channel_send(channel, &last, PATIENCE);
    if (status == TARN_OK) status = tarn_channel_flush(channel, PATIENCE);
    if (status == TARN_OK) status = tarn_channel_query_stats(channel, &stats);
    result->copies = stats.copies;
    enum tn_exit code = status == TARN_OK ? TN_EXIT_OK : fail_bench("producer", status);
    (void)tarn_channel_close(channel);
    (void)tarn_arena_destroy(arena);
    return code;
}

// ---- both sides

static enum tn_exit run_both(const struct tn_channel_options *options, const int sockets[2],
                             struct tn_channel_result *shared) {
    pid_t child = fork();
    if (child < 0) return tn_exit_with(TN_EXIT_FAILED, "fork: %s", strerror(errno));
    if (child == 0) {
        (void)close(sockets[0]);
        _exit((int)run_consumer(options, sockets[1], &shared->consumer));
    }
    (void)close(sockets[1]);
    enum tn_exit code = run_producer(options, sockets[0], shared);
    int status = 0;
    if (code != TN_EXIT_OK) (void)kill(child, SIGKILL);
    (void)waitpid(child, &status, 0);
    if (code == TN_EXIT_OK && status != 0)
        code = WIFEXITED(status) ? (enum tn_exit)WEXITSTATUS(status) : TN_EXIT_FAILED;
    return code;
}

enum tn_exit tn_channel_stream(const struct tn_channel_options *options, uint64_t bytes,
                               struct tn_channel_result *result) {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        return tn_exit_with(TN_EXIT_FAILED, "socketpair: %s", strerror(errno));
    struct tn_channel_result *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (shared == MAP_FAILED) return tn_exit_with(TN_EXIT_FAILED, "mmap: %s", strerror(errno));
    shared->bytes = bytes;
    enum tn_exit code = run_both(options, sockets, shared);
    *result = *shared;
    (void)munmap(shared, sizeof *shared);
    if (code != TN_EXIT_OK || result->consumer.damaged == 0) return code;
    return tn_exit_with(TN_EXIT_CORRUPT,
                        "%" PRIu64 " messages of %" PRIu64 " bytes arrived damaged",
                        result->consumer.damaged, bytes);
}
