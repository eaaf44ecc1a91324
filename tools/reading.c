// SPDX-License-Identifier: Apache-2.0
// Reads recordings for the commands; see reading.h.
#include "tools/reading.h"

#include <stdio.h>

#include "tools/progress.h"
#include "tools/value.h"

enum { MAX_EVENTS = 1000000000 };

enum { OPTION_COLUMNS = 0x1000, OPTION_MAX_EVENTS, OPTION_MAX_MEMORY };

static const struct argp_option options_table[] = {
    {"columns", OPTION_COLUMNS, "ROLE=NAME,...", 0,
     "Read a table in CSV with these columns. The roles are time, action, address, size, stream, "
     "device and stack; address and size are needed",
     0},
    {"max-events", OPTION_MAX_EVENTS, "N", 0,
     "Refuse a recording of more than N events (default: 16777216)", 0},
    {"max-memory", OPTION_MAX_MEMORY, "SIZE", 0,
     "Refuse a recording that needs more than SIZE while it is read (default: 1G)", 0},
    {0},
};

static error_t parse_reading(int key, char *text, struct argp_state *state) {
    struct tn_trace_limits *limits = (struct tn_trace_limits *)state->input;
    switch (key) {
    case OPTION_COLUMNS: limits->columns = text; return 0;
    case OPTION_MAX_EVENTS:
        limits->events = tn_value_number(state, "--max-events", text, 1, MAX_EVENTS);
        return 0;
    case OPTION_MAX_MEMORY:
        limits->memory = tn_value_size(state, "--max-memory", text, 1);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp tn_reading_argp = {.options = options_table, .parser = parse_reading};

enum tn_exit tn_reading_open(const char *command, const char *path, double until,
                             const struct tn_trace_limits *limits, struct tn_trace *trace) {
    tn_progress_phase(NULL, until, 0);
    tarn_status status = tn_trace_read(path, limits, trace);
    if (status == TARN_OK) return TN_EXIT_OK;
    tarn_error error = {.message = ""};
    (void)tarn_last_error(&error);
    tn_progress_hide();
    fprintf(stderr, "tarn %s: %s\n", command, error.message);
    return tn_exit_of(status, TN_EXIT_BAD_INPUT);
}
