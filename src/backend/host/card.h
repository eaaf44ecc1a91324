// SPDX-License-Identifier: Apache-2.0
// The cards of a machine: capacity that several processes share. A machine is one memory file, which
// each of its members maps. A member is a platform of a process. Each change of the accounts is one
// atomic operation on one word, so a member that is killed leaves nothing half done. The kernel
// releases the lock of a member that died, which tells it from a living one. machine.h finds the file.
#pragma once

#include <tarn/base.h>

#include "backend/host/config.h"

#define TN_CARD_MAGIC   "TARNMCH" // with its terminating zero
#define TN_CARD_VERSION 1u
#define TN_CARD_UNIT    UINT64_C(4096)
#define TN_CARD_LARGEST ((uint64_t)8 << 40) // bytes of a card: its units fit half a word
#define TN_CARD_CARDS   64u
#define TN_CARD_MEMBERS 256u
#define TN_CARD_NAME    49 // of a machine, with the terminating zero

// One process may hold several members. A card's word has the units that the member may hold in its
// upper half, and those that it does hold in the lower half. The sum of the upper halves never
// exceeds the capacity.
struct tn_host_card_member {
    _Atomic uint32_t pid; // 0: the member is free
    char program[28];     // for people
    _Atomic uint64_t attached;
    _Atomic uint64_t words[TN_CARD_CARDS];
};

// A card is known by its device and its capacity.
struct tn_host_card_entry {
    _Atomic uint64_t bytes;
    _Atomic uint64_t device;
};

struct tn_host_card_file {
    char magic[8];
    uint32_t version;
    uint32_t size;
    struct tn_host_card_entry cards[TN_CARD_CARDS];
    struct tn_host_card_member members[TN_CARD_MEMBERS];
};

// A platform's part in a machine.
struct tn_host_card {
    struct tn_host_card_file *file; // NULL: no machine
    int fd;                         // -1: this process left the machine at a fork
    unsigned member;
    uint32_t generation; // number of forks; memory of an earlier one counts for the parent
    unsigned devices;
    uint8_t index[TN_HOST_DEVICES_MAX]; // device to card
    char name[TN_CARD_NAME];
};

// Joins the machine of TARN_MACHINE, if it is set. BAD_CONFIG, NO_HANDLES, NO_HOST_MEMORY, SYSTEM.
tarn_status tn_host_card_open(struct tn_host_card *card, uint64_t memory, unsigned devices);

// Returns everything that the member holds.
void tn_host_card_close(struct tn_host_card *card);

// In the child of a fork: becomes a member of its own, which holds nothing yet.
void tn_host_card_fork_child(struct tn_host_card *card);

// Takes capacity, exactly to the unit. The three need a lock of the platform. NO_DEVICE_MEMORY; SYSTEM:
// this process is no member since a fork.
tarn_status tn_host_card_take(struct tn_host_card *card, unsigned device, uint64_t bytes);
void tn_host_card_give(struct tn_host_card *card, unsigned device, uint64_t bytes);

// Returns the bytes that no living member holds.
uint64_t tn_host_card_free(const struct tn_host_card *card, unsigned device);

// Returns true if the process of a member is alive. `fd` is an open file of the machine that is not the
// member's own.
bool tn_host_card_lives(int fd, const struct tn_host_card_file *file, unsigned member);
