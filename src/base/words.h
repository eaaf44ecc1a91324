// SPDX-License-Identifier: Apache-2.0
// Lists of words in one text, such as "cuda,hip". One separator stands between two words. No state; any
// thread may call.
#pragma once

#include <stddef.h>
#include <string.h>

// Returns the index of a word of `length` bytes, or -1 if the list lacks it.
static inline int tn_words_find(const char *list, char separator, const char *word, size_t length) {
    const char end[] = {separator, '\0'};
    for (int index = 0; *list != '\0'; index++) {
        size_t next = strcspn(list, end);
        if (next == length && memcmp(list, word, length) == 0) return index;
        list += next + (list[next] == separator);
    }
    return -1;
}
