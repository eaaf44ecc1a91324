// SPDX-License-Identifier: Apache-2.0
// See words.h.
#include "tools/hipcc/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "tools/arguments.h"

void tn_hipcc_no_memory(void) {
    fprintf(stderr, "tarn hipcc: Cannot allocate memory\n");
    exit(tn_arguments_no_memory());
}

void tn_hipcc_add_list(struct tn_hipcc_words *words, const char *const *list) {
    for (; *list != NULL; list++) {
        char **grown = (char **)tn_grow((void *)words->all, &words->room, words->count + 2,
                                        sizeof *words->all);
        if (grown == NULL) tn_hipcc_no_memory();
        words->all = grown;
        words->all[words->count++] = (char *)(uintptr_t)*list;
        words->all[words->count] = NULL;
    }
}

static char *format_text(const char *format, va_list list) {
    char *text = NULL;
    if (vasprintf(&text, format, list) < 0) tn_hipcc_no_memory();
    return text;
}

char *tn_hipcc_text(const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *text = format_text(format, list);
    va_end(list);
    return text;
}

void tn_hipcc_add_text(struct tn_hipcc_words *words, const char *format, ...) {
    va_list list;
    va_start(list, format);
    tn_hipcc_add(words, format_text(format, list));
    va_end(list);
}
