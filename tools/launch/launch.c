// SPDX-License-Identifier: Apache-2.0
// Prepares and executes a program with faces; see launch.h.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tarn/device.h>

#include "backend/layer/grammars.h"
#include "base/variable.h"
#include "fail/spec.h"
#include "tools/launch/image.h"
#include "tools/launch/launch.h"
#include "tools/launch/preload.h"
#include "tools/launch/program.h"
#include "tools/value.h"

static void parse_faces(struct argp_state *state, const struct tn_arg_option *option, char *text,
                        void *input) {
    struct tn_launch *launch = (struct tn_launch *)input;
    for (const char *name = text;; name++) {
        size_t length = strcspn(name, ",");
        (void)tn_choice_parse(state, "--as", option->arg, name, length);
        if (launch->face_count == TN_LAUNCH_FACES)
            argp_error(state, "\"%s\": more than %d faces", text, TN_LAUNCH_FACES);
        else
            launch->faces[launch->face_count++] = tn_face_find(name, length);
        name += length;
        if (*name == '\0') return;
    }
}

void tn_launch_check_quirk(const char *quirk, size_t room, struct argp_state *state) {
    size_t length = strcspn(quirk, ":");
    (void)tn_choice_parse(state, "--quirk", "QUIRK[:VALUE]", quirk, length < room ? length : room);
}

// Adds one of several specs to a list.
static void add_spec(struct argp_state *state, const struct tn_arg_option *option, char *text,
                     void *input) {
    char *list = (char *)tn_arg_field(option, input);
    size_t used = strlen(list);
    int length = snprintf(list + used, option->bytes - used, "%s%s", used == 0 ? "" : ";", text);
    if (used + (size_t)length >= option->bytes)
        argp_error(state, "\"%s\": the list of specs is longer than %zu bytes", text,
                   option->bytes - 1);
}

static void add_quirk(struct argp_state *state, const struct tn_arg_option *option, char *text,
                      void *input) {
    tn_launch_check_quirk(text, strlen(text), state);
    add_spec(state, option, text, input);
}

static void parse_machine(struct argp_state *state, const struct tn_arg_option *option, char *text,
                          void *input) {
    if (!tn_variable_is_name(text))
        argp_error(
            state,
            "--machine=%s is not a name of at most 48 letters, digits, \".\", \"_\" or \"-\"",
            text);
    *(const char **)tn_arg_field(option, input) = text;
}

static const struct tn_arg_option rows[] = {
    {"as", 'a', "FACES", "Replace the libraries of these faces:" TN_FACE_NAMES,
     TN_PARSED(struct tn_launch, faces, parse_faces)},
    {"device", 'd', "URI", "Show this platform, such as host:0,memory=8G; none for no device",
     TN_STRING(struct tn_launch, device)},
    {"machine", 0, "NAME",
     "Share the memory of the devices with all programs of this machine; default: one of its own",
     TN_PARSED(struct tn_launch, machine, parse_machine)},
    {"compat", 'c', "LEVEL",
     "Behave as this release of the vendor: hip 6 or 7, cuda 12 or 13, acl 1 or 2",
     TN_STRING(struct tn_launch, level)},
    {"sparse", 's', NULL, "Support sparse arrays, which the vendor's library does not",
     TN_FLAG(struct tn_launch, sparse)},
    {"fail", 0, "SPEC",
     "Make calls fail: map:3, hipMemMap:2-5:as=hipErrorUnknown; may be repeated. docs/failures.md "
     "describes SPEC",
     TN_PARSED(struct tn_launch, fail, add_spec)},
    {"quirk", 0, "QUIRK[:VALUE]",
     "Give all devices this defect of a real stack; tarn info --quirks lists them; may be repeated",
     TN_PARSED(struct tn_launch, quirks, add_quirk)},
    {"delay", 0, "CALL:TIME",
     "Make a call of the back-end take longer, such as map:2ms; may be repeated",
     TN_PARSED(struct tn_launch, delays, add_spec)},
    {"log", 'l', NULL, "Write each failing call and the reason to standard error",
     TN_FLAG(struct tn_launch, log)},
    {0},
};

static bool check_face_spec(const struct tn_fail_spec *spec, char *why, size_t room) {
    const struct tn_face *face = tn_face_of_function(spec->name);
    bool known = face != NULL && (spec->as[0] == '\0' || face->has_error(spec->as));
    if (face == NULL)
        (void)snprintf(why, room, "fail: \"%s\": \"%s\": no face has this function", spec->text,
                       spec->name);
    else if (!known)
        (void)snprintf(why, room, "fail: \"%s\": \"as=%s\": %s has no such error", spec->text,
                       spec->as, face->text);
    return known;
}

// Names of faces are looked up in the faces' libraries, so that a typing error is found before the
// program starts. `why` receives the reason.
static bool check_faults(const char *specs, char *why, size_t room) {
    static struct tn_fail_set set;
    tarn_status status = tn_fail_parse(specs, &tn_fail_process, &set);
    if (status != TARN_OK) {
        (void)snprintf(why, room, "%s", tn_text_of(status));
        return false;
    }
    for (unsigned i = 0; i < set.count; i++)
        if (set.specs[i].face && !check_face_spec(&set.specs[i], why, room)) return false;
    return true;
}

// Returns false with the reason if the list is wrong.
static bool check_list(const char *specs, const struct tn_fail_grammar *grammar, char *why,
                       size_t room) {
    static struct tn_fail_set set;
    tarn_status status = tn_fail_parse(specs, grammar, &set);
    if (status != TARN_OK) (void)snprintf(why, room, "%s", tn_text_of(status));
    return status == TARN_OK;
}

// Opens a device in a process of its own, because opening reads variables once, and a tool of the environment
// must not get into this command. `plain` ignores the variables of Tarn. Returns false with the reason in
// `why` if the configuration is wrong.
static bool try_device(const char *uri, bool plain, char *why, size_t room) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return true; // the program tells
    pid_t child = fork();
    if (child == 0) {
        tarn_device *device = NULL;
        (void)unsetenv("MSTX_INJECTION_PATH");
        (void)unsetenv("NVTX_INJECTION64_PATH");
        (void)unsetenv("TARN_FAIL"); // no call of this command is to fail
        for (char **at = environ; plain && *at != NULL;) {
            char name[64];
            bool own = strncmp(*at, "TARN_", 5) == 0 && strcspn(*at, "=") < sizeof name;
            if (own) (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(*at, "="), *at);
            at = own && unsetenv(name) == 0 ? environ : at + 1;
        }
        tarn_status opened = tarn_device_open(uri, &device);
        const char *text = opened == TARN_BAD_CONFIG ? tn_text_of(opened) : "";
        (void)!write(ends[1], text, strlen(text));
        _exit(0);
    }
    (void)close(ends[1]);
    ssize_t length = child > 0 ? read(ends[0], why, room - 1) : 0;
    why[length > 0 ? length : 0] = '\0';
    (void)close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return length <= 0;
}

// A card is not opened: it may be one that only the program is to use.
static bool check_device(const char *uri, char *why, size_t room) {
    bool soft = uri != NULL && (strncmp(uri, "host:", 5) == 0 || strncmp(uri, "sim:", 4) == 0);
    return !soft || try_device(uri, true, why, room);
}

// Reports a setting that none of the faces has, which would otherwise be ignored silently.
static error_t check_launch(int key, char *text, struct argp_state *state, void *input) {
    const struct tn_launch *launch = (const struct tn_launch *)input;
    bool level = launch->level == NULL, sparse = !launch->sparse;
    bool platform = launch->device == NULL || launch->face_count == 0;
    char why[512];
    (void)text;
    if (key != ARGP_KEY_END) return ARGP_ERR_UNKNOWN;
    for (size_t i = 0; i < launch->face_count; i++) {
        const struct tn_face *face = launch->faces[i];
        level = level || tn_face_has_level(face, launch->level);
        sparse = sparse || face->sparse;
        platform = platform || face->platform;
    }
    if (!level) argp_error(state, "--compat=%s is not a level of these faces", launch->level);
    if (!sparse) argp_error(state, "--sparse: these faces have no sparse arrays");
    if (!platform) argp_error(state, "--device: these faces show no platform");
    if (!check_faults(launch->fail, why, sizeof why) ||
        !check_list(launch->quirks, &tn_quirk_grammar, why, sizeof why) ||
        !check_list(launch->delays, &tn_delay_grammar, why, sizeof why))
        argp_error(state, "%s", why);
    if (!check_device(launch->device, why, sizeof why)) argp_error(state, "--device: %s", why);
    return 0;
}

const struct tn_arg_table tn_launch_options = {rows, check_launch};

static bool set_list(const char *variable, const char *list) {
    return *list == '\0' || setenv(variable, list, 1) == 0;
}

bool tn_launch_refuse(void) {
    int error = errno;
    (void)tn_complain("%s", strerror(error));
    if (error == ENOMEM) exit(tn_arguments_no_memory());
    return false;
}

// Adds the folder of a face, and before it that of the level's own libraries, if there is one.
static bool prepend_folders(const char *folder, const char *level) {
    char own[PATH_MAX];
    if (!tn_library_prepend("LD_LIBRARY_PATH", folder, strlen(folder))) return false;
    int length = level != NULL ? snprintf(own, sizeof own, "%s/%s", folder, level) : 0;
    return length <= 0 || length >= (int)sizeof own || access(own, F_OK) != 0 ||
           tn_library_prepend("LD_LIBRARY_PATH", own, (size_t)length);
}

static bool knows_device(const char *variable) {
    const char *name = tn_variable_text(variable);
    return name == NULL || tn_face_device_known(name, variable);
}

// A bad variable of the environment is found before the program runs.
static bool check_variables(const struct tn_launch *launch) {
    char why[512];
    const char *failures = tn_variable_text("TARN_FAIL");
    if (failures != NULL && !check_faults(failures, why, sizeof why))
        return tn_complain("environment variable TARN_FAIL: %s", why);
    bool good = try_device("sim:0", false, why, sizeof why); // the library checks its variables
    for (size_t i = 0; i < launch->face_count && good; i++)
        good = tn_variables_check(launch->faces[i]->name, why, sizeof why);
    if (!good) return tn_complain("%s", why);
    for (size_t i = 0; i < launch->face_count && good; i++)
        good = knows_device(tn_face_variable(launch->faces[i], "DEVICE"));
    return good && knows_device("TARN_DEVICE");
}

// ---- the machine

static bool is_private; // the machine is this command's own

bool tn_launch_renew_machine(void) {
    uint64_t random;
    char name[48];
    if (!is_private) return true;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    (void)snprintf(name, sizeof name, "run-%d-%016" PRIx64, (int)getpid(), random);
    return setenv("TARN_MACHINE", name, 1) == 0;
}

static bool set_machine(const char *name) {
    is_private = name == NULL && tn_variable_text("TARN_MACHINE") == NULL;
    return name != NULL ? setenv("TARN_MACHINE", name, 1) == 0 : tn_launch_renew_machine();
}

// In reverse order, so that the first face comes first.
bool tn_launch_prepare(const struct tn_launch *launch) {
    char folder[PATH_MAX];
    if (!check_variables(launch)) return false; // those of the user, not those of the options
    for (size_t i = launch->face_count; i-- > 0;) {
        const struct tn_face *face = launch->faces[i];
        const char *level = tn_face_has_level(face, launch->level) ? launch->level : NULL;
        if (!tn_face_folder(face, folder))
            return tn_complain("%s is not in %s", face->library, folder);
        if (face->preloaded && !tn_preload_allows(*launch->command)) return false;
        if (!prepend_folders(folder, level) ||
            (face->preloaded && !tn_preload_face(face, folder, level, *launch->command)) ||
            !tn_face_set(face, "DEVICE", face->platform ? launch->device : NULL) ||
            !tn_face_set(face, face->level_setting, level) ||
            !tn_face_set(face, "SPARSE", launch->sparse && face->sparse ? "1" : NULL) ||
            !tn_face_set(face, "LOG", launch->log ? "1" : NULL))
            return tn_launch_refuse();
    }
    if (launch->log && tn_variable_text("TARN_LOG") == NULL && setenv("TARN_LOG", "error", 1) != 0)
        return tn_launch_refuse();
    if (!set_list("TARN_FAIL", launch->fail) || !set_list("TARN_QUIRK", launch->quirks) ||
        !set_list("TARN_DELAY", launch->delays) || !set_machine(launch->machine))
        return tn_launch_refuse();
    return launch->device == NULL || tn_face_device_known(launch->device, NULL);
}

// ---- warnings: reasons why a face has no effect

// Warns of a library that an element of the RPATH, `length` bytes, leads to. The dynamic linker
// replaces $ORIGIN by the program's folder.
static void warn_of_element(const char *library, const char *program, const char *element,
                            size_t length) {
    const char *slash = strrchr(program, '/');
    char path[PATH_MAX];
    size_t skip = strncmp(element, "$ORIGIN", 7) == 0     ? 7
                  : strncmp(element, "${ORIGIN}", 9) == 0 ? 9
                                                          : 0;
    int folder = skip > 0 && slash != NULL ? (int)(slash - program) : 0;
    (void)snprintf(path, sizeof path, "%.*s%.*s/%s", folder, program, (int)(length - skip),
                   element + skip, library);
    if (access(path, R_OK) == 0)
        fprintf(stderr, "tarn: warning: the RPATH of %s leads to %s, which it will load\n", program,
                path);
}

static void warn_of_image(const struct tn_launch *launch, const char *program) {
    struct tn_image image;
    if (!tn_image_open(&image, program)) return; // a file that the kernel refuses
    const char *needed, *rpath = tn_image_text(&image, DT_RPATH, 0);
    bool overruled = tn_image_text(&image, DT_RUNPATH, 0) != NULL;
    for (size_t i = 0; i < launch->face_count; i++) {
        const struct tn_face *face = launch->faces[i];
        const char *first = face->library;
        for (const char *rest = rpath;
             rest != NULL && !overruled && !face->preloaded && *rest != '\0';) {
            size_t length = strcspn(rest, ":");
            for (const char *library = first; *library != '\0';
                 library = tn_face_next_library(library))
                warn_of_element(library, program, rest, length);
            rest += length + (rest[length] == ':');
        }
        // Another number after "libamdhip64.so." means another interface.
        for (unsigned nth = 0; (needed = tn_image_text(&image, DT_NEEDED, nth)) != NULL; nth++) {
            if (tn_face_of_library(needed) != face || tn_face_has_library(face, needed)) continue;
            const char *library = first;
            while (strncmp(needed, library, tn_face_library_stem(library)) != 0)
                library = tn_face_next_library(library);
            fprintf(stderr, "tarn: warning: %s needs %s, which is not %s\n", program, needed,
                    library);
        }
    }
    tn_image_close(&image);
}

int tn_launch_exec(const struct tn_launch *launch) {
    char path[PATH_MAX], reason[PATH_MAX + 256];
    if (tn_program_locate(*launch->command, path)) {
        if (tn_program_is_closed(path, reason, sizeof reason))
            (void)tn_complain("warning: %s", reason);
        warn_of_image(launch, path);
    }
    (void)fflush(NULL);
    (void)execvp(*launch->command, launch->command);
    int error = errno;
    (void)tn_complain("%s: %s", *launch->command, strerror(error));
    return error == ENOENT ? TN_LAUNCH_NOT_FOUND : TN_LAUNCH_NOT_RUNNABLE;
}
