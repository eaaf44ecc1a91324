// SPDX-License-Identifier: Apache-2.0
// The options: one table of keys with the place and the type of each value.
#include "check/options.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/words.h"

enum kind {
    FLAG,   // bool
    NUMBER, // unsigned
    CODE,   // int, 0 to 255
    AUTO,   // int: -1, 0, 1
    TEXT,   // char[512]
    CHOICE  // the index of a word in `takes`, in an int or a bool
};

#define FIELD(name) offsetof(struct tn_check_options, name)

// X(key, kind, field, takes, default, help)
#define OPTION_LIST(X)                                                                             \
    X("halt_on_error", FLAG, halt_on_error, "0|1", "0", "end the program at the first error")      \
    X("exitcode", CODE, exitcode, "N", "77", "exit status if errors were found; 0: the program's") \
    X("child_exitcode", CODE, child_exitcode, "N", "0",                                            \
      "exit status of a child process in which errors were found; 0: its own")                     \
    X("log_path", TEXT, log_path, "FILE", "",                                                      \
      "write reports to FILE instead of standard error; %p is the pid")                            \
    X("json", TEXT, json_path, "FILE", "",                                                         \
      "write one JSON object for each report to FILE, or to standard output; %p is the pid")       \
    X("leaks", CHOICE, leaks, "0|1|step", "1",                                                     \
      "report regions that are live at exit; step: also after each step of the program")           \
    X("heap_exit_leaks", FLAG, heap_exit_leaks, "0|1", "1",                                        \
      "report regions that are live when their heap ends; 0: pools free them at once by design")   \
    X("overlap", CHOICE, overlap, "off|warn|error", "error",                                       \
      "accept live regions that overlap, or report them as warnings or errors")                    \
    X("placement", FLAG, placement, "0|1", "1",                                                    \
      "judge the starts and the padding of regions by the rule of their heap or memory")           \
    X("rounded_domains", TEXT, rounded_domains, "NAME,...", "atb",                                 \
      "take the sizes of regions of these domains as rounded ones, which include their "           \
      "padding (atb unless set)")                                                                  \
    X("after_heap", CHOICE, after_heap_poison, "open|poison", "open",                              \
      "allow or forbid accesses to the range of a heap after it is unregistered")                  \
    X("canary", NUMBER, canary, "N", "0", "fill N bytes beside each region, and check them later") \
    X("fill", FLAG, fill, "0|1", "0", "fill regions when they end, and check them later")          \
    X("history", NUMBER, history, "N", "65536", "remember N ended regions")                        \
    X("stack_depth", NUMBER, stack_depth, "N", "16",                                               \
      "capture N frames of each stack; 0: no stacks, which is faster")                             \
    X("quirk_domains", TEXT, quirk_domains, "NAME,...",                                            \
      "ptaCaching,msleaks,ptaWorkspace,mindsporeMemPool",                                          \
      "treat heaps of these domains as statistics, not as ranges (ptaCaching, msleaks, "           \
      "ptaWorkspace and mindsporeMemPool unless set)")                                             \
    X("suppressions", TEXT, suppressions, "FILE", "",                                              \
      "hide reports that match a line kind:function[:domain] of FILE, with * and ?")               \
    X("gen_suppressions", CHOICE, gen_suppressions, "no|yes|all", "no",                            \
      "print with each report the line for --suppressions that hides it; yes: the same as all")    \
    X("asan", AUTO, asan, "auto|0|1", "auto", "pass annotations on to AddressSanitizer")           \
    X("valgrind", AUTO, valgrind, "auto|0|1", "auto", "pass annotations on to Valgrind")           \
    X("nvtx", AUTO, nvtx, "auto|0|1", "auto", "pass annotations on to NVTX's memory extension")    \
    X("host_ranges", CHOICE, host_ranges, "none|auto", "none",                                     \
      "auto: allow the checker to write to annotated heaps that this process maps")                \
    X("max_reports", NUMBER, max_reports, "N", "1",                                                \
      "print N reports of one kind and place, and count the others")                               \
    X("backing", FLAG, backing, "0|1", "0",                                                        \
      "report heaps whose address range the process has not mapped")                               \
    X("realloc_keep", FLAG, realloc_keep, "0|1", "1",                                              \
      "keep the written bytes of a region that is replaced by one at the same address")            \
    X("uninitialised", CHOICE, uninitialised, "0|1|strict", "1",                                   \
      "report reads of bytes never written; strict: also copies of them inside devices")           \
    X("told_only", FLAG, told_only, "0|1", "0",                                                    \
      "assume that only Tarn accesses the memory, so that every byte's state is known exactly")    \
    X("unused", FLAG, unused, "0|1", "0", "report regions that end with bytes never written")      \
    X("order", FLAG, order, "0|1", "1", "check the order of work between streams")                 \
    X("resources", FLAG, resources, "0|1", "1",                                                    \
      "follow reservations, handles, mappings and descriptors")                                    \
    X("faults", FLAG, faults, "0|1", "1",                                                          \
      "explain CPU accesses that fault in memory of a pool (SIGSEGV, SIGBUS)")                     \
    X("alignment", NUMBER, alignment, "N", "0", "report accesses at no multiple of N; 0: none")    \
    X("misaligned", FLAG, misaligned, "0|1", "0",                                                  \
      "report misaligned accesses of kernels; needs --kernel-races")                               \
    X("compat_id", FLAG, compat_id, "0|1", "0", "answer mstxGetToolId() like msSanitizer")

struct place {
    enum kind kind;
    size_t offset;
    size_t bytes;
};

#define SHOW(key, kind, field, takes, fallback, help) {key, takes, fallback, help},
static const struct tn_check_option list[] = {OPTION_LIST(SHOW){NULL, NULL, NULL, NULL}};

#define PLACE(key, kind, field, ...)                                                               \
    {kind, FIELD(field), sizeof(((struct tn_check_options *)NULL)->field)},
static const struct place places[] = {OPTION_LIST(PLACE)};

enum { COUNT = sizeof places / sizeof *places };

const struct tn_check_option *tn_check_option_list(void) { return list; }

// Returns false, with nothing stored, if the option does not take the value.
static bool set_option(unsigned index, const char *value, struct tn_check_options *options) {
    const struct place *place = &places[index];
    char *to = (char *)options + place->offset;
    uint64_t number = 0;
    int choice;
    switch (place->kind) {
    case FLAG:
    case CHOICE:
    case AUTO:
        choice = tn_words_find(list[index].takes, '|', value, strlen(value));
        if (choice < 0) return false;
        choice -= place->kind == AUTO;
        if (place->bytes == sizeof(bool)) // of an int or an enum otherwise
            memcpy(to, &(bool){choice != 0}, sizeof(bool));
        else
            memcpy(to, &choice, sizeof choice);
        return true;
    case NUMBER:
    case CODE:
        if (!tn_parse_unsigned(value, strlen(value), &number) ||
            number > (place->kind == CODE ? 255 : UINT32_MAX))
            return false;
        memcpy(to, &(unsigned){(unsigned)number}, sizeof(unsigned));
        return true;
    case TEXT: return (size_t)snprintf(to, place->bytes, "%s", value) < place->bytes;
    }
    return false;
}

bool tn_check_option_takes(unsigned index, const char *value) {
    struct tn_check_options scratch;
    return set_option(index, value, &scratch);
}

static bool apply_pair(char *piece, struct tn_check_options *options, char *error, unsigned bytes) {
    char *equals = strchr(piece, '=');
    if (equals == NULL) {
        (void)snprintf(error, bytes, "\"%s\" is not key=value", piece);
        return false;
    }
    *equals = '\0';
    unsigned index = 0;
    while (index < COUNT && strcmp(list[index].key, piece) != 0) index++;
    if (index == COUNT)
        (void)snprintf(error, bytes, "unknown option \"%s\"", piece);
    else if (!set_option(index, equals + 1, options))
        (void)snprintf(error, bytes, "%s takes %s, not \"%s\"", piece, list[index].takes,
                       equals + 1);
    else
        return true;
    return false;
}

// Copies the text up to the next colon, without its backslashes. Returns NULL if the text is too
// long.
static const char *next_piece(const char *text, char *piece, size_t room) {
    for (size_t length = 0; length < room; length++) {
        if (*text == '\0' || *text == ':') {
            piece[length] = '\0';
            return text;
        }
        text += *text == '\\' && text[1] != '\0';
        piece[length] = *text++;
    }
    return NULL;
}

static bool parse_list(const char *text, struct tn_check_options *options, char *error,
                       unsigned bytes) {
    char piece[640];
    for (;; text++) {
        text = next_piece(text, piece, sizeof piece);
        if (text == NULL) {
            (void)snprintf(error, bytes, "a value is longer than 511 bytes");
            return false;
        }
        if (*piece != '\0' && !apply_pair(piece, options, error, bytes)) return false;
        if (*text == '\0') return true;
    }
}

bool tn_check_options_parse(const char *text, struct tn_check_options *options, char *error,
                            unsigned error_bytes) {
    struct tn_check_options parsed = {0};
    for (unsigned i = 0; i < COUNT; i++) (void)set_option(i, list[i].fallback, &parsed);
    if (!parse_list(text, &parsed, error, error_bytes)) return false;
    *options = parsed;
    return true;
}

// ---- the options of this process

static struct tn_check_options ours;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_environment(void) {
    char error[768];
    const char *text = secure_getenv("TARN_CHECK_OPTIONS");
    if (!tn_check_options_parse(text == NULL ? "" : text, &ours, error, sizeof error)) {
        (void)dprintf(STDERR_FILENO, "tarn check: TARN_CHECK_OPTIONS: %s\n", error);
        _exit(125);
    }
}

const struct tn_check_options *tn_check_options(void) {
    (void)pthread_once(&once, read_environment);
    return &ours;
}
