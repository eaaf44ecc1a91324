// SPDX-License-Identifier: Apache-2.0
// Arguments of a command. One thread.
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The action of an option on its value.
enum tn_take {
    TN_TAKE_FLAG,    // takes none, and stores `max`
    TN_TAKE_TEXT,    // stores the pointer
    TN_TAKE_NAME,    // stores the pointer to a name in the list of `arg` (tn_choice_parse())
    TN_TAKE_NUMBER,  // stores a number from `min` to `max`
    TN_TAKE_SIZE,    // stores a size of at least `min` (tn_value_size())
    TN_TAKE_SECONDS, // stores a double (tn_value_seconds())
    TN_TAKE_CHOICE,  // stores the place of a name in the list of `arg` (tn_choice_parse())
    TN_TAKE_OTHER    // calls `parse`
};

// An option: its texts as in struct argp_option, and the field of the input that it sets. Its tail is
// one of the macros below. A table ends with an empty row.
struct tn_arg_option {
    const char *name;
    int letter; // 0: none
    const char *arg;
    const char *help;
    enum tn_take take;
    size_t at, bytes; // of the field
    uint64_t min, max;
    void (*parse)(struct argp_state *state, const struct tn_arg_option *option, char *text,
                  void *input);
    int group;        // in the help
    bool is_optional; // the value
};

#define TN_FIELD(type, field)       .at = offsetof(type, field), .bytes = sizeof(((type *)0)->field)
#define TN_IS(type, field, value)   .take = TN_TAKE_FLAG, .max = (value), TN_FIELD(type, field)
#define TN_FLAG(type, field)        TN_IS(type, field, 1)
#define TN_NO_FLAG(type, field)     .take = TN_TAKE_FLAG, TN_FIELD(type, field)
#define TN_STRING(type, field)      .take = TN_TAKE_TEXT, TN_FIELD(type, field)
#define TN_NAME(type, field)        .take = TN_TAKE_NAME, TN_FIELD(type, field)
#define TN_SIZE(type, field, least) .take = TN_TAKE_SIZE, TN_FIELD(type, field), .min = (least)
#define TN_SECONDS(type, field)     .take = TN_TAKE_SECONDS, TN_FIELD(type, field)
#define TN_CHOICE(type, field)      .take = TN_TAKE_CHOICE, TN_FIELD(type, field)
#define TN_PARSED(type, field, function)                                                           \
    .take = TN_TAKE_OTHER, TN_FIELD(type, field), .parse = (function)
#define TN_NUMBER(type, field, low, high)                                                          \
    .take = TN_TAKE_NUMBER, TN_FIELD(type, field), .min = (low), .max = (high)

// The option --json[=FILE], which result.h describes.
#define TN_JSON_OPTION(type, help)                                                                 \
    { "json", 0, "FILE", help, TN_FLAG(type, json), .is_optional = true }

// Returns the field that the option sets.
static inline void *tn_arg_field(const struct tn_arg_option *option, void *input) {
    return (char *)input + option->at;
}

// A table of options, and a parser for all other keys of argp, or NULL. It returns
// ARGP_ERR_UNKNOWN for those that it leaves to others, such as the words of a command line.
struct tn_arg_table {
    const struct tn_arg_option *rows;
    error_t (*parse)(int key, char *text, struct argp_state *state, void *input);
};

// The arguments of a command that are no options.
struct tn_arg_words {
    size_t at;       // in the input: an array of texts, or a pointer to all words with takes_rest
    unsigned count;  // how many are needed
    bool takes_rest; // the first one and all words behind it, up to NULL; of any number
    const char *expected; // what they are, for messages; NULL if none is needed
};

#define TN_WORDS(type, field, expected)                                                            \
    { offsetof(type, field), sizeof(((type *)0)->field) / sizeof(char *), false, expected }
#define TN_REST(type, field, expected)                                                             \
    { offsetof(type, field), 1, true, expected }

// The command line of a command. Options that it shares with other commands are a table of their own,
// whose input lies in the command's.
struct tn_command_line {
    struct tn_arg_table options;
    const char *args_doc, *doc; // as in struct argp
    const struct tn_arg_table *shared;
    size_t shared_at;
    const char *shared_title;
    int shared_group;
    struct tn_arg_words words;
};

// argp_parse() with the options that all commands share (--help, --quiet, --usage, --version), a
// suggestion for a misspelt long option, and a hint where to read on below the help. argp_parse()
// leaves its input half filled when it fails, as without host memory: this function ends the
// process then.
void tn_arguments_parse(const struct tn_command_line *line, int argc, char **argv, unsigned flags,
                        void *input);

// Returns the exit code of a command without host memory, and that of one that the system failed.
// Those of commands that start programs are in launch/launch.h.
int tn_arguments_no_memory(void);
int tn_arguments_failed(void);

// Sets the page of docs/ that the help names. NULL means none.
void tn_arguments_set_document(const char *document);

// Sets the name of the command for its messages, as tn_arguments_parse() does.
void tn_arguments_set_name(char *name);

// Returns the version of the library, such as "1.2.3".
const char *tn_arguments_version(void);
