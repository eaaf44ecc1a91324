// SPDX-License-Identifier: Apache-2.0
// The lexer of graph files, text protobuf: names, numbers, strings, and the marks : { } < > [ ] , ;
// A # begins a comment. The text belongs to the caller. One thread.
#ifndef TARN_COMPAT_HIAI_LEXER_H
#define TARN_COMPAT_HIAI_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum tn_hiai_word_kind {
    TN_HIAI_END,
    TN_HIAI_NAME,   // letters, digits, _ and dots; begins with a letter or _
    TN_HIAI_NUMBER, // begins with a digit, a sign or a dot
    TN_HIAI_STRING, // with its quotes
    TN_HIAI_MARK,
    TN_HIAI_WRONG // a string without an end, or an unknown byte
};

struct tn_hiai_word {
    enum tn_hiai_word_kind kind;
    const char *at;
    size_t length;
    unsigned line;
};

struct tn_hiai_lexer {
    const char *at;
    const char *end;
    unsigned line;
    struct tn_hiai_word word; // the current one
};

// Starts a text and reads its first word.
void tn_hiai_lexer_init(struct tn_hiai_lexer *lexer, const char *text, size_t length);

// Advances to the next word. At the end it does nothing.
void tn_hiai_lexer_next(struct tn_hiai_lexer *lexer);

// Returns true if the current word is this mark.
bool tn_hiai_lexer_at_mark(const struct tn_hiai_lexer *lexer, char mark);

// Writes the value of a string, without quotes and escapes, into `to`, which has room for the
// word's length, and terminates it. Returns the number of bytes, or SIZE_MAX if an escape is
// invalid.
size_t tn_hiai_lexer_string(const struct tn_hiai_word *word, char *to);

#endif
