// SPDX-License-Identifier: Apache-2.0
// See suggest.h.
#include "tools/suggest.h"

enum { NAME_MAX_BYTES = 40 };

static size_t least_of(size_t a, size_t b) { return a < b ? a : b; }

// Returns the number of letters to insert, delete, replace or swap with their neighbour, to get
// from one text to the other. Texts have at most NAME_MAX_BYTES.
static size_t count_typos(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][NAME_MAX_BYTES + 1];
    for (size_t j = 0; j <= b_length; j++) rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least_of(least_of(above[j], row[j - 1]) + 1,
                              above[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_of(row[j], higher[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

void tn_suggestion_consider(struct tn_suggestion *suggestion, const char *name, size_t length) {
    if (length > NAME_MAX_BYTES || suggestion->length > NAME_MAX_BYTES) return;
    size_t distance = count_typos(suggestion->text, suggestion->length, name, length);
    if (distance > (suggestion->length + 2) / 3 || distance >= length ||
        (suggestion->best != NULL && distance >= suggestion->distance))
        return;
    suggestion->best = name;
    suggestion->best_length = length;
    suggestion->distance = distance;
}
