// SPDX-License-Identifier: Apache-2.0
// The options of a command: those of an argp and of its children as one list, and the way in which
// getopt reads them. No state; any thread may call.
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

enum { TN_OPTION_LIST_MAX = 128 };

struct tn_option_list {
    const struct argp_option *all[TN_OPTION_LIST_MAX];
    size_t count;
};

// Adds the options of the parser and its children.
void tn_option_list_add(struct tn_option_list *options, const struct argp *argp);

// The state behind the words that were read.
struct tn_option_place {
    const struct argp_option *pending; // the option whose value is the next word, or NULL
    const char *unknown;               // the first long option that does not exist, or NULL
    bool ended;                        // the next word is no option
    bool json;                         // the option --json was among the words
    const char *json_file;             // its value, or NULL
};

// Reads the words as getopt does: with `in_order`, options end at the first other word.
void tn_option_list_walk(const struct tn_option_list *options, char *const *words, size_t count,
                         bool in_order, struct tn_option_place *place);

// Returns the option of a word such as "--device=host:0", also if it is abbreviated, or NULL.
const struct argp_option *tn_option_list_find(const struct tn_option_list *options,
                                              const char *word);
