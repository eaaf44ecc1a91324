// SPDX-License-Identifier: Apache-2.0
// See kernel.h.
#include "tools/hipcc/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/hipcc/brackets.h"

// ---- declarations

// Returns the token behind an attribute such as __launch_bounds__(256), or `index` if it is none.
static size_t skip_attribute(const struct tn_cxx_source *source, size_t index) {
    static const char *const attributes[] = {"__launch_bounds__", "__attribute__", "__align__",
                                             "alignas",           "noexcept",      "decltype",
                                             "__declspec",        "requires"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (!tn_cxx_is(source, index, attributes[i])) continue;
        size_t open = tn_cxx_next(source, index);
        if (!tn_cxx_is(source, open, "(")) return open;
        return tn_cxx_next(source, tn_cxx_close(source, open));
    }
    return index;
}

static bool ends_declaration(const struct tn_cxx_source *source, size_t index) {
    return tn_cxx_is(source, index, ";") || tn_cxx_is(source, index, "=") ||
           tn_cxx_is(source, index, "{") || tn_cxx_is(source, index, "}");
}

// Returns the bracket that opens the parameters.
static size_t find_parameters(const struct tn_cxx_source *source, size_t global) {
    size_t i = tn_cxx_next(source, global);
    while (i != TN_CXX_NONE && !ends_declaration(source, i)) {
        size_t behind = skip_attribute(source, i);
        if (behind != i) {
            i = behind;
        } else if (!tn_cxx_is(source, i, "(")) {
            i = tn_cxx_next(source, i);
        } else {
            // The arguments of a macro that stands for __global__ have no name before them.
            if (tn_cxx_previous(source, i) != global) return i;
            i = tn_cxx_next(source, tn_cxx_close(source, i));
        }
    }
    return TN_CXX_NONE;
}

bool tn_cxx_kernel_find(const struct tn_cxx_source *source, size_t global, size_t head,
                        struct tn_cxx_kernel *kernel) {
    size_t open = find_parameters(source, global);
    size_t close = tn_cxx_close(source, open);
    if (close == TN_CXX_NONE) return false;
    size_t last = tn_cxx_previous(source, open), name = tn_cxx_expression_start(source, last);
    if (name == TN_CXX_NONE) return false;
    *kernel = (struct tn_cxx_kernel){name, last, open, TN_CXX_NONE, head};
    size_t i = tn_cxx_next(source, close);
    while (i != TN_CXX_NONE && !ends_declaration(source, i)) {
        size_t behind = skip_attribute(source, i);
        i = behind != i ? behind : tn_cxx_next(source, i);
    }
    if (tn_cxx_is(source, i, "{")) kernel->body = i;
    return true;
}

// ---- parameters

// Returns the "," that ends the parameter at `first`, or the closing bracket. *value is the "=" of its
// default, or that end.
static size_t find_parameter_end(const struct tn_cxx_source *source, size_t first, size_t *value) {
    size_t i = first;
    *value = TN_CXX_NONE;
    while (i != TN_CXX_NONE && !tn_cxx_is(source, i, ",") && !tn_cxx_is(source, i, ")") &&
           !tn_cxx_is(source, i, ">")) {
        size_t close = i;
        if (tn_cxx_is(source, i, "=") && *value == TN_CXX_NONE) *value = i;
        if (tn_cxx_is(source, i, "<")) close = tn_cxx_close_angle(source, i);
        if (tn_cxx_is(source, i, "(") || tn_cxx_is(source, i, "[") || tn_cxx_is(source, i, "{"))
            close = tn_cxx_close(source, i);
        i = tn_cxx_next(source, close);
    }
    if (*value == TN_CXX_NONE) *value = i;
    return i;
}

// Calls `use` for each parameter between the brackets, without its default.
static void each_parameter(const struct tn_cxx_source *source, size_t open,
                           void (*use)(const struct tn_cxx_source *, size_t, size_t, void *),
                           void *context) {
    size_t first = tn_cxx_next(source, open), end, value;
    while (first != TN_CXX_NONE &&
           (end = find_parameter_end(source, first, &value)) != TN_CXX_NONE) {
        if (end > first) use(source, first, value, context);
        if (!tn_cxx_is(source, end, ",")) return;
        first = tn_cxx_next(source, end);
    }
}

// ---- registration

struct list {
    FILE *out;
    size_t count;
    bool is_broken; // a part cannot be written
};

// Returns false for text that no declaration has, and that would change what follows it on its line.
static bool is_portable(const struct tn_cxx_source *source, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const struct tn_cxx_token *token = &source->tokens[i];
        const char *text = source->text + token->at;
        if (token->kind == TN_CXX_MARK && token->bytes == 1 && strchr("'\"#\\/", *text) != NULL)
            return false;
        if (token->kind == TN_CXX_TEXT && memchr(text, '\n', token->bytes) != NULL) return false;
    }
    return true;
}

static void write_tokens(const struct tn_cxx_source *source, size_t first, size_t end, FILE *out) {
    for (size_t i = first; i < end && i != TN_CXX_NONE; i = tn_cxx_next(source, i)) {
        fputs(i > first ? " " : "", out);
        (void)fwrite(source->text + source->tokens[i].at, 1, source->tokens[i].bytes, out);
    }
}

static void write_parameter(const struct tn_cxx_source *source, size_t first, size_t end,
                            void *context) {
    struct list *list = (struct list *)context;
    list->is_broken = list->is_broken || !is_portable(source, first, end);
    fputs(list->count++ > 0 ? ", " : "", list->out);
    write_tokens(source, first, end, list->out);
}

// Writes a template parameter as an argument: T, or Ts... for a pack.
static void write_argument(const struct tn_cxx_source *source, size_t first, size_t end,
                           void *context) {
    struct list *list = (struct list *)context;
    size_t last = tn_cxx_previous(source, end), before = tn_cxx_previous(source, last);
    if (last < first || before < first || !tn_cxx_is_plain_name(source, last) ||
        tn_cxx_is(source, before, "::")) {
        list->is_broken = true; // it has no name
        return;
    }
    const struct tn_cxx_token *token = &source->tokens[last];
    fprintf(list->out, "%s%.*s%s", list->count++ > 0 ? ", " : "<", (int)token->bytes,
            source->text + token->at, tn_cxx_is(source, before, "...") ? "..." : "");
}

void tn_cxx_kernel_register(const struct tn_cxx_source *source, const struct tn_cxx_kernel *kernel,
                            struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *body = &source->tokens[kernel->body];
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) {
        edits->is_short = true;
        return;
    }
    struct list parameters = {.out = out}, arguments = {.out = out};
    fputs("HIP_EXT_KERNEL_OF((", out);
    each_parameter(source, kernel->parameters, write_parameter, &parameters);
    fputs("), ", out);
    write_tokens(source, kernel->name, kernel->name_end + 1, out);
    if (kernel->head != TN_CXX_NONE && !tn_cxx_is(source, kernel->name_end, ">")) {
        each_parameter(source, kernel->head, write_argument, &arguments);
        arguments.is_broken = arguments.is_broken || arguments.count == 0;
        fputc('>', out);
    }
    fputs(");", out);
    if (fclose(out) != 0)
        edits->is_short = true;
    else if (!parameters.is_broken && !arguments.is_broken &&
             is_portable(source, kernel->name, kernel->parameters))
        tn_cxx_edit_add(edits, body->at + 1, 0,
                        body->directive != 0 ? TN_CXX_IN_LINE : TN_CXX_AFTER, text, bytes);
    free(text);
}

// ---- dynamic shared memory

static void blank(const struct tn_cxx_source *source, size_t first, size_t last,
                  struct tn_cxx_edits *edits) {
    static const char blanks[] = "                                                                ";
    for (size_t i = first; i <= last; i++)
        for (uint32_t done = 0; done < source->tokens[i].bytes;) {
            uint32_t left = source->tokens[i].bytes - done;
            uint32_t part = left < sizeof blanks - 1 ? left : (uint32_t)sizeof blanks - 1;
            tn_cxx_edit_add(edits, source->tokens[i].at + done, part, TN_CXX_IN_LINE, blanks, part);
            done += part;
        }
}

// The parts of `extern __shared__ T x[][33];`.
struct shared {
    size_t name, open, end; // of the declaration: its semicolon
    bool is_shared, has_comma;
};

static bool find_shared(const struct tn_cxx_source *source, size_t index, struct shared *shared) {
    *shared = (struct shared){.name = TN_CXX_NONE, .open = TN_CXX_NONE};
    for (size_t i = index; i != TN_CXX_NONE; i = tn_cxx_next(source, i)) {
        size_t behind = skip_attribute(source, i);
        if (behind == TN_CXX_NONE) return false;
        i = behind;
        shared->end = i;
        shared->is_shared = shared->is_shared || tn_cxx_is(source, i, "__shared__");
        if (tn_cxx_is(source, i, ";")) break;
        if (ends_declaration(source, i) || tn_cxx_is(source, i, "(")) return false;
        if (tn_cxx_is(source, i, ",") && shared->open != TN_CXX_NONE) return false; // two names
        shared->has_comma = shared->has_comma || tn_cxx_is(source, i, ",");
        if (!tn_cxx_is(source, i, "[") || shared->open != TN_CXX_NONE) continue;
        shared->open = i;
        shared->name = tn_cxx_previous(source, i);
    }
    for (size_t i = index; i < shared->end; i++)
        if (ends_declaration(source, i)) return false; // in an attribute without an end
    if (!shared->is_shared || shared->open == TN_CXX_NONE) return false;
    const struct tn_cxx_token *token = source->tokens;
    size_t dimensions = token[shared->open].at;
    size_t close = tn_cxx_close(source, shared->open);
    return close < shared->end && tn_cxx_is(source, tn_cxx_previous(source, shared->end), "]") &&
           memchr(source->text + dimensions, '\n', token[shared->end].at - dimensions) == NULL;
}

// Writes the dimensions behind the first one, and the comma between the type and the name.
static void end_type(const struct tn_cxx_source *source, const struct shared *shared,
                     struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *token = source->tokens;
    size_t close = tn_cxx_close(source, shared->open), name = token[shared->name].at;
    size_t from = token[close].at + 1, to = token[shared->end].at;
    char text[256];
    int bytes = snprintf(text, sizeof text, "%.*s%s,", (int)(to - from), source->text + from,
                         shared->has_comma ? ")" : "");
    bool has_blank = source->text[name - 1] == ' ';
    if (bytes < 0 || bytes >= (int)sizeof text) return;
    tn_cxx_edit_add(edits, name - has_blank, has_blank, TN_CXX_IN_LINE, text, (size_t)bytes);
}

void tn_cxx_shared_rewrite(const struct tn_cxx_source *source, size_t index, bool in_function,
                           struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *token = source->tokens;
    struct shared shared;
    char head[64];
    if (!find_shared(source, index, &shared)) return;
    int bytes = snprintf(head, sizeof head, "%s(%s",
                         in_function ? "HIP_DYNAMIC_SHARED" : "HIP_EXT_FILE_SHARED",
                         shared.has_comma ? "HIP_KERNEL_NAME(" : "");
    tn_cxx_edit_add(edits, token[index].at, token[index].bytes,
                    token[index].directive != 0 ? TN_CXX_IN_LINE : TN_CXX_BEFORE, head,
                    (size_t)bytes);
    for (size_t i = tn_cxx_next(source, index); i < shared.name; i = tn_cxx_next(source, i)) {
        size_t behind = skip_attribute(source, i);
        if (behind != i) blank(source, i, behind - 1, edits);
        if (behind != i) i = tn_cxx_previous(source, behind);
        if (tn_cxx_is(source, i, "__shared__")) blank(source, i, i, edits);
    }
    end_type(source, &shared, edits);
    tn_cxx_edit_add(edits, token[shared.open].at, 1, TN_CXX_IN_LINE, ")", 1);
    blank(source, shared.open + 1, tn_cxx_previous(source, shared.end), edits);
}
