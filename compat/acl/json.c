// SPDX-License-Identifier: Apache-2.0
// See json.h. Reads from left to right and writes behind itself; any thread, no state.
#include "compat/acl/json.h"

#include <string.h>

#define LEVELS 64

struct reader {
    char *text;
    size_t at;
    size_t size;
    size_t written;
    int level;
};

// 0 at the end; a 0 in the text is as wrong.
static char next(const struct reader *r) {
    return r->at < r->size ? r->text[r->at] : '\0';
}

static void take(struct reader *r) {
    r->text[r->written++] = r->text[r->at++];
}

static bool take_one(struct reader *r, char c) {
    bool there = r->at < r->size && next(r) == c;
    if (there) {
        take(r);
    }
    return there;
}

static void skip_space(struct reader *r) {
    while (r->at < r->size && strchr(" \t\n\r", next(r)) != NULL && next(r) != '\0') {
        r->at++;
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool digits(struct reader *r) {
    bool any = false;
    while (is_digit(next(r))) {
        take(r);
        any = true;
    }
    return any;
}

static bool number(struct reader *r) {
    (void)take_one(r, '-');
    if (!take_one(r, '0') && !digits(r)) {
        return false;
    }
    if (take_one(r, '.') && !digits(r)) {
        return false;
    }
    if (take_one(r, 'e') || take_one(r, 'E')) {
        (void)(take_one(r, '+') || take_one(r, '-'));
        return digits(r);
    }
    return true;
}

static bool escape(struct reader *r) {
    if (take_one(r, 'u')) {
        for (int i = 0; i < 4; i++) {
            if (!is_hex(next(r))) {
                return false;
            }
            take(r);
        }
        return true;
    }
    bool known = next(r) != '\0' && strchr("\"\\/bfnrt", next(r)) != NULL;
    if (known) {
        take(r);
    }
    return known;
}

static bool string(struct reader *r) {
    if (!take_one(r, '"')) {
        return false;
    }
    while (!take_one(r, '"')) {
        if ((unsigned char)next(r) < ' ') { // the end as well
            return false;
        }
        bool escaped = next(r) == '\\';
        take(r);
        if (escaped && !escape(r)) {
            return false;
        }
    }
    return true;
}

static bool word(struct reader *r, const char *expected) {
    while (*expected != '\0' && take_one(r, *expected)) {
        expected++;
    }
    return *expected == '\0';
}

static bool value(struct reader *r);

static bool member(struct reader *r) {
    skip_space(r);
    if (!string(r)) {
        return false;
    }
    skip_space(r);
    return take_one(r, ':') && value(r);
}

// What is between brackets that are of a kind: items, with commas between them.
static bool list(struct reader *r, char open, char close, bool (*item)(struct reader *r)) {
    if (!take_one(r, open) || ++r->level > LEVELS) {
        return false;
    }
    skip_space(r);
    if (next(r) != close) {
        do {
            if (!item(r)) {
                return false;
            }
            skip_space(r);
        } while (take_one(r, ','));
    }
    r->level--;
    return take_one(r, close);
}

static bool value(struct reader *r) {
    skip_space(r);
    switch (next(r)) {
    case '{':
        return list(r, '{', '}', member);
    case '[':
        return list(r, '[', ']', value);
    case '"':
        return string(r);
    case 't':
        return word(r, "true");
    case 'f':
        return word(r, "false");
    case 'n':
        return word(r, "null");
    default:
        return number(r);
    }
}

bool tn_acl_json_object(char *text, size_t size, size_t *bad) {
    struct reader r = {text, 0, size, 0, 0};
    skip_space(&r);
    bool good = list(&r, '{', '}', member);
    skip_space(&r);
    good = good && r.at == size;
    *bad = r.at;
    if (good) {
        text[r.written] = '\0';
    }
    return good;
}
