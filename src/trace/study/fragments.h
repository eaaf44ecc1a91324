// SPDX-License-Identifier: Apache-2.0
// The fragments of a moment: the reserved bytes divided into live bytes, rounding, holes beside
// live blocks, and segments without a block. Known only where the recording has addresses and
// segments. The caller owns them. Constant once made, so any thread may read them.
#pragma once

#include "trace/study/moment.h"

// One segment of a moment.
struct tn_segment_use {
    uint32_t segment; // index into the segments of the moment
    uint32_t blocks;  // live blocks in it
    uint32_t first;   // the first of them: index into the blocks of the moment
    uint32_t holes;
    uint64_t free;
    uint64_t largest; // hole
};

struct tn_fragments {
    struct tn_segment_use *uses; // in order of address
    size_t count;
    uint64_t rounding;     // occupied, but not requested
    uint64_t holes;        // free bytes beside live blocks
    uint64_t empty;        // bytes of segments without a block
    uint64_t private_free; // free bytes in private segments; not in `holes` and `empty`
    size_t hole_count;
    uint64_t largest; // free piece, private ones excepted
};

// Divides a moment that has places. Fails with NO_HOST_MEMORY.
tarn_status tn_fragments_make(const struct tn_moment *moment, struct tn_fragments *fragments);
void tn_fragments_release(struct tn_fragments *fragments);

// Lists the segments with both blocks and free bytes, those with the most free bytes first. Writes
// at most `room` indices of `uses` to `pinned`, and returns the number written.
size_t tn_fragments_pinned(const struct tn_fragments *fragments, uint32_t *pinned, size_t room);
