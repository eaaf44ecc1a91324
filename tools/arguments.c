// SPDX-License-Identifier: Apache-2.0
// See arguments.h.
#include "tools/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/base.h>

#include "tools/command.h"
#include "tools/complete/complete.h"
#include "tools/option_list.h"
#include "tools/result.h"
#include "tools/suggest.h"
#include "tools/terminal.h"

enum { OPTION_USAGE = 0x7000, OPTION_QUIET, TEXT_COLUMN = 23 };

static const char *shown_document;

void tn_arguments_set_document(const char *document) { shown_document = document; }

// ---- the exit codes of all commands

int tn_arguments_no_memory(void) {
    return argp_err_exit_status == TN_EXIT_BAD_INPUT ? TN_EXIT_NO_MEMORY : TN_EXIT_START_NO_MEMORY;
}

int tn_arguments_failed(void) {
    return argp_err_exit_status == TN_EXIT_BAD_INPUT ? TN_EXIT_FAILED : argp_err_exit_status;
}

// ---- the options of all commands

void tn_arguments_version(char text[TN_VERSION_TEXT]) {
    uint32_t version = tarn_version();
    (void)snprintf(text, TN_VERSION_TEXT, "%u.%u.%u%s", version / 1000000, version / 1000 % 1000,
                   version % 1000, TARN_VERSION_DEV ? "-dev" : "");
}

static error_t parse_shared(int key, char *text, struct argp_state *state) {
    char version[TN_VERSION_TEXT];
    (void)text;
    switch (key) {
    case 'h':
    case '?': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); return 0;
    case OPTION_QUIET: tn_terminal_be_quiet(); return 0;
    case OPTION_USAGE:
        argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V':
        tn_arguments_version(version);
        fprintf(state->out_stream, "tarn %s\n", version);
        exit(TN_EXIT_OK);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option shared_options[] = {
    {"help", 'h', NULL, 0, "Print this help", -1},
    {NULL, '?', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, -1},
    {"quiet", OPTION_QUIET, NULL, 0, "Show no progress", -1},
    {"usage", OPTION_USAGE, NULL, 0, "Print a short usage message", -1},
    {"version", 'V', NULL, 0, "Print the version", -1},
    {0},
};

static const struct argp shared_argp = {.options = shared_options, .parser = parse_shared};

// ---- the help

// Returns the page of the manual for a command: "tarn-channel-top" for "tarn channel top".
static void name_page(const char *command, char *page, size_t room) {
    const char *slash = strrchr(command, '/');
    (void)snprintf(page, room, "%s", slash != NULL ? slash + 1 : command);
    for (char *at = page; *at != '\0'; at++)
        *at = *at == ' ' ? '-' : *at;
}

static char *command_name; // argv[0]

// Aligns the columns of a text: each tabulator becomes blanks up to one column. Returns memory that
// argp frees, or NULL without memory.
static char *align_columns(const char *text) {
    char *aligned = NULL;
    size_t bytes = 0;
    int column = 0;
    FILE *out = open_memstream(&aligned, &bytes);
    for (; out != NULL && *text != '\0'; text++) {
        int width = *text != '\t' ? 1 : column + 2 < TEXT_COLUMN ? TEXT_COLUMN - column : 2;
        (void)fprintf(out, "%*c", width, *text == '\t' ? ' ' : *text);
        column = *text == '\n' ? 0 : column + width;
    }
    if (out != NULL && fclose(out) != 0) {
        free(aligned);
        return NULL;
    }
    return aligned;
}

// Adds the hint where to read on.
static char *filter_help(int key, const char *text, void *input) {
    (void)input;
    char page[64], *hint = NULL;
    if (key == ARGP_KEY_HELP_POST_DOC && text != NULL && strchr(text, '\t') != NULL)
        return align_columns(text);
    if (key != ARGP_KEY_HELP_EXTRA) return (char *)(uintptr_t)text;
    name_page(command_name, page, sizeof page);
    if (asprintf(&hint, "Read on: man %s%s%s", page, shown_document != NULL ? "; docs/" : "",
                 shown_document != NULL ? shown_document : "") < 0)
        return NULL;
    return hint; // freed by argp
}

// ---- mistakes

// Suggests the option that was meant, and ends the process. Without a similar one, argp reports the
// mistake.
static void refuse_unknown_option(const struct argp *argp, const struct tn_option_list *options,
                                  const char *word) {
    struct tn_suggestion suggestion = {.text = word + 2, .length = strcspn(word + 2, "=")};
    for (size_t i = 0; i < options->count; i++)
        if (options->all[i]->name != NULL)
            tn_suggestion_consider(&suggestion, options->all[i]->name,
                                   strlen(options->all[i]->name));
    if (suggestion.best == NULL) return;
    (void)fprintf(stderr, "%s: unrecognized option '--%.*s'; did you mean \"--%s\"?\n",
                  command_name, (int)suggestion.length, suggestion.text, suggestion.best);
    argp_help(argp, stderr, ARGP_HELP_SEE, command_name);
    exit(argp_err_exit_status);
}

// ---- parsing

enum { CHILDREN = 4 }; // up to two of a command, the shared one, and the end

void tn_arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                        void *input) {
    struct argp whole = *argp;
    struct argp_child children[CHILDREN] = {{.argp = NULL}};
    size_t count = 0;
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL;
         child++)
        children[count++] = *child; // the first ones, as the command's parser numbers their inputs
    children[count] = (struct argp_child){&shared_argp, 0, NULL, 0};
    whole.children = children;
    whole.help_filter = filter_help;
    command_name = argv[0];
    struct tn_option_list options = {.count = 0};
    struct tn_option_place place;
    tn_option_list_add(&options, &whole);
    tn_option_list_walk(&options, argv + 1, (size_t)argc - 1, (flags & ARGP_IN_ORDER) != 0, &place);
    if (tn_complete_has_begun()) {
        tn_complete_option(&options, argc, argv, (flags & ARGP_IN_ORDER) != 0);
        exit(TN_EXIT_OK);
    }
    if (place.json) tn_result_expect(command_name + sizeof "tarn", place.json_file);
    if (place.unknown != NULL) refuse_unknown_option(&whole, &options, place.unknown);
    error_t error = argp_parse(&whole, argc, argv, flags | ARGP_NO_HELP, NULL, input);
    if (error != 0) {
        (void)fprintf(stderr, "tarn: the arguments cannot be read: %s\n", strerror(error));
        exit(error == ENOMEM ? tn_arguments_no_memory() : tn_arguments_failed());
    }
}
