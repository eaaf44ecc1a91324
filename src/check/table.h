// SPDX-License-Identifier: Apache-2.0
// A growing array of records. Places are reused after removal. A place is an index, because the
// records move when the array grows. The owner serialises every call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zeroed is empty.
struct tn_check_table {
    void *records;
    uint32_t *removed; // places to be reused
    uint32_t removed_count;
    uint32_t count; // places in `records`, live and removed
    uint32_t capacity;
};

void tn_check_table_fini(struct tn_check_table *table);

// Adds a zeroed record of `bytes` bytes and returns its place in *place. Returns false, without a
// change, if out of memory.
bool tn_check_table_add(struct tn_check_table *table, size_t bytes, uint32_t *place);

void tn_check_table_remove(struct tn_check_table *table, uint32_t place);
