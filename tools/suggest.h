// SPDX-License-Identifier: Apache-2.0
// Suggestions for misspelt names. No state; any thread may call.
#pragma once

#include <stddef.h>

// The best of the names that were considered. Zero all but `text` and `length`, then consider each
// known name.
struct tn_suggestion {
    const char *text; // as the user wrote it
    size_t length;
    const char *best; // NULL if no name resembles the text
    size_t best_length;
    size_t distance; // the number of typing errors between the two
};

void tn_suggestion_consider(struct tn_suggestion *suggestion, const char *name, size_t length);
