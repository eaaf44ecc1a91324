// SPDX-License-Identifier: Apache-2.0
// Sizes and counts as text. See bytes.h.
#include "tools/bytes.h"

#include <inttypes.h>
#include <stdio.h>

static const char units[] = "KMGTPE";

const char *tn_bytes_format(uint64_t bytes, char text[TN_TEXT]) {
    if (bytes < 1024) {
        (void)snprintf(text, TN_TEXT, "%" PRIu64 " B", bytes);
        return text;
    }
    double value = (double)bytes / 1024;
    size_t unit = 0;
    for (; value >= 1023.95 && units[unit + 1] != '\0'; unit++) value /= 1024;
    (void)snprintf(text, TN_TEXT, value < 9.995 ? "%.2f %ciB" : "%.1f %ciB", value, units[unit]);
    return text;
}

const char *tn_count_format(uint64_t count, char text[TN_TEXT]) {
    char digits[TN_TEXT];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}
