// SPDX-License-Identifier: Apache-2.0
// See menu.h.
#include "tools/menu.h"

#include <stdio.h>
#include <string.h>

#include "tools/arguments.h"
#include "tools/command.h"
#include "tools/complete/complete.h"
#include "tools/suggest.h"

struct selection {
    const struct tn_menu *menu;
    int exit_code;
};

static const char *name_of(const struct tn_menu_entry *entry) {
    return strrchr(entry->shown, ' ') + 1;
}

static struct tn_menu_entry *find_entry(const struct tn_menu *menu, const char *name) {
    for (size_t i = 0; i < menu->count; i++)
        if (strcmp(name, name_of(&menu->entries[i])) == 0) return &menu->entries[i];
    return NULL;
}

static int run_entry(struct tn_menu_entry *entry, int argc, char **argv) {
    argv[0] = entry->shown;
    tn_arguments_set_name(argv[0]);
    tn_arguments_set_document(entry->document);
    return entry->run(argc, argv);
}

static void refuse_name(const struct tn_menu *menu, const char *name, struct argp_state *state) {
    struct tn_suggestion suggestion = {.text = name, .length = strlen(name)};
    for (size_t i = 0; i < menu->count; i++) {
        const char *known = name_of(&menu->entries[i]);
        tn_suggestion_consider(&suggestion, known, strlen(known));
    }
    if (suggestion.best != NULL)
        argp_error(state, "no command is called \"%s\"; did you mean \"%s\"?", name,
                   suggestion.best);
    else
        argp_error(state, "no command is called \"%s\"", name);
}

static error_t parse_menu(int key, char *argument, struct argp_state *state, void *input) {
    struct selection *selection = (struct selection *)input;
    if (key == ARGP_KEY_NO_ARGS) argp_usage(state);
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    struct tn_menu_entry *entry = find_entry(selection->menu, argument);
    int at = state->next - 1; // the command's own name
    state->next = state->argc;
    if (entry == NULL)
        refuse_name(selection->menu, argument, state);
    else
        selection->exit_code = run_entry(entry, state->argc - at, state->argv + at);
    return 0;
}

int tn_menu_run(const struct tn_menu *menu, int argc, char **argv) {
    if (tn_complete_has_begun()) {
        struct tn_menu_entry *entry = argc > 2 ? find_entry(menu, argv[1]) : NULL;
        if (entry != NULL) return run_entry(entry, argc - 1, argv + 1);
        for (size_t i = 0; argc == 2 && i < menu->count; i++)
            tn_complete_offer(argv[1], name_of(&menu->entries[i]), menu->entries[i].summary);
    }
    char doc[4096];
    struct selection selection = {.menu = menu, .exit_code = TN_EXIT_OK};
    const struct tn_command_line line = {
        .options = {NULL, parse_menu}, .args_doc = "COMMAND [OPTION...]", .doc = doc};
    size_t used = (size_t)snprintf(doc, sizeof doc, "%s\n\nCommands:\n", menu->text);
    for (size_t i = 0; i < menu->count && used < sizeof doc; i++)
        used += (size_t)snprintf(doc + used, sizeof doc - used, "  %-9s %s\n",
                                 name_of(&menu->entries[i]), menu->entries[i].summary);
    if (used < sizeof doc) (void)snprintf(doc + used, sizeof doc - used, "\v%s", menu->after);
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &selection);
    return selection.exit_code;
}
