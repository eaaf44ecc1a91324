// SPDX-License-Identifier: Apache-2.0
// Option strings, "key=value,key=value,...", as in device names and environment variables. A
// backend describes its options in one table, which drives defaults, parsing, range checks and the
// output of `tarn info`. The holder of a tn_options owns it; there are no locks.
//
//     struct config { uint64_t memory; bool strict; };
//     static const struct tn_option table[] = {
//         {.key = "memory", .kind = TN_OPTION_SIZE, .offset = offsetof(struct config, memory),
//          .fallback = "16G", .min = 4096, .max = UINT64_MAX, .help = "capacity of each device"},
//         {.key = "strict", .kind = TN_OPTION_BOOL, .offset = offsetof(struct config, strict),
//          .fallback = "no", .help = "..."},
//     };
//     status = tn_options_read(&options, "host", "TARN_HOST", table, 2, &config, text);
#pragma once

#include <tarn/base.h>

#define TN_OPTIONS_MAX      32  // options of one table
#define TN_OPTION_TEXT      40  // bytes of a value's text, with its end
#define TN_OPTION_CHOICES   8   // of an enumeration
#define TN_OPTION_PATH_TEXT 256 // bytes of a path, with its end

enum tn_option_kind {
    TN_OPTION_SIZE,     // into uint64_t: as tn_parse_size() reads it
    TN_OPTION_UNSIGNED, // into uint64_t: digits
    TN_OPTION_DOUBLE,   // into double: digits, optionally a point and more digits
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
    const char *fallback;       // the default, as text; must be valid
    uint64_t min;               // SIZE, UNSIGNED, DOUBLE: the range, both ends included;
    uint64_t max;               // max 0 means no upper end
    bool power_of_two;          // SIZE, UNSIGNED
    const char *const *choices; // CHOICE: ends with NULL, at most TN_OPTION_CHOICES
    const char *help;           // one line
};

// The current values as text, and the origin of each.
struct tn_options {
    const char *owner; // for error texts: the backend's name
    const struct tn_option *table;
    unsigned count;
    void *target;
    enum tn_origin origin[TN_OPTIONS_MAX];
    char text[TN_OPTIONS_MAX][TN_OPTION_TEXT];
};

// Writes the defaults into the target. `table` and `target` must outlive `options`.
void tn_options_init(struct tn_options *options, const char *owner, const struct tn_option *table,
                     unsigned count, void *target);

// Applies an option string. "" and NULL do nothing. All or nothing. BAD_CONFIG: a piece is empty or
// has no '=', the key is unknown or occurs twice, or the value is malformed or out of range. The
// text names the piece.
tarn_status tn_options_apply(struct tn_options *options, const char *text, enum tn_origin origin);

// Applies the string of an environment variable, if it is set. The error text names the variable.
tarn_status tn_options_apply_environment(struct tn_options *options, const char *variable);

// The same for options that are only checked. Does nothing if the variable is unset or empty.
tarn_status tn_options_check_environment(struct tn_options *options, const char *owner,
                                         const char *variable, const struct tn_option *table,
                                         unsigned count, void *target);

// Writes the defaults, then applies the environment variable, then `text` from a device name.
tarn_status tn_options_read(struct tn_options *options, const char *owner, const char *variable,
                            const struct tn_option *table, unsigned count, void *target,
                            const char *text);

// Returns "default", "environment" or "uri".
const char *tn_options_source(const struct tn_options *options, unsigned index);

// Returns the value as text.
const char *tn_options_text(const struct tn_options *options, unsigned index);

// Parses one value, a text of `length` bytes. Returns false if it is malformed or exceeds 64 bits.
bool tn_parse_unsigned(const char *text, size_t length, uint64_t *value);
// A size is "4096", "3GB", "1.5G", "512KiB" or such, in any case. Its units, to E, are powers of 1024. A
// fraction needs a unit, and the size is rounded down to bytes.
bool tn_parse_size(const char *text, size_t length, uint64_t *value);
bool tn_parse_double(const char *text, size_t length, double *value);
bool tn_parse_bool(const char *text, size_t length, bool *value);
bool tn_parse_duration(const char *text, size_t length, uint64_t *ns); // 5ns 100us 2ms 1s
