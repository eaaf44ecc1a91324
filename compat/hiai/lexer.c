// SPDX-License-Identifier: Apache-2.0
// The lexer of graph files; see config.h.
#include "compat/hiai/config.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

void tn_hiai_lexer_init(struct tn_hiai_lexer *lexer, const char *text, size_t length) {
    *lexer = (struct tn_hiai_lexer){.at = text, .end = text + length, .line = 1};
    tn_hiai_lexer_next(lexer);
}

static void skip_blanks(struct tn_hiai_lexer *lexer) {
    bool comment = false;
    for (; lexer->at < lexer->end; lexer->at++) {
        char c = *lexer->at;
        if (c == '\n') {
            lexer->line++;
            comment = false;
        } else if (c == '#') {
            comment = true;
        } else if (!comment && !isspace((unsigned char)c)) {
            return;
        }
    }
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

// Returns the length of the string that begins here, with its quotes, or 0 if it does not end on
// its line.
static size_t string_length(const char *at, const char *end) {
    bool escaped = false;
    for (const char *c = at + 1; c < end && *c != '\n'; c++) {
        if (*c == *at && !escaped) return (size_t)(c - at) + 1;
        escaped = *c == '\\' && !escaped;
    }
    return 0;
}

static size_t name_length(const char *at, const char *end) {
    size_t length = 1;
    while (at + length < end && is_of_name(at[length])) length++;
    return length;
}

void tn_hiai_lexer_next(struct tn_hiai_lexer *lexer) {
    struct tn_hiai_word *word = &lexer->word;
    skip_blanks(lexer);
    *word = (struct tn_hiai_word){TN_HIAI_END, lexer->at, 0, lexer->line};
    if (lexer->at == lexer->end) return;
    char c = *lexer->at;
    word->length = 1;
    if (c == '"' || c == '\'') {
        word->length = string_length(lexer->at, lexer->end);
        word->kind = word->length != 0 ? TN_HIAI_STRING : TN_HIAI_WRONG;
        word->length = word->length != 0 ? word->length : 1;
    } else if (isdigit((unsigned char)c) || c == '-' || c == '+' || c == '.') {
        word->kind = TN_HIAI_NUMBER;
        word->length = name_length(lexer->at, lexer->end);
    } else if (is_of_name(c)) {
        word->kind = TN_HIAI_NAME;
        word->length = name_length(lexer->at, lexer->end);
    } else {
        word->kind = c != '\0' && strchr(":{}<>[],;", c) != NULL ? TN_HIAI_MARK : TN_HIAI_WRONG;
    }
    lexer->at += word->length;
}

bool tn_hiai_lexer_at_mark(const struct tn_hiai_lexer *lexer, char mark) {
    return lexer->word.kind == TN_HIAI_MARK && *lexer->word.at == mark;
}

// ---- strings

static bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Reads the escape after a backslash and advances *at. Returns -1 if it is invalid.
static int read_escape(const char **at, const char *end) {
    static const char letters[] = "abfnrtv\\'\"?";
    static const char meant[] = "\a\b\f\n\r\t\v\\'\"?";
    if (*at == end) return -1;
    if (is_octal(**at)) {
        unsigned value = 0;
        for (int i = 0; i < 3 && *at < end && is_octal(**at); i++)
            value = value * 8 + (unsigned)(*(*at)++ - '0');
        return value <= 255 ? (int)value : -1;
    }
    const char *letter = **at != '\0' ? strchr(letters, **at) : NULL;
    (*at)++;
    return letter != NULL ? (unsigned char)meant[letter - letters] : -1;
}

size_t tn_hiai_lexer_string(const struct tn_hiai_word *word, char *to) {
    const char *end = word->at + word->length - 1;
    size_t length = 0;
    for (const char *at = word->at + 1; at < end;) {
        int c = (unsigned char)*at++;
        if (c == '\\') {
            c = read_escape(&at, end);
            if (c < 0) return SIZE_MAX;
        }
        to[length++] = (char)c;
    }
    to[length] = '\0';
    return length;
}
