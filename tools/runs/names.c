// SPDX-License-Identifier: Apache-2.0
// Names the frames in the log of a crash: function, file and line instead of an offset; and finds the
// first one of the program. One thread.
#include <dlfcn.h>

#include "stack/namer.h"
#include "tools/runs/runs.h"

// A frame of the log: "    #2 ? (OBJECT+0xOFFSET)".
struct frame {
    int number;
    char symbol[256];
    char object[PATH_MAX]; // absolute
    unsigned long long offset;
};

static bool read_frame(const char *line, size_t length, struct frame *frame) {
    char text[PATH_MAX + 256], object[PATH_MAX];
    int used = 0;
    if (length >= sizeof text) return false;
    memcpy(text, line, length);
    text[length] = '\0';
    if (sscanf(text, " #%d %255s (%n", &frame->number, frame->symbol, &used) != 2 || used == 0)
        return false;
    char *end = strrchr(text, '+');
    if (end == NULL || sscanf(end, "+0x%llx)", &frame->offset) != 1 || frame->offset == 0)
        return false;
    *end = '\0';
    (void)snprintf(object, sizeof object, "%s", text + used);
    return realpath(object, frame->object) != NULL;
}

struct output {
    FILE *file;
    const struct frame *frame;
    struct tn_finding_place *place; // NULL: this frame is none
    bool named;
};

// Returns the name as C++ writes it, malloc'ed, or NULL. The command itself is C.
static char *demangle(const char *name) {
    static void *library;
    char *(*work)(const char *, char *, size_t *, int *) = NULL;
    if (name == NULL || strncmp(name, "_Z", 2) != 0) return NULL;
    if (library == NULL) library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *found = library != NULL ? dlsym(library, "__cxa_demangle") : NULL;
    memcpy(&work, &found, sizeof work);
    return work != NULL ? work(name, NULL, NULL, NULL) : NULL;
}

static bool print_place(void *context, const char *function, const char *file, int line) {
    struct output *output = (struct output *)context;
    if (file == NULL) return false;
    char *readable = demangle(function);
    const char *shown = readable != NULL ? readable : function != NULL ? function : "?";
    (void)fprintf(output->file, "    #%d %s %s:%d\n", output->frame->number, shown, file, line);
    if (output->place != NULL)
        tn_finding_take_frame(output->place, output->frame->object, shown, file, (unsigned)line);
    free(readable);
    output->named = true;
    return true;
}

static bool is_signal(void *context, const char *function, const char *file, int line) {
    (void)file, (void)line;
    *(bool *)context = function != NULL && strcmp(function, "__restore_rt") == 0;
    return false;
}

// The stack of the crash while its lines are read.
struct crash {
    bool has_begun;
    bool faulting;                     // the next frame is the faulting instruction, not a call
    bool is_thrown, in_cxx, is_behind; // the frames of the C++ library, for an exception
    struct tn_finding_place place;
};

// The frames above the one that threw are those of the C++ library and of libc.
static bool may_be_place(struct crash *crash, const char *line) {
    bool of_cxx = tn_run_is_of_cxx(line);
    crash->is_behind |= crash->in_cxx && !of_cxx;
    crash->in_cxx = of_cxx && !crash->is_behind;
    return crash->has_begun && (!crash->is_thrown || crash->is_behind);
}

// The frame of a call is its return address. The frame of a signal begins at its address, and the next
// one is the faulting instruction; so is the first one of a crash.
static void print_line(FILE *file, const char *line, size_t length, struct crash *crash) {
    static struct frame frame;
    struct output output = {.file = file, .frame = &frame};
    bool signal = false, begins = strncmp(line, "tarn: crash: ", 13) == 0;
    if (begins) *crash = (struct crash){.is_thrown = crash->is_thrown};
    if (strncmp(line, "    #", 5) == 0 && read_frame(line, length, &frame)) {
        if (may_be_place(crash, line)) output.place = &crash->place;
        (void)tn_namer_ask(frame.object, frame.offset - !crash->faulting, print_place, &output);
        (void)tn_namer_ask(frame.object, frame.offset, is_signal, &signal);
        if (!output.named && output.place != NULL && strcmp(frame.symbol, "?") != 0)
            tn_finding_take_frame(output.place, frame.object, frame.symbol, NULL, 0);
    }
    if (!output.named) (void)fprintf(file, "%.*s\n", (int)length, line);
    crash->has_begun |= begins;
    crash->faulting = signal || begins;
}

void tn_run_name_stack(struct tn_run_outcome *outcome) {
    char *text = NULL, folder[PATH_MAX], program[PATH_MAX + sizeof TN_NAMER_PROGRAM];
    struct crash crash = {.is_thrown = outcome->exception[0] != '\0'};
    size_t bytes = 0;
    if (outcome->text == NULL || !tn_library_folder("check", TN_NAMER_PROGRAM, folder)) return;
    (void)snprintf(program, sizeof program, "%s/%s", folder, TN_NAMER_PROGRAM);
    tn_namer_use(program);
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL) return;
    for (const char *line = outcome->text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        print_line(file, line, length, &crash);
        line += length + (line[length] == '\n');
    }
    outcome->place = crash.place;
    if (fclose(file) == 0) {
        free(outcome->text);
        outcome->text = text;
    } else {
        free(text);
    }
}
