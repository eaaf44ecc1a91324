// SPDX-License-Identifier: Apache-2.0
// Sixteen threads on both sides of one channel: random sizes, policies, copies, returns, holds and
// queries at once. Every message must arrive with the bytes it was sent with, and nothing may be
// left at the end. Runs for TARN_TEST_SECONDS, 2 without it.
#include <pthread.h>
#include <stdlib.h>

#include "support/channel.h"

#define THREADS 16

struct worker {
    struct pair *pair;
    uint64_t seed;
    uint64_t until_ns;
    uint64_t sent, received, wrong;
};

static uint64_t draw(struct worker *w, uint64_t below) {
    w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (w->seed >> 33) % below;
}

// The bytes of a message follow from its code.
static void write_bytes(void *parcel, uint64_t bytes, uint64_t code) {
    unsigned char *at = (unsigned char *)parcel;
    at[0] = (unsigned char)code;
    at[bytes / 2] = (unsigned char)(code + 1);
    at[bytes - 1] = (unsigned char)(code + 2);
}

static bool bytes_are_right(const void *parcel, uint64_t bytes, uint64_t code) {
    const unsigned char *at = (const unsigned char *)parcel;
    return at[bytes - 1] == (unsigned char)(code + 2) &&
           (bytes < 4 ||
            (at[0] == (unsigned char)code && at[bytes / 2] == (unsigned char)(code + 1)));
}

static bool gone_well(struct worker *w, tarn_status status) {
    w->wrong += status != TARN_OK;
    return status == TARN_OK;
}

// ---- what a thread does

static void send_copy(struct worker *w, int side, tarn_message *message) {
    unsigned char plain[3000];
    message->flags = TARN_MESSAGE_COPY;
    message->parcel = plain;
    message->bytes = 1 + draw(w, sizeof plain);
    write_bytes(plain, message->bytes, message->code);
    w->sent += tarn_channel_send(w->pair->end[side], message, draw(w, 2) * MS) == TARN_OK;
}

static void send_parcel(struct worker *w, int side, tarn_message *message) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    tarn_arena *arena = w->pair->arena[side];
    request.bytes = 1 + draw(w, draw(w, 8) == 0 ? 4 * MIB : 100 * KIB);
    request.timeout_ns = draw(w, 2) * MS;
    request.policy = (tarn_parcel_policy)draw(w, 2);
    if (tarn_parcel_alloc_with(arena, &request, &message->parcel) != TARN_OK) return;
    message->bytes = request.bytes;
    write_bytes(message->parcel, message->bytes, message->code);
    tarn_status status = tarn_channel_send(w->pair->end[side], message, draw(w, 2) * MS);
    w->sent += status == TARN_OK;
    if (status != TARN_OK || request.policy == TARN_PARCEL_MANUAL)
        (void)gone_well(w, tarn_parcel_free(arena, message->parcel));
}

static void send_one(struct worker *w, int side) {
    static const unsigned char control[700];
    tarn_message message = TARN_INIT(tarn_message);
    message.port = side == 0 ? (uint32_t)draw(w, 4) : 0;
    message.code = draw(w, 1000000);
    message.control = control;
    message.control_bytes = draw(w, 6) == 0 ? sizeof control : draw(w, 40);
    if (draw(w, 4) == 0)
        send_copy(w, side, &message);
    else
        send_parcel(w, side, &message);
}

// Sends what was received home, or frees it, once more if it was held once more.
static void end_parcel(struct worker *w, int side, const tarn_delivery *d) {
    tarn_arena *arena = w->pair->arena[side];
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    uint64_t choice = draw(w, 4);
    if (!gone_well(w, tarn_parcel_query(arena, d->parcel, &info))) return;
    if (choice == 0 && gone_well(w, tarn_parcel_hold(arena, d->parcel)))
        (void)gone_well(w, tarn_parcel_free(arena, d->parcel));
    if (choice == 1 && info.state == TARN_PARCEL_RECEIVED) {
        tarn_message back = TARN_INIT(tarn_message);
        back.parcel = d->parcel;
        back.bytes = d->bytes;
        back.code = d->code;
        if (tarn_channel_send(w->pair->end[side], &back, 0) == TARN_OK) {
            w->sent++;
            return;
        }
    }
    (void)gone_well(w, tarn_parcel_free(arena, d->parcel));
}

static bool receive_one(struct worker *w, int side, uint64_t timeout_ns) {
    const tarn_delivery *d = NULL;
    if (tarn_channel_receive(w->pair->end[side], timeout_ns, &d) != TARN_OK) return false;
    w->received++;
    if (d->parcel != NULL) {
        w->wrong += !bytes_are_right(d->parcel, d->bytes, d->code);
        end_parcel(w, side, d);
    }
    (void)gone_well(w, tarn_channel_done(w->pair->end[side], d));
    return true;
}

static void *work(void *arg) {
    struct worker *w = (struct worker *)arg;
    while (channel_now_ns() < w->until_ns || w->sent <= 100 / THREADS) {
        int side = (int)draw(w, 2);
        if (draw(w, 2) == 0)
            send_one(w, side);
        else
            (void)receive_one(w, side, draw(w, 2) * MS);
    }
    return NULL;
}

static uint64_t run_time_ns(void) {
    const char *text = getenv("TARN_TEST_SECONDS");
    return (uint64_t)(text != NULL ? atoi(text) : 2) * 1000 * MS;
}

// All that was sent comes; not at once, when it goes over UCX. What is sent home while this takes
// in the rest counts too.
static uint64_t drain(struct worker *w, uint64_t sent, uint64_t received) {
    uint64_t until = channel_now_ns() + LONG_ENOUGH;
    uint64_t sent_before = w->sent;
    while (received < sent + (w->sent - sent_before) && channel_now_ns() < until) {
        received += receive_one(w, 0, 0);
        received += receive_one(w, 1, 0);
    }
    return received - (w->sent - sent_before);
}

static void threads_lose_nothing(void **state) {
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t until = channel_now_ns() + run_time_ns();
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.pair = (struct pair *)*state, .seed = i, .until_ns = until};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        sent += workers[i].sent;
        received += workers[i].received;
    }
    received = drain(&workers[0], sent, received);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(workers[i].wrong, 0);
    struct pair *p = (struct pair *)*state;
    assert_ok(tarn_channel_flush(p->end[0], LONG_ENOUGH)); // nothing is left on its way
    assert_ok(tarn_channel_flush(p->end[1], LONG_ENOUGH));
    assert_int_equal(sent, received);
    assert_true(sent > 100);
    print_message("%llu messages\n", (unsigned long long)sent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(threads_lose_nothing, channel_setup, channel_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
