// SPDX-License-Identifier: Apache-2.0
// Interned strings, in a hash table of lists. A program has few of them.
#include "check/model.h"

#include <string.h>

enum { BUCKETS = 1024 };

struct word {
    struct word *next;
    char text[];
};

static struct word *bucket[BUCKETS];

const char *tn_check_intern(const char *name) {
    if (name == NULL) return NULL;
    uint32_t hash = 2166136261u;
    size_t length = 0;
    for (; name[length] != '\0'; length++) hash = (hash ^ (unsigned char)name[length]) * 16777619u;
    struct word **first = &bucket[hash % BUCKETS];
    for (struct word *n = *first; n != NULL; n = n->next)
        if (strcmp(n->text, name) == 0) return n->text;
    struct word *kept = tn_check_allocate(sizeof *kept + length + 1);
    memcpy(kept->text, name, length + 1);
    kept->next = *first;
    *first = kept;
    return kept->text;
}
