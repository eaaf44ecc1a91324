// SPDX-License-Identifier: Apache-2.0
// See arguments.h.
#include "tools/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"

void tn_arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                        void *input) {
    error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
    if (error != 0) {
        (void)fprintf(stderr, "tarn: the arguments cannot be read: %s\n", strerror(error));
        exit(TN_EXIT_FAILED);
    }
}
