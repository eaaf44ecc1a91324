// SPDX-License-Identifier: Apache-2.0
// Appends to a text. See text.h.
#include "check/report/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "base/unicode.h"

// Replaces each byte from `start` on that is not printable by \xNN. Moves the text to the end of the
// buffer and copies it back; what would overtake the rest is cut off.
static void escape_text(struct tn_check_text *text, size_t start) {
    size_t length = text->used - start, at = text->room - 1 - length;
    (void)memmove(text->data + at, text->data + start, length + 1);
    for (text->used = start; text->data[at] != '\0';) {
        size_t good = tn_printable_length(text->data + at);
        char one[] = {text->data[at], '\0'}, escaped[8];
        if (good == 0) tn_printable_copy(one, escaped, sizeof escaped);
        size_t more = good > 0 ? good : strlen(escaped);
        if (text->used + more > at + (good > 0 ? good : 1)) break;
        (void)memmove(text->data + text->used, good > 0 ? text->data + at : escaped, more);
        text->used += more;
        at += good > 0 ? good : 1;
    }
    text->data[text->used] = '\0';
}

// A format that ends with a newline ends a line; every other control character is of an argument.
void tn_check_text_add(struct tn_check_text *text, const char *format, ...) {
    va_list arguments;
    size_t start = text->used, left = text->room - start, bytes = strlen(format);
    va_start(arguments, format);
    int length = vsnprintf(text->data + start, left, format, arguments);
    va_end(arguments);
    if (length <= 0) return;
    text->used += (size_t)length < left ? (size_t)length : left - 1;
    bool ends_line = bytes > 0 && format[bytes - 1] == '\n' && text->data[text->used - 1] == '\n';
    if (ends_line) text->data[--text->used] = '\0';
    if (!tn_printable_is(text->data + start)) escape_text(text, start);
    if (ends_line && text->used + 1 < text->room) {
        text->data[text->used++] = '\n';
        text->data[text->used] = '\0';
    }
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
        else if (tn_printable_length(string) == 0) // its code is that of its last byte
            tn_check_text_add(text, "\\u%04x", (unsigned char)string[length - 1]);
        else if (byte == '"' || byte == '\\')
            tn_check_text_add(text, "\\%c", byte);
        else
            tn_check_text_add(text, "%.*s", (int)length, string);
        string += length == 0 ? 1 : length;
    }
    tn_check_text_add(text, "\"");
}
