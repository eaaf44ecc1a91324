// SPDX-License-Identifier: Apache-2.0
// Names the frames in the log of a crash: function, file and line instead of an offset. One thread.
#include <dlfcn.h>

#include "stack/namer.h"
#include "tools/runs/runs.h"

// A frame of the log: "    #2 ? (OBJECT+0xOFFSET)".
struct frame {
    int number;
    char object[PATH_MAX]; // absolute
    unsigned long long offset;
};

static bool read_frame(const char *line, size_t length, struct frame *frame) {
    char text[PATH_MAX + 256], object[PATH_MAX];
    int used = 0;
    if (length >= sizeof text) return false;
    memcpy(text, line, length);
    text[length] = '\0';
    if (sscanf(text, " #%d %*s (%n", &frame->number, &used) != 1 || used == 0) return false;
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
    (void)fprintf(output->file, "    #%d %s %s:%d\n", output->frame->number,
                  readable != NULL   ? readable
                  : function != NULL ? function
                                     : "?",
                  file, line);
    free(readable);
    output->named = true;
    return true;
}

static bool is_signal(void *context, const char *function, const char *file, int line) {
    (void)file, (void)line;
    *(bool *)context = function != NULL && strcmp(function, "__restore_rt") == 0;
    return false;
}

// The frame of a call is its return address. Returns true if the frame is that of the signal, which
// begins at its address; the next frame is the faulting instruction.
static bool print_line(FILE *file, const char *line, size_t length, bool faulting) {
    static struct frame frame;
    struct output output = {.file = file, .frame = &frame};
    bool signal = false;
    if (strncmp(line, "    #", 5) == 0 && read_frame(line, length, &frame)) {
        (void)tn_namer_ask(frame.object, frame.offset - !faulting, print_place, &output);
        (void)tn_namer_ask(frame.object, frame.offset, is_signal, &signal);
    }
    if (!output.named) (void)fprintf(file, "%.*s\n", (int)length, line);
    return signal;
}

void tn_run_name_stack(struct tn_run_outcome *outcome) {
    char *text = NULL, folder[PATH_MAX], program[PATH_MAX + sizeof TN_NAMER_PROGRAM];
    size_t bytes = 0;
    if (outcome->text == NULL || !tn_library_folder("check", TN_NAMER_PROGRAM, folder)) return;
    (void)snprintf(program, sizeof program, "%s/%s", folder, TN_NAMER_PROGRAM);
    tn_namer_use(program);
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL) return;
    bool faulting = false;
    for (const char *line = outcome->text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        faulting = print_line(file, line, length, faulting);
        line += length + (line[length] == '\n');
    }
    if (fclose(file) == 0) {
        free(outcome->text);
        outcome->text = text;
    } else {
        free(text);
    }
}
