// SPDX-License-Identifier: Apache-2.0
// Changes of a source text that keep the line and the column of all other tokens: where a change would
// move the rest of its line, the result has a line marker and blanks behind it. One thread.
#pragma once

#include "tools/hipcc/lexer.h"

enum tn_cxx_place_kind {
    TN_CXX_IN_LINE, // the text as it is
    TN_CXX_BLANK,   // as many blanks as bytes are removed
    TN_CXX_BEFORE,  // the text on a line of its own, so that what follows keeps its column
    TN_CXX_AFTER    // the text, and a line marker if more of the line follows
};

struct tn_cxx_edit {
    size_t at, removed; // bytes
    char *text;
    enum tn_cxx_place_kind kind;
};

struct tn_cxx_edits {
    struct tn_cxx_edit *all;
    size_t count, room;
    bool is_short; // of memory
};

// Adds a change with a copy of the text, which may not hold the end of a line.
void tn_cxx_edit_add(struct tn_cxx_edits *edits, size_t at, size_t removed,
                     enum tn_cxx_place_kind kind, const char *text, size_t bytes);

// Returns the changed text and its length, or NULL if out of memory. Edits may have been added in any
// order; one that overlaps an earlier one in the text is left out. The caller frees the text.
char *tn_cxx_edit_apply(const struct tn_cxx_source *source, struct tn_cxx_edits *edits,
                        size_t *bytes);

void tn_cxx_edits_end(struct tn_cxx_edits *edits);
