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

/* ---- arithmetic, member by member, of two vectors or of a vector and a number. The operators are
 * templates, so that those of a program come first. */

#ifdef __cplusplus

#include <type_traits>

namespace hip_impl {

template <typename V> struct vector_traits {
    enum : unsigned { count = 0 };
};
template <typename T, unsigned count> struct vector_of;

/* Calls a function for each member of two vectors. */
template <unsigned count> struct members;
#define HIP_MEMBER_(count, before, m)                                                              \
    template <> struct members<count> {                                                            \
        template <typename V, typename F> static void each(V &a, const V &b, const F &f) {         \
            before f(a.m, b.m);                                                                    \
        }                                                                                          \
    };
HIP_MEMBER_(1, , x)
HIP_MEMBER_(2, members<1>::each(a, b, f);, y)
HIP_MEMBER_(3, members<2>::each(a, b, f);, z)
HIP_MEMBER_(4, members<3>::each(a, b, f);, w)
#undef HIP_MEMBER_

#define HIP_TRAITS_(vector, type, n)                                                               \
    template <> struct vector_traits<vector> {                                                     \
        enum : unsigned { count = n };                                                             \
        using element = type;                                                                      \
    };                                                                                             \
    template <> struct vector_of<type, n> { using vector_type = vector; };
#define HIP_VECTORS_(type, name)                                                                   \
    HIP_TRAITS_(name##1, type, 1)                                                                  \
    HIP_TRAITS_(name##2, type, 2)                                                                  \
    HIP_TRAITS_(name##3, type, 3)                                                                  \
    HIP_TRAITS_(name##4, type, 4)
KERNEL_EACH_VECTOR_(HIP_VECTORS_)
#undef HIP_TRAITS_
#undef HIP_VECTORS_

template <typename V> using element = typename vector_traits<V>::element;
template <typename V, typename F> void each(V &a, const V &b, const F &f) {
    members<vector_traits<V>::count>::each(a, b, f);
}
template <typename V> V filled(element<V> number) {
    V v = V();
    each(v, v, [number](element<V> &to, element<V>) { to = number; });
    return v;
}
/* The type that an operator returns, if V is a vector, and one of integers. */
template <typename V, typename Result = V>
using of_vector = typename std::enable_if<(vector_traits<V>::count > 0), Result>::type;
template <typename V, typename Result = V>
using of_integers = typename std::enable_if<std::is_integral<element<V>>::value, Result>::type;

} // namespace hip_impl

/* The vector with such elements, as float4. */
template <typename T, unsigned count>
using HIP_vector_type = typename hip_impl::vector_of<T, count>::vector_type;

#define HIP_OPERATOR_(kind, operation)                                                             \
    template <typename V> hip_impl::kind<V, V &> operator operation##=(V &a, const V &b) {         \
        using element = hip_impl::element<V>;                                                      \
        hip_impl::each(a, b,                                                                       \
                       [](element &x, element y) { x = static_cast<element>(x operation y); });    \
        return a;                                                                                  \
    }                                                                                              \
    template <typename V>                                                                          \
    hip_impl::kind<V, V &> operator operation##=(V &a, hip_impl::element<V> b) {                   \
        return a operation## = hip_impl::filled<V>(b);                                             \
    }                                                                                              \
    template <typename V> hip_impl::kind<V> operator operation(V a, const V &b) {                  \
        return a operation## = b;                                                                  \
    }                                                                                              \
    template <typename V> hip_impl::kind<V> operator operation(V a, hip_impl::element<V> b) {      \
        return a operation## = b;                                                                  \
    }                                                                                              \
    template <typename V>                                                                          \
    hip_impl::kind<V> operator operation(hip_impl::element<V> a, const V &b) {                     \
        return hip_impl::filled<V>(a) operation b;                                                 \
    }
HIP_OPERATOR_(of_vector, +)
HIP_OPERATOR_(of_vector, -)
HIP_OPERATOR_(of_vector, *)
HIP_OPERATOR_(of_vector, /)
HIP_OPERATOR_(of_integers, %)
HIP_OPERATOR_(of_integers, &)
HIP_OPERATOR_(of_integers, |)
HIP_OPERATOR_(of_integers, ^)
HIP_OPERATOR_(of_integers, <<)
HIP_OPERATOR_(of_integers, >>)
#undef HIP_OPERATOR_

template <typename V> hip_impl::of_vector<V> operator-(V a) {
    using element = hip_impl::element<V>;
    hip_impl::each(a, a, [](element &x, element y) { x = static_cast<element>(-y); });
    return a;
}
template <typename V> hip_impl::of_integers<V> operator~(V a) {
    using element = hip_impl::element<V>;
    hip_impl::each(a, a, [](element &x, element y) { x = static_cast<element>(~y); });
    return a;
}
template <typename V> hip_impl::of_vector<V, bool> operator==(V a, const V &b) {
    using element = hip_impl::element<V>;
    bool are_equal = true;
    hip_impl::each(a, b, [&are_equal](element &x, element y) { are_equal = are_equal && x == y; });
    return are_equal;
}
template <typename V> hip_impl::of_vector<V, bool> operator!=(const V &a, const V &b) {
    return !(a == b);
}

#endif
#endif
