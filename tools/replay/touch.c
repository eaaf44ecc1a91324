// SPDX-License-Identifier: Apache-2.0
// The pattern that --touch writes into blocks; see touch.h. The library's copies transfer the
// bytes, so this works for all memory that stores bytes.
#include "tools/replay/touch.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { WORD = 8, PART = 16384 }; // PART is the number of words that one copy transfers

tarn_status tn_touch_begin(struct tn_touch *touch, tarn_device *device, uint64_t step) {
    touch->device = device;
    touch->step = step > WORD ? step : WORD;
    touch->words = (uint64_t *)calloc(PART, WORD);
    return touch->words != NULL ? TARN_OK : TARN_NO_HOST_MEMORY;
}

void tn_touch_end(struct tn_touch *touch) {
    free(touch->words);
    touch->words = NULL;
}

static uint64_t word_at(uint64_t block, uint64_t offset) {
    uint64_t x = (block + 1) * UINT64_C(0x9e3779b97f4a7c15) + offset;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// Returns the number of complete words at multiples of the step.
static uint64_t step_count(const struct tn_touch *touch, uint64_t bytes) {
    return bytes < WORD ? 0 : (bytes - WORD) / touch->step + 1;
}

// Returns the offset of the last bytes, at most WORD, that no word at a step covers.
static uint64_t tail_start(const struct tn_touch *touch, uint64_t bytes) {
    uint64_t steps = step_count(touch, bytes);
    uint64_t covered = steps > 0 ? (steps - 1) * touch->step + WORD : 0;
    return bytes > covered + WORD ? bytes - WORD : covered;
}

// Moves `count` words between the buffer and the block, where they lie a step apart.
static tarn_status move_words(const struct tn_touch *touch, tarn_addr there, uint64_t count,
                              bool write) {
    tarn_addr here = TARN_ADDR(touch->words);
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = write ? there : here;
    desc.src = write ? here : there;
    desc.width = WORD;
    desc.height = count;
    desc.dst_pitch = write ? touch->step : WORD;
    desc.src_pitch = write ? WORD : touch->step;
    return tarn_copy_box(touch->device, &desc, TARN_STREAM_NONE);
}

tarn_status tn_touch_write(struct tn_touch *touch, const struct tn_touched *block) {
    uint64_t steps = step_count(touch, block->bytes), tail = tail_start(touch, block->bytes);
    for (uint64_t first = 0; first < steps; first += PART) {
        uint64_t count = steps - first < PART ? steps - first : (uint64_t)PART;
        for (uint64_t i = 0; i < count; i++)
            touch->words[i] = word_at(block->block, (first + i) * touch->step);
        TN_TRY(move_words(touch, block->addr + first * touch->step, count, true));
    }
    touch->words[0] = word_at(block->block, tail);
    return tarn_copy(touch->device, block->addr + tail, TARN_ADDR(touch->words),
                     block->bytes - tail, TARN_STREAM_NONE);
}

// Compares `size` bytes that were read with the word for `offset` of the block.
static tarn_status compare_word(uint64_t found, uint64_t block, uint64_t offset, uint64_t size,
                                struct tn_mismatch *mismatch) {
    uint64_t expected = word_at(block, offset);
    if (memcmp(&found, &expected, size) == 0) return TARN_OK;
    const uint8_t *a = (const uint8_t *)&expected, *b = (const uint8_t *)&found;
    uint64_t at = 0;
    while (a[at] == b[at]) at++;
    *mismatch = (struct tn_mismatch){.offset = offset + at, .expected = a[at], .found = b[at]};
    return TARN_CORRUPT;
}

tarn_status tn_touch_verify(struct tn_touch *touch, const struct tn_touched *block,
                            struct tn_mismatch *mismatch) {
    uint64_t steps = step_count(touch, block->bytes), tail = tail_start(touch, block->bytes);
    for (uint64_t first = 0; first < steps; first += PART) {
        uint64_t count = steps - first < PART ? steps - first : (uint64_t)PART;
        tarn_status status = move_words(touch, block->addr + first * touch->step, count, false);
        for (uint64_t i = 0; status == TARN_OK && i < count; i++)
            status = compare_word(touch->words[i], block->block, (first + i) * touch->step, WORD,
                                  mismatch);
        if (status != TARN_OK) return status;
    }
    TN_TRY(tarn_copy(touch->device, TARN_ADDR(touch->words), block->addr + tail,
                     block->bytes - tail, TARN_STREAM_NONE));
    return compare_word(touch->words[0], block->block, tail, block->bytes - tail, mismatch);
}
