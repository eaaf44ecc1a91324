// SPDX-License-Identifier: Apache-2.0
// Words of a graph file: text protobuf, of which names, numbers, strings, and the marks : { } < > [
// ] , ; are known; # begins a comment. The text is the caller's. One thread.
#ifndef TARN_COMPAT_HIAI_LEXER_H
#define TARN_COMPAT_HIAI_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum tn_hiai_word_kind {
    TN_HIAI_END,
    TN_HIAI_NAME,   // letters, digits, _ and dots; begins with a packet or _
    TN_HIAI_NUMBER, // whatever begins with a digit, a sign or a dot
    TN_HIAI_STRING, // with its quotes
    TN_HIAI_MARK,
    TN_HIAI_WRONG // a string without an end, or a byte that begins nothing
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

// Begins a text and stands at its first word.
void tn_hiai_lexer_init(struct tn_hiai_lexer *lexer, const char *text, size_t length);

// Goes to the next word. At the end it stays.
void tn_hiai_lexer_next(struct tn_hiai_lexer *lexer);

// Is the current word this mark?
bool tn_hiai_lexer_at_mark(const struct tn_hiai_lexer *lexer, char mark);

// What a string means, without quotes and escapes, into `to`, which has room for its length; ends
// with a zero. Returns how many bytes that are; SIZE_MAX: an escape is wrong.
size_t tn_hiai_lexer_string(const struct tn_hiai_word *word, char *to);

#endif
