// SPDX-License-Identifier: Apache-2.0
// The types of numbers, the reference of each operation on the CPU, and what a back-end offers.
#pragma once

#include <cstddef>
#include <cstdint>

// Numbers in blocks of 32 with a scale in half precision.
enum { QK = 32 };
struct block_q8_0 {
    uint16_t scale;
    int8_t quants[QK];
};
struct block_q4_0 { // two in a byte: number i, and number i + 16
    uint16_t scale;
    uint8_t quants[QK / 2];
};
static_assert(sizeof(block_q8_0) == 34 && sizeof(block_q4_0) == 18, "blocks have no holes");

enum ggml_type { TYPE_F32, TYPE_F16, TYPE_BF16, TYPE_Q8_0, TYPE_Q4_0, TYPE_COUNT };

extern "C" {
const char *ggml_name(ggml_type type);
// Returns the bytes of a row of `count` numbers, a multiple of QK.
size_t ggml_row_bytes(ggml_type type, int count);
void ggml_from_float(ggml_type type, const float *from, void *to, int count);
void ggml_to_float(ggml_type type, const void *from, float *to, int count);

// Each function takes and returns matrices in host memory, row by row, and returns false after a failure.
struct ggml_backend {
    const char *name;
    // out[r][c] = the sum over k of weights[c][k] * in[r][k].
    bool (*multiply)(ggml_type type, const void *weights, const float *in, float *out, int rows,
                     int columns, int k);
    bool (*rms_norm)(const float *in, float *out, int rows, int columns, float epsilon);
    bool (*soft_max)(const float *in, float *out, int rows, int columns);
    // The same product `count` times, in half precision, by addresses in device memory.
    bool (*multiply_each)(const void *weights, const float *in, float *out, int rows, int columns,
                          int k, int count);
};
typedef const ggml_backend *(*ggml_backend_init_t)(void);
}
