// SPDX-License-Identifier: Apache-2.0
// The log of decisions of a run: reading it, comparing two, and naming its stacks. One thread.
#include <inttypes.h>

#include "stack/library.h"
#include "stack/namer.h"
#include "tools/explore/explore.h"

// ---- reading

static struct tn_explore_entry *add_entry(struct tn_explore_log *log, enum tn_explore_kind kind) {
    if ((log->count & (log->count - 1)) == 0) { // a power of two: the room is used
        size_t room = log->count == 0 ? 1 : 2 * log->count;
        void *more = realloc(log->entries, room * sizeof *log->entries);
        if (more == NULL) return NULL;
        log->entries = (struct tn_explore_entry *)more;
    }
    struct tn_explore_entry *entry = &log->entries[log->count++];
    *entry = (struct tn_explore_entry){.kind = kind};
    return entry;
}

static void add_stack(struct tn_explore_log *log, const char *line) {
    void *more = realloc(log->stacks, (log->stack_count + 1) * sizeof *log->stacks);
    if (more == NULL) return;
    log->stacks = (struct tn_explore_stack *)more;
    struct tn_explore_stack *stack = &log->stacks[log->stack_count];
    stack->number = strtoull(line, NULL, 16);
    stack->frames = strdup(line + strcspn(line, " "));
    log->stack_count += stack->frames != NULL;
}

// The text of a line behind its word: "STACK THREAD REST".
static void add_line(struct tn_explore_log *log, enum tn_explore_kind kind, const char *line) {
    int rest = 0, text = 0;
    struct tn_explore_entry *entry = add_entry(log, kind);
    if (entry == NULL ||
        sscanf(line, "%" SCNx64 " %d %n", &entry->stack, &entry->thread, &rest) != 2)
        return;
    line += rest;
    if (kind == TN_EXPLORE_DECISION)
        (void)sscanf(line, "%39s %u %u %n", entry->key, &entry->choices, &entry->choice, &text);
    else if (kind != TN_EXPLORE_TIME && kind != TN_EXPLORE_TURN)
        (void)sscanf(line, "%39s %n", entry->key, &text);
    if (kind == TN_EXPLORE_DECISION && strncmp(entry->key, "delay.", 6) == 0) {
        line += text;
        (void)sscanf(line, "%39s %n", entry->work, &text);
    }
    (void)snprintf(entry->text, sizeof entry->text, "%.*s", (int)strcspn(line + text, "\n"),
                   line + text);
}

void tn_explore_log_read(struct tn_explore_log *log, const char *folder) {
    static const char *const words[] = {"decision ", "call ", "begin ", "end ", "time ", "turn "};
    char path[TN_RUN_PATH], *line = NULL;
    size_t room = 0;
    *log = (struct tn_explore_log){.count = 0};
    (void)snprintf(path, sizeof path, "%s/decisions", folder);
    FILE *file = fopen(path, "re");
    while (file != NULL && getline(&line, &room, file) > 0) {
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
            if (strncmp(line, words[i], strlen(words[i])) == 0)
                add_line(log, (enum tn_explore_kind)i, line + strlen(words[i]));
        if (strncmp(line, "stack ", 6) == 0) add_stack(log, line + 6);
    }
    free(line);
    if (file != NULL) (void)fclose(file);
}

void tn_explore_log_free(struct tn_explore_log *log) {
    for (size_t i = 0; i < log->stack_count; i++) free(log->stacks[i].frames);
    free(log->stacks);
    free(log->entries);
    *log = (struct tn_explore_log){.count = 0};
}

// ---- comparing

size_t tn_explore_log_threads(const struct tn_explore_log *log) {
    int seen[64];
    size_t count = 0;
    for (size_t i = 0; i < log->count && count < sizeof seen / sizeof *seen; i++) {
        const struct tn_explore_entry *entry = &log->entries[i];
        size_t at = 0;
        if (entry->stack == 0 || strncmp(entry->key, "first.", 6) == 0) continue; // the worker
        while (at < count && seen[at] != entry->thread) at++;
        if (at == count) seen[count++] = entry->thread;
    }
    return count;
}

bool tn_explore_log_same(const struct tn_explore_log *a, const struct tn_explore_log *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const struct tn_explore_entry *one = &a->entries[i], *two = &b->entries[i];
        same = one->kind == two->kind && one->choice == two->choice &&
               strcmp(one->key, two->key) == 0 && strcmp(one->text, two->text) == 0;
    }
    return same;
}

// ---- naming

struct place {
    char *text;
    size_t room;
    bool found;
};

// Takes the first place that is not Tarn's own.
static bool take_place(void *context, const char *function, const char *file, int line) {
    struct place *place = (struct place *)context;
    if (tn_finding_is_own(NULL, function) || file == NULL) return true;
    (void)snprintf(place->text, place->room, "%s:%d", basename(file), line);
    place->found = true;
    return false;
}

void tn_explore_place(const struct tn_explore_log *log, uint64_t stack, char *place, size_t room) {
    static bool used_before;
    char folder[PATH_MAX], program[PATH_MAX + sizeof TN_NAMER_PROGRAM];
    struct place taken = {.text = place, .room = room};
    const char *at = NULL;
    *place = '\0';
    if (!used_before && tn_library_folder("check", TN_NAMER_PROGRAM, folder)) {
        (void)snprintf(program, sizeof program, "%s/%s", folder, TN_NAMER_PROGRAM);
        tn_namer_use(program);
        used_before = true;
    }
    for (size_t i = 0; i < log->stack_count && at == NULL; i++)
        if (log->stacks[i].number == stack) at = log->stacks[i].frames;
    while (at != NULL && *at != '\0' && !taken.found) {
        char object[PATH_MAX], path[PATH_MAX];
        unsigned long long offset = 0;
        int length = 0;
        if (sscanf(at, " %4095s%n", object, &length) != 1) break;
        at += length;
        char *plus = strrchr(object, '+');
        if (plus == NULL || sscanf(plus, "+%llx", &offset) != 1) continue;
        *plus = '\0';
        if (!tn_stack_is_of_tarn(object) && realpath(object, path) != NULL)
            (void)tn_namer_ask(path, offset, take_place, &taken);
    }
}
