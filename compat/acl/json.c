// SPDX-License-Identifier: Apache-2.0
// See json.h. The reader moves from left to right and writes the text back into the part already
// read.
#include "compat/acl/json.h"

#include <string.h>

#define LEVELS 64

struct json {
    char *text;
    size_t at;
    size_t size;
    size_t written;
    int level;
};

// Returns 0 at the end. A 0 in the text is as wrong as the end.
static char next_char(const struct json *r) { return r->at < r->size ? r->text[r->at] : '\0'; }

static void keep_char(struct json *r) { r->text[r->written++] = r->text[r->at++]; }

static bool keep_if(struct json *r, char c) {
    bool same = r->at < r->size && next_char(r) == c;
    if (same) keep_char(r);
    return same;
}

static void skip_space(struct json *r) {
    while (memchr(" \t\n\r", next_char(r), 4) != NULL) r->at++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool read_digits(struct json *r) {
    size_t from = r->at;
    while (is_digit(next_char(r))) keep_char(r);
    return r->at > from;
}

static bool read_number(struct json *r) {
    (void)keep_if(r, '-');
    if (!keep_if(r, '0') && !read_digits(r)) return false;
    if (keep_if(r, '.') && !read_digits(r)) return false;
    if (keep_if(r, 'e') || keep_if(r, 'E')) {
        (void)(keep_if(r, '+') || keep_if(r, '-'));
        return read_digits(r);
    }
    return true;
}

static bool read_escape(struct json *r) {
    if (keep_if(r, 'u')) {
        for (int i = 0; i < 4; i++) {
            if (memchr("0123456789abcdefABCDEF", next_char(r), 22) == NULL) return false;
            keep_char(r);
        }
        return true;
    }
    return memchr("\"\\/bfnrt", next_char(r), 8) != NULL && keep_if(r, next_char(r));
}

static bool read_string(struct json *r) {
    if (!keep_if(r, '"')) return false;
    while (!keep_if(r, '"')) {
        if ((unsigned char)next_char(r) < ' ') // also at the end
            return false;
        bool escaped = next_char(r) == '\\';
        keep_char(r);
        if (escaped && !read_escape(r)) return false;
    }
    return true;
}

static bool read_word(struct json *r, const char *expected) {
    while (*expected != '\0' && keep_if(r, *expected)) expected++;
    return *expected == '\0';
}

static bool read_value(struct json *r);

static bool read_member(struct json *r) {
    skip_space(r);
    if (!read_string(r)) return false;
    skip_space(r);
    return keep_if(r, ':') && read_value(r);
}

// Reads items between brackets of one kind, with commas between them.
static bool read_list(struct json *r, char open, char close, bool (*read_item)(struct json *r)) {
    if (!keep_if(r, open) || ++r->level > LEVELS) return false;
    skip_space(r);
    if (next_char(r) != close) {
        do {
            if (!read_item(r)) return false;
            skip_space(r);
        } while (keep_if(r, ','));
    }
    r->level--;
    return keep_if(r, close);
}

static bool read_value(struct json *r) {
    skip_space(r);
    switch (next_char(r)) {
    case '{': return read_list(r, '{', '}', read_member);
    case '[': return read_list(r, '[', ']', read_value);
    case '"': return read_string(r);
    case 't': return read_word(r, "true");
    case 'f': return read_word(r, "false");
    case 'n': return read_word(r, "null");
    default: return read_number(r);
    }
}

bool tn_acl_json_object(char *text, size_t size, size_t *bad) {
    struct json r = {text, 0, size, 0, 0};
    skip_space(&r);
    bool valid = read_list(&r, '{', '}', read_member);
    skip_space(&r);
    valid = valid && r.at == size;
    *bad = r.at;
    if (valid) text[r.written] = '\0';
    return valid;
}
