// SPDX-License-Identifier: Apache-2.0
// `tarn complete`: the candidates for the last word of a command line, which the shells' scripts in
// this folder ask for. Once it has begun, the commands do no work: each calls tn_arguments_parse(),
// which prints the candidates of its options and ends the process. One thread.
#pragma once

#include "tools/option_list.h"

void tn_complete_begin(void);
bool tn_complete_has_begun(void);

// Prints a candidate and its description if it begins with the word.
void tn_complete_offer(const char *word, const char *name, const char *text);

// Prints the options, or the names that an option takes, that the last argument may become. Prints
// nothing where a file or a word of a program is due.
void tn_complete_option(const struct tn_option_list *options, int argc, char *const *argv,
                        bool in_order);
