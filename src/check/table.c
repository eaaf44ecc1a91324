// SPDX-License-Identifier: Apache-2.0
// A growing array of records whose indexes are reused. See table.h.
#include "check/table.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

void tn_check_table_fini(struct tn_check_table *table) {
    free(table->records);
    free(table->removed);
    *table = (struct tn_check_table){0};
}

static bool grow_table(struct tn_check_table *table, size_t bytes) {
    uint32_t capacity = table->capacity != 0 ? 2 * table->capacity : FIRST_CAPACITY;
    void *records = realloc(table->records, capacity * bytes);
    if (records == NULL) return false;
    table->records = records;
    uint32_t *removed = realloc(table->removed, capacity * sizeof *removed);
    if (removed == NULL) return false;
    table->removed = removed;
    table->capacity = capacity;
    return true;
}

bool tn_check_table_add(struct tn_check_table *table, size_t bytes, uint32_t *place) {
    if (table->removed_count > 0)
        *place = table->removed[--table->removed_count];
    else if (table->count < table->capacity || grow_table(table, bytes))
        *place = table->count++;
    else
        return false;
    memset((char *)table->records + *place * bytes, 0, bytes);
    return true;
}

void tn_check_table_remove(struct tn_check_table *table, uint32_t place) {
    table->removed[table->removed_count++] = place;
}
