// SPDX-License-Identifier: Apache-2.0
// Recorded texts are any bytes; JSON and pickles hold UTF-8 only. No state; any thread may call.
#pragma once

#include <tarn/base.h>

#define TN_UNICODE_REPLACEMENT "\xef\xbf\xbd"

// Returns the length of the character at `text`, which ends with a NUL, or 0 if the bytes there are
// none.
static inline size_t tn_unicode_length(const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (at[0] > 0xf4) return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    // Longer forms than needed, surrogates, and numbers above 0x10ffff are no characters.
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}
