/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuComplex.h - complex numbers: cuFloatComplex and cuDoubleComplex; see kernel/complex.h.
 */
#ifndef CUCOMPLEX_H
#define CUCOMPLEX_H

#include <kernel/complex.h>
#include <vector_types.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
KERNEL_COMPLEX_(cu, cuFloatComplex, float, f)
KERNEL_COMPLEX_(cu, cuDoubleComplex, double, )
KERNEL_COMPLEX_CASTS_(cu)

#endif
