/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_vector_types.h - short vectors, char1 to double4, as plain structs with members x, y, z,
 * w, and a function make_T() for each; in C++ also operators. Sizes and alignments are HIP's:
 * vectors of two and four are aligned to their size, vectors of three to their element.
 */
#ifndef HIP_HIP_VECTOR_TYPES_H
#define HIP_HIP_VECTOR_TYPES_H

#include <kernel/vectors.h>

#define HIP_VECTOR_OF_(type, name) KERNEL_VECTORS_(type, name, 4 * sizeof(type))
KERNEL_EACH_VECTOR_(HIP_VECTOR_OF_)
#undef HIP_VECTOR_OF_

/* ---- arithmetic, member by member, of two vectors or of a vector and a number */

#ifdef __cplusplus

#define HIP_EACH_1_(step) step(x)
#define HIP_EACH_2_(step) HIP_EACH_1_(step) step(y)
#define HIP_EACH_3_(step) HIP_EACH_2_(step) step(z)
#define HIP_EACH_4_(step) HIP_EACH_3_(step) step(w)

#define HIP_ADD_(m)      a.m = static_cast<decltype(a.m)>(a.m + b.m);
#define HIP_SUBTRACT_(m) a.m = static_cast<decltype(a.m)>(a.m - b.m);
#define HIP_MULTIPLY_(m) a.m = static_cast<decltype(a.m)>(a.m * b.m);
#define HIP_DIVIDE_(m)   a.m = static_cast<decltype(a.m)>(a.m / b.m);
#define HIP_FILL_(m)     v.m = number;
#define HIP_DIFFER_(m)   || a.m != b.m

#define HIP_OPERATOR_(vector, type, operation, each, step)                                         \
    inline vector &operator operation##=(vector &a, const vector &b) { each(step) return a; }      \
    inline vector operator operation(vector a, const vector &b) { return a operation## = b; }      \
    inline vector operator operation(vector a, type b) {                                           \
        return a operation## = hip_impl::filled<vector>(b);                                        \
    }                                                                                              \
    inline vector operator operation(type a, const vector &b) {                                    \
        return hip_impl::filled<vector>(a) operation b;                                            \
    }

#define HIP_ARITHMETIC_(vector, type, each)                                                        \
    namespace hip_impl {                                                                           \
    template <> inline vector filled<vector, type>(type number) {                                  \
        vector v;                                                                                  \
        each(HIP_FILL_) return v;                                                                  \
    }                                                                                              \
    }                                                                                              \
    HIP_OPERATOR_(vector, type, +, each, HIP_ADD_)                                                 \
    HIP_OPERATOR_(vector, type, -, each, HIP_SUBTRACT_)                                            \
    HIP_OPERATOR_(vector, type, *, each, HIP_MULTIPLY_)                                            \
    HIP_OPERATOR_(vector, type, /, each, HIP_DIVIDE_)                                              \
    inline bool operator!=(const vector &a, const vector &b) { return false each(HIP_DIFFER_); }   \
    inline bool operator==(const vector &a, const vector &b) { return !(a != b); }

#define HIP_VECTORS_(type, name)                                                                   \
    HIP_ARITHMETIC_(name##1, type, HIP_EACH_1_)                                                    \
    HIP_ARITHMETIC_(name##2, type, HIP_EACH_2_)                                                    \
    HIP_ARITHMETIC_(name##3, type, HIP_EACH_3_)                                                    \
    HIP_ARITHMETIC_(name##4, type, HIP_EACH_4_)

namespace hip_impl {
template <typename Vector, typename T> Vector filled(T number);
}

KERNEL_EACH_VECTOR_(HIP_VECTORS_)

#undef HIP_EACH_1_
#undef HIP_EACH_2_
#undef HIP_EACH_3_
#undef HIP_EACH_4_
#undef HIP_ADD_
#undef HIP_SUBTRACT_
#undef HIP_MULTIPLY_
#undef HIP_DIVIDE_
#undef HIP_FILL_
#undef HIP_DIFFER_
#undef HIP_OPERATOR_
#undef HIP_ARITHMETIC_
#undef HIP_VECTORS_

#endif
#endif
