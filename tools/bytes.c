// SPDX-License-Identifier: Apache-2.0
// See bytes.h.
#include "tools/bytes.h"

#include <inttypes.h>
#include <stdio.h>

enum { TEXTS = 48, ROOM = 128 };

static char *next_text(void) {
    static char texts[TEXTS][ROOM];
    static unsigned next;
    return texts[next++ % TEXTS];
}

const char *tn_bytes(uint64_t bytes) {
    static const char units[] = "KMGTPE";
    char *text = next_text();
    if (bytes < 1024) {
        (void)snprintf(text, ROOM, "%" PRIu64 " B", bytes);
        return text;
    }
    double value = (double)bytes / 1024;
    size_t unit = 0;
    for (; value >= 1023.95 && units[unit + 1] != '\0'; unit++) value /= 1024;
    (void)snprintf(text, ROOM, value < 9.995 ? "%.2f %ciB" : "%.1f %ciB", value, units[unit]);
    return text;
}

const char *tn_count(uint64_t count) {
    char digits[ROOM], *text = next_text(), *to = text;
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

const char *tn_number(uint64_t count, const char *noun) {
    char *text = next_text();
    (void)snprintf(text, ROOM, "%s %s%s", tn_count(count), noun, count == 1 ? "" : "s");
    return text;
}
