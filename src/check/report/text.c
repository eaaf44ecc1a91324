// SPDX-License-Identifier: Apache-2.0
// Appends to a text. See text.h.
#include "check/report/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

void tn_check_text_add(struct tn_check_text *text, const char *format, ...) {
    va_list arguments;
    size_t left = text->room - text->used;
    va_start(arguments, format);
    int length = vsnprintf(text->data + text->used, left, format, arguments);
    va_end(arguments);
    if (length > 0) text->used += (size_t)length < left ? (size_t)length : left - 1;
}

// Returns the length of the UTF-8 character at `at` in bytes, or 0 if it is invalid.
static unsigned utf8_length(const unsigned char *at) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = *at < 0x80       ? 1
                      : *at >> 5 == 6  ? 2
                      : *at >> 4 == 14 ? 3
                      : *at >> 3 == 30 ? 4
                                       : 0;
    uint32_t code = length < 2 ? *at : *at & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if (at[i] >> 6 != 2) return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
                                                                                        : length;
}

void tn_check_text_add_json(struct tn_check_text *text, const char *string) {
    if (string == NULL) {
        tn_check_text_add(text, "null");
        return;
    }
    tn_check_text_add(text, "\"");
    for (const unsigned char *at = (const unsigned char *)string; *at != '\0';) {
        unsigned length = utf8_length(at);
        if (length == 0)
            tn_check_text_add(text, "\\ufffd");
        else if (*at < 0x20 || *at == 0x7f)
            tn_check_text_add(text, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            tn_check_text_add(text, "\\%c", *at);
        else
            tn_check_text_add(text, "%.*s", (int)length, (const char *)at);
        at += length == 0 ? 1 : length;
    }
    tn_check_text_add(text, "\"");
}
