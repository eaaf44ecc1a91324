// SPDX-License-Identifier: Apache-2.0
// The JSON reader; see json.h. It looks at a window of the source's bytes. The items of open
// containers wait on one stack until their container is closed.
#include "trace/parse/json.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/hex.h"
#include "base/options.h"

enum { NUMBER_MAX = 64, SHARED_MAX = 256 };

// ---- detection

static uint8_t next_token(const uint8_t *bytes, size_t size, size_t *at) {
    while (*at < size && memchr(" \t\r\n", bytes[*at], 4) != NULL) ++*at;
    return *at < size ? bytes[(*at)++] : 0;
}

uint8_t tn_json_first_bytes(const uint8_t *bytes, size_t size, uint8_t *second) {
    size_t at = 0;
    uint8_t first = next_token(bytes, size, &at);
    *second = next_token(bytes, size, &at);
    return first;
}

bool tn_json_mentions(const uint8_t *bytes, size_t size, const char *key) {
    char quoted[TN_JSON_KEY_MAX + 3];
    int length = snprintf(quoted, sizeof quoted, "\"%s\"", key);
    return memmem(bytes, size, quoted, (size_t)length) != NULL;
}

tarn_status tn_json_fail(const struct tn_json *json, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": byte %" PRIu64 ": %s",
                   tn_source_name(json->source), json->line,
                   tn_source_offset(json->source) + (uint64_t)(json->at - json->window), what);
}

static tarn_status fail_end(struct tn_json *json) {
    json->ended = true;
    return tn_json_fail(json, "the file ends early");
}

// ---- bytes

// Makes at least one byte visible. At the end of the source `at` equals `end`.
static tarn_status fill_window(struct tn_json *json) {
    size_t size = 0;
    if (json->at < json->end) return TARN_OK;
    tn_source_take(json->source, (size_t)(json->end - json->window));
    json->window = json->at = json->end;
    TN_TRY(tn_source_peek(json->source, &json->window, &size));
    json->at = json->window;
    json->end = json->window + size;
    return TARN_OK;
}

// Returns the next byte without using it; fails at the end of the source.
static tarn_status need_byte(struct tn_json *json, uint8_t *byte) {
    TN_TRY(fill_window(json));
    if (json->at == json->end) return fail_end(json);
    *byte = *json->at;
    return TARN_OK;
}

tarn_status tn_json_peek(struct tn_json *json, uint8_t *byte) {
    for (;;) {
        TN_TRY(fill_window(json));
        *byte = json->at < json->end ? *json->at : 0;
        if (*byte == '\n')
            json->line++;
        else if (*byte != ' ' && *byte != '\t' && *byte != '\r')
            return TARN_OK;
        json->at++;
    }
}

static tarn_status need_token(struct tn_json *json, uint8_t *byte) {
    TN_TRY(tn_json_peek(json, byte));
    return json->at == json->end ? fail_end(json) : TARN_OK;
}

static tarn_status expect_byte(struct tn_json *json, uint8_t wanted, const char *what) {
    uint8_t byte = 0;
    TN_TRY(need_token(json, &byte));
    if (byte != wanted) return tn_json_fail(json, what);
    json->at++;
    return TARN_OK;
}

// ---- texts

static tarn_status append_text(struct tn_json *json, const void *bytes, size_t size) {
    char *to = NULL;
    TN_TRY(tn_values_bytes(json->values, size, &to));
    memcpy(to, bytes, size);
    return TARN_OK;
}

static tarn_status read_hex(struct tn_json *json, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t byte = 0;
        TN_TRY(need_byte(json, &byte));
        if (!isxdigit(byte)) return tn_json_fail(json, "\\u needs four hexadecimal digits");
        *code = *code << 4 | (uint32_t)tn_hex_read(&byte, 1);
        json->at++;
    }
    return TARN_OK;
}

static size_t encode_utf8(uint32_t code, uint8_t out[4]) {
    if (code < 0x80) {
        out[0] = (uint8_t)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t heads[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t i = more; i > 0; i--, code >>= 6) out[i] = (uint8_t)(0x80 | (code & 0x3f));
    out[0] = (uint8_t)(heads[more] | code);
    return more + 1;
}

// Reads the digits of \u, and those of the second half of a pair. A second half alone, by which
// Python stands for a byte that is no text, becomes U+FFFD.
static tarn_status read_unicode(struct tn_json *json) {
    uint8_t out[4];
    uint32_t code = 0, low = 0;
    TN_TRY(read_hex(json, &code));
    if (code >= 0xd800 && code < 0xdc00) {
        for (const char *at = "\\u"; *at != '\0'; at++, json->at++) {
            uint8_t byte = 0;
            TN_TRY(need_byte(json, &byte));
            if (byte != (uint8_t)*at)
                return tn_json_fail(json, "half of a surrogate pair in a text");
        }
        TN_TRY(read_hex(json, &low));
        if (low < 0xdc00 || low >= 0xe000)
            return tn_json_fail(json, "half of a surrogate pair in a text");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
        code = 0xfffd;
    }
    return append_text(json, out, encode_utf8(code, out));
}

// Reads the rest of an escape, whose backslash was read.
static tarn_status read_escape(struct tn_json *json) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    uint8_t byte = 0;
    TN_TRY(need_byte(json, &byte));
    const char *found = byte != 0 ? strchr(from, byte) : NULL;
    if (byte != 'u' && found == NULL) return tn_json_fail(json, "an unknown escape in a text");
    json->at++;
    return byte == 'u' ? read_unicode(json) : append_text(json, &to[found - from], 1);
}

// Reads the rest of a text, whose first quote was read, to the end of the values' bytes.
static tarn_status read_text_bytes(struct tn_json *json) {
    for (;;) {
        uint8_t byte = 0;
        TN_TRY(need_byte(json, &byte));
        const uint8_t *from = json->at;
        while (json->at < json->end && *json->at != '"' && *json->at != '\\' && *json->at >= 0x20)
            json->at++;
        TN_TRY(append_text(json, from, (size_t)(json->at - from)));
        if (json->at == json->end) continue;
        byte = *json->at;
        if (byte == '\n') return tn_json_fail(json, "a text is not closed on its line");
        json->at++;
        if (byte == '"') return TARN_OK;
        TN_TRY(byte == '\\' ? read_escape(json) : append_text(json, &byte, 1));
    }
}

struct shared_text {
    const struct tn_values *values;
    const char *text;
    uint32_t count;
};

static bool is_shared_text(const void *elements, uint32_t number, const void *wanted) {
    const struct tn_values *values = (const struct tn_values *)elements;
    const struct shared_text *w = (const struct shared_text *)wanted;
    const struct tn_node *node = &values->nodes[number];
    return node->count == w->count && memcmp(values->bytes + node->as.bits, w->text, w->count) == 0;
}

static tarn_status add_shared(struct tn_json *json, struct tn_node node, tn_value *value) {
    struct tn_values *values = json->values;
    struct shared_text wanted = {.text = values->bytes + node.as.bits, .count = node.count};
    uint32_t hash = tn_intern_hash(0, wanted.text, wanted.count);
    if (tn_intern_find(&json->texts, hash, is_shared_text, values, &wanted, value)) {
        values->byte_count = node.as.bits;
        return TARN_OK;
    }
    TN_TRY(tn_values_add(values, node, value));
    return tn_intern_add(&json->texts, hash, *value)
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the values",
                         tn_source_name(json->source));
}

static tarn_status read_text(struct tn_json *json, tn_value *value) {
    struct tn_node node = {.kind = TN_VALUE_TEXT, .as.bits = json->values->byte_count};
    json->at++;
    TN_TRY(append_text(json, "", 0));
    TN_TRY(read_text_bytes(json));
    node.count = (uint32_t)(json->values->byte_count - node.as.bits);
    return json->share && node.count <= SHARED_MAX ? add_shared(json, node, value)
                                                   : tn_values_add(json->values, node, value);
}

// ---- numbers and names

static bool is_number_byte(uint8_t byte) {
    return (byte >= '0' && byte <= '9') || byte == '-' || byte == '+' || byte == '.' ||
           byte == 'e' || byte == 'E';
}

static size_t count_digits(const char *text) { return strspn(text, "0123456789"); }

// Returns true for the grammar of JSON. *whole is true if there is neither fraction nor exponent.
static bool is_number(const char *text, bool *whole) {
    const char *at = text + (*text == '-');
    size_t digits = count_digits(at);
    if (digits == 0 || (digits > 1 && *at == '0')) return false;
    at += digits;
    *whole = *at == '\0';
    if (*at == '.') {
        digits = count_digits(++at);
        if (digits == 0) return false;
        at += digits;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        digits = count_digits(at);
        if (digits == 0) return false;
        at += digits;
    }
    return *at == '\0';
}

static struct tn_node whole_number(const char *text) {
    const struct tn_node big = {.kind = TN_VALUE_BIG};
    bool negative = *text == '-';
    uint64_t sum;
    if (!tn_parse_unsigned(text + negative, strlen(text + negative), &sum)) return big;
    if (sum <= INT64_MAX)
        return (struct tn_node){.kind = TN_VALUE_INT,
                                .as.number = negative ? -(int64_t)sum : (int64_t)sum};
    if (!negative) return (struct tn_node){.kind = TN_VALUE_UNSIGNED, .as.bits = sum};
    return sum == (uint64_t)INT64_MAX + 1
               ? (struct tn_node){.kind = TN_VALUE_INT, .as.number = INT64_MIN}
               : big;
}

// The sign was read.
static tarn_status read_number(struct tn_json *json, bool negative, tn_value *value) {
    char text[NUMBER_MAX + 1] = "-";
    size_t length = negative;
    bool whole = false;
    for (;;) {
        TN_TRY(fill_window(json));
        if (json->at == json->end || !is_number_byte(*json->at)) break;
        if (length == NUMBER_MAX) return tn_json_fail(json, "a number of more than 64 characters");
        text[length++] = (char)*json->at++;
    }
    text[length] = '\0';
    if (!is_number(text, &whole)) return tn_json_fail(json, "a damaged number");
    if (whole) return tn_values_add(json->values, whole_number(text), value);
    struct tn_node node = {
        .kind = TN_VALUE_DECIMAL, .count = (uint32_t)length, .as.bits = json->values->byte_count};
    TN_TRY(append_text(json, text, length));
    return tn_values_add(json->values, node, value);
}

// Reads true, false, null, NaN, Infinity or -Infinity.
static tarn_status read_name(struct tn_json *json, tn_value *value) {
    static const struct {
        const char *name;
        struct tn_node node;
    } names[] = {{"true", {.kind = TN_VALUE_BOOL, .as.number = 1}},
                 {"false", {.kind = TN_VALUE_BOOL}},
                 {"null", {.kind = TN_VALUE_NONE}},
                 {"NaN", {.kind = TN_VALUE_FLOAT, .as.real = __builtin_nan("")}},
                 {"Infinity", {.kind = TN_VALUE_FLOAT, .as.real = __builtin_inf()}}};
    char text[16];
    size_t length = 0;
    for (;;) {
        TN_TRY(fill_window(json));
        if (json->at == json->end || length == sizeof text - 1 || (*json->at | 0x20) < 'a' ||
            (*json->at | 0x20) > 'z')
            break;
        text[length++] = (char)*json->at++;
    }
    text[length] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, text) == 0)
            return tn_values_add(json->values, names[i].node, value);
    return json->at == json->end ? fail_end(json) : tn_json_fail(json, "no JSON value");
}

static tarn_status read_negative(struct tn_json *json, tn_value *value) {
    uint8_t byte = 0;
    json->at++;
    TN_TRY(need_byte(json, &byte));
    if (byte != 'I') return read_number(json, true, value);
    TN_TRY(read_name(json, value));
    json->values->nodes[*value].as.real = -__builtin_inf();
    return TARN_OK;
}

// ---- values

// A container that is being read: its items begin at `base` of the pending ones.
struct open_container {
    size_t base;
    bool is_dict;
};

static tarn_status push_item(struct tn_json *json, tn_value value) {
    void *grown =
        tn_grow(json->pending, &json->pending_room, json->pending_count + 1, sizeof value);
    if (grown != NULL) json->pending = (tn_value *)grown;
    TN_REFUSE(grown == NULL || (json->pending_count + 1) * sizeof value > json->values->limit,
              TARN_NO_HOST_MEMORY, "%s: the values need more than the %" PRIu64 " bytes allowed",
              tn_source_name(json->source), json->values->limit);
    json->pending[json->pending_count++] = value;
    return TARN_OK;
}

static tarn_status close_container(struct tn_json *json, const struct open_container *open,
                                   tn_value *value) {
    size_t count = json->pending_count - open->base;
    const tn_value *items = count > 0 ? json->pending + open->base : NULL;
    struct tn_node node = {.kind = open->is_dict ? TN_VALUE_DICT : TN_VALUE_LIST};
    json->at++;
    TN_TRY(tn_values_add(json->values, node, value));
    json->pending_count = open->base;
    return tn_values_extend(json->values, *value, items, count);
}

// Reads the comma before the next item, if it is not the first. *closed: the bracket was there.
static tarn_status begin_item(struct tn_json *json, bool is_dict, bool first, bool *closed) {
    uint8_t byte = 0;
    TN_TRY(need_token(json, &byte));
    *closed = byte == (is_dict ? '}' : ']');
    if (*closed || first) return TARN_OK;
    if (byte != ',')
        return tn_json_fail(json, is_dict ? "expected ',' or '}'" : "expected ',' or ']'");
    json->at++;
    return need_token(json, &byte);
}

static tarn_status read_key(struct tn_json *json, tn_value *key) {
    uint8_t byte = 0;
    TN_TRY(need_token(json, &byte));
    if (byte != '"') return tn_json_fail(json, "expected a key in quotes");
    TN_TRY(read_text(json, key));
    return expect_byte(json, ':', "expected ':' after a key");
}

// Continues with the innermost container: opens another one in it, reads an item, or closes it.
// *done is true if a value was completed, which *value holds.
static tarn_status read_step(struct tn_json *json, struct open_container *stack, size_t *depth,
                             bool *done, tn_value *value) {
    struct open_container *top = *depth > 0 ? &stack[*depth - 1] : NULL;
    uint8_t byte = 0;
    *done = true;
    if (top != NULL) {
        bool closed = false;
        TN_TRY(begin_item(json, top->is_dict, json->pending_count == top->base, &closed));
        if (closed) {
            (*depth)--;
            return close_container(json, top, value);
        }
        if (top->is_dict) {
            TN_TRY(read_key(json, value));
            TN_TRY(push_item(json, *value));
        }
    }
    TN_TRY(need_token(json, &byte));
    if (byte == '"') return read_text(json, value);
    if (byte == '-') return read_negative(json, value);
    if (byte >= '0' && byte <= '9') return read_number(json, false, value);
    if (byte != '[' && byte != '{') return read_name(json, value);
    if (*depth == TN_JSON_DEPTH)
        return tn_json_fail(json, "more than 64 arrays and objects in each other");
    json->at++;
    stack[(*depth)++] =
        (struct open_container){.base = json->pending_count, .is_dict = byte == '{'};
    *done = false;
    return TARN_OK;
}

tarn_status tn_json_read(struct tn_json *json, tn_value *value) {
    struct open_container stack[TN_JSON_DEPTH];
    size_t depth = 0;
    json->pending_count = 0;
    json->fresh = false;
    do {
        bool done;
        TN_TRY(read_step(json, stack, &depth, &done, value));
        if (done && depth > 0) TN_TRY(push_item(json, *value));
    } while (depth > 0);
    return TARN_OK;
}

static tarn_status skip_text(struct tn_json *json) {
    for (bool escaped = false;;) {
        uint8_t byte = 0;
        TN_TRY(need_byte(json, &byte));
        if (byte == '\n') return tn_json_fail(json, "a text is not closed on its line");
        json->at++;
        if (byte == '"' && !escaped) return TARN_OK;
        escaped = byte == '\\' && !escaped;
    }
}

// Passes over the rest of a number or a name.
static tarn_status skip_scalar(struct tn_json *json) {
    for (;;) {
        TN_TRY(fill_window(json));
        if (json->at == json->end || *json->at <= ' ' || strchr(",:]}", *json->at) != NULL)
            return TARN_OK;
        json->at++;
    }
}

tarn_status tn_json_skip(struct tn_json *json) {
    uint64_t depth = 0;
    json->fresh = false;
    do {
        uint8_t byte = 0;
        TN_TRY(need_token(json, &byte));
        if (depth == 0 && (byte == ',' || byte == ':' || byte == ']' || byte == '}'))
            return tn_json_fail(json, "no JSON value");
        json->at++;
        if (byte == '"')
            TN_TRY(skip_text(json));
        else if (byte == '[' || byte == '{')
            depth++;
        else if (byte == ']' || byte == '}')
            depth--;
        else if (depth == 0)
            TN_TRY(skip_scalar(json));
    } while (depth > 0);
    return TARN_OK;
}

tarn_status tn_json_skip_line(struct tn_json *json) {
    for (;;) {
        TN_TRY(fill_window(json));
        const uint8_t *newline = memchr(json->at, '\n', (size_t)(json->end - json->at));
        bool at_end = json->at == json->end;
        json->at = newline != NULL ? newline : json->end;
        if (newline != NULL || at_end) return TARN_OK;
    }
}

// ---- parts

void tn_json_begin(struct tn_json *json, struct tn_source *source, struct tn_values *values) {
    *json = (struct tn_json){.source = source, .values = values, .line = 1};
}

void tn_json_end(struct tn_json *json) {
    tn_intern_release(&json->texts);
    free(json->pending);
    json->pending = NULL;
}

tarn_status tn_json_open(struct tn_json *json, uint8_t bracket) {
    TN_TRY(expect_byte(json, bracket, bracket == '[' ? "expected '['" : "expected '{'"));
    json->fresh = true;
    return TARN_OK;
}

tarn_status tn_json_next(struct tn_json *json, uint8_t bracket, bool *more) {
    bool closed = false;
    TN_TRY(begin_item(json, bracket == '{', json->fresh, &closed));
    json->fresh = false;
    json->at += closed;
    *more = !closed;
    return TARN_OK;
}

tarn_status tn_json_member(struct tn_json *json, bool *more) {
    struct tn_values_mark mark = tn_values_mark(json->values);
    bool share = json->share;
    tn_value key;
    TN_TRY(tn_json_next(json, '{', more));
    if (!*more) return TARN_OK;
    json->share = false;
    TN_TRY(read_key(json, &key));
    json->share = share;
    const struct tn_node *node = &json->values->nodes[key];
    size_t length = node->count < sizeof json->key ? node->count : sizeof json->key - 1;
    memcpy(json->key, json->values->bytes + node->as.bits, length);
    json->key[length] = '\0';
    tn_values_rewind(json->values, mark);
    return TARN_OK;
}

tarn_status tn_json_list(struct tn_json *json, tn_json_element *read, void *reader) {
    struct tn_values_mark mark = tn_values_mark(json->values);
    bool more = false;
    TN_TRY(tn_json_open(json, '['));
    for (size_t i = 0;; i++) {
        tn_value element = 0;
        TN_TRY(tn_json_next(json, '[', &more));
        if (!more) return TARN_OK;
        TN_TRY(tn_json_read(json, &element));
        TN_TRY(read(reader, element, i));
        tn_values_rewind(json->values, mark);
    }
}

tarn_status tn_json_members(struct tn_json *json, tarn_status (*read)(void *reader), void *reader) {
    bool more = false;
    TN_TRY(tn_json_open(json, '{'));
    for (;;) {
        TN_TRY(tn_json_member(json, &more));
        if (!more) return TARN_OK;
        TN_TRY(read(reader));
    }
}

tarn_status tn_json_parts(struct tn_json *json, struct tn_values *values, struct tn_source *source,
                          struct tn_builder *builder, tarn_status (*read)(void *reader),
                          void *reader) {
    tn_values_begin(values, builder->name, builder->memory);
    tn_json_begin(json, source, values);
    tarn_status status = read(reader);
    tn_json_end(json);
    tn_values_release(values);
    return status;
}

tarn_status tn_json_finish(struct tn_json *json) {
    uint8_t byte = 0;
    TN_TRY(tn_json_peek(json, &byte));
    return json->at == json->end ? TARN_OK : tn_json_fail(json, "data after the end of the JSON");
}

tarn_status tn_json_document(struct tn_source *source, struct tn_values *values, tn_value *root) {
    struct tn_json json;
    tn_json_begin(&json, source, values);
    json.share = true;
    tarn_status status = tn_json_read(&json, root);
    if (status == TARN_OK) status = tn_json_finish(&json);
    tn_json_end(&json);
    return status;
}
