// SPDX-License-Identifier: Apache-2.0
// Steps about channels to processes that die, and about memory that such a process imports. The
// peers are forked before the first thread. A peer obeys orders, each a message with a parcel or a
// key: it compares the bytes, answers, and dies before or after the answer if the order says so.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tarn/channel.h>

#include "system/world.h"

#define PATIENCE (UINT64_C(60) * 1000000000)

enum verb { ECHO = 1, KEEP, DROP, IMPORT_MEMORY, IMPORT_PHYS };
enum death { LIVE, BEFORE_ANSWER, AFTER_ANSWER };

struct order {
    enum death death;
    uint32_t id, new_id; // of the bytes; 0: they do not change
    uint64_t bytes;
    int device;
    tarn_key key;
    tarn_shareable token;
};

// ---- the peer

#define PEER_CHECK(condition)                                                                      \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            tarn_error e = {.message = ""};                                                        \
            (void)tarn_last_error(&e);                                                             \
            (void)fprintf(stderr, "peer, line %d: not true: %s (%s)\n", __LINE__, #condition,      \
                          e.message);                                                              \
            _exit(3);                                                                              \
        }                                                                                          \
    while (0)

static bool is_pattern(const uint32_t *words, uint64_t bytes, uint32_t id) {
    uint64_t i = 0;
    while (i < bytes / 4 && words[i] == content_word(id, i)) i++;
    return i == bytes / 4;
}

static void put_pattern(uint32_t *words, uint64_t bytes, uint32_t id) {
    for (uint64_t i = 0; i < bytes / 4; i++) words[i] = content_word(id, i);
}

// Compares bytes at an address of the peer's own device, and replaces them.
static void use_import(tarn_device *device, tarn_addr addr, const struct order *order) {
    uint32_t *words = (uint32_t *)malloc(order->bytes);
    PEER_CHECK(words != NULL);
    PEER_CHECK(tarn_copy(device, TARN_ADDR(words), addr, order->bytes, 0) == TARN_OK);
    PEER_CHECK(order->id == 0 || is_pattern(words, order->bytes, order->id));
    if (order->death == BEFORE_ANSWER) (void)raise(SIGKILL);
    if (order->new_id != 0) {
        put_pattern(words, order->bytes, order->new_id);
        PEER_CHECK(tarn_copy(device, addr, TARN_ADDR(words), order->bytes, 0) == TARN_OK);
    }
    free(words);
}

static void import_memory(tarn_device *device, const struct order *order) {
    tarn_addr addr = 0;
    PEER_CHECK(tarn_memory_import(device, &order->key, &addr) == TARN_OK);
    use_import(device, addr, order);
    PEER_CHECK(tarn_memory_free(addr, 0) == TARN_OK);
}

static void import_phys(tarn_device *device, const struct order *order) {
    tarn_grant grant = {{TARN_LOCATION_DEVICE, order->device}, TARN_ACCESS_READ_WRITE};
    tarn_phys phys = 0;
    tarn_addr addr = 0;
    PEER_CHECK(tarn_phys_import(device, &order->token, &phys) == TARN_OK);
    PEER_CHECK(tarn_space_reserve(device, order->bytes, 0, 0, &addr) == TARN_OK);
    PEER_CHECK(tarn_map(addr, order->bytes, phys) == TARN_OK);
    PEER_CHECK(tarn_phys_release(phys) == TARN_OK);
    PEER_CHECK(tarn_map_set_access(addr, order->bytes, &grant, 1) == TARN_OK);
    use_import(device, addr, order);
    PEER_CHECK(tarn_unmap(addr, order->bytes, 0) == TARN_OK);
    PEER_CHECK(tarn_space_release(addr) == TARN_OK);
}

static void obey(tarn_arena *arena, tarn_channel *channel, const tarn_delivery *d) {
    const struct order *order = (const struct order *)d->control;
    tarn_message answer = TARN_INIT(tarn_message);
    answer.code = d->code;
    if (d->parcel != NULL) PEER_CHECK(is_pattern(d->parcel, d->bytes, order->id));
    if (d->code == IMPORT_MEMORY || d->code == IMPORT_PHYS) {
        tarn_device *device = NULL;
        char uri[64];
        (void)snprintf(uri, sizeof uri, "host:%d,devices=2,memory=64M", order->device);
        PEER_CHECK(tarn_device_open(uri, &device) == TARN_OK);
        (d->code == IMPORT_MEMORY ? import_memory : import_phys)(device, order);
        PEER_CHECK(tarn_device_close(device) == TARN_OK);
    }
    if (order->death == BEFORE_ANSWER) (void)raise(SIGKILL);
    if (d->code == ECHO) {
        answer.parcel = d->parcel;
        answer.bytes = d->bytes;
    } else if (d->code == DROP) {
        PEER_CHECK(tarn_parcel_free(arena, d->parcel) == TARN_OK);
    }
    tarn_status status = tarn_channel_send(channel, &answer, PATIENCE);
    if (status == TARN_PEER_GONE) _exit(0);
    PEER_CHECK(status == TARN_OK);
    if (order->death == AFTER_ANSWER) (void)raise(SIGKILL);
    PEER_CHECK(tarn_channel_done(channel, d) == TARN_OK);
}

static void peer_live(int socket) {
    struct pollfd called = {.fd = socket, .events = POLLIN};
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *channel = NULL;
    const tarn_delivery *d = NULL;
    arena_desc.bytes = 4 * MIB;
    PEER_CHECK(tarn_arena_create(&arena_desc, &desc.arena) == TARN_OK);
    while (poll(&called, 1, -1) < 0 && errno == EINTR) {
    } // a handshake has 5 seconds
    if (tarn_channel_attach(socket, &desc, TARN_FOREVER, &channel) != TARN_OK) _exit(0);
    PEER_CHECK(tarn_channel_open_port(channel, 0, 16, 0) == TARN_OK);
    while (tarn_channel_receive(channel, TARN_FOREVER, &d) == TARN_OK) obey(desc.arena, channel, d);
    _exit(0);
}

void peer_start(struct world *w) {
    struct peer *peer = &w->peer;
    (void)pthread_mutex_init(&peer->lock, NULL);
    for (int i = 0; i < PEERS; i++) {
        int sockets[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) abort();
        pid_t pid = fork();
        if (pid < 0) abort();
        if (pid == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (int k = 0; k < i; k++) (void)close(peer->sockets[k]);
            (void)close(sockets[0]);
            peer_live(sockets[1]);
        }
        (void)close(sockets[1]);
        peer->sockets[i] = sockets[0];
        peer->pids[i] = pid;
    }
}

// ---- the side of the model

void peer_open(struct step *step) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    desc.bytes = 8 * MIB;
    INSIST(step, tarn_arena_create(&desc, &step->world->peer.arena));
}

static unsigned own_parcels(const struct peer *peer) {
    unsigned own = 0;
    for (int i = 0; i < PARCELS; i++) own += peer->parcels[i].start != NULL;
    return own;
}

static void peer_compare(struct step *step, struct peer *peer) {
    tarn_arena_stats stats = TARN_INIT(tarn_arena_stats);
    INSIST(step, tarn_arena_query_stats(peer->arena, &stats));
    if (peer->dying && stats.live_parcels == own_parcels(peer)) peer->lent = 0;
    if (stats.live_parcels != own_parcels(peer) + peer->lent)
        step_fail(step, "%u parcels live, the model has %u and %u at the peer",
                  (unsigned)stats.live_parcels, own_parcels(peer), peer->lent);
    INSIST(step, tarn_arena_verify(peer->arena));
}

static void reap(struct step *step, struct peer *peer, bool killed) {
    int status = 0;
    if (killed) (void)kill(peer->pids[peer->next], SIGKILL);
    CHECK(step, waitpid(peer->pids[peer->next], &status, 0) == peer->pids[peer->next]);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) step_fail(step, "the peer failed");
    peer->next++;
}

// The peer is gone: its parcels are back.
static void peer_lost(struct step *step, struct peer *peer) {
    peer->lent = 0;
    peer->dying = false;
    peer_compare(step, peer);
    INSIST(step, tarn_channel_close(peer->channel));
    peer->channel = NULL;
    reap(step, peer, false);
    step_log(step, "the peer is gone");
}

static void peer_connect(struct step *step, struct peer *peer) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    int socket = peer->sockets[peer->next];
    desc.arena = peer->arena;
    peer->sockets[peer->next] = -1;
    if (!EXPECT(step, tarn_channel_attach(socket, &desc, PATIENCE, &peer->channel), TARN_OK)) {
        CHECK(step, close(socket) == 0); // the peer may have half a handshake
        reap(step, peer, true);
        return;
    }
    INSIST(step, tarn_channel_open_port(peer->channel, 0, 16, 0));
}

// Receives the answer to an order. Returns false if the peer died instead.
static bool peer_answer(struct step *step, struct peer *peer, enum verb verb, uint32_t id) {
    const tarn_delivery *d = NULL;
    tarn_status status;
    do status = TRY(step, tarn_channel_receive(peer->channel, PATIENCE, &d));
    while (status != TARN_OK && step->excused);
    if (status == TARN_PEER_GONE) return false;
    CHECK(step, status == TARN_OK && d->code == verb);
    if (verb == ECHO) {
        CHECK(step, is_pattern(d->parcel, d->bytes, id));
        INSIST(step, tarn_parcel_free(peer->arena, d->parcel));
    }
    INSIST(step, tarn_channel_done(peer->channel, d));
    return true;
}

// Gives an order. Returns true if it was obeyed; a peer that dies is the last one's end.
static bool peer_order(struct step *step, struct peer *peer, enum verb verb,
                       const struct order *order, struct parcel *parcel) {
    tarn_message message = TARN_INIT(tarn_message);
    message.code = verb;
    message.control = order;
    message.control_bytes = sizeof *order;
    message.parcel = parcel != NULL ? parcel->start : NULL;
    message.bytes = parcel != NULL ? parcel->bytes : 0;
    tarn_status status = TRY(step, tarn_channel_send(peer->channel, &message, PATIENCE));
    if (status == TARN_PEER_GONE) {
        CHECK(step, peer->dying);
        peer_lost(step, peer);
        return false;
    }
    if (!step_expect(step, status, TARN_OK, "send")) return false;
    if (parcel != NULL) parcel->start = NULL;
    bool answered = peer_answer(step, peer, verb, order->id);
    if (!answered) {
        CHECK(step, order->death == BEFORE_ANSWER || peer->dying);
        peer_lost(step, peer);
    } else {
        CHECK(step, order->death != BEFORE_ANSWER && !peer->dying);
        peer->dying = order->death == AFTER_ANSWER;
        peer->lent += verb == KEEP;
    }
    return answered;
}

static void peer_parcel(struct step *step, struct peer *peer, struct order *order) {
    struct parcel *parcel = &peer->parcels[draw_below(&step->draw, PARCELS)];
    unsigned action = draw_below(&step->draw, 5);
    if (parcel->start == NULL) {
        parcel->bytes = 4 + draw_below(&step->draw, 40000) / 4 * 4;
        parcel->id = (uint32_t)draw_next(&step->draw) | 1;
        tarn_status status =
            TRY(step, tarn_parcel_alloc(peer->arena, parcel->bytes, 0, &parcel->start));
        if (status != TARN_OK) {
            parcel->start = NULL;
            CHECK(step, status == TARN_NO_DEVICE_MEMORY || step->excused);
            return;
        }
        put_pattern(parcel->start, parcel->bytes, parcel->id);
        return;
    }
    CHECK(step, is_pattern(parcel->start, parcel->bytes, parcel->id));
    order->id = parcel->id;
    if (action == 0 || peer->channel == NULL) {
        INSIST(step, tarn_parcel_free(peer->arena, parcel->start));
        parcel->start = NULL;
    } else {
        static const enum verb verbs[] = {ECHO, KEEP, DROP, ECHO};
        (void)peer_order(step, peer, verbs[action - 1], order, parcel);
    }
}

// The peer imports plain memory by its key, and may write to it.
static void peer_memory(struct step *step, struct peer *peer, struct order *order) {
    struct memory *m = &step->world->memories[draw_below(&step->draw, MEMORIES)];
    if (atomic_flag_test_and_set(&m->taken)) return;
    if (m->addr != 0 && m->kind == PLAIN &&
        EXPECT(step, tarn_memory_export(m->addr, &order->key), TARN_OK)) {
        (void)pthread_mutex_lock(&m->content->lock);
        content_settle(step, m->content);
        order->id = m->content->id;
        order->bytes = m->bytes / 4 * 4;
        order->device = m->device;
        if (peer_order(step, peer, IMPORT_MEMORY, order, NULL) && order->new_id != 0)
            m->content->id = order->new_id;
        (void)pthread_mutex_unlock(&m->content->lock);
    }
    atomic_flag_clear(&m->taken);
}

// The peer maps physical memory by its token.
static void peer_phys(struct step *step, struct peer *peer, struct order *order) {
    struct group *g = &step->world->groups[draw_below(&step->draw, GROUPS)];
    int pid = peer->pids[peer->next];
    (void)pthread_mutex_lock(&g->lock);
    struct phys *p = &g->phys[draw_below(&step->draw, PHYS)];
    if (p->refs > 0 && (p->shareable & TARN_SHAREABLE_TOKEN) != 0 &&
        EXPECT(step, tarn_phys_export(p->id, TARN_SHAREABLE_TOKEN, &order->token), TARN_OK) &&
        EXPECT(step, tarn_phys_allow(step->world->devices[p->device], &order->token, &pid, 1),
               TARN_OK)) {
        content_settle(step, p->content);
        order->id = p->content->id;
        order->bytes = p->units * UNIT;
        order->device = p->device;
        if (peer_order(step, peer, IMPORT_PHYS, order, NULL) && order->new_id != 0)
            p->content->id = order->new_id;
    }
    (void)pthread_mutex_unlock(&g->lock);
}

void peer_step(struct step *step) {
    struct peer *peer = &step->world->peer;
    struct order order;
    unsigned action = draw_below(&step->draw, 12);
    memset(&order, 0, sizeof order);
    if (draw_one_in(&step->draw, 8))
        order.death = draw_one_in(&step->draw, 2) ? BEFORE_ANSWER : AFTER_ANSWER;
    if (draw_one_in(&step->draw, 2)) order.new_id = (uint32_t)draw_next(&step->draw) | 1;
    (void)pthread_mutex_lock(&peer->lock);
    if (peer->channel == NULL && peer->next < PEERS && action < 6)
        peer_connect(step, peer);
    else if (action < 8)
        peer_parcel(step, peer, &order);
    else if (action < 9)
        peer_compare(step, peer);
    else if (peer->channel != NULL && step->world->shareable != 0 && step->world->bytes)
        (action < 11 ? peer_memory : peer_phys)(step, peer, &order);
    (void)pthread_mutex_unlock(&peer->lock);
}

void peer_close(struct step *step) {
    struct peer *peer = &step->world->peer;
    if (peer->channel != NULL) {
        INSIST(step, tarn_channel_close(peer->channel));
        peer->channel = NULL;
        peer->lent = 0;
        reap(step, peer, false);
    }
    while (peer->next < PEERS) {
        CHECK(step, close(peer->sockets[peer->next]) == 0);
        reap(step, peer, false);
    }
    for (int i = 0; i < PARCELS; i++)
        if (peer->parcels[i].start != NULL) {
            INSIST(step, tarn_parcel_free(peer->arena, peer->parcels[i].start));
            peer->parcels[i].start = NULL;
        }
    peer_compare(step, peer);
    INSIST(step, tarn_arena_destroy(peer->arena));
}
