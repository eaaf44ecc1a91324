// SPDX-License-Identifier: Apache-2.0
// Arguments of a command. One thread.
#ifndef TARN_TOOLS_ARGUMENTS_H
#define TARN_TOOLS_ARGUMENTS_H

#include <argp.h>

// argp_parse(), which leaves its input half filled when it fails. Ends the process with
// TN_EXIT_FAILED then, for example without host memory.
void tn_arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                        void *input);

#endif
