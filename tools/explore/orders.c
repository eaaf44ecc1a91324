// SPDX-License-Identifier: Apache-2.0
// Which pairs of works were seen in both orders, over all runs. A work is known by its number among
// the submissions of a run, so runs whose submissions differ are compared as far as their works agree.
#include "tools/explore/explore.h"

// A record of an event is no work: it only says that what precedes it is over.
static bool is_work(const struct tn_explore_entry *entry) {
    return *entry->work != '\0' && strncmp(entry->text, "record ", 7) != 0;
}

// Returns the number of the work among the submissions, or the number of works if there is none.
static size_t find_work(const struct tn_explore_log *log, const char *key) {
    size_t number = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct tn_explore_entry *entry = &log->entries[i];
        if (!is_work(entry)) continue;
        if (strcmp(entry->work, key) == 0) return number;
        number++;
    }
    return SIZE_MAX;
}

static void name_works(struct tn_explore_orders *orders, const struct tn_explore_log *log) {
    size_t number = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct tn_explore_entry *entry = &log->entries[i];
        if (!is_work(entry)) continue;
        if (number == orders->count && orders->count < TN_EXPLORE_WORKS) {
            struct tn_explore_work *work = &orders->works[orders->count++];
            const char *stream = strstr(entry->text, "stream ");
            (void)snprintf(work->text, sizeof work->text, "%s", entry->text);
            work->stream = stream != NULL ? strtoull(stream + 7, NULL, 10) : 0;
            tn_explore_place(log, entry->stack, work->place, sizeof work->place);
        }
        number++;
    }
    if (number > orders->count && number - orders->count > orders->more)
        orders->more = number - orders->count;
}

void tn_explore_orders_add(struct tn_explore_orders *orders, const struct tn_explore_log *log) {
    static size_t ran[TN_EXPLORE_WORKS];
    size_t count = 0;
    name_works(orders, log);
    for (size_t i = 0; i < log->count && count < TN_EXPLORE_WORKS; i++) {
        const struct tn_explore_entry *entry = &log->entries[i];
        if (entry->kind != TN_EXPLORE_BEGIN && entry->kind != TN_EXPLORE_END) continue;
        size_t work = find_work(log, entry->key), at = 0;
        while (at < count && ran[at] != work) at++;
        if (at < count || work >= orders->count) continue;
        for (at = 0; at < count; at++) orders->before[ran[at]][work] = true;
        ran[count++] = work;
    }
}

void tn_explore_orders_count(const struct tn_explore_orders *orders, size_t *pairs, size_t *both) {
    *pairs = *both = 0;
    for (size_t a = 0; a < orders->count; a++)
        for (size_t b = 0; b < a; b++) {
            bool there = orders->before[a][b], back = orders->before[b][a];
            if (orders->works[a].stream == orders->works[b].stream) continue;
            *pairs += there || back;
            *both += there && back;
        }
}

void tn_explore_orders_visit(const struct tn_explore_orders *orders,
                             void (*visit)(void *context, const struct tn_explore_work *first,
                                           const struct tn_explore_work *second),
                             void *context) {
    for (size_t a = 0; a < orders->count; a++)
        for (size_t b = 0; b < orders->count; b++)
            if (orders->works[a].stream != orders->works[b].stream && orders->before[a][b] &&
                !orders->before[b][a])
                visit(context, &orders->works[a], &orders->works[b]);
}
