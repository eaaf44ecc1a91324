// SPDX-License-Identifier: Apache-2.0
// Text of a report under construction: a buffer of its owner, cut off where it is full. One thread.
#ifndef TARN_CHECK_TEXT_H
#define TARN_CHECK_TEXT_H

#include <stddef.h>

struct tn_check_text {
    char *data;
    size_t used; // always ends with a zero byte behind
    size_t room;
};

#define TN_CHECK_TEXT(array)                                                                       \
    { (array), 0, sizeof(array) }

void tn_check_text_add(struct tn_check_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// As a JSON string with its quotes; NULL: null. Bytes that are no UTF-8 become U+FFFD.
void tn_check_text_add_json(struct tn_check_text *text, const char *string);

#endif
