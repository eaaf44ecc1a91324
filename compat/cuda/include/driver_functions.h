/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver_functions.h - descriptions of boxes from their numbers.
 */
#ifndef DRIVER_FUNCTIONS_H
#define DRIVER_FUNCTIONS_H

#include <driver_types.h>

static inline cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize,
                                                 size_t ysize) {
    cudaPitchedPtr pitched = {ptr, pitch, xsize, ysize};
    return pitched;
}

static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    cudaPos pos = {x, y, z};
    return pos;
}

static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    cudaExtent extent = {width, height, depth};
    return extent;
}

#endif
