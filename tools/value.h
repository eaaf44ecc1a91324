// SPDX-License-Identifier: Apache-2.0
// Values of options: numbers, sizes, and one of a few names. A value that is none of them, or out of
// range, is reported with the name of the option, and ends the process. No state; any thread may call.
#pragma once

#include <argp.h>
#include <stddef.h>
#include <stdint.h>

// Parses digits.
uint64_t tn_value_number(struct argp_state *state, const char *option, const char *text,
                         uint64_t min, uint64_t max);

// Parses a size as tn_parse_size() does.
uint64_t tn_value_size(struct argp_state *state, const char *option, const char *text,
                       uint64_t min);

// Parses seconds from 0.01 to 1000000, with or without a fraction.
double tn_value_seconds(struct argp_state *state, const char *option, const char *text);

// ---- names. The word for an argument in the help says which: it is the list itself, such as
// "honour|ignore", or a word such as POOL, which has one meaning in all commands. Completion reads the
// same lists.

// Returns the names that such an argument takes as "a|b|c", or NULL if it takes no names. Capitals
// in the list stand for something else: "off|N".
const char *tn_choice_names(const char *word);

// Returns the place of `length` bytes of text in the list of the word. If it is not there, reports
// what the option takes, suggests the name that was meant, and ends the process.
size_t tn_choice_parse(struct argp_state *state, const char *option, const char *word,
                       const char *text, size_t length);
