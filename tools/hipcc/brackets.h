// SPDX-License-Identifier: Apache-2.0
// Steps between tokens: neighbours and brackets. Code steps over preprocessor directives, and a
// directive ends with its line. An index that does not exist is TN_CXX_NONE, and leads to no other. No
// state.
#pragma once

#include "tools/hipcc/lexer.h"

#define TN_CXX_NONE SIZE_MAX

size_t tn_cxx_next(const struct tn_cxx_source *source, size_t index);
size_t tn_cxx_previous(const struct tn_cxx_source *source, size_t index);

// Returns the bracket that closes, or opens, the one of (), [] or {} at `index`.
size_t tn_cxx_close(const struct tn_cxx_source *source, size_t index);
size_t tn_cxx_open(const struct tn_cxx_source *source, size_t index);

// The same for the angle brackets of a list of template arguments.
size_t tn_cxx_close_angle(const struct tn_cxx_source *source, size_t index);
size_t tn_cxx_open_angle(const struct tn_cxx_source *source, size_t index);

// Returns true if the token is a name that is no keyword of a statement or a type.
bool tn_cxx_is_plain_name(const struct tn_cxx_source *source, size_t index);

// Returns the first token of the name, or of the postfix expression, that ends with `last`: of
// "ns::k<float>", "table[i]", "(*pointer)" or "object.member".
size_t tn_cxx_expression_start(const struct tn_cxx_source *source, size_t last);

// Returns the first of three angle brackets side by side that begin at `index`, or TN_CXX_NONE.
bool tn_cxx_is_triple(const struct tn_cxx_source *source, size_t index, const char *bracket);
