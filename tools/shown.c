// SPDX-License-Identifier: Apache-2.0
// See shown.h. Most names are printable, and are returned as they are.
#include "tools/shown.h"

#include "base/printable.h"

enum { TEXTS = 8, ROOM = 1024 };

const char *tn_shown(const char *text) {
    static char texts[TEXTS][ROOM];
    static unsigned next;
    if (tn_printable_is(text)) return text;
    char *copy = texts[next++ % TEXTS];
    tn_printable_copy(text, copy, ROOM);
    return copy;
}
