// SPDX-License-Identifier: Apache-2.0
// Arguments of a command. One thread.
#ifndef TARN_TOOLS_ARGUMENTS_H
#define TARN_TOOLS_ARGUMENTS_H

#include <argp.h>

// argp_parse() with the options that all commands share (--help, --quiet, --usage, --version), a
// suggestion for a misspelt long option, and a hint where to read on below the help. argp_parse()
// leaves its input half filled when it fails, as without host memory: this function ends the
// process then.
void tn_arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                        void *input);

// Returns the exit code of a command without host memory, and that of one that the system failed.
// Those of commands that start programs are in launch/launch.h.
int tn_arguments_no_memory(void);
int tn_arguments_failed(void);

// Sets the page of docs/ that the help names. NULL means none.
void tn_arguments_set_document(const char *document);

// Formats the version of the library, such as "1.2.3".
enum { TN_VERSION_TEXT = 36 };
void tn_arguments_version(char text[TN_VERSION_TEXT]);

#endif
