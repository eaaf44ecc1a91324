// SPDX-License-Identifier: Apache-2.0
// Numbers in texts of fixed width. Whoever reads one writes it again and compares: what was no
// number then differs.
#ifndef TARN_BASE_HEX_H
#define TARN_BASE_HEX_H

#include <stdint.h>

static inline uint64_t tn_hex_read(const unsigned char *at, int digits) {
    uint64_t value = 0;
    for (int i = 0; i < digits; i++) {
        value = value << 4 | ((at[i] & 15u) + (at[i] > '9' ? 9u : 0u));
    }
    return value;
}

#endif
