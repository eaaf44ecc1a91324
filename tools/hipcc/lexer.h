// SPDX-License-Identifier: Apache-2.0
// The tokens of C++ source text, also of the output of a preprocessor. Tokens refer to the text, which
// must outlive them. No state; any thread may call. brackets.h moves between tokens.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/words.h"

enum tn_cxx_kind {
    TN_CXX_NAME,   // an identifier or a keyword
    TN_CXX_NUMBER, // a number of the preprocessor
    TN_CXX_TEXT,   // a string, a character, or the name of a header in angle brackets
    TN_CXX_MARK    // "::", "->", "<=", ">=", "##", "...", or one other character
};

struct tn_cxx_token {
    size_t at;
    uint32_t bytes;
    uint32_t
        directive; // the number of its preprocessor directive, from 1 on; 0 outside of directives
    enum tn_cxx_kind kind;
};

// The place from which lines are counted: the text behind a line such as `# 12 "a.hip" 3`.
struct tn_cxx_origin {
    size_t from;   // the first byte of the next line
    uint32_t line; // the number of that line
    size_t file,
        file_bytes; // the quoted name in the text; 0 bytes if it is that of an earlier origin
    bool is_system;
};

struct tn_cxx_source {
    const char *text;
    size_t bytes;
    struct tn_cxx_token *tokens;
    size_t count, room;
    struct tn_cxx_origin *origins;
    size_t origin_count, origin_room;
};

// Finds the tokens and origins. Returns false if out of memory; tn_cxx_source_end() is due anyway.
bool tn_cxx_lex(struct tn_cxx_source *source, const char *text, size_t bytes);

void tn_cxx_source_end(struct tn_cxx_source *source);

// A place as a compiler reports it. Lines and columns count from 1.
struct tn_cxx_place {
    const char *file; // quoted as in the text, or NULL
    size_t file_bytes;
    uint32_t line, column;
    size_t line_start; // in the text
    bool is_system;
};

struct tn_cxx_place tn_cxx_locate(const struct tn_cxx_source *source, size_t at);

// Returns true if the token exists and is this name or mark.
static inline bool tn_cxx_is(const struct tn_cxx_source *source, size_t index, const char *word) {
    if (index >= source->count) return false;
    const struct tn_cxx_token *token = &source->tokens[index];
    return token->kind != TN_CXX_TEXT && strlen(word) == token->bytes &&
           memcmp(source->text + token->at, word, token->bytes) == 0;
}

// Returns true if the token exists and is one of these names or marks, with spaces between them.
static inline bool tn_cxx_is_one(const struct tn_cxx_source *source, size_t index,
                                 const char *words) {
    if (index >= source->count) return false;
    const struct tn_cxx_token *token = &source->tokens[index];
    return token->kind != TN_CXX_TEXT &&
           tn_words_find(words, ' ', source->text + token->at, token->bytes) >= 0;
}

// Returns true if both tokens have the same text.
static inline bool tn_cxx_is_same(const struct tn_cxx_source *source, size_t a, size_t b) {
    const struct tn_cxx_token *one = &source->tokens[a], *other = &source->tokens[b];
    return one->bytes == other->bytes &&
           memcmp(source->text + one->at, source->text + other->at, one->bytes) == 0;
}

// Returns true if the token exists and is one of these marks, each a byte.
static inline bool tn_cxx_is_mark(const struct tn_cxx_source *source, size_t index,
                                  const char *marks) {
    if (index >= source->count) return false;
    const struct tn_cxx_token *token = &source->tokens[index];
    return token->kind == TN_CXX_MARK && token->bytes == 1 &&
           memchr(marks, source->text[token->at], strlen(marks)) != NULL;
}

// Returns true if the token exists and is of that kind.
static inline bool tn_cxx_is_a(const struct tn_cxx_source *source, size_t index,
                               enum tn_cxx_kind kind) {
    return index < source->count && source->tokens[index].kind == kind;
}

// Returns true if the next token follows without a blank.
static inline bool tn_cxx_touches(const struct tn_cxx_source *source, size_t index) {
    return index + 1 < source->count &&
           source->tokens[index].at + source->tokens[index].bytes == source->tokens[index + 1].at;
}
