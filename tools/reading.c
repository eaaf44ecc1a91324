// SPDX-License-Identifier: Apache-2.0
// Reads recordings for the commands; see reading.h.
#include "tools/reading.h"

#include "tools/progress.h"

enum { MAX_EVENTS = 1000000000 };

static const struct tn_arg_option rows[] = {
    {"columns", 0, "ROLE=NAME,...",
     "Read a table in CSV with these columns. The roles are time, action, address, size, stream, "
     "device and stack; address and size are needed",
     TN_STRING(struct tn_trace_limits, columns)},
    {"max-events", 0, "N", "Refuse a recording of more than N events (default: 16777216)",
     TN_NUMBER(struct tn_trace_limits, events, 1, MAX_EVENTS)},
    {"max-memory", 0, "SIZE",
     "Refuse a recording that needs more than SIZE while it is read (default: 1G)",
     TN_SIZE(struct tn_trace_limits, memory, 1)},
    {0},
};

const struct tn_arg_table tn_reading_options = {rows, NULL};

enum tn_exit tn_reading_open(const char *path, double until, const struct tn_trace_limits *limits,
                             struct tn_trace *trace) {
    tn_progress_phase(NULL, until, 0);
    tarn_status status = tn_trace_read(path, limits, trace);
    if (status == TARN_OK) return TN_EXIT_OK;
    return tn_exit_with(tn_exit_of(status, TN_EXIT_BAD_INPUT), "%s", tn_text_of(status));
}
