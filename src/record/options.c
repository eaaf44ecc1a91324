// SPDX-License-Identifier: Apache-2.0
// Reads the environment; see options.h.
#include "record/options.h"

#include <stdio.h>
#include <stdlib.h>

struct tn_record_options tn_record_options;

// A value that is no number up to `max` counts as the default, because `tarn record` checks values.
static unsigned read_number(const char *variable, unsigned fallback, unsigned max) {
    const char *text = secure_getenv(variable);
    char *end = NULL;
    unsigned long value = text != NULL ? strtoul(text, &end, 10) : fallback;
    bool is_number = text != NULL && end != text && *end == '\0' && value <= max;
    return is_number ? (unsigned)value : fallback;
}

bool tn_record_options_read(void) {
    struct tn_record_options *options = &tn_record_options;
    const char *path = secure_getenv(TN_RECORD_FILE_VARIABLE);
    if (path == NULL || *path == '\0' ||
        (size_t)snprintf(options->path, sizeof options->path, "%s", path) >= sizeof options->path)
        return false;
    options->stacks =
        read_number(TN_RECORD_STACKS_VARIABLE, TN_RECORD_STACKS_DEFAULT, TN_RECORD_STACKS_MAX);
    options->signal = (int)read_number(TN_RECORD_SIGNAL_VARIABLE, 0, 64);
    options->stopped = read_number(TN_RECORD_STOPPED_VARIABLE, 0, 1) != 0;
    return true;
}
