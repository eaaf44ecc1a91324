// SPDX-License-Identifier: Apache-2.0
// What the two halves of `tarn layout` share: segments in a block, and the rule that they keep.
// One thread.
#ifndef TARN_TOOLS_LAYOUT_H
#define TARN_TOOLS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tarn/pool.h>

struct tn_segment {
    uint64_t start;  // from the base of the block
    uint64_t length; // bytes that it holds
    uint64_t size;   // bytes that it takes under the rule
    size_t line;     // of the file that it was read from; 0: of none
};

struct tn_layout {
    const char *rule_name;
    tarn_rule rule;
    uint64_t base;  // address of the block
    uint64_t bytes; // of the block; 0: as many as are needed
    struct tn_segment *segments;
    size_t count;
    bool json;
};

// Appends a segment, its size worked out. False, with a text on standard error: a length that the
// rule cannot have, or no memory.
bool tn_layout_add(struct tn_layout *layout, uint64_t start, uint64_t length, size_t line);

// The next address from `offset` on that the rule allows, as an offset. False: there is none.
bool tn_layout_align(const struct tn_layout *layout, uint64_t offset, uint64_t *aligned);

// Checks the segments of a file, each against the rule and against the others. Returns an exit
// code.
int tn_layout_verify(struct tn_layout *layout, const char *path);

#endif
