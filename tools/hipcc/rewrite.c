// SPDX-License-Identifier: Apache-2.0
// See rewrite.h. One pass over the tokens knows the scopes and the macros that stand for __global__. A
// preprocessor may have left the text of macros in its output, and all branches of #if.
#include "tools/hipcc/rewrite.h"

#include "base/grow.h"
#include "tools/hipcc/brackets.h"
#include "tools/hipcc/device.h"
#include "tools/hipcc/edit.h"
#include "tools/hipcc/kernel.h"
#include "tools/hipcc/launch.h"

enum scope { SPACE, CLASS, CODE, LINKAGE }; // a namespace or an enum; a function; extern "C"

struct pass {
    const struct tn_cxx_source *source;
    struct tn_cxx_edits edits;
    size_t head;     // the "<" of the template parameters of the declaration, or TN_CXX_NONE
    size_t boundary; // the first token of the declaration
    bool is_own;     // functions and variables of devices belong to this file
    enum scope *scopes;
    size_t scope_count, scope_room;
    size_t *branches; // the number of scopes at each open #if
    size_t branch_count, branch_room;
    size_t *macros; // names of macros that stand for __global__
    size_t macro_count, macro_room;
    size_t *devices; // names of macros that stand for __device__ without `static`
    size_t device_count, device_room;
    size_t *configurations; // names of macros for the configuration of a launch
    size_t configuration_count, configuration_room;
};

// Appends to an array of the pass.
#define APPEND(pass, array, count, room, element)                                                  \
    do {                                                                                           \
        void *grown =                                                                              \
            tn_append((pass)->array, &(pass)->count, &(pass)->room, (element), sizeof *(element)); \
        if (grown != NULL)                                                                         \
            (pass)->array = grown;                                                                 \
        else                                                                                       \
            (pass)->edits.is_short = true;                                                         \
    } while (0)

static bool is_same(const struct tn_cxx_source *source, size_t a, size_t b) {
    const struct tn_cxx_token *x = &source->tokens[a], *y = &source->tokens[b];
    return x->bytes == y->bytes &&
           memcmp(source->text + x->at, source->text + y->at, x->bytes) == 0;
}

static bool is_in(const struct pass *pass, size_t index, const size_t *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_same(pass->source, index, names[i])) return true;
    return false;
}

static bool is_global(const struct pass *pass, size_t index) {
    return tn_cxx_is(pass->source, index, "__global__") ||
           is_in(pass, index, pass->macros, pass->macro_count);
}

// ---- scopes

static bool in_function(const struct pass *pass) {
    return pass->scope_count > 0 && pass->scopes[pass->scope_count - 1] == CODE;
}

static bool in_class(const struct pass *pass) {
    return pass->scope_count > 0 && pass->scopes[pass->scope_count - 1] == CLASS;
}

static bool has_linkage(const struct pass *pass) {
    for (size_t i = 0; i < pass->scope_count; i++)
        if (pass->scopes[i] == LINKAGE) return true;
    return false;
}

static void open_scope(struct pass *pass, size_t brace) {
    static const struct {
        const char *word;
        enum scope scope;
    } keys[] = {{"namespace", SPACE},
                {"enum", SPACE},
                {"class", CLASS},
                {"struct", CLASS},
                {"union", CLASS}};
    const struct tn_cxx_source *source = pass->source;
    size_t last = tn_cxx_previous(source, brace);
    bool is_function = tn_cxx_is(source, last, ")");
    enum scope scope = CODE;
    for (size_t i = pass->boundary; i < brace && !is_function && !in_function(pass); i++) {
        if (source->tokens[i].directive != 0) continue;
        if (tn_cxx_is_a(source, i, TN_CXX_TEXT)) scope = LINKAGE;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (tn_cxx_is(source, i, keys[k].word)) scope = keys[k].scope;
    }
    APPEND(pass, scopes, scope_count, scope_room, &scope);
}

// Both branches of an #if may open a scope that is closed once.
static void take_condition(struct pass *pass, size_t word) {
    const struct tn_cxx_source *source = pass->source;
    bool ends = tn_cxx_is(source, word, "endif");
    if (tn_cxx_is_one(source, word, "if ifdef ifndef"))
        APPEND(pass, branches, branch_count, branch_room, &pass->scope_count);
    else if (pass->branch_count > 0 && ends)
        pass->branch_count--;
    else if (pass->branch_count > 0 && tn_cxx_is_one(source, word, "else elif") &&
             pass->branches[pass->branch_count - 1] < pass->scope_count)
        pass->scope_count = pass->branches[pass->branch_count - 1];
}

// ---- tokens

// Gives the declaration a name of this file, in place of the word and in its column. In a template, g++
// forgets such a name.
static void take_device(struct pass *pass, size_t index) {
    const struct tn_cxx_source *source = pass->source;
    const struct tn_cxx_token *token = &source->tokens[index];
    static const char named[] = "HIP_EXT_D_  ", internal[] = "HIP_EXT_T_  ";
    bool is_text = token->directive != 0;
    size_t first = is_text ? index : pass->boundary;
    if (!is_text && (in_function(pass) || has_linkage(pass))) return;
    while (is_text && first > 0 && source->tokens[first - 1].directive == token->directive) first--;
    if (!tn_cxx_device_is_own(source, index, first, in_class(pass) && !is_text)) return;
    bool is_internal =
        !in_class(pass) && tn_cxx_device_is_template(source, index, first, pass->head);
    tn_cxx_edit_add(&pass->edits, token->at, token->bytes, TN_CXX_IN_LINE,
                    is_internal ? internal : named, token->bytes);
}

// Returns true if the token `static` is in the same declaration as __shared__, which implies it.
static bool is_shared_static(const struct tn_cxx_source *source, size_t index) {
    size_t (*const steps[])(const struct tn_cxx_source *, size_t) = {tn_cxx_next, tn_cxx_previous};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        size_t i = index;
        do i = steps[s](source, i);
        while (tn_cxx_is_one(source, i, "volatile const inline"));
        if (tn_cxx_is(source, i, "__shared__")) return true;
    }
    return false;
}

// Takes a token that means the same in code and in the text of a macro.
static void take_token(struct pass *pass, size_t index, bool in_code) {
    const struct tn_cxx_source *source = pass->source;
    struct tn_cxx_launch launch;
    size_t next = tn_cxx_next(source, index);
    if (tn_cxx_launch_find(source, index, &launch)) {
        tn_cxx_launch_rewrite(source, &launch, &pass->edits);
    } else if (tn_cxx_is(source, index, "template") && tn_cxx_is(source, next, "<")) {
        size_t close = tn_cxx_close_angle(source, next);
        pass->head = next;
        if (close != TN_CXX_NONE && in_code) pass->boundary = close + 1;
    } else if (tn_cxx_is(source, index, "extern") ||
               (tn_cxx_is(source, index, "__shared__") && tn_cxx_is(source, next, "extern"))) {
        tn_cxx_shared_rewrite(source, index, !in_code || in_function(pass), &pass->edits);
    } else if (tn_cxx_is(source, index, "static") && is_shared_static(source, index)) {
        tn_cxx_edit_add(&pass->edits, source->tokens[index].at, source->tokens[index].bytes,
                        TN_CXX_BLANK, "", 0);
    } else if (tn_cxx_is(source, index, "__noinline__")) {
        // As a macro, it would break the attributes of system headers. A "#" must not become the first of a line.
        size_t before = tn_cxx_previous(source, index);
        if (!tn_cxx_is_mark(source, before, "(,") && !tn_cxx_is(source, next, "#"))
            tn_cxx_edit_add(&pass->edits, source->tokens[index].at, source->tokens[index].bytes,
                            TN_CXX_BLANK, "", 0);
    } else if (pass->is_own && tn_cxx_device_is_word(source, index)) {
        take_device(pass, index);
    } else if (in_code && is_in(pass, index, pass->devices, pass->device_count)) {
        if (!in_class(pass) && !in_function(pass) &&
            tn_cxx_device_is_template(source, index, pass->boundary, pass->head))
            tn_cxx_edit_add(&pass->edits, source->tokens[index].at, 0, TN_CXX_BEFORE, "HIP_EXT_T_ ",
                            sizeof "HIP_EXT_T_ " - 1);
    } else if (is_in(pass, index, pass->configurations, pass->configuration_count)) {
        tn_cxx_configuration_use(source, index, &pass->edits);
    } else if (is_global(pass, index)) {
        struct tn_cxx_kernel kernel;
        if (tn_cxx_kernel_find(source, index, pass->head, &kernel) && kernel.body != TN_CXX_NONE)
            tn_cxx_kernel_register(source, &kernel, &pass->edits);
    } else if (tn_cxx_is_mark(source, index, ";{}")) {
        pass->head = TN_CXX_NONE;
    }
}

// Takes the directive that begins at the token, and returns the first token behind it. A macro whose
// text has __global__ and no body stands for __global__ where it is used.
static size_t take_directive(struct pass *pass, size_t hash) {
    const struct tn_cxx_source *source = pass->source;
    size_t end = hash, head = pass->head, name = hash + 2;
    bool is_macro = tn_cxx_is(source, hash + 1, "define"), is_marked = false, has_body = false;
    bool is_device = false, is_other = false;
    while (end < source->count && source->tokens[end].directive == source->tokens[hash].directive)
        end++;
    pass->head = TN_CXX_NONE;
    if (is_macro && tn_cxx_is_configuration(source, hash)) {
        tn_cxx_configuration_define(source, hash, &pass->edits);
        if (!is_in(pass, name, pass->configurations, pass->configuration_count))
            APPEND(pass, configurations, configuration_count, configuration_room, &name);
    }
    for (size_t i = name + 1; i < end && is_macro; i++) {
        is_marked = is_marked || is_global(pass, i);
        has_body = has_body || tn_cxx_is(source, i, "{");
        is_device = is_device || (pass->is_own && tn_cxx_device_is_word(source, i));
        is_other = is_other || has_body || tn_cxx_is_one(source, i, "__host__ static ]");
        take_token(pass, i, false);
    }
    if (is_device && !is_other && tn_cxx_is_a(source, name, TN_CXX_NAME) &&
        !is_in(pass, name, pass->devices, pass->device_count))
        APPEND(pass, devices, device_count, device_room, &name);
    if (is_marked && !has_body && !is_global(pass, name))
        APPEND(pass, macros, macro_count, macro_room, &name);
    take_condition(pass, hash + 1);
    // Macros of the compiler itself, such as __int128, are no extensions that the program uses.
    if (end == name + 1 && source->tokens[name].kind == TN_CXX_TEXT &&
        source->tokens[name].bytes == sizeof "\"<built-in>\"" - 1 &&
        memcmp(source->text + source->tokens[name].at, "\"<built-in>\"",
               source->tokens[name].bytes) == 0)
        tn_cxx_edit_add(&pass->edits, source->tokens[name].at + source->tokens[name].bytes, 0,
                        TN_CXX_IN_LINE, " 3", 2);
    pass->head = head;
    return end;
}

static void take_all(struct pass *pass) {
    const struct tn_cxx_source *source = pass->source;
    for (size_t i = 0; i < source->count && !pass->edits.is_short;) {
        if (source->tokens[i].directive != 0) {
            i = take_directive(pass, i);
            continue;
        }
        take_token(pass, i, true);
        if (tn_cxx_is(source, i, "{")) open_scope(pass, i);
        if (tn_cxx_is(source, i, "}") && pass->scope_count > 0) pass->scope_count--;
        if (pass->head == TN_CXX_NONE && tn_cxx_is_mark(source, i, "{};")) pass->boundary = i + 1;
        i++;
    }
}

char *tn_cxx_rewrite(const struct tn_cxx_source *source, bool is_own, size_t *bytes) {
    struct pass pass = {.source = source, .head = TN_CXX_NONE, .is_own = is_own};
    take_all(&pass);
    char *text = tn_cxx_edit_apply(source, &pass.edits, bytes);
    tn_cxx_edits_end(&pass.edits);
    free(pass.scopes);
    free(pass.branches);
    free(pass.macros);
    free(pass.devices);
    free(pass.configurations);
    return text;
}
