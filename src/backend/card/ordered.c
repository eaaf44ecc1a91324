// SPDX-License-Identifier: Apache-2.0
// Plain memory from the vendor's stream-ordered pool, where `ordered=yes` asks for it: one pool for
// each device, which keeps what is freed until it is trimmed. Memory comes and goes in the order of
// the platform's own stream, so giving it back waits for nobody. All peers may use it: those that
// were not let in are kept out by the core's books.
#include "backend/card/card.h"
#include "base/error.h"

static tarn_status let_peers_in(struct tn_card *card, int device, void *pool) {
    for (int peer = 0; peer < card->count; peer++) {
        if (!tn_card_peer_can(card, peer, device)) {
            continue;
        }
        struct tn_native answer = card->driver->pool_peer(card->d, pool, peer);
        if (!tn_card_good(answer)) {
            return tn_card_fail(card, answer, TARN_UNSUPPORTED, TARN_NO_DEVICE_MEMORY,
                                "letting device %d use the pool of device %d", peer, device);
        }
    }
    return TARN_OK;
}

tarn_status tn_card_ordered_open(struct tn_card *card, int device) {
    void *pool = NULL;
    if (!card->config.ordered) {
        return TARN_OK;
    }
    if (card->driver->pool_open == NULL) {
        return tn_fail(TARN_UNSUPPORTED,
                       "%s: ordered=yes: the library has no stream-ordered memory",
                       card->driver->name);
    }
    struct tn_native answer = card->driver->pool_open(card->d, device, &pool);
    if (!tn_card_good(answer)) {
        return tn_card_fail(card, answer, TARN_UNSUPPORTED, TARN_NO_DEVICE_MEMORY,
                            "ordered=yes: a pool of device %d", device);
    }
    tarn_status status = let_peers_in(card, device, pool);
    if (status != TARN_OK) {
        (void)card->driver->pool_close(card->d, pool);
        return status;
    }
    card->devices[device].pool = pool;
    return TARN_OK;
}

void tn_card_ordered_close(struct tn_card *card, int device) {
    struct tn_card_turn turn;
    if (card->devices[device].pool != NULL && tn_card_begin(card, device, &turn) == TARN_OK) {
        (void)card->driver->pool_close(card->d, card->devices[device].pool);
        tn_card_end(&turn);
    }
}

// ---- memory

// Whoever uses it first may do so in any stream: it has to be there.
tarn_status tn_card_ordered_alloc(struct tn_card *card, int device, uint64_t size,
                                  tarn_addr *addr) {
    struct tn_card_stream *aside = NULL;
    struct tn_card_turn turn;
    tarn_status status = tn_card_aside(card, device, &aside);
    if (status == TARN_OK) {
        status = tn_card_begin(card, device, &turn);
    }
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer =
        card->driver->pool_alloc(card->d, card->devices[device].pool, aside->native, size, addr);
    if (tn_card_good(answer)) {
        answer = card->driver->stream_synchronize(card->d, aside->native);
    }
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_NO_DEVICE_MEMORY, TARN_NO_DEVICE_MEMORY,
                              "0x%llx bytes of the pool of device %d", (unsigned long long)size,
                              device);
}

void tn_card_ordered_free(struct tn_card *card, int device, tarn_addr addr) {
    struct tn_card_stream *aside = NULL;
    struct tn_card_turn turn;
    struct tn_error_saved kept;
    tn_error_save(&kept);
    if (tn_card_aside(card, device, &aside) == TARN_OK &&
        tn_card_begin(card, device, &turn) == TARN_OK) {
        (void)card->driver->pool_free(card->d, aside->native, addr);
        tn_card_end(&turn);
    }
    tn_error_restore(&kept);
}

// ---- giving back what is kept

tarn_status tn_card_trim(void *p, int device) {
    struct tn_card *card = p;
    struct tn_card_stream *aside = NULL;
    struct tn_card_turn turn;
    if (card->devices[device].pool == NULL) {
        return TARN_OK;
    }
    tarn_status status = tn_card_aside(card, device, &aside);
    if (status == TARN_OK) {
        status = tn_card_begin(card, device, &turn);
    }
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->stream_synchronize(card->d, aside->native);
    if (tn_card_good(answer)) {
        answer = card->driver->pool_trim(card->d, card->devices[device].pool);
    }
    tn_card_end(&turn);
    return tn_card_good(answer) ? TARN_OK
                                : tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                               "trimming the pool of device %d", device);
}
