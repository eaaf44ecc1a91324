// SPDX-License-Identifier: Apache-2.0
// See complete.h.
#include "tools/complete/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/value.h"

static bool has_begun;

void tn_complete_begin(void) { has_begun = true; }

bool tn_complete_has_begun(void) { return has_begun; }

void tn_complete_offer(const char *word, const char *name, const char *text) {
    if (strncmp(name, word, strlen(word)) == 0) printf("%s\t%s\n", name, text);
}

// Offers the names that the option takes. The word holds `before` bytes ahead of the name.
static void offer_names(const struct argp_option *option, const char *word, size_t before) {
    const char *names = tn_choice_names(option->arg), *begun = word + before;
    while (names != NULL && *names != '\0') {
        size_t span = strcspn(names, "|"), length = strlen(begun);
        if (!isupper((unsigned char)*names) && length <= span && strncmp(names, begun, length) == 0)
            printf("%.*s%.*s\t\n", (int)before, word, (int)span, names);
        names += span + (names[span] == '|');
    }
}

static void offer_options(const struct tn_option_list *options, const char *word) {
    char name[64];
    for (size_t i = 0; i < options->count; i++) {
        const struct argp_option *option = options->all[i];
        bool takes_value = option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0;
        if (option->name == NULL) continue;
        (void)snprintf(name, sizeof name, "--%s%s", option->name, takes_value ? "=" : "");
        tn_complete_offer(word, name, option->doc != NULL ? option->doc : "");
    }
}

void tn_complete_option(const struct tn_option_list *options, int argc, char *const *argv,
                        bool in_order) {
    const char *word = argv[argc - 1], *value = strchr(word, '=');
    struct tn_option_place place;
    tn_option_list_walk(options, argv + 1, (size_t)argc - 2, in_order, &place);
    const struct argp_option *option = place.pending;
    if (option == NULL && (place.ended || word[0] != '-')) return;
    if (option != NULL)
        offer_names(option, word, 0);
    else if (value == NULL)
        offer_options(options, word);
    else if ((option = tn_option_list_find(options, word)) != NULL)
        offer_names(option, word, (size_t)(value + 1 - word));
}
