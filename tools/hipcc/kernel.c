// SPDX-License-Identifier: Apache-2.0
// See kernel.h.
#include "tools/hipcc/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/hipcc/brackets.h"

// ---- declarations

// Returns the token behind attributes such as __launch_bounds__(256), or `index` if it is none.
static size_t skip_attributes(const struct tn_cxx_source *source, size_t index) {
    while (tn_cxx_is_one(source, index,
                         "__launch_bounds__ __attribute__ __align__ alignas noexcept decltype "
                         "__declspec requires")) {
        size_t open = tn_cxx_next(source, index);
        index =
            tn_cxx_is(source, open, "(") ? tn_cxx_next(source, tn_cxx_close(source, open)) : open;
    }
    return index;
}

static bool ends_declaration(const struct tn_cxx_source *source, size_t index) {
    return tn_cxx_is_mark(source, index, ";={}");
}

// Returns the name in the last definition of a macro with arguments that is named like the token, or TN_CXX_NONE.
static size_t find_macro(const struct tn_cxx_source *source, size_t index) {
    for (size_t i = index; i-- > 2;)
        if (source->tokens[i].directive != 0 && tn_cxx_is_same(source, i, index) &&
            tn_cxx_is(source, i - 1, "define") && tn_cxx_is(source, i + 1, "(") &&
            tn_cxx_touches(source, i))
            return i;
    return TN_CXX_NONE;
}

// Returns the only argument of a macro with one parameter whose text ends with that parameter, or TN_CXX_NONE.
static size_t find_named(const struct tn_cxx_source *source, size_t use) {
    size_t name = find_macro(source, use), open = tn_cxx_next(source, use), last = name;
    if (name == TN_CXX_NONE || !tn_cxx_is(source, name + 3, ")")) return TN_CXX_NONE;
    for (size_t next; (next = tn_cxx_next(source, last)) != TN_CXX_NONE;) last = next;
    bool is_last = tn_cxx_is_same(source, name + 2, last) && !tn_cxx_is(source, last - 1, "##");
    size_t argument = tn_cxx_next(source, open);
    return is_last && tn_cxx_next(source, argument) == tn_cxx_close(source, open) ? argument
                                                                                  : TN_CXX_NONE;
}

// Returns the bracket that opens the parameters. Macros such as LB(64) and NAME(k) may come before it.
static size_t find_parameters(const struct tn_cxx_source *source, size_t global) {
    size_t i = tn_cxx_next(source, global);
    while (i != TN_CXX_NONE && !ends_declaration(source, i)) {
        size_t behind = skip_attributes(source, i);
        if (behind != i) {
            i = behind;
        } else if (!tn_cxx_is(source, i, "(")) {
            i = tn_cxx_next(source, i);
        } else {
            size_t before = tn_cxx_previous(source, i);
            size_t behind_all = tn_cxx_next(source, tn_cxx_close(source, i));
            bool is_macro = before == global || tn_cxx_is(source, behind_all, "(") ||
                            (tn_cxx_is_a(source, behind_all, TN_CXX_NAME) &&
                             find_macro(source, before) != TN_CXX_NONE);
            if (!is_macro) return i;
            i = behind_all;
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
    if (name == global) name = last = find_named(source, global);
    if (name == TN_CXX_NONE) return false;
    *kernel = (struct tn_cxx_kernel){name, last, open, TN_CXX_NONE, head, global};
    size_t i = tn_cxx_next(source, close);
    while (i != TN_CXX_NONE && !ends_declaration(source, i)) {
        size_t behind = skip_attributes(source, i);
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
    while (i != TN_CXX_NONE && !tn_cxx_is_mark(source, i, ",)>")) {
        size_t close = i;
        if (tn_cxx_is(source, i, "=") && *value == TN_CXX_NONE) *value = i;
        if (tn_cxx_is(source, i, "<")) close = tn_cxx_close_angle(source, i);
        if (tn_cxx_is_mark(source, i, "([{")) close = tn_cxx_close(source, i);
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

// Returns the first token of the most threads of a block, or TN_CXX_NONE.
static size_t find_bound(const struct tn_cxx_source *source, const struct tn_cxx_kernel *kernel) {
    size_t word = kernel->global, before;
    while ((before = tn_cxx_previous(source, word)) != TN_CXX_NONE &&
           !tn_cxx_is_mark(source, before, ";{}>"))
        word = before;
    for (; word < kernel->body; word = tn_cxx_next(source, word)) {
        size_t open = tn_cxx_next(source, word);
        if (tn_cxx_is(source, word, "__launch_bounds__") && tn_cxx_is(source, open, "("))
            return tn_cxx_next(source, open);
    }
    return TN_CXX_NONE;
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
    size_t bound = find_bound(source, kernel), bound_end, value;
    fputs(bound != TN_CXX_NONE ? "HIP_EXT_BOUNDED_KERNEL_OF((" : "HIP_EXT_KERNEL_OF((", out);
    if (bound != TN_CXX_NONE) {
        bound_end = find_parameter_end(source, bound, &value);
        arguments.is_broken = !is_portable(source, bound, bound_end);
        write_tokens(source, bound, bound_end, out);
        fputs("), (", out);
    }
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
             is_portable(source, kernel->name, kernel->parameters) &&
             is_portable(source, tn_cxx_close(source, kernel->parameters), kernel->body))
        tn_cxx_edit_add(edits, body->at + 1, 0,
                        body->directive != 0 ? TN_CXX_IN_LINE : TN_CXX_AFTER, text, bytes);
    free(text);
}

// ---- dynamic shared memory

static void blank(const struct tn_cxx_source *source, size_t first, size_t last,
                  struct tn_cxx_edits *edits) {
    for (size_t i = first; i <= last; i++)
        tn_cxx_edit_add(edits, source->tokens[i].at, source->tokens[i].bytes, TN_CXX_BLANK, "", 0);
}

static bool is_word(const struct tn_cxx_source *source, size_t index) {
    return tn_cxx_is(source, index, "extern") || tn_cxx_is(source, index, "__shared__");
}

// One of the names in `extern __shared__ T x[][33], *y[];`.
struct declarator {
    size_t first;          // the first token; at the first name it is that of the type
    size_t stars, name;    // the first "*", or TN_CXX_NONE
    size_t open, end;      // the "["; the "," or ";" behind it all
    size_t dimensions;     // the token behind the first "]"
    size_t dimensions_end; // in the text
    bool is_extern, is_shared, has_type;
};

// Sets is_extern and is_shared also if it returns false because the name has another form.
static bool find_declarator(const struct tn_cxx_source *source, size_t index,
                            struct declarator *d) {
    size_t i = skip_attributes(source, index);
    *d = (struct declarator){.first = index, .stars = TN_CXX_NONE, .name = TN_CXX_NONE};
    while (i != TN_CXX_NONE && !tn_cxx_is(source, i, "[")) {
        if (ends_declaration(source, i) || tn_cxx_is_mark(source, i, "(,")) return false;
        d->is_extern = d->is_extern || tn_cxx_is(source, i, "extern");
        d->is_shared = d->is_shared || tn_cxx_is(source, i, "__shared__");
        d->has_type = d->has_type || d->name != TN_CXX_NONE;
        if (!is_word(source, i)) d->name = i;
        if (d->stars == TN_CXX_NONE && tn_cxx_is(source, i, "*")) d->stars = i;
        if (tn_cxx_is(source, i, "<")) i = tn_cxx_close_angle(source, i);
        i = skip_attributes(source, tn_cxx_next(source, i));
    }
    d->open = i;
    d->dimensions = i = tn_cxx_next(source, tn_cxx_close(source, i));
    while (tn_cxx_is(source, i, "[")) i = tn_cxx_next(source, tn_cxx_close(source, i));
    d->end = skip_attributes(source, i);
    if (d->end == TN_CXX_NONE || d->name != tn_cxx_previous(source, d->open) ||
        !tn_cxx_is_a(source, d->name, TN_CXX_NAME))
        return false;
    for (size_t k = index; k < d->end; k++)
        if (ends_declaration(source, k)) return false; // in brackets without an end
    const struct tn_cxx_token *token = source->tokens;
    d->dimensions_end = token[i].at;
    return memchr(source->text + token[d->open].at, '\n', token[i].at - token[d->open].at) ==
               NULL &&
           tn_cxx_is_mark(source, d->end, ",;");
}

// Returns true if each name of the declaration has a form that can be rewritten. The type is repeated for
// further names.
static bool is_shared(const struct tn_cxx_source *source, size_t index) {
    struct declarator d;
    bool is_known = find_declarator(source, index, &d) && d.is_extern && d.is_shared && d.has_type;
    while (is_known && tn_cxx_is(source, d.end, ","))
        is_known = is_portable(source, index, d.name) &&
                   find_declarator(source, tn_cxx_next(source, d.end), &d);
    return is_known;
}

bool tn_cxx_shared_is_unknown(const struct tn_cxx_source *source, size_t index) {
    struct declarator d;
    if (!is_word(source, index) || is_shared(source, index)) return false;
    (void)find_declarator(source, index, &d);
    return d.is_extern && d.is_shared;
}

// Blanks the attributes and the words that are no part of the type in [first, end).
static void blank_words(const struct tn_cxx_source *source, size_t first, size_t end,
                        struct tn_cxx_edits *edits) {
    for (size_t i = first; i < end; i = tn_cxx_next(source, i)) {
        size_t behind = skip_attributes(source, i);
        if (behind != i) blank(source, i, behind - 1, edits);
        i = behind;
        if (is_word(source, i)) blank(source, i, i, edits);
    }
}

// Writes the tokens in [first, end) without these words.
static void write_type(const struct tn_cxx_source *source, size_t first, size_t end, FILE *out) {
    for (size_t i = skip_attributes(source, first); i < end;
         i = skip_attributes(source, tn_cxx_next(source, i))) {
        if (is_word(source, i)) continue;
        write_tokens(source, i, i + 1, out);
        fputc(' ', out);
    }
}

void tn_cxx_shared_rewrite(const struct tn_cxx_source *source, size_t index, bool in_function,
                           struct tn_cxx_edits *edits) {
    const struct tn_cxx_token *token = source->tokens;
    enum tn_cxx_place_kind before = token[index].directive != 0 ? TN_CXX_IN_LINE : TN_CXX_BEFORE;
    struct declarator first, d;
    if (!is_shared(source, index)) return;
    (void)find_declarator(source, index, &first);
    bool has_comma = false;
    for (size_t i = index; i < first.name; i++) has_comma = has_comma || tn_cxx_is(source, i, ",");
    char head[64];
    (void)snprintf(head, sizeof head, "%s(%s",
                   in_function ? "HIP_DYNAMIC_SHARED" : "HIP_EXT_FILE_SHARED",
                   has_comma ? "HIP_KERNEL_NAME(" : "");
    for (d = first;; (void)find_declarator(source, tn_cxx_next(source, d.end), &d)) {
        bool is_first = d.first == index,
             takes_blank = is_first && source->text[token[d.name].at - 1] == ' ';
        size_t dimensions = token[d.dimensions].at;
        char *text = NULL;
        size_t bytes;
        FILE *out = open_memstream(&text, &bytes);
        if (out == NULL) break;
        if (is_first) { // the type stays in its place
            tn_cxx_edit_add(edits, token[index].at, token[index].bytes, before, head, strlen(head));
            blank_words(source, tn_cxx_next(source, index), d.name, edits);
        } else {
            fputs(head, out);
            write_type(source, index, first.stars < first.name ? first.stars : first.name, out);
            write_type(source, d.first, d.name, out);
            if (d.first != d.name) blank(source, d.first, tn_cxx_previous(source, d.name), edits);
        }
        fprintf(out, "%.*s%s,", (int)(d.dimensions_end - dimensions), source->text + dimensions,
                has_comma ? ")" : "");
        if (fclose(out) != 0) break;
        tn_cxx_edit_add(edits, token[d.name].at - takes_blank, takes_blank,
                        is_first ? TN_CXX_IN_LINE : before, text, bytes);
        free(text);
        tn_cxx_edit_add(edits, token[d.open].at, 1, TN_CXX_IN_LINE, ")", 1);
        blank(source, d.open + 1, tn_cxx_previous(source, d.end), edits);
        if (tn_cxx_is(source, d.end, ";")) return;
        tn_cxx_edit_add(edits, token[d.end].at, 1, TN_CXX_IN_LINE, ";", 1);
    }
    edits->is_short = true;
}
