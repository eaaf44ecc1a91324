// SPDX-License-Identifier: Apache-2.0
// Option strings, "key=value,key=value,...", as they stand in device names and in environment
// variables. A backend describes its options in one table; the table drives defaults, parsing,
// range checks and what `tarn info` prints. Whoever holds a tn_options owns it; no locks.
//
//     struct config { uint64_t memory; bool strict; };
//     static const struct tn_option table[] = {
//         {.key = "memory", .kind = TN_OPTION_SIZE, .offset = offsetof(struct config, memory),
//          .fallback = "16G", .min = 4096, .max = UINT64_MAX, .help = "capacity of each device"},
//         {.key = "strict", .kind = TN_OPTION_BOOL, .offset = offsetof(struct config, strict),
//          .fallback = "no", .help = "..."},
//     };
//     tn_options_init(&options, "host", table, 2, &config);          // config has the defaults
//     status = tn_options_apply_environment(&options, "TARN_HOST");  // then the environment
//     status = tn_options_apply(&options, text, TN_ORIGIN_URI);      // then the device name
#ifndef TARN_BASE_OPTIONS_H
#define TARN_BASE_OPTIONS_H

#include <tarn/base.h>

#define TN_OPTIONS_MAX      32  // options of one table
#define TN_OPTION_TEXT      40  // bytes of a value's text, with its end
#define TN_OPTION_CHOICES   8   // of an enumeration
#define TN_OPTION_PATH_TEXT 256 // bytes of a path, with its end

enum tn_option_kind {
    TN_OPTION_SIZE,     // into uint64_t: digits, then nothing, K M G T or KiB MiB GiB TiB
    TN_OPTION_UNSIGNED, // into uint64_t: digits
    TN_OPTION_DOUBLE,   // into double: digits, perhaps a point and digits
    TN_OPTION_BOOL,     // into bool: yes no true false on off 1 0
    TN_OPTION_CHOICE,   // into unsigned: the index of one of `choices`
    TN_OPTION_PATH,     // into char[TN_OPTION_PATH_TEXT]: any text without commas
};

enum tn_origin {
    TN_ORIGIN_DEFAULT,
    TN_ORIGIN_ENVIRONMENT,
    TN_ORIGIN_URI,
};

struct tn_option {
    const char *key;
    enum tn_option_kind kind;
    size_t offset;              // of the field in the target
    const char *fallback;       // the default, as text; must be good
    uint64_t min;               // SIZE, UNSIGNED, DOUBLE: the range, both ends included;
    uint64_t max;               // max 0 means no upper end
    bool power_of_two;          // SIZE, UNSIGNED
    const char *const *choices; // CHOICE: ends with NULL, at most TN_OPTION_CHOICES
    const char *help;           // one line
};

// What the values are now, as text, and where each came from.
struct tn_options {
    const char *owner; // for error texts: the backend's name
    const struct tn_option *table;
    unsigned count;
    void *target;
    enum tn_origin origin[TN_OPTIONS_MAX];
    char text[TN_OPTIONS_MAX][TN_OPTION_TEXT];
};

// Writes the defaults into the target. `table` and `target` stay with the caller and outlive it.
void tn_options_init(struct tn_options *options, const char *owner, const struct tn_option *table,
                     unsigned count, void *target);

// Applies an option string; "" and NULL are good and do nothing. BAD_CONFIG: a piece is empty or
// has no '=', the key is unknown or comes twice, the value is malformed or out of range; the text
// names the piece. All or nothing.
tarn_status tn_options_apply(struct tn_options *options, const char *text, enum tn_origin origin);

// Applies the string in an environment variable, if it is set. The error text names the variable.
tarn_status tn_options_apply_environment(struct tn_options *options, const char *variable);

// "default", "environment" or "uri".
const char *tn_options_source(const struct tn_options *options, unsigned index);

// The value as text.
const char *tn_options_text(const struct tn_options *options, unsigned index);

// One value by itself, from text of `length` bytes. False: malformed, or over 64 bits.
bool tn_parse_unsigned(const char *text, size_t length, uint64_t *value);
bool tn_parse_size(const char *text, size_t length, uint64_t *value);
bool tn_parse_double(const char *text, size_t length, double *value);
bool tn_parse_bool(const char *text, size_t length, bool *value);

#endif
