/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/std.h - cuda::std has the names of std, because the code of kernels is code of the
 * CPU. A program cannot specialise a template of std by this name.
 */
#ifndef CUDA_DETAIL_STD_H
#define CUDA_DETAIL_STD_H

#ifdef __cplusplus
namespace cuda {
namespace std {
using namespace ::std;
}
} // namespace cuda
#endif

#endif
