/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_complex.h - complex numbers: hipFloatComplex and hipDoubleComplex; see kernel/complex.h.
 */
#ifndef HIP_HIP_COMPLEX_H
#define HIP_HIP_COMPLEX_H

#include <hip/hip_vector_types.h>
#include <kernel/complex.h>

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;
KERNEL_COMPLEX_(hip, hipFloatComplex, float, f)
KERNEL_COMPLEX_(hip, hipDoubleComplex, double, )
KERNEL_COMPLEX_CASTS_(hip)

/* The square of the absolute value. */
static inline float hipCsqabsf(hipFloatComplex z) { return z.x * z.x + z.y * z.y; }
static inline double hipCsqabs(hipDoubleComplex z) { return z.x * z.x + z.y * z.y; }

#endif
