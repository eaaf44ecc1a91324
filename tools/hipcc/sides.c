// SPDX-License-Identifier: Apache-2.0
// See sides.h. Functions of the two texts are the same if they have the same place. Their bodies differ if
// their tokens do, or if they use a macro that has another value for the other side.
#include "tools/hipcc/sides.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "tools/hipcc/brackets.h"

// A slice of the text.
struct text {
    const char *at;
    size_t bytes;
};

struct macro {
    struct text name, value; // the value begins behind the name
    bool is_defined, is_device, is_host;
};

struct function {
    size_t head, open, close; // the first token, and the brackets of the body
    struct tn_cxx_place place;
};

struct side {
    const struct tn_cxx_source *source;
    struct macro *macros; // each name once, with its last value
    size_t macro_count, macro_room;
    struct function *functions; // outside of system headers
    size_t function_count, function_room;
    uint64_t active,
        taken;     // a bit for each open #if: its branch now, and whether one has been taken
    bool is_short; // of memory
};

static struct text text_of(const struct tn_cxx_source *source, size_t index) {
    return (struct text){source->text + source->tokens[index].at, source->tokens[index].bytes};
}

static bool is_equal(struct text a, struct text b) {
    return a.bytes == b.bytes && memcmp(a.at, b.at, a.bytes) == 0;
}

// ---- macros

static struct macro *find_macro(const struct side *side, struct text name) {
    for (size_t i = side->macro_count; i-- > 0;)
        if (is_equal(side->macros[i].name, name)) return &side->macros[i];
    return NULL;
}

static void set_macro(struct side *side, const struct macro *macro) {
    struct macro *known = find_macro(side, macro->name);
    if (known != NULL) {
        *known = *macro;
        return;
    }
    void *grown =
        tn_append(side->macros, &side->macro_count, &side->macro_room, macro, sizeof *macro);
    side->is_short = side->is_short || grown == NULL;
    if (grown != NULL) side->macros = (struct macro *)grown;
}

static void set_arch(struct side *side, const struct tn_hipcc_words *arch, bool is_defined) {
    for (size_t i = 0; i < arch->count; i++) {
        const char *name = arch->all[i] + 2, *value = strchr(name, '=');
        const struct macro macro = {.name = {name, (size_t)(value - name)},
                                    .value = {value + 1, strlen(value + 1)},
                                    .is_defined = is_defined};
        set_macro(side, &macro);
    }
}

// clang leaves conditions in its output, with the value of each #if. Of a macro that no directive defines, which may
// be the compiler's own, both branches count.
static void take_condition(struct side *side, size_t word, size_t value) {
    const struct tn_cxx_source *source = side->source;
    bool negative = tn_cxx_is(source, word, "ifndef"), is_if = tn_cxx_is(source, word, "if");
    if (is_if || negative || tn_cxx_is(source, word, "ifdef")) {
        const struct macro *macro =
            value < source->count ? find_macro(side, text_of(source, value)) : NULL;
        bool is_unknown = !is_if && macro == NULL;
        bool holds =
            is_if ? !tn_cxx_is(source, value, "0") : is_unknown || macro->is_defined != negative;
        side->active = side->active << 1 | holds;
        side->taken = side->taken << 1 | (holds && !is_unknown);
    } else if (tn_cxx_is(source, word, "elif") || tn_cxx_is(source, word, "else")) {
        bool holds = (side->taken & 1) == 0 && !tn_cxx_is(source, value, "0");
        side->active = (side->active & ~(uint64_t)1) | holds;
        side->taken |= holds;
    } else if (tn_cxx_is(source, word, "endif")) {
        side->active = side->active >> 1 | (uint64_t)1 << 63;
        side->taken >>= 1;
    }
}

// Takes the directive from the token `hash` to `end`.
static void take_directive(struct side *side, size_t hash, size_t end) {
    const struct tn_cxx_source *source = side->source;
    size_t name = hash + 2;
    take_condition(side, hash + 1, name < end ? name : TN_CXX_NONE);
    bool defines = tn_cxx_is(source, hash + 1, "define");
    if ((!defines && !tn_cxx_is(source, hash + 1, "undef")) || name >= end) return;
    if (~side->active != 0) return;
    struct macro macro = {.name = text_of(source, name), .is_defined = defines};
    const struct text last = text_of(source, end - 1);
    macro.value.at = macro.name.at + macro.name.bytes;
    macro.value.bytes = (size_t)(last.at + last.bytes - macro.value.at);
    for (size_t i = name + 1; i < end; i++) {
        const struct macro *part = find_macro(side, text_of(source, i));
        macro.is_device = macro.is_device || tn_cxx_is_one(source, i, "__device__ __global__") ||
                          (part != NULL && part->is_device);
        macro.is_host =
            macro.is_host || tn_cxx_is(source, i, "__host__") || (part != NULL && part->is_host);
    }
    set_macro(side, &macro);
}

// Returns true if the macro has another value for the other side.
static bool differs(const struct macro *macro, const struct side *other) {
    const struct macro *same = find_macro(other, macro->name);
    bool is_defined = same != NULL && same->is_defined;
    return is_defined != macro->is_defined || (is_defined && !is_equal(same->value, macro->value));
}

// ---- functions

static bool is_marker(const struct tn_cxx_source *source, size_t index) {
    return tn_cxx_is(source, index, "#") && tn_cxx_is_a(source, index + 1, TN_CXX_NUMBER);
}

static size_t directive_end(const struct tn_cxx_source *source, size_t hash) {
    size_t end = hash;
    while (end < source->count && source->tokens[end].directive == source->tokens[hash].directive)
        end++;
    return end;
}

// Returns true if "{" begins the body of a function. *enters is true if it begins a namespace or a class.
static bool is_body(const struct tn_cxx_source *source, size_t head, size_t open, bool *enters) {
    size_t last = tn_cxx_previous(source, open);
    bool has_brackets = false, has_value = false;
    *enters = false;
    for (size_t i = head; i < open; i++) {
        if (source->tokens[i].directive != 0) continue;
        has_brackets = has_brackets || tn_cxx_is(source, i, "(");
        has_value = has_value || (!has_brackets && tn_cxx_is(source, i, "="));
        *enters = *enters || tn_cxx_is_a(source, i, TN_CXX_TEXT); // extern "C"
        *enters =
            *enters || (!has_brackets && tn_cxx_is_one(source, i, "namespace class struct union"));
    }
    bool has_end = tn_cxx_is_one(source, last, ") const noexcept override final & }");
    bool is_function = has_brackets && !has_value && (!*enters || has_end);
    *enters = *enters && !is_function;
    return is_function;
}

static void add_function(struct side *side, size_t head, size_t open, size_t close) {
    const struct function function = {head, open, close,
                                      tn_cxx_locate(side->source, side->source->tokens[open].at)};
    if (function.place.is_system) return;
    void *grown = tn_append(side->functions, &side->function_count, &side->function_room, &function,
                            sizeof function);
    side->is_short = side->is_short || grown == NULL;
    if (grown != NULL) side->functions = (struct function *)grown;
}

static void take_all(struct side *side) {
    const struct tn_cxx_source *source = side->source;
    size_t head = 0, code = 0; // code before `code` has been taken
    for (size_t i = 0; i < source->count && !side->is_short;) {
        bool enters = false;
        if (source->tokens[i].directive != 0) {
            size_t end = directive_end(source, i);
            take_directive(side, i, end);
            i = end;
            continue;
        }
        size_t close = TN_CXX_NONE;
        if (i >= code && tn_cxx_is_mark(source, i, "({[")) close = tn_cxx_close(source, i);
        if (i >= code && tn_cxx_is(source, i, "{")) {
            if (is_body(source, head, i, &enters) && close != TN_CXX_NONE)
                add_function(side, head, i, close), head = close + 1;
            if (enters) close = TN_CXX_NONE, head = i + 1;
        } else if (i >= code && tn_cxx_is_mark(source, i, ";}")) {
            head = i + 1;
        }
        if (close != TN_CXX_NONE) code = close + 1;
        i++;
    }
}

// ---- comparison

static bool is_same_place(const struct tn_cxx_place *a, const struct tn_cxx_place *b) {
    return a->line == b->line && a->column == b->column && a->file_bytes == b->file_bytes &&
           (a->file_bytes == 0 || memcmp(a->file, b->file, a->file_bytes) == 0);
}

static bool uses_difference(const struct side *side, const struct function *function,
                            const struct side *other) {
    for (size_t i = function->open; i < function->close; i++) {
        const struct macro *macro = tn_cxx_is_a(side->source, i, TN_CXX_NAME)
                                        ? find_macro(side, text_of(side->source, i))
                                        : NULL;
        if (macro != NULL && differs(macro, other)) return true;
    }
    return false;
}

// Line markers depend on the lines that the preprocessor left out.
static size_t skip_markers(const struct tn_cxx_source *source, size_t index) {
    while (index < source->count && is_marker(source, index)) index = directive_end(source, index);
    return index;
}

static bool is_same_body(const struct side *a, const struct function *x, const struct side *b,
                         const struct function *y) {
    size_t i = x->open, k = y->open;
    for (;;) {
        i = skip_markers(a->source, i + 1);
        k = skip_markers(b->source, k + 1);
        if (i >= x->close || k >= y->close) break;
        if (!is_equal(text_of(a->source, i), text_of(b->source, k))) return false;
    }
    return i >= x->close && k >= y->close && !uses_difference(a, x, b) && !uses_difference(b, y, a);
}

enum who { HOST, DEVICE, BOTH };

static enum who who_runs(const struct side *side, const struct function *function) {
    const struct tn_cxx_source *source = side->source;
    bool host = false, device = false;
    for (size_t i = function->head; i < function->open; i++) {
        const struct macro *macro =
            source->tokens[i].directive == 0 ? find_macro(side, text_of(source, i)) : NULL;
        if (source->tokens[i].directive != 0) continue;
        host = host || tn_cxx_is(source, i, "__host__") || (macro != NULL && macro->is_host);
        device = device || tn_cxx_is_one(source, i, "__device__ __global__") ||
                 (macro != NULL && macro->is_device);
    }
    return !device ? HOST : host ? BOTH : DEVICE;
}

// ---- the text

static void write_marker(FILE *out, const struct tn_cxx_source *source, size_t at) {
    const struct tn_cxx_place place = tn_cxx_locate(source, at);
    fprintf(out, "\n# %u", place.line);
    if (place.file != NULL) fprintf(out, " %.*s", (int)place.file_bytes, place.file);
    fputc('\n', out);
    for (size_t i = place.line_start; i < at; i++) fputc(source->text[i] == '\t' ? '\t' : ' ', out);
}

// Gives the macros that differ their values of `side`.
static void write_macros(FILE *out, const struct side *side, const struct side *other) {
    fputc('\n', out);
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < (n == 0 ? side : other)->macro_count; i++) {
            const struct macro *macro = &(n == 0 ? side : other)->macros[i];
            if (n == 1 && find_macro(side, macro->name) != NULL) continue;
            if (!differs(macro, n == 0 ? other : side)) continue;
            fprintf(out, "#undef %.*s\n", (int)macro->name.bytes, macro->name.at);
            if (n == 0 && macro->is_defined)
                fprintf(out, "#define %.*s%s%.*s\n", (int)macro->name.bytes, macro->name.at,
                        macro->value.at == macro->name.at + macro->name.bytes ? "" : " ",
                        (int)macro->value.bytes, macro->value.at);
        }
}

// Writes what is between the brackets.
static void write_body(FILE *out, const struct side *side, const struct function *function) {
    const struct tn_cxx_source *source = side->source;
    size_t first = source->tokens[function->open].at + 1;
    write_marker(out, source, first);
    (void)fwrite(source->text + first, 1, source->tokens[function->close].at - first, out);
}

// Writes the text up to the closing bracket of a function with two bodies. *at is behind what has been written.
static void write_function(FILE *out, const struct side *device, const struct function *own,
                           const struct side *host, const struct function *other, size_t *at) {
    const struct tn_cxx_source *source = device->source;
    size_t open = source->tokens[own->open].at + 1;
    bool both = who_runs(device, own) == BOTH;
    (void)fwrite(source->text + *at, 1, open - *at, out);
    if (both) {
        fputs("if (HIP_EXT_IN_KERNEL) {", out);
        write_body(out, device, own);
        fputs("} else {", out);
    }
    write_macros(out, host, device);
    write_body(out, host, other);
    write_macros(out, device, host);
    *at = source->tokens[own->close].at;
    write_marker(out, source, *at);
    if (both) fputc('}', out);
}

static char *write_all(struct side *device, struct side *host, size_t *bytes, size_t *only) {
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    size_t at = 0, next = 0;
    if (out == NULL) return NULL;
    for (size_t i = 0; i < host->function_count && *only == TN_CXX_NONE; i++) {
        const struct function *function = &host->functions[i];
        size_t same = next;
        while (same < device->function_count &&
               !is_same_place(&device->functions[same].place, &function->place))
            same++;
        if (same == device->function_count) {
            if (who_runs(host, function) != DEVICE) *only = function->open;
            continue;
        }
        next = same + 1;
        if (who_runs(device, &device->functions[same]) != DEVICE &&
            !is_same_body(device, &device->functions[same], host, function))
            write_function(out, device, &device->functions[same], host, function, &at);
    }
    (void)fwrite(device->source->text + at, 1, device->source->bytes - at, out);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed && *only == TN_CXX_NONE) return text;
    free(text);
    return NULL;
}

static void end_side(struct side *side) {
    free(side->macros);
    free(side->functions);
}

char *tn_cxx_join(const struct tn_cxx_source *device, const struct tn_cxx_source *host,
                  const struct tn_hipcc_words *arch, size_t *bytes, size_t *only) {
    struct side on_device = {.source = device, .active = ~(uint64_t)0},
                on_host = {.source = host, .active = ~(uint64_t)0};
    *only = TN_CXX_NONE;
    set_arch(&on_device, arch, true);
    set_arch(&on_host, arch, false);
    take_all(&on_device);
    take_all(&on_host);
    char *text = on_device.is_short || on_host.is_short
                     ? NULL
                     : write_all(&on_device, &on_host, bytes, only);
    end_side(&on_device);
    end_side(&on_host);
    return text;
}
