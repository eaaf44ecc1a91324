// SPDX-License-Identifier: Apache-2.0
// Segments in a block under a rule: shared by the files of `tarn layout`. One thread.
#pragma once

#include <tarn/pool.h>

#include "tools/command.h"

struct tn_segment {
    uint64_t start;  // from the base of the block
    uint64_t length; // requested bytes
    uint64_t size;   // bytes that it occupies under the rule
    size_t line;     // line of the file, or 0
};

struct tn_layout {
    const char *rule_name;
    tarn_rule rule;
    uint64_t base;  // address of the block
    uint64_t bytes; // of the block; 0 means unlimited
    struct tn_segment *segments;
    size_t count, room;
    bool json;
};

// Appends a segment and computes its size. If the rule does not allow the length, or if out of
// memory, prints a message on standard error and returns false.
bool tn_layout_add(struct tn_layout *layout, uint64_t start, uint64_t length, size_t line);

// Finds the next address that the rule allows, as an offset. Returns false if there is none.
bool tn_layout_align(const struct tn_layout *layout, uint64_t offset, uint64_t *aligned);

// Reads a number, decimal or with 0x, up to `stop`, and advances *text past it. Blanks around it count
// as none. Returns false if there is no such number.
bool tn_layout_number(const char **text, char stop, uint64_t *number);

// Checks the segments of a file against the rule and against each other. Returns an exit code.
enum tn_exit tn_layout_verify(struct tn_layout *layout, const char *path);
