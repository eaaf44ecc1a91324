// SPDX-License-Identifier: Apache-2.0
// See choice.h.
#include "tools/choice.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tarn/rule.h>

#include "backend/layer/quirks.h"
#include "check/report/kinds.h"
#include "tools/launch/faces.h"
#include "tools/replay/target.h"
#include "tools/suggest.h"
#include "trace/write/write.h"

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
