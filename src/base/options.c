// SPDX-License-Identifier: Apache-2.0
// Option strings. See options.h. Values are not parsed by strtod and similar functions, because
// these skip blanks, accept signs and depend on the program's locale.
#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/variable.h"

struct text {
    const char *at;
    size_t length;
};

// One parsed value of any kind.
union value {
    uint64_t number;
    double real;
    bool flag;
    unsigned choice;
};

// ---- values

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Parses the digits at the start of the text. Returns false if the number exceeds 64 bits. *used is
// 0 if there are no digits.
static bool leading_number(const char *text, size_t length, uint64_t *value, size_t *used) {
    uint64_t sum = 0;
    size_t i = 0;
    for (; i < length && is_digit(text[i]); i++)
        if (__builtin_mul_overflow(sum, 10u, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(text[i] - '0'), &sum))
            return false;
    *used = i;
    *value = sum;
    return true;
}

bool tn_parse_unsigned(const char *text, size_t length, uint64_t *value) {
    uint64_t number;
    size_t used;
    if (!leading_number(text, length, &number, &used) || used == 0 || used != length) return false;
    *value = number;
    return true;
}

static bool text_equals(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

// Parses "", "B", or one of K M G T P E with "", "B" or "iB", in any case.
static bool suffix_shift(const char *text, size_t length, unsigned *shift) {
    static const char units[] = {'k', 'm', 'g', 't', 'p', 'e'};
    char lower[4] = "";
    if (length >= sizeof lower) return false;
    for (size_t i = 0; i < length; i++) lower[i] = (char)(text[i] | 0x20);
    const char *unit = (const char *)memchr(units, lower[0], sizeof units);
    const char *rest = lower + (unit != NULL);
    *shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    return *rest == '\0' || strcmp(rest, "b") == 0 || (unit != NULL && strcmp(rest, "ib") == 0);
}

bool tn_parse_size(const char *text, size_t length, uint64_t *value) {
    uint64_t whole, part = 0;
    size_t point;
    unsigned shift;
    if (!leading_number(text, length, &whole, &point) || point == 0) return false;
    size_t end = point;
    if (end < length && text[end] == '.')
        for (end++; end < length && is_digit(text[end]);) end++;
    bool is_fraction = end > point;
    if (end == point + 1 || !suffix_shift(text + end, length - end, &shift) ||
        (is_fraction && shift == 0) || whole > UINT64_MAX >> shift)
        return false;
    for (size_t i = end; i > point + 1; i--) // exact, because the sum is rounded down once
        part = (((uint64_t)(text[i - 1] - '0') << shift) + part) / 10;
    *value = (whole << shift) + part;
    return true;
}

bool tn_parse_double(const char *text, size_t length, double *value) {
    uint64_t whole;
    size_t used;
    if (!leading_number(text, length, &whole, &used) || used == 0) return false;
    double sum = (double)whole;
    if (used < length) {
        double unit = 1;
        if (text[used] != '.' || used + 1 == length) return false;
        for (size_t i = used + 1; i < length; i++) {
            if (!is_digit(text[i])) return false;
            unit /= 10;
            sum += unit * (text[i] - '0');
        }
    }
    *value = sum;
    return true;
}

bool tn_parse_bool(const char *text, size_t length, bool *value) {
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (text_equals(text, length, words[i])) {
            *value = i % 2 == 1;
            return true;
        }
    }
    return false;
}

bool tn_parse_duration(const char *text, size_t length, uint64_t *ns) {
    static const struct {
        const char *suffix;
        uint64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    uint64_t number;
    size_t used;
    if (!leading_number(text, length, &number, &used) || used == 0) return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (text_equals(text + used, length - used, units[i].suffix)) {
            *ns = number * units[i].ns;
            return number <= UINT64_MAX / units[i].ns;
        }
    }
    return false;
}

static bool parse_choice(const struct tn_option *option, struct text text, unsigned *choice) {
    for (unsigned i = 0; option->choices[i] != NULL; i++) {
        if (text_equals(text.at, text.length, option->choices[i])) {
            *choice = i;
            return true;
        }
    }
    return false;
}

static bool parse_value(const struct tn_option *option, struct text text, union value *value) {
    switch (option->kind) {
    case TN_OPTION_SIZE: return tn_parse_size(text.at, text.length, &value->number);
    case TN_OPTION_UNSIGNED: return tn_parse_unsigned(text.at, text.length, &value->number);
    case TN_OPTION_DOUBLE: return tn_parse_double(text.at, text.length, &value->real);
    case TN_OPTION_BOOL: return tn_parse_bool(text.at, text.length, &value->flag);
    case TN_OPTION_CHOICE: return parse_choice(option, text, &value->choice);
    case TN_OPTION_PATH: return true;
    }
    return false;
}

static bool in_range(const struct tn_option *option, const union value *value) {
    if (option->kind == TN_OPTION_DOUBLE)
        return value->real >= (double)option->min &&
               (option->max == 0 || value->real <= (double)option->max);
    if (option->kind != TN_OPTION_SIZE && option->kind != TN_OPTION_UNSIGNED) return true;
    uint64_t number = value->number;
    return number >= option->min && (option->max == 0 || number <= option->max) &&
           (!option->power_of_two || (number != 0 && (number & (number - 1)) == 0));
}

static const struct {
    size_t bytes;         // of the field in the target
    const char *expected; // for error texts
} option_kinds[] = {
    [TN_OPTION_SIZE] = {sizeof(uint64_t), "a size such as 4096, 64K or 1.5GiB"},
    [TN_OPTION_UNSIGNED] = {sizeof(uint64_t), "a whole number"},
    [TN_OPTION_DOUBLE] = {sizeof(double), "a number such as 12 or 0.5"},
    [TN_OPTION_BOOL] = {sizeof(bool), "yes or no"},
    [TN_OPTION_CHOICE] = {sizeof(unsigned), NULL},
    [TN_OPTION_PATH] = {0, "a path of less than 256 bytes"},
};

static void option_store(struct tn_options *options, unsigned index, struct text text,
                         const union value *value, enum tn_origin origin) {
    const struct tn_option *option = &options->table[index];
    char *field = (char *)options->target + option->offset;
    memcpy(field, value, option_kinds[option->kind].bytes); // all members begin at the same address
    if (option->kind == TN_OPTION_PATH) {
        memcpy(field, text.at, text.length);
        field[text.length] = '\0';
        text.length = 0; // tn_options_text() returns the field
    }
    memcpy(options->text[index], text.at, text.length);
    options->text[index][text.length] = '\0';
    options->origin[index] = origin;
}

// ---- error texts

static tarn_status fail_value(const struct tn_options *options, const struct tn_option *option,
                              struct text piece) {
    char list[128] = "";
    size_t used = 0;
    TN_REFUSE(option->kind != TN_OPTION_CHOICE, TARN_BAD_CONFIG, "%s: \"%.*s\": expected %s",
              options->owner, (int)piece.length, piece.at, option_kinds[option->kind].expected);
    for (unsigned i = 0; option->choices[i] != NULL && used < sizeof list; i++) {
        TARN_ASSERT(i < TN_OPTION_CHOICES);
        int more =
            snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? " " : "", option->choices[i]);
        used += (size_t)more;
    }
    return tn_fail(TARN_BAD_CONFIG, "%s: \"%.*s\": expected one of: %s", options->owner,
                   (int)piece.length, piece.at, list);
}

static tarn_status fail_range(const struct tn_options *options, const struct tn_option *option,
                              struct text piece) {
    const char *shape = option->power_of_two ? "a power of two " : "";
    TN_REFUSE(option->max == 0, TARN_BAD_CONFIG, "%s: \"%.*s\": must be %sof %llu or more",
              options->owner, (int)piece.length, piece.at, shape, (unsigned long long)option->min);
    return tn_fail(TARN_BAD_CONFIG, "%s: \"%.*s\": must be %sfrom %llu to %llu", options->owner,
                   (int)piece.length, piece.at, shape, (unsigned long long)option->min,
                   (unsigned long long)option->max);
}

// ---- strings

// Removes the next piece, up to a comma, from the text. Returns false if none is left.
static bool next_piece(const char **text, struct text *piece) {
    if (*text == NULL) return false;
    piece->at = *text;
    piece->length = strcspn(*text, ",");
    *text = piece->at[piece->length] == ',' ? piece->at + piece->length + 1 : NULL;
    return true;
}

// Finds the option of the piece and the text of its value.
static tarn_status split_piece(const struct tn_options *options, struct text piece, unsigned *index,
                               struct text *value) {
    const char *equal = (const char *)memchr(piece.at, '=', piece.length);
    TN_REFUSE(equal == NULL, TARN_BAD_CONFIG, "%s: \"%.*s\": expected key=value", options->owner,
              (int)piece.length, piece.at);
    struct text key = {piece.at, (size_t)(equal - piece.at)};
    unsigned i = 0;
    while (i < options->count && !text_equals(key.at, key.length, options->table[i].key)) i++;
    TN_REFUSE(i == options->count, TARN_BAD_CONFIG, "%s: \"%.*s\": there is no option \"%.*s\"",
              options->owner, (int)piece.length, piece.at, (int)key.length, key.at);
    *index = i;
    *value = (struct text){equal + 1, piece.length - key.length - 1};
    return TARN_OK;
}

static tarn_status parse_piece(const struct tn_options *options, struct text piece, unsigned *index,
                               struct text *text, union value *value) {
    TN_TRY(split_piece(options, piece, index, text));
    const struct tn_option *option = &options->table[*index];
    size_t room = option->kind == TN_OPTION_PATH ? TN_OPTION_PATH_TEXT : TN_OPTION_TEXT;
    if (text->length >= room || !parse_value(option, *text, value))
        return fail_value(options, option, piece);
    return in_range(option, value) ? TARN_OK : fail_range(options, option, piece);
}

// Checks the pieces, and stores their values if `storing`. A first call only checks, so a bad piece
// leaves the target unchanged.
static tarn_status apply_pieces(struct tn_options *options, const char *text, enum tn_origin origin,
                                bool storing) {
    bool seen[TN_OPTIONS_MAX] = {false};
    struct text piece;
    while (next_piece(&text, &piece)) {
        unsigned index = 0;
        struct text value_text;
        union value value;
        TN_TRY(parse_piece(options, piece, &index, &value_text, &value));
        TN_REFUSE(seen[index], TARN_BAD_CONFIG, "%s: \"%.*s\": the option occurs twice",
                  options->owner, (int)piece.length, piece.at);
        seen[index] = true;
        if (storing) option_store(options, index, value_text, &value, origin);
    }
    return TARN_OK;
}

tarn_status tn_options_apply(struct tn_options *options, const char *text, enum tn_origin origin) {
    if (text == NULL || text[0] == '\0') return TARN_OK;
    TN_TRY(apply_pieces(options, text, origin, false));
    return apply_pieces(options, text, origin, true);
}

tarn_status tn_options_apply_environment(struct tn_options *options, const char *variable) {
    tarn_status status =
        tn_options_apply(options, tn_variable_text(variable), TN_ORIGIN_ENVIRONMENT);
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        return tn_fail(status, "environment variable %s: %s", variable, error.message);
    }
    return TARN_OK;
}

void tn_options_init(struct tn_options *options, const char *owner, const struct tn_option *table,
                     unsigned count, void *target) {
    TARN_ASSERT(count <= TN_OPTIONS_MAX);
    options->owner = owner;
    options->table = table;
    options->count = count;
    options->target = target;
    for (unsigned i = 0; i < count; i++) {
        struct text text = {table[i].fallback, strlen(table[i].fallback)};
        union value value;
        bool valid = text.length < TN_OPTION_TEXT && parse_value(&table[i], text, &value);
        if (!valid || !in_range(&table[i], &value))
            tn_assert_failed(__FILE__, __LINE__, table[i].key);
        option_store(options, i, text, &value, TN_ORIGIN_DEFAULT);
    }
}

tarn_status tn_options_read(struct tn_options *options, const char *owner, const char *variable,
                            const struct tn_option *table, unsigned count, void *target,
                            const char *text) {
    tn_options_init(options, owner, table, count, target);
    TN_TRY(tn_options_apply_environment(options, variable));
    return tn_options_apply(options, text, TN_ORIGIN_URI);
}

tarn_status tn_options_check_environment(struct tn_options *options, const char *owner,
                                         const char *variable, const struct tn_option *table,
                                         unsigned count, void *target) {
    if (tn_variable_text(variable) == NULL) return TARN_OK;
    tn_options_init(options, owner, table, count, target);
    return tn_options_apply_environment(options, variable);
}

const char *tn_options_text(const struct tn_options *options, unsigned index) {
    return options->table[index].kind == TN_OPTION_PATH
               ? (const char *)options->target + options->table[index].offset
               : options->text[index];
}

const char *tn_options_source(const struct tn_options *options, unsigned index) {
    static const char *const sources[] = {[TN_ORIGIN_DEFAULT] = "default",
                                          [TN_ORIGIN_ENVIRONMENT] = "environment",
                                          [TN_ORIGIN_URI] = "uri"};
    return sources[options->origin[index]];
}
