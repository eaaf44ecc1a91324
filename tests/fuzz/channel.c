// SPDX-License-Identifier: Apache-2.0
// A hostile peer: bytes become what it writes into its box, and what the honest side does
// meanwhile. The honest side may lose the channel, but its arena stays valid: every parcel that it
// received can be read, and at the end the arena is empty.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "channel/channel.h"

#define KEPT 8

// Verifying costs as much as a hundred steps. The arena is verified at the end, too.
#define VERIFY_STEPS 64

// Which rules fail is said by the line of the trap.
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            __builtin_trap();                                                                      \
        }                                                                                          \
    } while (0)

struct input {
    const uint8_t *at;
    size_t left;
};

struct world {
    tarn_arena *arena[2];
    tarn_channel *end[2]; // 0 is honest
    void *kept[KEPT];     // held by the honest side
    uint64_t seen;        // of its descriptors, answered by the peer
};

static uint64_t take(struct input *in, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes && in->left != 0; i++, in->at++, in->left--)
        value = value << 8 | *in->at;
    return value;
}

// ---- two sides

struct attaching {
    int socket;
    tarn_arena *arena;
    tarn_channel *end;
};

static void *attach(void *arg) {
    struct attaching *a = (struct attaching *)arg;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = a->arena;
    desc.ports = 4;
    desc.slots = 8;
    desc.in_flight = 8;
    MUST(tarn_channel_attach(a->socket, &desc, UINT64_C(60000000000), &a->end) == TARN_OK);
    return NULL;
}

static void set_up(struct world *w) {
    struct attaching sides[2];
    int sockets[2];
    pthread_t thread;
    MUST(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0);
    for (int i = 0; i < 2; i++) {
        tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
        desc.bytes = UINT64_C(2) << 20;
        MUST(tarn_arena_create(&desc, &w->arena[i]) == TARN_OK);
        sides[i] = (struct attaching){sockets[i], w->arena[i], NULL};
    }
    MUST(pthread_create(&thread, NULL, attach, &sides[0]) == 0);
    (void)attach(&sides[1]);
    MUST(pthread_join(thread, NULL) == 0);
    for (int i = 0; i < 2; i++) {
        w->end[i] = sides[i].end;
        MUST(tarn_channel_open_port(w->end[i], 0, 6, 0) == TARN_OK);
        MUST(tarn_channel_open_port(w->end[i], 1, 2, 0) == TARN_OK);
    }
}

static void clear_up(struct world *w) {
    for (int i = 0; i < KEPT; i++) MUST(tarn_parcel_free(w->arena[0], w->kept[i]) == TARN_OK);
    for (int i = 0; i < 2; i++) MUST(tarn_channel_close(w->end[i]) == TARN_OK);
    MUST(tarn_arena_verify(w->arena[0]) == TARN_OK);
    for (int i = 0; i < 2; i++) MUST(tarn_arena_destroy(w->arena[i]) == TARN_OK);
}

// ---- the honest side

static void alloc_one(struct world *w, struct input *in) {
    void **place = &w->kept[take(in, 1) % KEPT];
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    uint64_t what = take(in, 1);
    request.bytes = 1 + (what >> 1) * 1000;
    request.policy = (tarn_parcel_policy)(what & 1);
    if (*place == NULL) (void)tarn_parcel_alloc_with(w->arena[0], &request, place);
}

static void free_one(struct world *w, struct input *in) {
    void **place = &w->kept[take(in, 1) % KEPT];
    MUST(tarn_parcel_free(w->arena[0], *place) == TARN_OK);
    *place = NULL;
}

// A parcel that came back may be kept already, by MANUAL: then it has a hold more.
static void send_one(struct world *w, struct input *in) {
    static const char control[600];
    void **place = &w->kept[take(in, 1) % KEPT];
    tarn_message message = TARN_INIT(tarn_message);
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    uint64_t what = take(in, 1);
    message.port = what & 3;
    message.control = control;
    message.control_bytes = (what & 4) != 0 ? sizeof control : what;
    message.parcel = *place;
    message.bytes = 1;
    if (*place != NULL) MUST(tarn_parcel_query(w->arena[0], *place, &info) == TARN_OK);
    if (tarn_channel_send(w->end[0], &message, 0) == TARN_OK &&
        (info.state == TARN_PARCEL_RECEIVED || info.policy == TARN_PARCEL_AUTO))
        *place = NULL;
}

static void read_ends(const void *parcel, uint64_t bytes) {
    const volatile unsigned char *at = (const volatile unsigned char *)parcel;
    (void)at[0];
    (void)at[bytes - 1];
}

static void receive_one(struct world *w, struct input *in) {
    void **place = &w->kept[take(in, 1) % KEPT];
    const tarn_delivery *d = NULL;
    if (tarn_channel_receive(w->end[0], 0, &d) != TARN_OK) return;
    MUST(strlen(d->name) <= TARN_MESSAGE_NAME_MAX);
    if (d->control_bytes != 0) read_ends(d->control, d->control_bytes);
    if (d->parcel != NULL) {
        read_ends(d->parcel, d->bytes);
        void *before = *place;
        *place = d->parcel;
        MUST(tarn_parcel_free(w->arena[0], before) == TARN_OK);
    }
    MUST(tarn_channel_done(w->end[0], d) == TARN_OK);
}

// ---- the hostile side: writes its box as it likes

static void publish_raw(struct world *w, struct input *in) {
    struct tn_mailbox *box = &w->end[1]->own;
    uint64_t sent = tn_load_relaxed(&box->head->sent);
    struct tn_descriptor *slot = &box->slots[sent & (box->shape.slots - 1)];
    for (size_t i = 0; i < offsetof(struct tn_descriptor, text) + 8; i++)
        ((unsigned char *)slot)[i] = (unsigned char)take(in, 1);
    tn_store_seq_cst(&box->head->sent, sent + 1);
}

// Nearly right, so that it gets past the first checks.
static void publish_close(struct world *w, struct input *in) {
    struct tn_mailbox *box = &w->end[1]->own;
    uint64_t sent = tn_load_relaxed(&box->head->sent);
    struct tn_descriptor *slot = &box->slots[sent & (box->shape.slots - 1)];
    uint64_t what = take(in, 1);
    memset(slot, 0, sizeof *slot);
    slot->kind = (uint8_t)(what & 3);
    slot->port = what >> 2 & 1;
    slot->control_separate = (uint8_t)(what >> 3 & 1);
    slot->name_bytes = (uint8_t)(take(in, 1) & 0x4f);
    slot->control_bytes = take(in, 1) * 2;
    slot->bytes = take(in, 2);
    slot->parcel = (struct tn_parcel_ref){(uint32_t)(take(in, 1) & 15), (uint32_t)(take(in, 1) & 7),
                                          take(in, 2) << 8, take(in, 2) << 4};
    slot->control =
        (struct tn_parcel_ref){(uint32_t)(take(in, 1) & 15), 1, take(in, 1) << 12, 4096};
    tn_store_seq_cst(&box->head->sent, sent + 1);
}

static void push_return(struct world *w, uint64_t entry) {
    struct tn_mailbox *box = &w->end[1]->own;
    uint64_t returned = tn_load_relaxed(&box->head->returned);
    tn_store_relaxed(&box->returns[returned & (box->shape.returns - 1)], entry);
    tn_store_seq_cst(&box->head->returned, returned + 1);
}

// What an honest peer would do: takes the next descriptor and returns its parcel, or sends it home.
static void answer(struct world *w, struct input *in) {
    const struct tn_mailbox *theirs = &w->end[1]->peer;
    struct tn_mailbox *box = &w->end[1]->own;
    if (w->seen == tn_load_acquire(&theirs->head->sent)) return;
    const struct tn_descriptor *slot = &theirs->slots[w->seen++ & (theirs->shape.slots - 1)];
    tn_store_seq_cst(&box->head->consumed, w->seen);
    (void)tn_add_relaxed(&box->granted[slot->port], 1);
    if (slot->kind == TN_DESCRIPTOR_PARCEL && (take(in, 1) & 1) != 0) {
        push_return(w, (uint64_t)slot->parcel.generation << 32 | slot->parcel.transit);
    } else if (slot->kind == TN_DESCRIPTOR_PARCEL) {
        uint64_t sent = tn_load_relaxed(&box->head->sent);
        struct tn_descriptor *back = &box->slots[sent & (box->shape.slots - 1)];
        memset(back, 0, sizeof *back);
        back->kind = TN_DESCRIPTOR_RETURNED;
        back->bytes = 1;
        back->parcel = slot->parcel;
        tn_store_seq_cst(&box->head->sent, sent + 1);
    }
}

static void scribble(struct world *w, struct input *in) {
    struct tn_mailbox_head *head = w->end[1]->own.head;
    uint64_t what = take(in, 1);
    uint64_t value = (what & 128) != 0 ? take(in, 8) : take(in, 1);
    switch (what % 6) {
    case 0: tn_store_seq_cst(&head->sent, value); break;
    case 1: tn_store_seq_cst(&head->consumed, value); break;
    case 2: tn_store_seq_cst(&head->returned, value); break;
    case 3: tn_store_seq_cst(&head->grants, value); break;
    case 4: tn_store_seq_cst(&head->asleep, (uint32_t)value); break;
    default: tn_store_relaxed(&w->end[1]->own.granted[value & 3], (uint32_t)value);
    }
}

static void step(struct world *w, struct input *in) {
    switch (take(in, 1) % 10) {
    case 0:
    case 1: alloc_one(w, in); break;
    case 2: free_one(w, in); break;
    case 3:
    case 4: send_one(w, in); break;
    case 5: receive_one(w, in); break;
    case 6: (take(in, 1) & 1) != 0 ? publish_raw(w, in) : publish_close(w, in); break;
    case 7: push_return(w, take(in, 1) << 32 | take(in, 1)); break;
    case 8: answer(w, in); break;
    default: scribble(w, in);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    struct world w;
    memset(&w, 0, sizeof w);
    set_up(&w);
    for (int steps = 0; in.left != 0 && steps < 200; steps++) {
        step(&w, &in);
        if (steps % VERIFY_STEPS == VERIFY_STEPS - 1)
            MUST(tarn_arena_verify(w.arena[0]) == TARN_OK);
    }
    clear_up(&w);
    return 0;
}
