// SPDX-License-Identifier: Apache-2.0
// See brackets.h.
#include "tools/hipcc/brackets.h"

// Steps forward by 1, or back by SIZE_MAX, which is -1.
static size_t find_neighbour(const struct tn_cxx_source *source, size_t index, size_t by) {
    if (index == TN_CXX_NONE) return TN_CXX_NONE;
    uint32_t directive = source->tokens[index].directive;
    for (size_t i = index + by; i < source->count; i += by) {
        if (source->tokens[i].directive == directive) return i;
        if (directive != 0) break;
    }
    return TN_CXX_NONE;
}

size_t tn_cxx_next(const struct tn_cxx_source *source, size_t index) {
    return find_neighbour(source, index, 1);
}

size_t tn_cxx_previous(const struct tn_cxx_source *source, size_t index) {
    return find_neighbour(source, index, SIZE_MAX);
}

// Walks with `step` to the bracket that matches the one at `index`. `deeper` and `higher` are the kinds
// of brackets that add and remove a level.
static size_t find_match(const struct tn_cxx_source *source, size_t index, const char *deeper,
                         const char *higher, size_t (*step)(const struct tn_cxx_source *, size_t)) {
    size_t depth = 0;
    for (size_t i = index; i != TN_CXX_NONE; i = step(source, i)) {
        if (tn_cxx_is_mark(source, i, deeper)) depth++;
        if (tn_cxx_is_mark(source, i, higher) && --depth == 0) return i;
    }
    return TN_CXX_NONE;
}

size_t tn_cxx_close(const struct tn_cxx_source *source, size_t index) {
    return find_match(source, index, "([{", ")]}", tn_cxx_next);
}

size_t tn_cxx_open(const struct tn_cxx_source *source, size_t index) {
    return find_match(source, index, ")]}", "([{", tn_cxx_previous);
}

// Angle brackets match only beside the other kinds, whose contents are skipped.
static size_t find_angle(const struct tn_cxx_source *source, size_t index, const char *deeper,
                         const char *higher, const char *skipped,
                         size_t (*match)(const struct tn_cxx_source *, size_t),
                         size_t (*step)(const struct tn_cxx_source *, size_t)) {
    size_t depth = 0;
    for (size_t i = index; i != TN_CXX_NONE; i = step(source, i)) {
        if (tn_cxx_is_mark(source, i, deeper)) depth++;
        if (tn_cxx_is_mark(source, i, higher) && --depth == 0) return i;
        if (tn_cxx_is_mark(source, i, ";{}")) return TN_CXX_NONE;
        if (tn_cxx_is_mark(source, i, skipped) && (i = match(source, i)) == TN_CXX_NONE) break;
    }
    return TN_CXX_NONE;
}

size_t tn_cxx_close_angle(const struct tn_cxx_source *source, size_t index) {
    return find_angle(source, index, "<", ">", "([", tn_cxx_close, tn_cxx_next);
}

size_t tn_cxx_open_angle(const struct tn_cxx_source *source, size_t index) {
    return find_angle(source, index, ">", "<", ")]", tn_cxx_open, tn_cxx_previous);
}

bool tn_cxx_is_plain_name(const struct tn_cxx_source *source, size_t index) {
    static const char keywords[] =
        "auto bool case catch char class const constexpr delete do double else enum extern float "
        "for goto if inline int long new operator return short signed sizeof static struct switch "
        "template throw typename union unsigned void volatile while";
    return tn_cxx_is_a(source, index, TN_CXX_NAME) && !tn_cxx_is_one(source, index, keywords);
}

bool tn_cxx_is_triple(const struct tn_cxx_source *source, size_t index, const char *bracket) {
    return tn_cxx_is(source, index, bracket) && tn_cxx_touches(source, index) &&
           tn_cxx_is(source, index + 1, bracket) && tn_cxx_touches(source, index + 1) &&
           tn_cxx_is(source, index + 2, bracket);
}

// ---- expressions

// Returns true if the brackets that begin at `open` belong to the expression before them: a call or an
// index. They stand alone behind the head of a statement, such as "if (c) (*k)".
static bool is_postfix(const struct tn_cxx_source *source, size_t open, size_t before) {
    if (before == TN_CXX_NONE) return false;
    if (tn_cxx_is(source, open, "[")) return true;
    if (tn_cxx_is(source, before, ")")) { // of a call before it, or of the head
        before = tn_cxx_previous(source, tn_cxx_open(source, before));
        if (tn_cxx_is(source, before, ")")) return true;
    }
    return tn_cxx_is_plain_name(source, before) || tn_cxx_is_mark(source, before, "]>");
}

// Returns the first token of the part that ends with `last`, and in *before the end of the part that it
// continues, or TN_CXX_NONE.
static size_t find_part(const struct tn_cxx_source *source, size_t last, size_t *before) {
    size_t start = last;
    *before = TN_CXX_NONE;
    if (tn_cxx_is_mark(source, last, ")]")) {
        start = tn_cxx_open(source, last);
        if (start == TN_CXX_NONE) return TN_CXX_NONE;
        size_t owner = tn_cxx_previous(source, start);
        if (is_postfix(source, start, owner)) *before = owner;
        return start;
    }
    if (tn_cxx_is(source, last, ">"))
        start = tn_cxx_previous(source, tn_cxx_open_angle(source, last));
    return tn_cxx_is_plain_name(source, start) ? start : TN_CXX_NONE;
}

// Continues over "::", ".", "->" and "##" to the left. Returns the new start; *before is as above.
static size_t find_joined(const struct tn_cxx_source *source, size_t start, size_t *before) {
    static const char *const joints[] = {"::", ".", "->", "##"};
    size_t joint = tn_cxx_previous(source, start);
    if (tn_cxx_is(source, joint, "template")) {
        start = joint;
        joint = tn_cxx_previous(source, start);
    }
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
        if (!tn_cxx_is(source, joint, joints[i])) continue;
        size_t owner = tn_cxx_previous(source, joint);
        if (tn_cxx_is_plain_name(source, owner) || tn_cxx_is_mark(source, owner, ">)]"))
            *before = owner;
        return i == 0 || *before != TN_CXX_NONE ? joint : start;
    }
    return start;
}

size_t tn_cxx_expression_start(const struct tn_cxx_source *source, size_t last) {
    size_t start = TN_CXX_NONE;
    while (last != TN_CXX_NONE) {
        size_t before, part = find_part(source, last, &before);
        if (part == TN_CXX_NONE) return start;
        start = part;
        if (before == TN_CXX_NONE) start = find_joined(source, part, &before);
        last = before;
    }
    return start;
}
