// SPDX-License-Identifier: Apache-2.0
// Functions of HIP that programs link and that Tarn does not implement. A program that links them
// but never calls them runs. A call fails with hipErrorNotSupported, names the function and does
// nothing else. These functions do not read their arguments, except those for which AMD's library
// first refuses NULL.
#include "compat/hip/absent_list.h"
#include "compat/hip/face.h"

static tn_rt_error refuse_absent(const char *function) {
    return tn_rt_fail(TN_RT_NOT_SUPPORTED, "%s() is not in this library", function);
}

static tn_rt_error refuse_null_first(const char *function, const void *first, const void *second) {
    TN_RT_TRY(tn_rt_check_pointer(first, "the first argument"));
    TN_RT_TRY(tn_rt_check_pointer(second, "the second argument"));
    return refuse_absent(function);
}

// Two of the names are those of C++ functions. No header declares any of them, so that a program
// built with Tarn's headers cannot use them.
#define ABSENT(name)                                                                               \
    HIP_API hipError_t name(void);                                                                 \
    hipError_t name(void) { return TN_HIP_CALL(refuse_absent(#name)); }
#define ABSENT_2(name)                                                                             \
    HIP_API hipError_t name(const void *first, const void *second);                                \
    hipError_t name(const void *first, const void *second) {                                       \
        return TN_HIP_CALL(refuse_null_first(#name, first, second));                               \
    }
#define ABSENT_1(name)                                                                             \
    HIP_API hipError_t name(const void *only);                                                     \
    hipError_t name(const void *only) { return TN_HIP_CALL(refuse_null_first(#name, only, only)); }

TN_HIP_ABSENT_LIST(ABSENT, ABSENT_1, ABSENT_2)
