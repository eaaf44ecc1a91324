// SPDX-License-Identifier: Apache-2.0
// A hash table with linear probing, at most half full; see intern.h.
#include "trace/intern.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 256 };

// FNV-1a, and a final mix because the low bits choose the slot.
uint32_t tn_intern_hash(uint32_t seed, const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint32_t hash = seed ^ 2166136261u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 16777619u;
    hash ^= hash >> 16;
    hash *= 0x85ebca6bu;
    return hash ^ hash >> 13;
}

bool tn_intern_find(const struct tn_intern *table, uint32_t hash, tn_intern_equal *equal,
                    const void *elements, const void *wanted, uint32_t *number) {
    if (table->room == 0) return false;
    size_t mask = table->room - 1;
    for (size_t i = hash & mask; table->slots[i] != 0; i = (i + 1) & mask) {
        if (table->hashes[i] == hash && equal(elements, table->slots[i] - 1, wanted)) {
            *number = table->slots[i] - 1;
            return true;
        }
    }
    return false;
}

static void put_number(struct tn_intern *table, uint32_t hash, uint32_t slot) {
    size_t mask = table->room - 1;
    size_t i = hash & mask;
    while (table->slots[i] != 0) i = (i + 1) & mask;
    table->slots[i] = slot;
    table->hashes[i] = hash;
}

static bool grow_table(struct tn_intern *table) {
    size_t room = table->room == 0 ? ROOM_MIN : 2 * table->room;
    struct tn_intern grown = {.slots = (uint32_t *)calloc(room, sizeof(uint32_t)),
                              .hashes = (uint32_t *)malloc(room * sizeof(uint32_t)),
                              .room = room,
                              .count = table->count};
    if (grown.slots == NULL || grown.hashes == NULL) {
        tn_intern_release(&grown);
        return false;
    }
    for (size_t i = 0; i < table->room; i++)
        if (table->slots[i] != 0) put_number(&grown, table->hashes[i], table->slots[i]);
    tn_intern_release(table);
    *table = grown;
    return true;
}

bool tn_intern_add(struct tn_intern *table, uint32_t hash, uint32_t number) {
    if (2 * (table->count + 1) > table->room && !grow_table(table)) return false;
    put_number(table, hash, number + 1);
    table->count++;
    return true;
}

void tn_intern_release(struct tn_intern *table) {
    free(table->slots);
    free(table->hashes);
    memset(table, 0, sizeof *table);
}
