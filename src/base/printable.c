// SPDX-License-Identifier: Apache-2.0
// See printable.h.
#include "base/printable.h"

#include <string.h>

#include "base/unicode.h"

enum { ESCAPED = 4 }; // bytes of \xNN

size_t tn_printable_length(const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    bool is_control = at[0] < 0x20 || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
    return is_control ? 0 : tn_unicode_length(text);
}

bool tn_printable_is(const char *text) {
    size_t length = 1;
    while (*text != '\0' && length > 0) {
        length = tn_printable_length(text);
        text += length;
    }
    return length > 0;
}

void tn_printable_copy(const char *text, char *to, size_t room) {
    static const char digits[] = "0123456789abcdef";
    while (*text != '\0') {
        size_t length = tn_printable_length(text);
        size_t more = length > 0 ? length : ESCAPED;
        if (more >= room) break;
        if (length > 0) {
            memcpy(to, text, length);
        } else {
            uint8_t byte = (uint8_t)*text;
            const char escaped[ESCAPED] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            memcpy(to, escaped, ESCAPED);
        }
        to += more;
        room -= more;
        text += length > 0 ? length : 1;
    }
    *to = '\0';
}
