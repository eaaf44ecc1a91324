// SPDX-License-Identifier: Apache-2.0
// Numbers of variable length (LEB128): seven bits in each byte, the lowest first, and the top bit
// set in all bytes but the last. pprof and binary traces use them. No state; any thread may call.
#pragma once

#include <tarn/base.h>

#define TN_VARINT_MAX 10 // bytes of the largest number

// Writes a number and returns its length.
static inline size_t tn_varint_put(uint8_t *to, uint64_t value) {
    size_t length = 0;
    for (; value >= 0x80; value >>= 7) to[length++] = (uint8_t)(value | 0x80);
    to[length++] = (uint8_t)value;
    return length;
}

// Reads a number and moves *at behind it. Returns false if it does not end before `end` or exceeds
// 64 bits.
static inline bool tn_varint_get(const uint8_t **at, const uint8_t *end, uint64_t *value) {
    uint64_t sum = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        if (shift == 63 && byte > 1) return false;
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = sum;
            return true;
        }
    }
    return false;
}

// Maps differences to numbers so that small ones of either sign stay small.
static inline uint64_t tn_varint_fold(uint64_t difference) {
    return difference << 1 ^ (difference >> 63 != 0 ? UINT64_MAX : 0);
}

static inline uint64_t tn_varint_unfold(uint64_t folded) {
    return folded >> 1 ^ ((folded & 1) != 0 ? UINT64_MAX : 0);
}
