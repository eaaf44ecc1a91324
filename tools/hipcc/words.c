// SPDX-License-Identifier: Apache-2.0
// See words.h.
#include "tools/hipcc/words.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/grow.h"
#include "tools/arguments.h"
#include "tools/command.h"

void tn_hipcc_no_memory(void) {
    (void)tn_complain("Cannot allocate memory");
    exit(tn_arguments_no_memory());
}

// ---- memory that lives until the end

static void **kept;
static size_t kept_count, kept_room;

static void free_kept(void) {
    while (kept_count > 0) free(kept[--kept_count]);
    free((void *)kept);
}

void *tn_hipcc_keep(void *memory) {
    void **grown = memory == NULL ? NULL
                                  : (void **)tn_append((void *)kept, &kept_count, &kept_room,
                                                       &memory, sizeof memory);
    if (grown == NULL || (kept == NULL && atexit(free_kept) != 0)) {
        free(memory);
        tn_hipcc_no_memory();
    }
    kept = grown;
    return memory;
}

// ---- words

void tn_hipcc_add_list(struct tn_hipcc_words *words, const char *const *list) {
    for (; *list != NULL; list++) {
        if (words->count + 2 > words->room) { // the old list is kept too
            words->room = words->room == 0 ? 32 : 2 * words->room;
            char **grown = (char **)tn_hipcc_keep(calloc(words->room, sizeof *grown));
            if (words->count > 0)
                memcpy((void *)grown, (void *)words->all, words->count * sizeof *grown);
            words->all = grown;
        }
        words->all[words->count++] = (char *)(uintptr_t)*list;
        words->all[words->count] = NULL;
    }
}

char *tn_hipcc_text(const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) tn_hipcc_no_memory();
    va_end(list);
    return (char *)tn_hipcc_keep(text);
}

char *tn_hipcc_read(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (file == NULL) return NULL;
    bool is_read = getdelim(&text, &room, '\0', file) > 0;
    (void)fclose(file);
    text = (char *)tn_hipcc_keep(text);
    if (!is_read) *text = '\0';
    return text;
}
