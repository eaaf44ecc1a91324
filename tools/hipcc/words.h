// SPDX-License-Identifier: Apache-2.0
// Command lines that grow, and texts for them. They live until the process ends, which a process without memory
// does at once. One thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tn_hipcc_words {
    char **all; // ends with NULL
    size_t count, room;
};

// Adds the words, up to a NULL. They are not copied.
#define tn_hipcc_add(words, ...)                                                                   \
    tn_hipcc_add_list((words), (const char *const[]){__VA_ARGS__, NULL})
void tn_hipcc_add_list(struct tn_hipcc_words *words, const char *const *list);

// Returns a text as printf() makes it.
char *tn_hipcc_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Returns the text of a file, up to a zero byte, or NULL if it cannot be opened.
char *tn_hipcc_read(const char *path);

// Frees the memory when the process ends. Returns it; NULL ends the process.
void *tn_hipcc_keep(void *memory);

// Ends the process because host memory is exhausted.
_Noreturn void tn_hipcc_no_memory(void);
