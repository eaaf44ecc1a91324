// SPDX-License-Identifier: Apache-2.0
// Any bytes as HIP source text. Tokens lie one behind the other, with blanks and comments between them.
// The rewritten text has all tokens but the few that are replaced, in the same order and on the same
// lines. Text without a launch or a mark of HIP stays as it is.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/hipcc/rewrite.h"
#include "tools/hipcc/sides.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds) {
    if (!holds) abort();
}

static bool contains(const char *text, size_t bytes, const char *word) {
    return memmem(text, bytes, word, strlen(word)) != NULL;
}

// A gap between tokens is empty without its comments, blanks and line ends.
static void check_gap(const char *text, size_t from, size_t to) {
    for (size_t i = from; i < to;) {
        if (text[i] == '/' && i + 1 < to && text[i + 1] == '*') {
            const char *end = (const char *)memmem(text + i + 2, to - i - 2, "*/", 2);
            i = end != NULL ? (size_t)(end - text) + 2 : to;
        } else if (text[i] == '/') {
            demand(i + 1 < to && text[i + 1] == '/');
            while (i < to && text[i] != '\n')
                i += text[i] == '\\' && i + 1 < to && text[i + 1] != '\\' ? 2 : 1;
        } else {
            demand(strchr(" \t\n\v\f\r\\", text[i]) != NULL); // or a zero
            i++;
        }
    }
}

static void check_tokens(const struct tn_cxx_source *source) {
    size_t at = 0;
    for (size_t i = 0; i < source->count; i++) {
        const struct tn_cxx_token *token = &source->tokens[i];
        demand(token->at >= at && token->bytes > 0 && token->at + token->bytes <= source->bytes);
        check_gap(source->text, at, token->at);
        at = token->at + token->bytes;
    }
    check_gap(source->text, at, source->bytes);
}

// Tokens that the rewriter may remove.
static bool is_replaced(const struct tn_cxx_source *source, size_t index) {
    static const char *const words[] = {"<",
                                        ">",
                                        "extern",
                                        "[",
                                        "]",
                                        "__shared__",
                                        "__noinline__",
                                        "__device__",
                                        "__constant__",
                                        "__managed__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tn_cxx_is(source, index, words[i])) return true;
    return false;
}

// The same text on the same line.
static bool is_same(const struct tn_cxx_source *a, size_t i, const struct tn_cxx_source *b,
                    size_t k) {
    const struct tn_cxx_token *x = &a->tokens[i], *y = &b->tokens[k];
    return x->bytes == y->bytes && memcmp(a->text + x->at, b->text + y->at, x->bytes) == 0 &&
           tn_cxx_locate(a, x->at).line == tn_cxx_locate(b, y->at).line;
}

static void check_order(const struct tn_cxx_source *before, const struct tn_cxx_source *after) {
    bool in_shared = false; // a declaration whose type moves before its name
    for (size_t i = 0, k = 0; i < before->count; i++) {
        in_shared = (in_shared || tn_cxx_is(before, i, "extern")) && !tn_cxx_is(before, i, ";");
        if (in_shared || is_replaced(before, i)) continue;
        while (k < after->count && !is_same(before, i, after, k)) k++;
        demand(k++ < after->count);
    }
}

// Sides that do not differ are one, and sides that do must not break it.
static void check_join(const struct tn_cxx_source *source) {
    char arch[] = "-DD=1", *all[] = {arch, NULL};
    struct tn_hipcc_words words = {.all = all};
    size_t bytes, only;
    char *text = tn_cxx_join(source, source, &words, &bytes, &only);
    demand(text != NULL && bytes == source->bytes && memcmp(text, source->text, bytes) == 0);
    free(text);
    words.count = 1;
    free(tn_cxx_join(source, source, &words, &bytes, &only));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    struct tn_cxx_source source, again;
    size_t bytes;
    if (size > 4000) return 0;
    demand(tn_cxx_lex(&source, text, size));
    check_tokens(&source);
    check_join(&source);
    char *result = tn_cxx_rewrite(&source, true, &bytes);
    demand(result != NULL);
    if (!contains(text, size, "<<<") && !contains(text, size, "__global__") &&
        !contains(text, size, "__shared__") && !contains(text, size, "__noinline__") &&
        !contains(text, size, "__device__") && !contains(text, size, "__constant__") &&
        !contains(text, size, "__managed__") && !contains(text, size, "<built-in>"))
        demand(bytes == size && memcmp(result, text, size) == 0);
    demand(tn_cxx_lex(&again, result, bytes));
    check_tokens(&again);
    check_order(&source, &again);
    tn_cxx_source_end(&source);
    tn_cxx_source_end(&again);
    free(result);
    return 0;
}
