// SPDX-License-Identifier: Apache-2.0
// See value.h.
#include "tools/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "backend/layer/quirks.h"
#include "base/options.h"
#include "check/report/kinds.h"
#include "tools/launch/faces.h"
#include "tools/replay/target.h"
#include "tools/suggest.h"
#include "trace/write/write.h"

uint64_t tn_value_number(struct argp_state *state, const char *option, const char *text,
                         uint64_t min, uint64_t max) {
    uint64_t number = 0;
    if (!tn_parse_unsigned(text, strlen(text), &number) || number < min || number > max)
        argp_error(state, "%s takes a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", option,
                   min, max, text);
    return number;
}

uint64_t tn_value_size(struct argp_state *state, const char *option, const char *text,
                       uint64_t min) {
    uint64_t bytes = 0;
    if (!tn_parse_size(text, strlen(text), &bytes) || bytes < min)
        argp_error(state, "%s takes a size such as 64K or 1.5G, not \"%s\"", option, text);
    return bytes;
}

double tn_value_seconds(struct argp_state *state, const char *option, const char *text) {
    double seconds = 0;
    if (!tn_parse_double(text, strlen(text), &seconds) || seconds < 0.01 || seconds > 1e6)
        argp_error(state, "%s takes seconds from 0.01 to 1000000, not \"%s\"", option, text);
    return seconds;
}

// ---- names

#define FACE(name, ...)              "|" #name
#define SECOND_NAME(NAME, name, ...) "|" name

enum { LONG_LIST = 240 }; // letters; errors do not show longer ones

// The lists begin with a bar, which is skipped.
static const struct {
    const char *word;
    const char *names;
} lists[] = {
    {"FACE", TN_FACE_LIST(FACE)},
    {"FACES", TN_FACE_LIST(FACE)},
    {"FORMAT", TN_WRITER_LIST(SECOND_NAME)},
    {"KIND", "|list|all" TN_CHECK_KIND_LIST(SECOND_NAME)},
    {"POOL", TN_TARGET_LIST(SECOND_NAME) "|expandable"},
    {"QUIRK[:VALUE]", TN_QUIRKS(SECOND_NAME)},
    {"RULE", TARN_RULE_LIST(SECOND_NAME)},
    {"URI", "|host:0|sim:0|cuda:0|hip:0|ascend:0"},
};

const char *tn_choice_names(const char *word) {
    if (word == NULL || strchr(word, '|') != NULL) return word;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].word, word) == 0) return lists[i].names + 1;
    return NULL;
}

size_t tn_choice_parse(struct argp_state *state, const char *option, const char *word,
                       const char *text, size_t length) {
    struct tn_suggestion suggestion = {.text = text, .length = length};
    const char *names = tn_choice_names(word);
    size_t index = 0;
    for (const char *name = names; *name != '\0'; index++) {
        size_t span = strcspn(name, "|");
        bool is_name = !isupper((unsigned char)*name); // and does not stand for something else
        if (is_name && span == length && strncmp(name, text, span) == 0) return index;
        if (is_name) tn_suggestion_consider(&suggestion, name, span);
        name += span + (name[span] == '|');
    }
    char hint[80] = "";
    if (suggestion.best != NULL)
        (void)snprintf(hint, sizeof hint, "; did you mean \"%.*s\"?", (int)suggestion.best_length,
                       suggestion.best);
    argp_error(state, "%s takes %s, not \"%.*s\"%s", option,
               strlen(names) > LONG_LIST ? word : names, (int)length, text, hint);
    return index;
}
