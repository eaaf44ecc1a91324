// SPDX-License-Identifier: Apache-2.0
// Finds equal names and shows more of them, until they differ or nothing is left to show; see
// distinct.h.
#include "trace/study/distinct.h"

#include <stdlib.h>
#include <string.h>

#include "trace/intern.h"
#include "trace/study/name.h"

enum { ROUNDS = 64 }; // more folders are not shown

struct distinct {
    const struct tn_trace *trace;
    uint8_t *detail;
    uint8_t *grows;        // by text: 1 if it shows more after this round
    const uint8_t *wanted; // by call
};

static bool equal_name(const void *elements, uint32_t number, const void *wanted) {
    const struct distinct *distinct = (const struct distinct *)elements;
    char name[TN_NAME_CALL];
    return strcmp(tn_name_call(distinct->trace, distinct->detail, number, false, name),
                  (const char *)wanted) == 0;
}

static unsigned count_folders(const char *path) {
    unsigned folders = 0;
    for (; *path != '\0'; path++) folders += *path == '/' || *path == '\\';
    return folders;
}

// Lets one of two calls show more. Returns false if there is no more.
static bool widen_name(const struct distinct *distinct, uint32_t call, uint32_t other) {
    const struct tn_trace *trace = distinct->trace;
    const struct tn_trace_call *a = &trace->calls[call], *b = &trace->calls[other];
    uint8_t folders = distinct->detail[a->file];
    if (a->file != b->file && folders < ROUNDS && folders < count_folders(trace->texts[a->file])) {
        distinct->grows[a->file] = 1;
        return true;
    }
    if (a->function == b->function || distinct->detail[a->function] != 0) return false;
    distinct->grows[a->function] = 1;
    return true;
}

// Compares all names once. Returns false if out of memory.
static bool widen_equal(const struct distinct *distinct, bool *has_changed) {
    struct tn_intern table = {0};
    char name[TN_NAME_CALL];
    bool fits = true;
    *has_changed = false;
    for (uint32_t i = 1; i < distinct->trace->call_count && fits; i++) {
        uint32_t other;
        if (!distinct->wanted[i]) continue;
        (void)tn_name_call(distinct->trace, distinct->detail, i, false, name);
        uint32_t hash = tn_intern_hash(0, name, strlen(name));
        if (!tn_intern_find(&table, hash, equal_name, distinct, name, &other)) {
            fits = tn_intern_add(&table, hash, i);
            continue;
        }
        bool one = widen_name(distinct, i, other), two = widen_name(distinct, other, i);
        *has_changed = *has_changed || one || two;
    }
    tn_intern_release(&table);
    for (size_t i = 0; i < distinct->trace->text_count; i++) {
        distinct->detail[i] = (uint8_t)(distinct->detail[i] + distinct->grows[i]);
        distinct->grows[i] = 0;
    }
    return fits;
}

bool tn_distinct_find(const struct tn_trace *trace, const uint8_t *wanted, uint8_t *detail) {
    uint8_t *grows = (uint8_t *)calloc(trace->text_count + 1, 1);
    const struct distinct distinct = {trace, detail, grows, wanted};
    bool fits = grows != NULL, has_changed = true;
    memset(detail, 0, trace->text_count);
    for (unsigned round = 0; round < ROUNDS && has_changed && fits; round++)
        fits = widen_equal(&distinct, &has_changed);
    free(grows);
    return fits;
}
