// SPDX-License-Identifier: Apache-2.0
// Reads the reports of the checker, one JSON object on a line. A process that exited has written a
// summary. For a process that was killed, the reports themselves are counted. One thread.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct process {
    json_int_t pid;
    bool summed; // the process has written its summary
    uint64_t errors;
    uint64_t warnings;
};

struct reading {
    struct process *processes;
    size_t count;
    struct tn_check_results *results;
};

static struct process *process_of(struct reading *reading, json_int_t pid) {
    for (size_t i = 0; i < reading->count; i++)
        if (reading->processes[i].pid == pid)
            return &reading->processes[i];
    struct process *more =
        (struct process *)realloc(reading->processes, (reading->count + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    reading->processes = more;
    more[reading->count] = (struct process){.pid = pid};
    return &more[reading->count++];
}

static uint64_t number_of(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static void add_summary(struct tn_check_results *results, const json_t *summary) {
    results->errors += number_of(summary, "errors");
    results->warnings += number_of(summary, "warnings");
    results->leaked_bytes += number_of(summary, "leaked_bytes");
    results->leaked_regions += number_of(summary, "leaked_regions");
    results->suppressed += number_of(summary, "suppressed");
}

static void add_line(struct reading *reading, const json_t *object) {
    const json_t *summary = json_object_get(object, "summary");
    const char *severity = json_string_value(json_object_get(object, "sev"));
    struct process *process =
        process_of(reading, json_integer_value(json_object_get(object, "pid")));
    if (process != NULL && summary != NULL) {
        process->summed = true;
        add_summary(reading->results, summary);
    } else if (process != NULL && severity != NULL) {
        process->errors += strcmp(severity, "ERROR") == 0;
        process->warnings += strcmp(severity, "WARN") == 0;
    }
}

static void add_unsummed(struct reading *reading) {
    for (size_t i = 0; i < reading->count; i++) {
        const struct process *process = &reading->processes[i];
        reading->results->errors += process->summed ? 0 : process->errors;
        reading->results->warnings += process->summed ? 0 : process->warnings;
    }
    reading->results->processes = (unsigned)reading->count;
}

bool tn_check_read(const char *path, struct tn_check_results *results) {
    struct reading reading = {.results = results};
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    *results = (struct tn_check_results){0};
    if (file == NULL)
        return false;
    while (getline(&line, &room, file) > 0) {
        json_t *object = json_loads(line, 0, NULL); // the last line of a process may be cut off
        if (object != NULL)
            add_line(&reading, object);
        json_decref(object);
    }
    add_unsummed(&reading);
    free(reading.processes);
    free(line);
    (void)fclose(file);
    return true;
}
