// SPDX-License-Identifier: Apache-2.0
// Declarations of kernels, and of dynamic shared memory. No state.
#pragma once

#include "tools/hipcc/edit.h"

struct tn_cxx_kernel {
    size_t name, name_end; // the first and the last token of the name, as in "ns::k<float>"
    size_t parameters;     // the opening bracket
    size_t body;           // the opening bracket, or TN_CXX_NONE for a declaration
    size_t head;           // the "<" of its template parameters, or TN_CXX_NONE
    size_t global;         // the word, or the macro that stands for it
};

// Finds the parts of the declaration in which the token `global` is, which stands for __global__.
// Returns false if it is none.
bool tn_cxx_kernel_find(const struct tn_cxx_source *source, size_t global, size_t head,
                        struct tn_cxx_kernel *kernel);

// Makes the body register the kernel, with its parameters, because its name may be overloaded. A template with
// a parameter without a name has no name for its instance, and is left alone.
void tn_cxx_kernel_register(const struct tn_cxx_source *source, const struct tn_cxx_kernel *kernel,
                            struct tn_cxx_edits *edits);

// Turns `extern __shared__ T x[], y[3];`, which begins at the token, into HIP_DYNAMIC_SHARED(T, x) and one for
// each further name, or into HIP_EXT_FILE_SHARED(T, x) outside of functions. Leaves other declarations alone.
void tn_cxx_shared_rewrite(const struct tn_cxx_source *source, size_t index, bool in_function,
                           struct tn_cxx_edits *edits);

// Returns true if a declaration of dynamic shared memory begins at the token that has another form.
bool tn_cxx_shared_is_unknown(const struct tn_cxx_source *source, size_t index);
