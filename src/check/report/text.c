// SPDX-License-Identifier: Apache-2.0
// Appends to a text. See text.h.
#include "check/report/text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/unicode.h"

void tn_check_text_add(struct tn_check_text *text, const char *format, ...) {
    va_list arguments;
    size_t left = text->room - text->used;
    va_start(arguments, format);
    int length = vsnprintf(text->data + text->used, left, format, arguments);
    va_end(arguments);
    if (length > 0) text->used += (size_t)length < left ? (size_t)length : left - 1;
}

void tn_check_text_add_json(struct tn_check_text *text, const char *string) {
    if (string == NULL) {
        tn_check_text_add(text, "null");
        return;
    }
    tn_check_text_add(text, "\"");
    while (*string != '\0') {
        size_t length = tn_unicode_length(string);
        unsigned char byte = (unsigned char)*string;
        if (length == 0)
            tn_check_text_add(text, "\\ufffd");
        else if (byte < 0x20 || byte == 0x7f)
            tn_check_text_add(text, "\\u%04x", byte);
        else if (byte == '"' || byte == '\\')
            tn_check_text_add(text, "\\%c", byte);
        else
            tn_check_text_add(text, "%.*s", (int)length, string);
        string += length == 0 ? 1 : length;
    }
    tn_check_text_add(text, "\"");
}
