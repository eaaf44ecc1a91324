// SPDX-License-Identifier: Apache-2.0
// See launch.h.
#include "tools/hipcc/launch.h"

#include "tools/hipcc/brackets.h"

// Returns the first token of the text of a macro, for a token of its directive, or TN_CXX_NONE for
// another directive.
static size_t find_macro_text(const struct tn_cxx_source *source, size_t index) {
    size_t hash = index;
    while (hash > 0 && source->tokens[hash - 1].directive == source->tokens[index].directive)
        hash--;
    size_t name = hash + 2;
    if (!tn_cxx_is(source, hash + 1, "define") || name >= source->count) return TN_CXX_NONE;
    if (!tn_cxx_is(source, name + 1, "(") || !tn_cxx_touches(source, name)) return name + 1;
    size_t close = tn_cxx_close(source, name + 1);
    return close != TN_CXX_NONE ? close + 1 : TN_CXX_NONE;
}

static bool is_open(const struct tn_cxx_source *source, size_t index) {
    return tn_cxx_is_mark(source, index, "([{");
}

static bool is_closed(const struct tn_cxx_source *source, size_t index) {
    return tn_cxx_is_mark(source, index, ")]};");
}

// The arguments begin behind the last three of a row of brackets: "k<<<1, f<int>>>>(x)". They may be
// those of a macro, or behind the macro whose text ends here.
static bool ends_launch(const struct tn_cxx_source *source, size_t close) {
    size_t next = tn_cxx_next(source, close + 2);
    if (next == TN_CXX_NONE) return source->tokens[close].directive != 0;
    return tn_cxx_is(source, next, "(") || tn_cxx_is_plain_name(source, next);
}

// Returns the last end of a launch before the next one and the end of the statement. An earlier one
// closes template arguments in the configuration.
static size_t find_end(const struct tn_cxx_source *source, size_t first) {
    size_t end = TN_CXX_NONE;
    for (size_t i = first; i != TN_CXX_NONE && !is_closed(source, i); i = tn_cxx_next(source, i)) {
        if (tn_cxx_is_triple(source, i, "<")) break;
        if (tn_cxx_is_triple(source, i, ">") && ends_launch(source, i)) end = i;
        if (is_open(source, i) && (i = tn_cxx_close(source, i)) == TN_CXX_NONE) break;
    }
    return end;
}

bool tn_cxx_launch_find(const struct tn_cxx_source *source, size_t index,
                        struct tn_cxx_launch *launch) {
    if (!tn_cxx_is_triple(source, index, "<")) return false;
    size_t before = tn_cxx_previous(source, index), first = tn_cxx_next(source, index + 2);
    if (before == TN_CXX_NONE || first == TN_CXX_NONE) return false;
    if (tn_cxx_is(source, before, "<") && tn_cxx_touches(source, before)) return false;
    *launch = (struct tn_cxx_launch){tn_cxx_expression_start(source, before), index,
                                     find_end(source, first)};
    if (launch->kernel == TN_CXX_NONE || launch->close == TN_CXX_NONE) return false;
    return source->tokens[index].directive == 0 || launch->kernel >= find_macro_text(source, index);
}

// Returns true if the token lies in the arguments of a macro, where no line marker may be. A launch has
// no value, so that it cannot be an argument of a function.
static bool is_in_macro(const struct tn_cxx_source *source, size_t index) {
    size_t i = tn_cxx_previous(source, index);
    while (i != TN_CXX_NONE && !is_open(source, i) && !tn_cxx_is_mark(source, i, ";}")) {
        if (is_closed(source, i)) i = tn_cxx_open(source, i);
        i = tn_cxx_previous(source, i);
    }
    return tn_cxx_is(source, i, "(") && tn_cxx_is_plain_name(source, tn_cxx_previous(source, i));
}

// Puts the call around the kernel's name and the configuration, which ends at `end`, with `removed` bytes that
// the bracket replaces. The name of the member repeats the line: clang takes that of the call from it, and
// the head is on a line before.
static void add_call(const struct tn_cxx_source *source, size_t kernel, size_t end, size_t removed,
                     struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *token = source->tokens;
    bool in_line = token[kernel].directive != 0 || is_in_macro(source, kernel);
    static const char spaced[] = " HIP_EXT_LAUNCH((";
    bool touches = kernel > 0 && tn_cxx_touches(source, kernel - 1); // else::k<<<...
    const char *head = touches ? spaced : spaced + 1;
    tn_cxx_edit_add(edits, token[kernel].at, 0, in_line ? TN_CXX_IN_LINE : TN_CXX_BEFORE, head,
                    strlen(head));
    if (in_line || source->origin_count == 0)
        tn_cxx_edit_add(edits, end, removed, TN_CXX_IN_LINE, ")  ", removed > 0 ? removed : 1);
    else
        tn_cxx_edit_add(edits, end, removed, TN_CXX_AFTER, ")  .operator()", 14);
}

void tn_cxx_launch_rewrite(const struct tn_cxx_source *source, const struct tn_cxx_launch *launch,
                           struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *token = source->tokens;
    tn_cxx_edit_add(edits, token[launch->open].at, 3, TN_CXX_IN_LINE, "), ", 3);
    add_call(source, launch->kernel, token[launch->close].at, 3, edits);
}

// ---- configurations behind a macro

// Returns the last token of the directive.
static size_t find_last(const struct tn_cxx_source *source, size_t hash) {
    size_t last = hash, next;
    while ((next = tn_cxx_next(source, last)) != TN_CXX_NONE) last = next;
    return last;
}

bool tn_cxx_is_configuration(const struct tn_cxx_source *source, size_t hash) {
    size_t text = find_macro_text(source, hash), last = find_last(source, hash);
    return text != TN_CXX_NONE && text + 5 < last && tn_cxx_is_triple(source, text, "<") &&
           tn_cxx_is_triple(source, last - 2, ">");
}

void tn_cxx_configuration_define(const struct tn_cxx_source *source, size_t hash,
                                 struct tn_cxx_edits *edits) {
    size_t text = find_macro_text(source, hash), last = find_last(source, hash);
    tn_cxx_edit_add(edits, source->tokens[text].at, 3, TN_CXX_BLANK, "", 0);
    tn_cxx_edit_add(edits, source->tokens[last - 2].at, 3, TN_CXX_BLANK, "", 0);
}

void tn_cxx_configuration_use(const struct tn_cxx_source *source, size_t name,
                              struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *token = source->tokens;
    size_t last = name, next = tn_cxx_next(source, name);
    size_t kernel = tn_cxx_expression_start(source, tn_cxx_previous(source, name));
    if (kernel == TN_CXX_NONE || next == TN_CXX_NONE) return;
    // Two pairs of brackets: the first one has the macro's arguments.
    size_t close = tn_cxx_is(source, next, "(") ? tn_cxx_close(source, next) : TN_CXX_NONE;
    if (tn_cxx_is(source, tn_cxx_next(source, close), "(")) last = close;
    tn_cxx_edit_add(edits, token[name].at, 0, TN_CXX_IN_LINE, "), ", 3);
    add_call(source, kernel, token[last].at + token[last].bytes, 0, edits);
}
