// SPDX-License-Identifier: Apache-2.0
// See arguments.h.
#include "tools/arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/variable.h"
#include "tools/command.h"
#include "tools/complete/complete.h"
#include "tools/progress.h"
#include "tools/result.h"
#include "tools/suggest.h"
#include "tools/terminal.h"
#include "tools/value.h"

enum { OPTION_USAGE = 0x7000, OPTION_QUIET, TEXT_COLUMN = 23 };

static const char *shown_document;

void tn_arguments_set_document(const char *document) { shown_document = document; }

// ---- failures of all commands: messages and exit codes

static char *command_name; // argv[0]

void tn_arguments_set_name(char *name) { command_name = name; }

static void print_complaint(const char *format, va_list args) {
    static char plain[1 << 13], text[1 << 14]; // one write, since children print to the same file
    tn_progress_hide();
    (void)vsnprintf(plain, sizeof plain, format, args);
    tn_printable_copy(plain, text, sizeof text); // a name in it begins no line
    (void)fprintf(stderr, "%s: %s\n", command_name, text);
}

bool tn_complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_complaint(format, args);
    va_end(args);
    return false;
}

enum tn_exit tn_exit_with(enum tn_exit exit_code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_complaint(format, args);
    va_end(args);
    return exit_code;
}

int tn_arguments_no_memory(void) {
    return argp_err_exit_status == TN_EXIT_BAD_INPUT ? TN_EXIT_NO_MEMORY : TN_EXIT_START_NO_MEMORY;
}

int tn_arguments_failed(void) {
    return argp_err_exit_status == TN_EXIT_BAD_INPUT ? TN_EXIT_FAILED : argp_err_exit_status;
}

// ---- the options of all commands

const char *tn_arguments_version(void) {
    static char text[36];
    uint32_t version = tarn_version();
    (void)snprintf(text, sizeof text, "%u.%u.%u%s", version / 1000000, version / 1000 % 1000,
                   version % 1000, TARN_VERSION_DEV ? "-dev" : "");
    return text;
}

static error_t parse_shared(int key, char *text, struct argp_state *state) {
    (void)text;
    switch (key) {
    case 'h':
    case '?': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); return 0;
    case OPTION_QUIET: tn_terminal_be_quiet(); return 0;
    case OPTION_USAGE:
        argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V': fprintf(state->out_stream, "tarn %s\n", tn_arguments_version()); exit(TN_EXIT_OK);
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
    // The page of the manual for "tarn channel top" is "tarn-channel-top".
    (void)snprintf(page, sizeof page, "%s", basename(command_name));
    for (char *at = page; *at != '\0'; at++) *at = *at == ' ' ? '-' : *at;
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

enum {
    FIRST_KEY = 0x100,
    ROWS = 80,
    CHILDREN = 3
}; // one of a command, the shared one, and the end

// A table of options while a line is parsed.
struct table {
    const struct tn_arg_table *options;
    const struct tn_arg_words *words; // NULL for shared options
    void *input;
    struct table *child;
    struct argp_option rows[ROWS];
};

static void store_number(void *field, size_t bytes, uint64_t number) {
    if (bytes == sizeof(bool))
        *(bool *)field = number != 0;
    else if (bytes == sizeof(uint32_t))
        *(uint32_t *)field = (uint32_t)number;
    else
        *(uint64_t *)field = number;
}

static void take_value(struct argp_state *state, const struct tn_arg_option *option, char *text,
                       void *input) {
    void *field = tn_arg_field(option, input);
    char name[64];
    uint64_t number = option->max;
    (void)snprintf(name, sizeof name, "--%s", option->name);
    if (text != NULL && strcmp(text, "--") == 0 && (state->flags & ARGP_IN_ORDER) != 0)
        argp_error(state, "the option before \"--\" needs a value");
    switch (option->take) {
    case TN_TAKE_NAME:
        (void)tn_choice_parse(state, name, option->arg, text, strlen(text));
        *(const char **)field = text;
        return;
    case TN_TAKE_TEXT: *(const char **)field = text; return;
    case TN_TAKE_SECONDS: *(double *)field = tn_value_seconds(state, name, text); return;
    case TN_TAKE_OTHER: option->parse(state, option, text, input); return;
    case TN_TAKE_NUMBER:
        number = tn_value_number(state, name, text, option->min, option->max);
        break;
    case TN_TAKE_SIZE: number = tn_value_size(state, name, text, option->min); break;
    case TN_TAKE_CHOICE:
        number = tn_choice_parse(state, name, option->arg, text, strlen(text));
        break;
    default: break;
    }
    store_number(field, option->bytes, number);
}

static error_t take_word(const struct tn_arg_words *words, int key, char *text,
                         struct argp_state *state, void *input) {
    void *field = (char *)input + words->at;
    if (key == ARGP_KEY_END && state->arg_num < words->count)
        argp_error(state, "expected %s", words->expected);
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    if (words->takes_rest) {
        *(char ***)field = state->argv + state->next - 1;
        state->next = state->argc;
    } else if (words->count == 0) {
        argp_error(state, "unexpected argument \"%s\"", tn_shown(text));
    } else if (state->arg_num == words->count) {
        argp_error(state, "expected %s, not \"%s\" too", words->expected, tn_shown(text));
    } else {
        ((char **)field)[state->arg_num] = text;
    }
    return 0;
}

static error_t parse_table(int key, char *text, struct argp_state *state) {
    struct table *table = (struct table *)state->input;
    const struct tn_arg_table *options = table->options;
    if (key == ARGP_KEY_INIT && table->child != NULL) state->child_inputs[0] = table->child;
    for (size_t i = 0; options->rows != NULL && options->rows[i].name != NULL; i++)
        if (key == table->rows[i].key) {
            take_value(state, &options->rows[i], text, table->input);
            return 0;
        }
    error_t error =
        options->parse != NULL ? options->parse(key, text, state, table->input) : ARGP_ERR_UNKNOWN;
    return error == ARGP_ERR_UNKNOWN && table->words != NULL
               ? take_word(table->words, key, text, state, table->input)
               : error;
}

static void fill_table(struct table *table, void *input) {
    const struct tn_arg_table *options = table->options;
    table->input = input;
    for (int i = 0; options->rows != NULL && options->rows[i].name != NULL && i + 1 < ROWS; i++) {
        const struct tn_arg_option *row = &options->rows[i];
        table->rows[i] =
            (struct argp_option){row->name, row->letter != 0 ? row->letter : FIRST_KEY + i,
                                 row->arg,  row->is_optional ? OPTION_ARG_OPTIONAL : 0,
                                 row->help, row->group};
    }
}

// A bad variable of the command is refused as a bad option is.
static void refuse_variable(void) {
    char why[300];
    if (tn_variables_check("command", why, sizeof why)) return;
    (void)tn_complain("%s", why);
    exit(argp_err_exit_status);
}

void tn_arguments_parse(const struct tn_command_line *line, int argc, char **argv, unsigned flags,
                        void *input) {
    struct table own = {.options = &line->options, .words = &line->words},
                 child = {.options = line->shared};
    struct argp_child children[CHILDREN] = {{.argp = NULL}};
    struct argp child_argp = {.options = child.rows, .parser = parse_table};
    // argp never frees the place of a table without rows.
    const struct argp_option *rows = line->options.rows != NULL ? own.rows : NULL;
    struct argp argp = {rows, parse_table, line->args_doc, line->doc, children, filter_help, NULL};
    size_t count = 0;
    fill_table(&own, input);
    if (line->shared != NULL) {
        fill_table(&child, (char *)input + line->shared_at);
        own.child = &child;
        children[count++] =
            (struct argp_child){&child_argp, 0, line->shared_title, line->shared_group};
    }
    children[count] = (struct argp_child){&shared_argp, 0, NULL, 0};
    command_name = argv[0];
    struct tn_option_list options = {.count = 0};
    struct tn_option_place place;
    tn_option_list_add(&options, &argp);
    tn_option_list_walk(&options, argv + 1, (size_t)argc - 1, (flags & ARGP_IN_ORDER) != 0, &place);
    if (tn_complete_has_begun()) {
        tn_complete_option(&options, argc, argv, (flags & ARGP_IN_ORDER) != 0);
        exit(TN_EXIT_OK);
    }
    if (place.json) tn_result_expect(command_name + sizeof "tarn", place.json_file);
    if (place.unknown != NULL) refuse_unknown_option(&argp, &options, place.unknown);
    error_t error = argp_parse(&argp, argc, argv, flags | ARGP_NO_HELP, NULL, &own);
    if (error != 0) {
        (void)fprintf(stderr, "tarn: the arguments cannot be read: %s\n", strerror(error));
        exit(error == ENOMEM ? tn_arguments_no_memory() : tn_arguments_failed());
    }
    refuse_variable();
}
