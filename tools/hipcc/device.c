// SPDX-License-Identifier: Apache-2.0
// See device.h.
#include "tools/hipcc/device.h"

#include "tools/hipcc/brackets.h"

bool tn_cxx_device_is_word(const struct tn_cxx_source *source, size_t index) {
    return tn_cxx_is_one(source, index, "__device__ __constant__ __managed__");
}

// Returns the end of the words before the parameters, the value or the body, or `index` if there is none.
static size_t find_end(const struct tn_cxx_source *source, size_t index) {
    size_t end = index;
    while (end != TN_CXX_NONE && !tn_cxx_is_mark(source, end, "({[;=}"))
        end = tn_cxx_next(source, end);
    return end != TN_CXX_NONE ? end : index;
}

// Returns true if the declaration from `first` on has the word before `end`. Directives lie between its tokens.
static bool has(const struct tn_cxx_source *source, size_t first, size_t end, const char *word) {
    for (size_t i = first; i < end && i < source->count; i++) {
        if (source->tokens[i].directive != source->tokens[end].directive) continue;
        if (word == NULL ? tn_cxx_is_a(source, i, TN_CXX_TEXT) : tn_cxx_is(source, i, word))
            return true;
    }
    return false;
}

// Returns true if the function has its body here.
static bool has_body(const struct tn_cxx_source *source, size_t index) {
    while (index != TN_CXX_NONE && !tn_cxx_is_mark(source, index, "{;=")) {
        if (tn_cxx_is(source, index, "operator"))
            index = tn_cxx_next(source, index); // and "=", "()"
        if (tn_cxx_is(source, index, "(")) index = tn_cxx_close(source, index);
        index = tn_cxx_next(source, index);
    }
    return tn_cxx_is(source, index, "{");
}

bool tn_cxx_device_is_own(const struct tn_cxx_source *source, size_t index, size_t first,
                          bool in_class) {
    static const char *const types[] = {"struct", "class", "union", "enum", "]"};
    size_t before = tn_cxx_previous(source, index), end = find_end(source, index);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tn_cxx_is(source, before, types[i])) return false;
    if (has(source, first, end, "typedef") || has(source, first, end, "using") ||
        has(source, first, index, NULL)) // extern "C"
        return false;
    if (!has(source, first, end, "__host__")) return true;
    return in_class && !has(source, first, end, "friend") && has_body(source, index);
}

bool tn_cxx_device_is_template(const struct tn_cxx_source *source, size_t index, size_t first,
                               size_t head) {
    size_t end = find_end(source, index), last = tn_cxx_previous(source, end);
    size_t name = tn_cxx_expression_start(source, last);
    return tn_cxx_is(source, head, "<") && !tn_cxx_is(source, tn_cxx_next(source, head), ">") &&
           !has(source, first, end, "static") && !has(source, first, end, "friend") &&
           name != TN_CXX_NONE && !has(source, name, end, "::");
}
