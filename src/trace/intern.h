// SPDX-License-Identifier: Apache-2.0
// An intern table: finds the elements of an array by their content, so that each is stored once. It
// holds numbers of elements only; the owner compares the elements. One thread at a time.
#pragma once

#include <tarn/base.h>

struct tn_intern {
    uint32_t *slots; // number of an element plus 1, or 0
    uint32_t *hashes;
    size_t room; // a power of two, or 0
    size_t count;
};

// Returns true if element `number` equals the content that is looked for.
typedef bool tn_intern_equal(const void *elements, uint32_t number, const void *wanted);

// Hashes `size` bytes; `seed` chains several parts.
uint32_t tn_intern_hash(uint32_t seed, const void *bytes, size_t size);

// Finds the number of an element with this hash that equals `wanted`.
bool tn_intern_find(const struct tn_intern *table, uint32_t hash, tn_intern_equal *equal,
                    const void *elements, const void *wanted, uint32_t *number);

// Adds the number of an element that is not there yet. Returns false if out of memory.
bool tn_intern_add(struct tn_intern *table, uint32_t hash, uint32_t number);

void tn_intern_release(struct tn_intern *table);
