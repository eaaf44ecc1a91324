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
        if (open == TN_CXX_NONE || !tn_cxx_is(source, open, "(")) return open;
        size_t close = tn_cxx_close(source, open);
        return close != TN_CXX_NONE ? tn_cxx_next(source, close) : TN_CXX_NONE;
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
            i = tn_cxx_close(source, i);
            i = i != TN_CXX_NONE ? tn_cxx_next(source, i) : i;
        }
    }
    return TN_CXX_NONE;
}

bool tn_cxx_kernel_find(const struct tn_cxx_source *source, size_t global, size_t head,
                        struct tn_cxx_kernel *kernel) {
    size_t open = find_parameters(source, global);
    size_t close = open != TN_CXX_NONE ? tn_cxx_close(source, open) : TN_CXX_NONE;
    if (close == TN_CXX_NONE) return false;
    size_t last = tn_cxx_previous(source, open), name = tn_cxx_expression_start(source, last);
    if (name == TN_CXX_NONE) return false;
    *kernel = (struct tn_cxx_kernel){name, last, open, TN_CXX_NONE, head};
    size_t i = tn_cxx_next(source, close);
    while (i != TN_CXX_NONE && !ends_declaration(source, i)) {
        size_t behind = skip_attribute(source, i);
        i = behind != i ? behind : tn_cxx_next(source, i);
    }
    if (i != TN_CXX_NONE && tn_cxx_is(source, i, "{")) kernel->body = i;
    return true;
}

// ---- parameters

uint64_t tn_cxx_hash(uint64_t hash, const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

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
        i = close != TN_CXX_NONE ? tn_cxx_next(source, close) : TN_CXX_NONE;
    }
    if (*value == TN_CXX_NONE) *value = i;
    return i;
}

// Returns the name that is declared between `first` and `end`, or TN_CXX_NONE if it has none: the last
// name that follows a type.
static size_t find_declared(const struct tn_cxx_source *source, size_t first, size_t end) {
    size_t name = TN_CXX_NONE;
    bool has_type = false;
    for (size_t i = first; i < end && i != TN_CXX_NONE; i = tn_cxx_next(source, i)) {
        bool is_plain = tn_cxx_is_plain_name(source, i);
        bool is_joined = i > first && tn_cxx_is(source, tn_cxx_previous(source, i), "::");
        bool is_key = tn_cxx_is(source, i, "const") || tn_cxx_is(source, i, "volatile") ||
                      tn_cxx_is(source, i, "struct") || tn_cxx_is(source, i, "enum");
        if (tn_cxx_is(source, i, "[")) break;
        name = is_plain && has_type && !is_joined ? i
               : tn_cxx_is(source, i, "::")       ? TN_CXX_NONE
                                                  : name;
        has_type = has_type || !is_key;
    }
    return name;
}

static void hash_parameter(const struct tn_cxx_source *source, size_t first, size_t end,
                           uint64_t *hash) {
    size_t name = find_declared(source, first, end);
    bool is_indirect = false;
    for (size_t i = first; i < end; i++)
        is_indirect = is_indirect || tn_cxx_is(source, i, "*") || tn_cxx_is(source, i, "&");
    for (size_t i = first; i < end; i++) {
        const struct tn_cxx_token *token = &source->tokens[i];
        bool is_void = i == name || tn_cxx_is(source, i, "__restrict__") ||
                       tn_cxx_is(source, i, "__restrict") ||
                       (tn_cxx_is(source, i, "const") && !is_indirect);
        if (!is_void) *hash = tn_cxx_hash(*hash, source->text + token->at, token->bytes);
    }
    *hash = tn_cxx_hash(*hash, ",", 1);
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

static void add_to_hash(const struct tn_cxx_source *source, size_t first, size_t end,
                        void *context) {
    hash_parameter(source, first, end, (uint64_t *)context);
}

static void count_parameter(const struct tn_cxx_source *source, size_t first, size_t end,
                            void *context) {
    (void)source, (void)first, (void)end;
    ++*(uint64_t *)context;
}

uint64_t tn_cxx_kernel_signature(const struct tn_cxx_source *source,
                                 const struct tn_cxx_kernel *kernel) {
    uint64_t hash = 0;
    if (kernel->head != TN_CXX_NONE) each_parameter(source, kernel->head, count_parameter, &hash);
    each_parameter(source, kernel->parameters, add_to_hash, &hash);
    return hash;
}

// ---- registration

struct arguments {
    FILE *out;
    size_t count;
    bool has_unnamed;
};

// Writes a template parameter as an argument: T, or Ts... for a pack.
static void write_argument(const struct tn_cxx_source *source, size_t first, size_t end,
                           void *context) {
    struct arguments *arguments = (struct arguments *)context;
    size_t last = tn_cxx_previous(source, end), before = tn_cxx_previous(source, last);
    if (last < first || before < first || !tn_cxx_is_plain_name(source, last) ||
        tn_cxx_is(source, before, "::")) {
        arguments->has_unnamed = true;
        return;
    }
    const struct tn_cxx_token *token = &source->tokens[last];
    fprintf(arguments->out, "%s%.*s%s", arguments->count++ > 0 ? ", " : "<", (int)token->bytes,
            source->text + token->at, tn_cxx_is(source, before, ".") ? "..." : "");
}

void tn_cxx_kernel_register(const struct tn_cxx_source *source, const struct tn_cxx_kernel *kernel,
                            struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *token = source->tokens;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) {
        edits->is_short = true;
        return;
    }
    struct arguments arguments = {.out = out};
    bool is_special = tn_cxx_is(source, kernel->name_end, ">");
    fprintf(out, "HIP_EXT_KERNEL((");
    size_t from = token[kernel->name].at;
    size_t to = token[kernel->name_end].at + token[kernel->name_end].bytes;
    for (size_t i = from; i < to; i++) fputc(source->text[i] == '\n' ? ' ' : source->text[i], out);
    if (kernel->head != TN_CXX_NONE && !is_special) {
        each_parameter(source, kernel->head, write_argument, &arguments);
        arguments.has_unnamed = arguments.has_unnamed || arguments.count == 0;
        fputc('>', out);
    }
    fprintf(out, "));");
    if (fclose(out) != 0)
        edits->is_short = true;
    else if (!arguments.has_unnamed)
        tn_cxx_edit_add(edits, token[kernel->body].at + 1, 0,
                        token[kernel->body].directive != 0 ? TN_CXX_IN_LINE : TN_CXX_AFTER, text,
                        bytes);
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
