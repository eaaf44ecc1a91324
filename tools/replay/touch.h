// SPDX-License-Identifier: Apache-2.0
// The pattern that --touch writes into each block and verifies before the block is freed: a word at
// every step, which depends on the block and the offset, and the last bytes. A mismatch means that
// the memory lost its content, or that another block wrote to it. One thread.
#pragma once

#include <tarn/tarn.h>

struct tn_touch {
    tarn_device *device;
    uint64_t step; // bytes from one word to the next, at least 8
    uint64_t *words;
};

// A live block.
struct tn_touched {
    uint64_t block; // a number that no other live block has
    tarn_addr addr;
    uint64_t bytes;
};

struct tn_mismatch {
    uint64_t offset; // of the first byte that differs
    uint8_t expected;
    uint8_t found;
};

tarn_status tn_touch_begin(struct tn_touch *touch, tarn_device *device, uint64_t step);
void tn_touch_end(struct tn_touch *touch);

tarn_status tn_touch_write(struct tn_touch *touch, const struct tn_touched *block);
// Returns TARN_CORRUPT if a byte differs, and stores the first one in `mismatch`.
tarn_status tn_touch_verify(struct tn_touch *touch, const struct tn_touched *block,
                            struct tn_mismatch *mismatch);
