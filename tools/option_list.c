// SPDX-License-Identifier: Apache-2.0
// See option_list.h.
#include "tools/option_list.h"

#include <string.h>

void tn_option_list_add(struct tn_option_list *options, const struct argp *argp) {
    for (const struct argp_option *option = argp->options;
         option != NULL && (option->name != NULL || option->key != 0); option++)
        if ((option->flags & OPTION_DOC) == 0 && options->count < TN_OPTION_LIST_MAX)
            options->all[options->count++] = option;
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL;
         child++)
        tn_option_list_add(options, child->argp);
}

const struct argp_option *tn_option_list_find(const struct tn_option_list *options,
                                              const char *word) {
    size_t length = strcspn(word + 2, "=");
    const struct argp_option *found = NULL;
    for (size_t i = 0; i < options->count; i++) {
        const char *name = options->all[i]->name;
        if (name == NULL || strncmp(name, word + 2, length) != 0) continue;
        found = options->all[i];
        if (name[length] == '\0') break;
    }
    return found;
}

// Reads an option that takes a value. Without `value`, it may be the next word.
static void read_value(const struct argp_option *option, const char *value,
                       struct tn_option_place *place) {
    bool needs_value = option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0;
    if (value == NULL && needs_value) place->pending = option;
    if (option->name == NULL || strcmp(option->name, "json") != 0) return;
    place->json = true;
    place->json_file = value;
}

// Reads a word such as "-vd". The first letter that takes a value takes the rest of the word.
static void read_short(const struct tn_option_list *options, const char *word,
                       struct tn_option_place *place) {
    for (const char *letter = word + 1; *letter != '\0'; letter++)
        for (size_t i = 0; i < options->count; i++)
            if (options->all[i]->key == *letter && options->all[i]->arg != NULL) {
                read_value(options->all[i], letter[1] != '\0' ? letter + 1 : NULL, place);
                return;
            }
}

static void read_long(const struct tn_option_list *options, const char *word,
                      struct tn_option_place *place) {
    const struct argp_option *option = tn_option_list_find(options, word);
    const char *equals = strchr(word, '=');
    if (option != NULL)
        read_value(option, equals != NULL ? equals + 1 : NULL, place);
    else if (place->unknown == NULL)
        place->unknown = word;
}

void tn_option_list_walk(const struct tn_option_list *options, char *const *words, size_t count,
                         bool in_order, struct tn_option_place *place) {
    *place = (struct tn_option_place){.ended = false};
    for (size_t i = 0; i < count && !place->ended; i++) {
        const char *word = words[i];
        if (place->pending != NULL)
            place->pending = NULL;
        else if (strcmp(word, "--") == 0)
            place->ended = true;
        else if (strncmp(word, "--", 2) == 0)
            read_long(options, word, place);
        else if (word[0] == '-' && word[1] != '\0')
            read_short(options, word, place);
        else
            place->ended = in_order;
    }
}
