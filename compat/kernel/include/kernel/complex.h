/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/complex.h - complex numbers as vectors of two, for the headers of vendors. KERNEL_COMPLEX_()
 * defines the functions of one precision: `p` begins their names, and `f` is f or nothing.
 */
#ifndef KERNEL_COMPLEX_H
#define KERNEL_COMPLEX_H

#include <math.h>

#define KERNEL_COMPLEX_(p, complex, real, f)                                                       \
    static inline real p##Creal##f(complex z) { return z.x; }                                      \
    static inline real p##Cimag##f(complex z) { return z.y; }                                      \
    static inline complex make_##complex(real x, real y) {                                         \
        complex z;                                                                                 \
        z.x = x;                                                                                   \
        z.y = y;                                                                                   \
        return z;                                                                                  \
    }                                                                                              \
    static inline complex p##Conj##f(complex z) { return make_##complex(z.x, -z.y); }              \
    static inline complex p##Cadd##f(complex a, complex b) {                                       \
        return make_##complex(a.x + b.x, a.y + b.y);                                               \
    }                                                                                              \
    static inline complex p##Csub##f(complex a, complex b) {                                       \
        return make_##complex(a.x - b.x, a.y - b.y);                                               \
    }                                                                                              \
    static inline complex p##Cmul##f(complex a, complex b) {                                       \
        return make_##complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                       \
    }                                                                                              \
    static inline complex p##Cfma##f(complex a, complex b, complex c) {                            \
        return p##Cadd##f(p##Cmul##f(a, b), c);                                                    \
    }                                                                                              \
    /* Scaled, so that squares do not overflow. */                                                 \
    static inline complex p##Cdiv##f(complex a, complex b) {                                       \
        const real scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                      \
        const complex c = make_##complex(b.x * scale, -b.y * scale);                               \
        const complex product = p##Cmul##f(make_##complex(a.x * scale, a.y * scale), c);           \
        const real size = c.x * c.x + c.y * c.y;                                                   \
        return make_##complex(product.x / size, product.y / size);                                 \
    }                                                                                              \
    static inline real p##Cabs##f(complex z) { return hypot##f(z.x, z.y); }
#define KERNEL_COMPLEX_CASTS_(p)                                                                   \
    static inline p##DoubleComplex p##ComplexFloatToDouble(p##FloatComplex z) {                    \
        return make_##p##DoubleComplex(z.x, z.y);                                                  \
    }                                                                                              \
    static inline p##FloatComplex p##ComplexDoubleToFloat(p##DoubleComplex z) {                    \
        return make_##p##FloatComplex((float)z.x, (float)z.y);                                     \
    }                                                                                              \
    static inline p##FloatComplex make_##p##Complex(float x, float y) {                            \
        return make_##p##FloatComplex(x, y);                                                       \
    }

#endif
