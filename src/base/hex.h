// SPDX-License-Identifier: Apache-2.0
// Hexadecimal numbers of fixed width. Invalid digits are not reported: the reader formats the value
// again and compares the text.
#pragma once

#include <stdint.h>

static inline uint64_t tn_hex_read(const unsigned char *at, int digits) {
    uint64_t value = 0;
    for (int i = 0; i < digits; i++) value = value << 4 | ((at[i] & 15u) + (at[i] > '9' ? 9u : 0u));
    return value;
}
