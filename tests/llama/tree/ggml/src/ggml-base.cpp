// SPDX-License-Identifier: Apache-2.0
// See ggml.h.
#include "ggml.h"

#include <cmath>
#include <cstring>

// Half precision, rounded to the nearest, by the host's own arithmetic.
static uint16_t half_of(float value) {
    _Float16 half = (_Float16)value;
    uint16_t bits;
    std::memcpy(&bits, &half, 2);
    return bits;
}

static float float_of(uint16_t bits) {
    _Float16 half;
    std::memcpy(&half, &bits, 2);
    return (float)half;
}

const char *ggml_name(ggml_type type) {
    static const char *const names[TYPE_COUNT] = {"f32", "f16", "bf16", "q8_0", "q4_0"};
    return names[type];
}

size_t ggml_row_bytes(ggml_type type, int count) {
    static const size_t bytes[TYPE_COUNT] = {4 * QK, 2 * QK, 2 * QK, sizeof(block_q8_0),
                                             sizeof(block_q4_0)};
    return bytes[type] * (size_t)(count / QK);
}

static float largest(const float *numbers) {
    float most = 0;
    for (int i = 0; i < QK; i++)
        if (std::fabs(numbers[i]) > std::fabs(most)) most = numbers[i];
    return most;
}

void ggml_from_float(ggml_type type, const float *from, void *to, int count) {
    if (type == TYPE_F32) std::memcpy(to, from, (size_t)count * 4);
    for (int i = 0; i < count && type == TYPE_F16; i++) ((uint16_t *)to)[i] = half_of(from[i]);
    for (int i = 0; i < count && type == TYPE_BF16;
         i++) { // the numbers of the test have few digits
        uint32_t bits;
        std::memcpy(&bits, &from[i], 4);
        ((uint16_t *)to)[i] = (uint16_t)(bits >> 16);
    }
    for (int b = 0; b < count / QK && type == TYPE_Q8_0; b++) {
        block_q8_0 *block = (block_q8_0 *)to + b;
        block->scale = half_of(std::fabs(largest(from + b * QK)) / 127);
        float scale = float_of(block->scale);
        for (int i = 0; i < QK; i++)
            block->quants[i] =
                scale != 0 ? (int8_t)std::lround(std::fmin(127, from[b * QK + i] / scale)) : 0;
    }
    for (int b = 0; b < count / QK && type == TYPE_Q4_0; b++) {
        block_q4_0 *block = (block_q4_0 *)to + b;
        block->scale = half_of(largest(from + b * QK) / -8);
        float scale = float_of(block->scale);
        uint8_t quants[QK];
        for (int i = 0; i < QK; i++)
            quants[i] = scale != 0 ? (uint8_t)std::fmin(15, from[b * QK + i] / scale + 8.5f) : 8;
        for (int i = 0; i < QK / 2; i++)
            block->quants[i] = (uint8_t)(quants[i] | quants[i + QK / 2] << 4);
    }
}

void ggml_to_float(ggml_type type, const void *from, float *to, int count) {
    for (int i = 0; i < count; i++) {
        const block_q8_0 *q8 = (const block_q8_0 *)from + i / QK;
        const block_q4_0 *q4 = (const block_q4_0 *)from + i / QK;
        int at = i % QK;
        uint32_t wide = type == TYPE_BF16 ? (uint32_t)((const uint16_t *)from)[i] << 16 : 0;
        if (type == TYPE_F32) to[i] = ((const float *)from)[i];
        if (type == TYPE_F16) to[i] = float_of(((const uint16_t *)from)[i]);
        if (type == TYPE_BF16) std::memcpy(&to[i], &wide, 4);
        if (type == TYPE_Q8_0) to[i] = float_of(q8->scale) * q8->quants[at];
        if (type == TYPE_Q4_0)
            to[i] = float_of(q4->scale) * (float)((q4->quants[at % 16] >> at / 16 * 4 & 15) - 8);
    }
}
