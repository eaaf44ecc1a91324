// SPDX-License-Identifier: Apache-2.0
// Arguments of options that are one of a few names. The word for an argument in the help says which:
// it is the list itself, such as "honour|ignore", or a word such as POOL, which has one meaning in
// all commands. Completion reads the same lists. No state; any thread may call.
#ifndef TARN_TOOLS_CHOICE_H
#define TARN_TOOLS_CHOICE_H

#include <argp.h>
#include <stddef.h>

// Returns the names that such an argument takes as "a|b|c", or NULL if it takes no names. Capitals
// in the list stand for something else: "off|N".
const char *tn_choice_names(const char *word);

// Returns the place of `length` bytes of text in the list of the word. If it is not there, reports
// what the option takes, suggests the name that was meant, and ends the process.
size_t tn_choice_parse(struct argp_state *state, const char *option, const char *word,
                       const char *text, size_t length);

#endif
