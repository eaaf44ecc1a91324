// SPDX-License-Identifier: Apache-2.0
// Membership and accounts of cards. Byte 0 of the file is the lock under which members come and
// portions are divided; byte 1 + i is locked as long as member i lives. Both are locks of the open
// file, so no pid is compared. See card.h.
#include "backend/host/card.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "backend/host/machine.h"
#include "backend/host/sys.h"
#include "base/assert.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/uncancelled.h"

#define PORTIONS 64u // a member draws at most this part of a card at once

static uint64_t held_of(uint64_t word) { return word & UINT32_MAX; }
static uint64_t granted_of(uint64_t word) { return word >> 32; }
static uint64_t word_of(uint64_t granted, uint64_t held) { return granted << 32 | held; }

static uint64_t units_of(uint64_t bytes) {
    return bytes / TN_CARD_UNIT + (bytes % TN_CARD_UNIT != 0);
}

static tarn_status lock_machine(const struct tn_host_card *card) {
    if (tn_host_sys_lock(card->fd, 0, true) == 0) return TARN_OK;
    return tn_fail_native(TARN_SYSTEM, "fcntl", errno, "machine %s cannot be locked: %s",
                          card->name, strerror(errno));
}

static void unlock_machine(const struct tn_host_card *card) { tn_host_sys_unlock(card->fd, 0); }

// ---- members

bool tn_host_card_lives(int fd, const struct tn_host_card_file *file, unsigned member) {
    return tn_load_acquire(&file->members[member].pid) != 0 &&
           tn_host_sys_is_locked(fd, 1 + member);
}

static void clear_member(struct tn_host_card_member *member) {
    tn_store_release(&member->pid, 0u);
    tn_store_relaxed(&member->attached, UINT64_C(0));
    for (unsigned i = 0; i < TN_CARD_CARDS; i++) tn_store_release(&member->words[i], UINT64_C(0));
}

// Under the lock: what dead members held is free from now on.
static void bury_dead(const struct tn_host_card *card) {
    for (unsigned i = 0; i < TN_CARD_MEMBERS; i++)
        if (i != card->member && tn_load_relaxed(&card->file->members[i].pid) != 0 &&
            !tn_host_card_lives(card->fd, card->file, i))
            clear_member(&card->file->members[i]);
}

// Under the lock. A member that is free has no holder of its lock.
static tarn_status claim_member(struct tn_host_card *card) {
    struct tn_host_card_member *members = card->file->members;
    card->member = TN_CARD_MEMBERS;
    bury_dead(card);
    for (unsigned i = 0; i < TN_CARD_MEMBERS; i++) {
        if (tn_load_relaxed(&members[i].pid) != 0) continue;
        if (tn_host_sys_lock(card->fd, 1 + i, false) != 0) continue; // it is leaving
        clear_member(&members[i]);
        card->member = i;
        (void)snprintf(members[i].program, sizeof members[i].program, "%s",
                       program_invocation_short_name);
        tn_store_release(&members[i].pid, (uint32_t)getpid());
        return TARN_OK;
    }
    return tn_fail(TARN_NO_HANDLES, "machine %s has %u members, the largest number", card->name,
                   TN_CARD_MEMBERS);
}

// Under the lock: returns the card of a device, or a new one in place of one that nobody uses.
static unsigned find_card(const struct tn_host_card *card, unsigned device, uint64_t bytes) {
    struct tn_host_card_entry *cards = card->file->cards;
    uint64_t attached = 0;
    for (unsigned i = 0; i < TN_CARD_MEMBERS; i++)
        if (tn_load_relaxed(&card->file->members[i].pid) != 0)
            attached |= tn_load_relaxed(&card->file->members[i].attached);
    for (unsigned i = 0; i < TN_CARD_CARDS; i++)
        if ((attached >> i & 1) != 0 && tn_load_relaxed(&cards[i].bytes) == bytes &&
            tn_load_relaxed(&cards[i].device) == device)
            return i;
    for (unsigned i = 0; i < TN_CARD_CARDS; i++)
        if ((attached >> i & 1) == 0) {
            tn_store_relaxed(&cards[i].bytes, bytes);
            tn_store_relaxed(&cards[i].device, (uint64_t)device);
            return i;
        }
    return TN_CARD_CARDS;
}

static tarn_status attach_cards(struct tn_host_card *card, uint64_t memory) {
    for (unsigned device = 0; device < card->devices; device++) {
        unsigned index = find_card(card, device, memory);
        TN_REFUSE(index == TN_CARD_CARDS, TARN_NO_HANDLES,
                  "machine %s has %u cards in use, the largest number", card->name, TN_CARD_CARDS);
        card->index[device] = (uint8_t)index;
        (void)tn_or_acq_rel(&card->file->members[card->member].attached, UINT64_C(1) << index);
    }
    return TARN_OK;
}

static tarn_status become_member(struct tn_host_card *card, uint64_t memory) {
    TN_TRY(lock_machine(card));
    tarn_status status = claim_member(card);
    if (status == TARN_OK) status = attach_cards(card, memory);
    if (status != TARN_OK && card->member != TN_CARD_MEMBERS)
        clear_member(&card->file->members[card->member]);
    unlock_machine(card);
    return status;
}

static void drop_file(struct tn_host_card *card) {
    (void)munmap(card->file, sizeof *card->file);
    if (card->fd >= 0) tn_close(card->fd);
    card->file = NULL;
    card->fd = -1;
}

tarn_status tn_host_card_open(struct tn_host_card *card, uint64_t memory, unsigned devices) {
    bool named = false;
    TN_TRY(tn_host_machine_name(card->name, &named));
    if (!named) return TARN_OK;
    TN_REFUSE(memory > TN_CARD_LARGEST, TARN_BAD_CONFIG,
              "host: memory %" PRIu64 " is above %" PRIu64 ", the largest card of a machine",
              memory, TN_CARD_LARGEST);
    card->devices = devices;
    TN_TRY(tn_host_machine_enter(card->name, true, &card->fd, &card->file));
    tarn_status status = become_member(card, memory);
    if (status != TARN_OK) drop_file(card);
    return status;
}

void tn_host_card_close(struct tn_host_card *card) {
    if (card->file == NULL) return;
    if (card->fd >= 0) clear_member(&card->file->members[card->member]);
    drop_file(card);
}

void tn_host_card_fork_child(struct tn_host_card *card) {
    int inherited = card->fd;
    if (card->file == NULL || inherited < 0) return;
    const uint64_t memory = tn_load_relaxed(&card->file->cards[card->index[0]].bytes);
    card->generation++;
    // The parent's lock would outlive it in a descriptor that the child inherited.
    card->fd = tn_host_machine_reopen(inherited);
    tn_close(inherited);
    if (card->fd >= 0 && become_member(card, memory) != TARN_OK) {
        tn_close(card->fd);
        card->fd = -1;
    }
}

// ---- accounts

static _Atomic uint64_t *word_at(const struct tn_host_card *card, unsigned member,
                                 unsigned device) {
    TARN_ASSERT(device < card->devices && member < TN_CARD_MEMBERS);
    return &card->file->members[member].words[card->index[device]];
}

static uint64_t units_of_card(const struct tn_host_card *card, unsigned device) {
    uint64_t bytes = tn_load_relaxed(&card->file->cards[card->index[device]].bytes);
    return (bytes < TN_CARD_LARGEST ? bytes : TN_CARD_LARGEST) / TN_CARD_UNIT;
}

// Takes units out of the member's own portion.
static bool take_own(_Atomic uint64_t *word, uint64_t units) {
    uint64_t before = tn_load_relaxed(word);
    do {
        if (units > granted_of(before) || held_of(before) > granted_of(before) - units)
            return false;
    } while (!tn_cas_weak_relaxed(word, &before, before + units));
    return true;
}

// Under the lock: returns what other members may hold. With `revoke`, they keep what they do hold.
static uint64_t others(const struct tn_host_card *card, unsigned device, bool revoke) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < TN_CARD_MEMBERS; i++) {
        if (i == card->member || tn_load_relaxed(&card->file->members[i].pid) == 0) continue;
        _Atomic uint64_t *word = word_at(card, i, device);
        uint64_t seen = tn_load_relaxed(word);
        while (revoke && granted_of(seen) > held_of(seen) &&
               !tn_cas_weak_relaxed(word, &seen, word_of(held_of(seen), held_of(seen)))) {
        }
        sum += revoke ? held_of(seen) : granted_of(seen);
    }
    return sum;
}

// Under the lock: takes units and draws a portion beyond them out of what the others leave.
static bool draw(const struct tn_host_card *card, unsigned device, uint64_t units, uint64_t taken) {
    const uint64_t all = units_of_card(card, device), left = taken < all ? all - taken : 0;
    _Atomic uint64_t *word = word_at(card, card->member, device);
    uint64_t before = tn_load_relaxed(word), after;
    do {
        const uint64_t need = held_of(before) + units;
        if (units > left || held_of(before) > left - units) return false;
        uint64_t more = (left - need) / 2 < all / PORTIONS ? (left - need) / 2 : all / PORTIONS;
        uint64_t granted = granted_of(before) > need + more ? granted_of(before) : need + more;
        after = word_of(granted < left ? granted : left, need);
    } while (!tn_cas_weak_relaxed(word, &before, after));
    return true;
}

static bool take_shared(const struct tn_host_card *card, unsigned device, uint64_t units) {
    if (draw(card, device, units, others(card, device, false))) return true;
    bury_dead(card);
    return draw(card, device, units, others(card, device, true));
}

tarn_status tn_host_card_take(struct tn_host_card *card, unsigned device, uint64_t bytes) {
    const uint64_t units = units_of(bytes);
    TN_REFUSE(card->fd < 0, TARN_SYSTEM,
              "this process could not join machine %s again after a fork", card->name);
    if (take_own(word_at(card, card->member, device), units)) return TARN_OK;
    TN_TRY(lock_machine(card));
    bool taken = take_shared(card, device, units);
    unlock_machine(card);
    if (taken) return TARN_OK;
    const uint64_t own = held_of(tn_load_relaxed(word_at(card, card->member, device)));
    const uint64_t left = tn_host_card_free(card, device);
    const uint64_t all = units_of_card(card, device) * TN_CARD_UNIT;
    const uint64_t mine = own * TN_CARD_UNIT < all - left ? own * TN_CARD_UNIT : all - left;
    return tn_fail(TARN_NO_DEVICE_MEMORY,
                   "%" PRIu64 " bytes of host:%u requested, %" PRIu64 " of %" PRIu64
                   " are free; other processes of machine %s hold %" PRIu64,
                   bytes, device, left, all, card->name, all - left - mine);
}

// A word that another process damaged must not wrap.
void tn_host_card_give(struct tn_host_card *card, unsigned device, uint64_t bytes) {
    const uint64_t units = units_of(bytes);
    if (card->fd < 0) return;
    _Atomic uint64_t *word = word_at(card, card->member, device);
    uint64_t before = tn_load_relaxed(word);
    while (!tn_cas_weak_relaxed(word, &before,
                                before - (units < held_of(before) ? units : held_of(before)))) {
    }
}

uint64_t tn_host_card_free(const struct tn_host_card *card, unsigned device) {
    const uint64_t all = units_of_card(card, device);
    uint64_t held = 0;
    for (unsigned i = 0; i < TN_CARD_MEMBERS; i++) {
        uint64_t units = held_of(tn_load_relaxed(word_at(card, i, device)));
        bool own = i == card->member && card->fd >= 0;
        if (units != 0 && (own || card->fd < 0 || tn_host_card_lives(card->fd, card->file, i)))
            held += units;
    }
    return (held < all ? all - held : 0) * TN_CARD_UNIT;
}
