// SPDX-License-Identifier: Apache-2.0
// See lexer.h. A literal without an end stops at the end of its line, as in a comment of `#error`.
#include "tools/hipcc/lexer.h"

#include <ctype.h>

#include "base/grow.h"

struct reader {
    struct tn_cxx_source *source;
    const char *text;
    size_t at, bytes;
    uint32_t directive, directives;
    bool is_fresh; // only blanks so far on this line
    bool is_short; // of memory
};

static char peek(const struct reader *r, size_t ahead) {
    return r->at + ahead < r->bytes ? r->text[r->at + ahead] : '\0';
}

static bool is_name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

// Returns the length of a backslash with the end of its line, or 0.
static size_t splice_length(const struct reader *r) {
    if (peek(r, 0) != '\\') return 0;
    return peek(r, 1) == '\n' ? 2 : peek(r, 1) == '\r' && peek(r, 2) == '\n' ? 3 : 0;
}

static void skip_line_comment(struct reader *r) {
    while (r->at < r->bytes && r->text[r->at] != '\n') {
        size_t splice = splice_length(r);
        r->at += splice > 0 ? splice : 1;
    }
}

static void skip_block_comment(struct reader *r) {
    const char *end = (const char *)memmem(r->text + r->at + 2, r->bytes - r->at - 2, "*/", 2);
    r->at = end != NULL ? (size_t)(end - r->text) + 2 : r->bytes;
}

static void skip_blanks(struct reader *r) {
    while (r->at < r->bytes) {
        char c = peek(r, 0);
        if (c == '\n') {
            r->is_fresh = true;
            r->directive = 0;
            r->at++;
        } else if (isspace((unsigned char)c) || c == '\0') {
            r->at++;
        } else if (splice_length(r) > 0) {
            r->at += splice_length(r);
        } else if (c == '/' && peek(r, 1) == '/') {
            skip_line_comment(r);
        } else if (c == '/' && peek(r, 1) == '*') {
            skip_block_comment(r);
        } else {
            return;
        }
    }
}

// ---- the ends of tokens

static size_t find_name_end(const struct reader *r, size_t at) {
    while (at < r->bytes && is_name_byte(r->text[at])) at++;
    return at;
}

static size_t find_number_end(const struct reader *r, size_t at) {
    for (; at < r->bytes; at++) {
        char c = r->text[at], before = (char)tolower((unsigned char)r->text[at - 1]);
        bool is_sign = (c == '+' || c == '-') && (before == 'e' || before == 'p');
        bool is_quote = c == '\'' && at + 1 < r->bytes && is_name_byte(r->text[at + 1]);
        if (!is_name_byte(c) && c != '.' && !is_sign && !is_quote) return at;
    }
    return at;
}

// The quote is at `at`.
static size_t find_literal_end(const struct reader *r, size_t at) {
    char quote = r->text[at];
    for (size_t end = at + 1; end < r->bytes && r->text[end] != '\n'; end++) {
        if (r->text[end] == quote) return end + 1;
        if (r->text[end] == '\\') end++;
    }
    return at + 1;
}

// R"x(...)x" with the first quote at `at`.
static size_t find_raw_end(const struct reader *r, size_t at) {
    size_t open = at + 1;
    while (open < r->bytes && open - at <= 17 && r->text[open] != '(') open++;
    size_t length = open - at - 1;
    if (open >= r->bytes || r->text[open] != '(') return at; // not a raw string
    for (size_t close = open + 1; close + length + 1 < r->bytes; close++)
        if (r->text[close] == ')' && r->text[close + length + 1] == '"' &&
            memcmp(r->text + close + 1, r->text + at + 1, length) == 0)
            return close + length + 2;
    return r->bytes;
}

// Returns the end of a literal whose prefix lies between the reader and `end`, or `end`.
static size_t find_prefixed_end(const struct reader *r, size_t end) {
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R", "L", "u", "U", "u8"};
    char quote = end < r->bytes ? r->text[end] : '\0';
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (length != end - r->at || memcmp(prefixes[i], r->text + r->at, length) != 0) continue;
        if (prefixes[i][length - 1] == 'R') return quote == '"' ? find_raw_end(r, end) : end;
        return quote == '"' || quote == '\'' ? find_literal_end(r, end) : end;
    }
    return end;
}

static size_t find_mark_end(const struct reader *r) {
    if (peek(r, 0) == '.' && peek(r, 1) == '.' && peek(r, 2) == '.') return r->at + 3;
    static const char pairs[][3] = {"::", "->", "<=", ">=", "##"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (peek(r, 0) == pairs[i][0] && peek(r, 1) == pairs[i][1]) return r->at + 2;
    return r->at + 1;
}

// Returns the end of <...> in an include, or 0.
static size_t find_header_end(const struct reader *r) {
    const struct tn_cxx_source *source = r->source;
    size_t last = source->count;
    if (peek(r, 0) != '<' || r->directive == 0 || last < 2 ||
        !(tn_cxx_is(source, last - 1, "include") || tn_cxx_is(source, last - 1, "include_next")) ||
        !tn_cxx_is(source, last - 2, "#"))
        return 0;
    for (size_t end = r->at; end < r->bytes && r->text[end] != '\n'; end++)
        if (r->text[end] == '>') return end + 1;
    return 0;
}

// ---- tokens

static void add_token(struct reader *r, enum tn_cxx_kind kind, size_t end) {
    struct tn_cxx_source *source = r->source;
    const struct tn_cxx_token token = {r->at, (uint32_t)(end - r->at), r->directive, kind};
    struct tn_cxx_token *grown = (struct tn_cxx_token *)tn_append(
        source->tokens, &source->count, &source->room, &token, sizeof token);
    r->is_short = grown == NULL;
    if (grown != NULL) source->tokens = grown;
    r->at = end;
}

static void read_token(struct reader *r) {
    char c = peek(r, 0);
    size_t header = find_header_end(r);
    if (header > 0) {
        add_token(r, TN_CXX_TEXT, header);
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(r, 1)))) {
        add_token(r, TN_CXX_NUMBER, find_number_end(r, r->at + 1));
    } else if (is_name_byte(c)) {
        size_t name = find_name_end(r, r->at), end = find_prefixed_end(r, name);
        add_token(r, end > name ? TN_CXX_TEXT : TN_CXX_NAME, end);
    } else if (c == '"' || c == '\'') {
        size_t end = find_literal_end(r, r->at);
        add_token(r, end > r->at + 1 ? TN_CXX_TEXT : TN_CXX_MARK, end);
    } else {
        add_token(r, TN_CXX_MARK, find_mark_end(r));
    }
}

// ---- origins

// Adds an origin if the directive that begins at this token is `# 12 "file" 3` or `#line 12 "file"`.
static void add_origin(struct reader *r, size_t first) {
    struct tn_cxx_source *source = r->source;
    const struct tn_cxx_token *token = source->tokens;
    size_t number = first + 1 + tn_cxx_is(source, first + 1, "line");
    if (!tn_cxx_is_a(source, number, TN_CXX_NUMBER)) return;
    struct tn_cxx_origin origin = {
        .line = (uint32_t)strtoul(source->text + token[number].at, NULL, 10)};
    if (tn_cxx_is_a(source, number + 1, TN_CXX_TEXT)) {
        origin.file = token[number + 1].at;
        origin.file_bytes = token[number + 1].bytes;
    }
    for (size_t i = number + 2; i < source->count; i++)
        origin.is_system = origin.is_system || tn_cxx_is(source, i, "3");
    const char *end = (const char *)memchr(r->text + r->at, '\n', r->bytes - r->at);
    origin.from = end != NULL ? (size_t)(end - r->text) + 1 : r->bytes;
    struct tn_cxx_origin *grown = (struct tn_cxx_origin *)tn_append(
        source->origins, &source->origin_count, &source->origin_room, &origin, sizeof origin);
    r->is_short = grown == NULL;
    if (grown != NULL) source->origins = grown;
}

static void read_directive(struct reader *r) {
    size_t first = r->source->count;
    r->directive = ++r->directives;
    while (r->at < r->bytes && r->directive != 0 && !r->is_short) {
        read_token(r);
        r->is_fresh = false;
        size_t end = r->at;
        skip_blanks(r);
        if (r->directive != 0 && r->at < r->bytes) continue;
        size_t next = r->at;
        r->at = end;
        if (!r->is_short) add_origin(r, first);
        r->at = next;
    }
    r->directive = 0;
}

bool tn_cxx_lex(struct tn_cxx_source *source, const char *text, size_t bytes) {
    struct reader r = {.source = source, .text = text, .bytes = bytes, .is_fresh = true};
    *source = (struct tn_cxx_source){.text = text, .bytes = bytes};
    for (;;) {
        skip_blanks(&r);
        if (r.at >= bytes || r.is_short) return !r.is_short;
        if (r.is_fresh && text[r.at] == '#') {
            read_directive(&r);
            continue;
        }
        r.is_fresh = false;
        read_token(&r);
    }
}

void tn_cxx_source_end(struct tn_cxx_source *source) {
    free(source->tokens);
    free(source->origins);
}

struct tn_cxx_place tn_cxx_locate(const struct tn_cxx_source *source, size_t at) {
    struct tn_cxx_place place = {.line = 1};
    size_t from = 0;
    for (size_t i = 0; i < source->origin_count && source->origins[i].from <= at; i++) {
        const struct tn_cxx_origin *origin = &source->origins[i];
        from = origin->from;
        place.line = origin->line;
        place.is_system = origin->is_system;
        if (origin->file_bytes == 0) continue;
        place.file = source->text + origin->file;
        place.file_bytes = origin->file_bytes;
    }
    place.line_start = from;
    for (size_t i = from; i < at; i++)
        if (source->text[i] == '\n') place.line++, place.line_start = i + 1;
    place.column = (uint32_t)(at - place.line_start) + 1;
    return place;
}
