// SPDX-License-Identifier: Apache-2.0
// `tarn convert`: reads a recording of any known format and writes it in another. One thread.
#include <string.h>

#include "base/options.h"
#include "tools/progress.h"
#include "tools/reading.h"
#include "tools/terminal.h"
#include "tools/value.h"
#include "trace/study/owner.h"
#include "trace/write/write.h"

// In the order of enum tn_moment.
#define MOMENTS "peak|start|end|failure|N"

struct convert {
    const char *path[2];   // from and to
    enum tn_writer writer; // TN_WRITERS: by the ending of the second path
    struct tn_trace_limits limits;
    struct tn_write_options options;
    bool all_frames;
};

static const char doc[] =
    "Converts a recording of allocations into another format.\n"
    "\n"
    "A is a recording of any format that `tarn replay` reads, B the file to write. \"-\" is "
    "standard input or standard output. An existing file is replaced by a complete one or not at "
    "all. A name that ends with \".gz\" is packed by gzip.\v"
    "Formats, and the endings that select them:\n"
#define FORMAT(NAME, name, writer, endings, help) "  " name " (" endings ")\t" help "\n"
    TN_WRITER_LIST(FORMAT) "\n"
                           "A recording without addresses gets made-up ones in a snapshot.\n"
                           "\n" TN_EXIT_HELP;

static void parse_moment(struct argp_state *state, const struct tn_arg_option *option, char *text,
                         void *input) {
    struct tn_write_options *options = (struct tn_write_options *)tn_arg_field(option, input);
    options->moment = TN_MOMENT_EVENT;
    if (!tn_parse_unsigned(text, strlen(text), &options->event))
        options->moment =
            (enum tn_write_moment)tn_choice_parse(state, "--at", option->arg, text, strlen(text));
}

static const struct tn_arg_option rows[] = {
    {"to", 0, "FORMAT", "Write this format, whatever the name of B ends with",
     TN_CHOICE(struct convert, writer)},
    {"device", 0, "N", "Write only device N of the recording",
     TN_NUMBER(struct convert, options.device, 0, UINT32_MAX)},
    {"at", 0, MOMENTS,
     "The moment that pprof describes: the peak of live bytes (the default), the start, the end, "
     "the first failure, or the one after N events of the device",
     TN_PARSED(struct convert, options, parse_moment)},
    TN_ALL_FRAMES_OPTION(struct convert),
    {0},
};

static error_t parse_convert(int key, char *text, struct argp_state *state, void *input) {
    struct convert *convert = (struct convert *)input;
    const char *to = convert->path[1];
    (void)text;
    if (key == ARGP_KEY_END && to != NULL && convert->writer == TN_WRITERS &&
        !tn_writer_of_path(to, &convert->writer))
        argp_error(state, "the ending of \"%s\" selects no format; use --to", to);
    return ARGP_ERR_UNKNOWN;
}

int tn_command_convert(int argc, char **argv) {
    static const struct tn_command_line line = {
        {rows, parse_convert},
        "A B",
        doc,
        TN_READS(struct convert, limits),
        TN_WORDS(struct convert, path, "a recording and the file to write")};
    struct convert convert = {.writer = TN_WRITERS, .options.device = TN_WRITE_ALL_DEVICES};
    struct tn_trace trace = {.note_count = 0};
    struct tn_owners owners = {.calls = NULL};
    tn_arguments_parse(&line, argc, argv, 0, &convert);
    const char *from = convert.path[0];
    enum tn_exit read = tn_reading_open(from, 0.5, &convert.limits, &trace);
    if (read != TN_EXIT_OK) return (int)read;
    tn_progress_phase(NULL, 1, 0);
    tarn_status status = tn_owners_make_by(&trace, convert.all_frames, &owners);
    convert.options.owners = owners.calls;
    if (status == TARN_OK)
        status = tn_trace_write(&trace, convert.path[1], convert.writer, &convert.options);
    tn_owners_release(&owners);
    tn_trace_release(&trace);
    tn_progress_hide();
    if (status == TARN_OK) return TN_EXIT_OK;
    bool is_system = status == TARN_SYSTEM; // of the file to write
    (void)tn_complain("%s%s%s", is_system ? "" : tn_shown(from),
                      is_system || from[0] == '\0' ? "" : ": ", tn_text_of(status));
    return (int)tn_exit_of(status, is_system ? TN_EXIT_FAILED : TN_EXIT_BAD_INPUT);
}
