// SPDX-License-Identifier: Apache-2.0
// The text of a report under construction, in a buffer of the owner. Text beyond the end of the
// buffer is cut off. Used by one thread at a time.
#pragma once

#include <stddef.h>

struct tn_check_text {
    char *data;
    size_t used; // a zero byte always follows
    size_t room;
};

#define TN_CHECK_TEXT(array)                                                                       \
    { (array), 0, sizeof(array) }

// The first members of each line of JSON; the pid follows as an argument. docs/command.md describes
// the first two.
#define TN_CHECK_JSON_HEAD "{\"command\": \"check\", \"schema\": 1, \"pid\": %d"

// Appends text. A name may hold any bytes: each byte that is not printable is written as \xNN, except a
// newline at the end of the format.
void tn_check_text_add(struct tn_check_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Appends a JSON string with its quotes, or null for NULL. Bytes that are not UTF-8 become U+FFFD,
// and control characters are escaped.
void tn_check_text_add_json(struct tn_check_text *text, const char *string);
