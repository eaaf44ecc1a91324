// SPDX-License-Identifier: Apache-2.0
// `tarn record`: runs a program with the recorder injected (src/record), which writes the file. This
// process waits for the program and reports the result. One thread.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"
#include "record/options.h"
#include "tools/launch/inject.h"
#include "tools/launch/preload.h"
#include "tools/launch/supervise.h"
#include "tools/terminal.h"
#include "tools/value.h"
#include "trace/read/read.h"
#include "trace/write/binary.h"

#define RECORDER "libtarn-record.so"

struct record {
    struct tn_launch launch;
    const char *output;
    char path[PATH_MAX]; // absolute, because the program may change its folder
    unsigned stacks;
    int signal;
    bool stopped;
};

static const char doc[] =
    "Runs PROGRAM and records its memory in FILE: segments of the devices, blocks of pools, "
    "streams, stacks, requests that were refused, steps and phases. `tarn replay`, `tarn fit` and "
    "the other commands read FILE. The recorder sees what Tarn does in the program itself, in "
    "libtarn.so and in the faces, calls into the libraries of CUDA, HIP and AscendCL, and the "
    "pools, blocks and phases that any library annotates by MSTX or NVTX.\v"
    "FILE grows while the program runs: a program that is killed leaves what it did until a fifth "
    "of a second before. A second process that records, started by the first, writes FILE.PID. A "
    "child of fork() that executes no other program is not recorded.\n"
    "\n"
    "The signal stops the recording and continues it. A program that handles the signal itself "
    "keeps it. Memory that is allocated while the recording is stopped, and still live when it "
    "continues, is recorded as allocated then.\n"
    "\n"
    "Exit status: " TN_LAUNCH_EXIT_HELP;

// ---- the command line

static void parse_stacks(struct argp_state *state, const struct tn_arg_option *option, char *text,
                         void *input) {
    *(unsigned *)tn_arg_field(option, input) =
        strcmp(text, "off") == 0
            ? 0
            : (unsigned)tn_value_number(state, "--stacks", text, 0, TN_RECORD_STACKS_MAX);
}

// Signals by which programs are informed. Others end or stop a program, or report its faults.
static void parse_signal(struct argp_state *state, const struct tn_arg_option *option, char *text,
                         void *input) {
    static const struct {
        const char *name;
        int number;
    } known[] = {{"off", 0},        {"USR1", SIGUSR1}, {"USR2", SIGUSR2},   {"HUP", SIGHUP},
                 {"PROF", SIGPROF}, {"URG", SIGURG},   {"WINCH", SIGWINCH}, {"VTALRM", SIGVTALRM}};
    const char *name = strncasecmp(text, "SIG", 3) == 0 ? text + 3 : text;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(name, known[i].name) == 0) {
            *(int *)tn_arg_field(option, input) = known[i].number;
            return;
        }
    argp_error(state, "--signal: \"%s\" is none of off, USR1, USR2, HUP, PROF, URG, WINCH, VTALRM",
               text);
}

static const struct tn_arg_option rows[] = {
    {"output", 'o', "FILE",
     "The recording; recording.tarn unless set. An old recording is replaced",
     TN_STRING(struct record, output)},
    {"stacks", 0, "N|off", "Record N frames of each stack, at most 48; 24 unless set",
     TN_PARSED(struct record, stacks, parse_stacks)},
    {"signal", 0, "NAME|off", "Stop and continue by this signal, such as USR1; USR2 unless set",
     TN_PARSED(struct record, signal, parse_signal)},
    {"start-stopped", 0, NULL, "Record nothing until the first signal",
     TN_FLAG(struct record, stopped)},
    {0},
};

// ---- the program

// Returns true if nothing is lost when the file is replaced: it is empty, or a recording.
static bool is_replaceable(int file) {
    uint8_t head[TN_BINARY_HEADER];
    ssize_t size = pread(file, head, sizeof head, 0);
    return size == 0 || (size > 0 && tn_binary_detect(head, (size_t)size));
}

// Creates the file, so that a folder without permission is known before the program runs, and
// removes it again, because the recorder creates it. A file that is no recording stays.
static bool prepare_output(struct record *record) {
    char folder[PATH_MAX] = "";
    bool is_absolute = *record->output == '/';
    int file = -1, failure = ENAMETOOLONG;
    if ((is_absolute || getcwd(folder, sizeof folder) != NULL) &&
        (size_t)snprintf(record->path, sizeof record->path, "%s%s%s", folder,
                         is_absolute ? "" : "/", record->output) < sizeof record->path)
        failure = tn_named_file_open(record->path, O_RDWR | O_CREAT, &file);
    struct stat status;
    bool is_known = file >= 0 && fstat(file, &status) == 0;
    bool is_regular =
        is_known && S_ISREG(status.st_mode) && tn_named_file_descriptor(record->path) < 0;
    if (is_regular && !is_replaceable(file)) {
        (void)tn_complain("%s exists and is no recording; name another file",
                          tn_shown(record->output));
    } else if (is_known && (!is_regular || unlink(record->path) == 0)) {
        (void)close(file);
        return true;
    } else {
        (void)tn_complain("%s: %s", tn_shown(record->output),
                          tn_named_file_error(failure != 0 ? failure : errno));
    }
    if (file >= 0) (void)close(file);
    return false;
}

static bool set_number(const char *variable, unsigned number) {
    char text[16];
    (void)snprintf(text, sizeof text, "%u", number);
    return setenv(variable, text, 1) == 0;
}

static bool prepare_record(struct record *record) {
    char library[PATH_MAX];
    if (!tn_inject_find("record", RECORDER, library) || !tn_launch_prepare(&record->launch) ||
        !prepare_output(record))
        return false;
    if (setenv("MSTX_INJECTION_PATH", library, 1) == 0 &&
        setenv("NVTX_INJECTION64_PATH", library, 1) == 0 && tn_preload_library(library) &&
        setenv(TN_RECORD_FILE_VARIABLE, record->path, 1) == 0 &&
        set_number(TN_RECORD_STACKS_VARIABLE, record->stacks) &&
        set_number(TN_RECORD_SIGNAL_VARIABLE, (unsigned)record->signal) &&
        set_number(TN_RECORD_STOPPED_VARIABLE, record->stopped ? 1 : 0))
        return true;
    return tn_launch_refuse();
}

int tn_command_record(int argc, char **argv) {
    static struct record record = {
        .output = "recording.tarn", .stacks = TN_RECORD_STACKS_DEFAULT, .signal = SIGUSR2};
    static const struct tn_command_line line = {
        {rows, NULL}, "[--] PROGRAM [ARGUMENT...]", doc, TN_STARTS(struct record, launch)};
    pid_t child;
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &record);
    int status = prepare_record(&record) ? tn_supervise(&record.launch, NULL, &child) : -1;
    if (status < 0) return TN_LAUNCH_FAILED;
    bool done = access(record.path, F_OK) == 0;
    bool failed = tn_inject_failed(&record.launch, RECORDER, done);
    int code =
        tn_supervise_conclude(&record.launch, status, failed || done, "nothing was recorded");
    return failed ? TN_LAUNCH_FAILED : code;
}
