/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_pipeline_primitives.h - copies to shared memory in stages. A copy is complete when the call
 * returns, so that stages end at once.
 */
#ifndef CUDA_PIPELINE_PRIMITIVES_H
#define CUDA_PIPELINE_PRIMITIVES_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include <cstddef>
#include <cstring>

#include <cuda_runtime.h>

/* Copies 4, 8 or 16 bytes, of which the last `zeros` are written as 0 instead. */
inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes,
                                    std::size_t zeros = 0) {
    std::memcpy(to, from, bytes - zeros);
    std::memset(static_cast<char *>(to) + (bytes - zeros), 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}

#endif

#endif
