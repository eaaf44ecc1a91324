// SPDX-License-Identifier: Apache-2.0
// The tokens of C++ source text, also of the output of a preprocessor. Tokens refer to the text, which
// must outlive them. No state; any thread may call. brackets.h moves between tokens.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum tn_hip_kind {
    TN_HIP_NAME,   // an identifier or a keyword
    TN_HIP_NUMBER, // a number of the preprocessor
    TN_HIP_TEXT,   // a string, a character, or the name of a header in angle brackets
    TN_HIP_MARK    // "::", "->", "<=", ">=", "##", or one other character
};

struct tn_hip_token {
    size_t at;
    uint32_t bytes;
    uint32_t
        directive; // the number of its preprocessor directive, from 1 on; 0 outside of directives
    enum tn_hip_kind kind;
};

// The place from which lines are counted: the text behind a line such as `# 12 "a.hip" 3`.
struct tn_hip_origin {
    size_t from;   // the first byte of the next line
    uint32_t line; // the number of that line
    size_t file,
        file_bytes; // the quoted name in the text; 0 bytes if it is that of an earlier origin
    bool is_system;
};

struct tn_hip_source {
    const char *text;
    size_t bytes;
    struct tn_hip_token *tokens;
    size_t count, room;
    struct tn_hip_origin *origins;
    size_t origin_count, origin_room;
};

// Finds the tokens and origins. Returns false if out of memory; tn_hip_source_end() is due anyway.
bool tn_hip_lex(struct tn_hip_source *source, const char *text, size_t bytes);

void tn_hip_source_end(struct tn_hip_source *source);

// A place as a compiler reports it. Lines and columns count from 1.
struct tn_hip_place {
    const char *file; // quoted as in the text, or NULL
    size_t file_bytes;
    uint32_t line, column;
    size_t line_start; // in the text
    bool is_system;
};

struct tn_hip_place tn_hip_locate(const struct tn_hip_source *source, size_t at);

// Returns true if the token exists and is this name or mark.
static inline bool tn_hip_is(const struct tn_hip_source *source, size_t index, const char *word) {
    if (index >= source->count) return false;
    const struct tn_hip_token *token = &source->tokens[index];
    return token->kind != TN_HIP_TEXT && strlen(word) == token->bytes &&
           memcmp(source->text + token->at, word, token->bytes) == 0;
}

// Returns true if the token exists and is of that kind.
static inline bool tn_hip_is_a(const struct tn_hip_source *source, size_t index,
                               enum tn_hip_kind kind) {
    return index < source->count && source->tokens[index].kind == kind;
}

// Returns true if the next token follows without a blank.
static inline bool tn_hip_touches(const struct tn_hip_source *source, size_t index) {
    return index + 1 < source->count &&
           source->tokens[index].at + source->tokens[index].bytes == source->tokens[index + 1].at;
}
