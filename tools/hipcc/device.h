// SPDX-License-Identifier: Apache-2.0
// Functions and variables of devices, which the compilers of vendors keep inside one file: another file
// may have others of the same names. No state.
#pragma once

#include "tools/hipcc/lexer.h"

// Returns true if the token is __device__, __constant__ or __managed__.
bool tn_cxx_device_is_word(const struct tn_cxx_source *source, size_t index);

// Returns true if this word, in a declaration that begins at `first`, declares something that no other file
// uses. A function of the host too is used by other files, unless its body is in a class.
bool tn_cxx_device_is_own(const struct tn_cxx_source *source, size_t index, size_t first,
                          bool in_class);

// Returns true if such a declaration in a namespace, with the template parameters that begin at `head`, may
// have the word `static`: it is no member, no specialisation, and has not got it.
bool tn_cxx_device_is_template(const struct tn_cxx_source *source, size_t index, size_t first,
                               size_t head);
