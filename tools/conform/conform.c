// SPDX-License-Identifier: Apache-2.0
// `tarn conform`: asks Tarn's face and a vendor's library the same questions. The questions are in
// tests/conform. One thread.
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/replacement.h"
#include "tools/arguments.h"
#include "tools/conform/conform.h"
#include "tools/result.h"
#include "tools/terminal.h"

enum { DIFFERENCES = 77 }; // the exit status, as that of findings of other commands

// X(name): the APIs that have questions. Each is a face. The names are as in the help.
#define API_NAMES   "acl|cuda|hip"
#define API_LIST(X) X(acl) X(cuda) X(hip)

#define API_DECLARE(name) extern const struct tn_conform_api tn_conform_##name;
API_LIST(API_DECLARE)

static const struct tn_conform_api *const apis[] = {
#define API(name) &tn_conform_##name,
    API_LIST(API)};

// The linker collects the questions of all files here.
extern const struct tn_question *const __start_tn_questions[], *const __stop_tn_questions[];

static const char doc[] =
    "Asks a library questions about its memory, streams and errors, and prints the answers or how "
    "they differ from those of another.\v"
    "With --as alone, the command prints the answers of Tarn's software device. With --native, it "
    "opens the vendor's library of this machine by its usual name, asks it the same questions, and "
    "prints each question with the two answers if they differ. A process asks each group of "
    "questions, so a crash or a hang is an answer.\n"
    "\n"
    "Exit status: 0 all answers agree, or none was compared; 77 some differ; 1 no library, no "
    "device, or a system error; 2 invalid input.";

struct conform {
    const char *as, *native, *library, *against, *answers, *page, *device, *level, *only;
    double limit;
    bool list, json;
};

static const struct tn_arg_option rows[] = {
    {"as", 0, API_NAMES, "Ask Tarn's face", TN_NAME(struct conform, as)},
    {"native", 0, API_NAMES, "Ask the library of the vendor, and compare its answers with Tarn's",
     TN_NAME(struct conform, native)},
    {"library", 0, "FILES", "Open these libraries instead, with colons between them",
     TN_STRING(struct conform, library)},
    {"against", 0, "FILE", "Compare with the answers in FILE instead of those of Tarn's face",
     TN_STRING(struct conform, against)},
    {"answers", 0, "FILE", "Write the answers to FILE", TN_STRING(struct conform, answers)},
    {"page", 0, "FILE", "Write the comparison to FILE as a page for a browser",
     TN_STRING(struct conform, page)},
    TN_JSON_OPTION(struct conform, "Print one JSON object, to FILE if it is given"),
    {"only", 0, "PATTERN", "Ask only questions whose name matches, such as 'memory.*'",
     TN_STRING(struct conform, only)},
    {"list", 0, NULL, "List the questions and the sources of their answers",
     TN_FLAG(struct conform, list)},
    {"time-limit", 't', "SECONDS",
     "Take a question that lasts longer as one that hangs; default 20",
     TN_SECONDS(struct conform, limit)},
    {"device", 'd', "URI", "The device of Tarn's face; default host:0,devices=1,memory=16G",
     TN_STRING(struct conform, device)},
    {"compat", 0, "LEVEL", "The level of compatibility of Tarn's face",
     TN_STRING(struct conform, level)},
    {0}};

static struct tn_suite suite;
static bool chosen[TN_CONFORM_QUESTIONS];
static struct tn_asked tarn = {.label = "Tarn"}, native = {.label = "native", .is_dated = true};

static bool add_library(struct tn_asked *asked, const char *folder, const char *name,
                        size_t length) {
    if (asked->library_count == TN_CONFORM_LIBRARIES)
        return tn_complain("--library takes at most %d files", TN_CONFORM_LIBRARIES);
    char *path = asked->libraries[asked->library_count++];
    int written =
        snprintf(path, PATH_MAX, "%s%s%.*s", folder, *folder != '\0' ? "/" : "", (int)length, name);
    return written < PATH_MAX || tn_complain("a path is longer than %d bytes", PATH_MAX);
}

// The software device is that of the recorded answers, whatever the environment selects.
static void remove_settings(const struct tn_face *face) {
    size_t prefix = strlen(face->prefix);
    for (char **at = environ; *at != NULL;) {
        char name[128];
        size_t length = strcspn(*at, "=");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, *at);
        bool is_setting = strncmp(*at, face->prefix, prefix) == 0 && (*at)[prefix] == '_';
        if ((is_setting || strstr(name, "_VISIBLE_DEVICES") != NULL) && unsetenv(name) == 0)
            at = environ;
        else
            at++;
    }
}

// Returns true if another library, whose name differs only in its number, is the one of the chosen
// release.
static bool is_of_other_level(const struct tn_face *face, const char *name, const char *level) {
    size_t stem = tn_face_library_stem(name);
    for (const char *other = face->library; level != NULL && *other != '\0';
         other = tn_face_next_library(other))
        if (strncmp(other, name, stem) == 0 && strcmp(other + stem, name + stem) != 0 &&
            other[stem] == '.' && strcmp(other + stem + 1, level) == 0)
            return true;
    return false;
}

static bool find_tarn(const struct tn_face *face, const struct conform *conform) {
    char folder[PATH_MAX];
    if (!tn_face_folder(face, folder))
        return tn_complain("%s/%s does not exist; --against compares with recorded answers", folder,
                           face->library);
    remove_settings(face);
    const char *device = conform->device != NULL ? conform->device : "host:0,devices=1,memory=16G";
    if (!tn_face_device_known(device, NULL) || !tn_face_set(face, "DEVICE", device) ||
        !tn_face_set(face, face->level_setting, conform->level))
        return false;
    for (const char *name = face->library; *name != '\0'; name = tn_face_next_library(name))
        if (!is_of_other_level(face, name, conform->level))
            (void)add_library(&tarn, folder, name, strlen(name));
    return true;
}

static bool find_native(const struct tn_face *face, const char *list) {
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");
        if (memmem(list, length, ".so", strlen(".so")) == NULL)
            return tn_complain("--library: %.*s is no name of a library", (int)length, list);
        if (!add_library(&native, "", list, length)) return false;
        list += length + (list[length] == ':');
    }
    for (const char *name = face->library; native.library_count == 0 && *name != '\0';
         name = tn_face_next_library(name))
        if (!add_library(&native, "", name, strlen(name))) return false;
    return true;
}

// The linker's order is that of the compiler, which need not be that of the file.
static int compare_places(const void *a, const void *b) {
    const struct tn_question *one = *(const struct tn_question *const *)a;
    const struct tn_question *other = *(const struct tn_question *const *)b;
    int order = strcmp(one->group, other->group);
    return order != 0 ? order : one->place - other->place;
}

// Returns false, with a message, if --only matches no question.
static bool fill_suite(const struct conform *conform) {
    bool some = false;
    for (const struct tn_question *const *at = __start_tn_questions; at < __stop_tn_questions; at++)
        if (suite.count < TN_CONFORM_QUESTIONS && strcmp((*at)->api, suite.api->name) == 0)
            suite.questions[suite.count++] = *at;
    qsort((void *)suite.questions, suite.count, sizeof *suite.questions, compare_places);
    for (size_t i = 0; i < suite.count; i++) {
        const struct tn_question *question = suite.questions[i];
        char id[256];
        (void)snprintf(id, sizeof id, "%s.%s", question->group, question->name);
        chosen[i] = conform->only == NULL || fnmatch(conform->only, id, 0) == 0;
        some = some || chosen[i];
        if (conform->list && chosen[i]) printf("%s  %s\n", id, question->source);
    }
    return some || tn_complain("--only=%s matches no question; --list shows their names",
                               tn_shown(conform->only));
}

// Opens a file for output, writes it and closes it.
static bool write_file(const char *path, bool is_page, const struct tn_asked *asked) {
    struct tn_replacement place;
    int failure = tn_replacement_open(path, 0, &place);
    errno = 0;
    if (failure == 0) {
        FILE *out = fdopen(dup(place.file), "w");
        if (out != NULL && is_page) tn_conform_page(&suite, &tarn, &native, out);
        if (out != NULL && !is_page) tn_conform_write(&suite, asked, out);
        bool good = out != NULL && ferror(out) == 0;
        good = (out == NULL || fclose(out) == 0) && good;
        failure = tn_replacement_close(&place, good ? 0 : errno != 0 ? errno : EIO);
    }
    return failure == 0 || tn_complain("%s: %s", tn_shown(path), tn_named_file_error(failure));
}

// Returns false after a message.
static bool ask_all(const struct tn_face *face, const struct conform *conform) {
    bool compares = conform->native != NULL;
    tarn.limit = native.limit = conform->limit;
    // With --as, recorded answers are what the face is compared with.
    if (conform->against != NULL &&
        !tn_conform_read(&suite, conform->against, compares ? &tarn : &native))
        return false;
    if (conform->against != NULL && !compares) native.label = "recorded";
    // The vendor's library first: its environment is not changed yet.
    if (compares &&
        (!find_native(face, conform->library) || !tn_conform_ask(&suite, chosen, &native)))
        return false;
    return (compares && conform->against != NULL) ||
           (find_tarn(face, conform) && tn_conform_ask(&suite, chosen, &tarn));
}

int tn_command_conform(int argc, char **argv) {
    static const struct tn_command_line line = {.options = {rows, NULL}, .doc = doc};
    struct conform conform = {.limit = 20};
    tn_arguments_parse(&line, argc, argv, 0, &conform);
    const char *name = conform.native != NULL ? conform.native : conform.as;
    bool good = name != NULL || tn_complain("--as or --native must name a face");
    for (size_t i = 0; good && i < sizeof apis / sizeof *apis; i++)
        if (strcmp(apis[i]->name, name) == 0) suite.api = apis[i];
    const struct tn_face *face = good ? tn_face_find(name, strlen(name)) : NULL;
    if (good && conform.level != NULL && !tn_face_has_level(face, conform.level))
        good = tn_complain("the face %s has the levels %s", name, face->levels);
    if (!good) return TN_EXIT_BAD_INPUT;
    if (!fill_suite(&conform)) return TN_EXIT_BAD_INPUT;
    if (conform.list) return TN_EXIT_OK;
    if (!ask_all(face, &conform)) return TN_EXIT_FAILED;
    bool compares = conform.native != NULL || conform.against != NULL;
    const struct tn_asked *asked = conform.native != NULL ? &native : &tarn;
    if ((conform.answers != NULL && !write_file(conform.answers, false, asked)) ||
        (conform.page != NULL && !write_file(conform.page, true, asked)))
        return TN_EXIT_FAILED;
    size_t differences = 0;
    if (compares)
        differences = tn_conform_print(&suite, &tarn, &native);
    else if (tn_result_shows_text())
        tn_conform_write(&suite, &tarn, stdout);
    if (conform.json) tn_result_print(tn_conform_result(&suite, &tarn, compares ? &native : NULL));
    return differences > 0 ? DIFFERENCES : TN_EXIT_OK;
}
