// SPDX-License-Identifier: Apache-2.0
// A key as text for error messages. A key that a caller made up can contain any bytes, and need not
// end.
#pragma once

enum { TN_KEY_BYTES = 64 };

struct tn_key_text {
    char text[TN_KEY_BYTES + 1];
};

// Returns the bytes up to the first zero, with `?` for those that are not printable.
static inline struct tn_key_text tn_key_text(const unsigned char bytes[TN_KEY_BYTES]) {
    struct tn_key_text key = {{0}};
    for (int i = 0; i < TN_KEY_BYTES && bytes[i] != 0; i++)
        key.text[i] = (char)(bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?');
    return key;
}
