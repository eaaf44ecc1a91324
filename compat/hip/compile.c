// SPDX-License-Identifier: Apache-2.0
// See compile.h. The compiler gets the program's environment without LD_PRELOAD, which would check or record the
// compiler.
#include "compat/hip/compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/face/uncancelled.h"
#include "compat/face/variable.h"

extern char **environ;

// ---- files

static bool write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    if (file == NULL) return false;
    bool is_written = fputs(text, file) >= 0;
    return fclose(file) == 0 && is_written;
}

// Returns the contents with a zero behind them, or NULL.
static char *read_file(const char *path, size_t *bytes) {
    struct stat info;
    FILE *file = fopen(path, "re");
    if (file == NULL) return NULL;
    char *text = fstat(fileno(file), &info) == 0 ? (char *)malloc((size_t)info.st_size + 1) : NULL;
    *bytes = text != NULL ? fread(text, 1, (size_t)info.st_size, file) : 0;
    if (text != NULL) text[*bytes] = '\0';
    (void)fclose(file);
    return text;
}

// Writes a header below the folder. Its name may have folders, but none above.
static bool write_header(const char *folder, const struct tn_hip_text *header) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, header->name);
    errno = EINVAL;
    if (length >= (int)sizeof path || strstr(header->name, "..") != NULL) return false;
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
        *at = '/';
    }
    return write_file(path, header->text);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info, (void)kind, (void)place;
    return remove(path);
}

// ---- the compiler

// Finds the driver: TARN_HIPCC, or the one that was installed or built with this library, or one in PATH.
static void find_driver(char path[PATH_MAX]) {
    static const char *const ways[] = {"../../../bin", "../../../../bin"};
    const char *wanted = getenv("TARN_HIPCC");
    Dl_info own;
    (void)snprintf(path, PATH_MAX, "%s", wanted != NULL ? wanted : "tarn-hipcc");
    if (wanted != NULL || dladdr((const void *)(uintptr_t)&tn_hip_compile, &own) == 0) return;
    int folder = (int)(strrchr(own.dli_fname, '/') - own.dli_fname);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char found[PATH_MAX];
        int length =
            snprintf(found, sizeof found, "%.*s/%s/tarn-hipcc", folder, own.dli_fname, ways[i]);
        if (length >= (int)sizeof found || access(found, X_OK) != 0) continue;
        memcpy(path, found, sizeof found);
        return;
    }
}

// Returns the environment for the compiler, whose files between steps lie in the folder; or NULL without host
// memory.
static char **copy_environment(char *folder) {
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) count++;
    char **copy = (char **)calloc(count + 2, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0 && strncmp(environ[i], "TMPDIR=", 7) != 0)
            copy[kept++] = environ[i];
    if (copy != NULL) copy[kept] = folder;
    return copy;
}

// Runs the driver with its messages in the file `log`. Returns 0, or the error of the start. A program that
// ignores its children has no status for this one: then it is 0, and the output tells.
static int run_driver(char *const *words, const char *folder, const char *log, int *status) {
    char variable[PATH_MAX];
    (void)snprintf(variable, sizeof variable, "TMPDIR=%s", folder);
    posix_spawn_file_actions_t actions;
    char **environment = copy_environment(variable);
    pid_t process = -1;
    int error = environment != NULL ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    *status = 0;
    if (error == 0) {
        (void)posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC,
                                               0600);
        (void)posix_spawn_file_actions_adddup2(&actions, 2, 1);
        error = posix_spawnp(&process, words[0], &actions, NULL, words, environment);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    free((void *)environment);
    while (error == 0 && waitpid(process, status, 0) < 0 && errno == EINTR) continue;
    return error;
}

static char *print_failure(const char *before, const char *what, const char *why) {
    char *log = NULL;
    if (asprintf(&log, "%serror: %s: %s\n", before, what, why) < 0) return NULL;
    return log;
}

// Runs the driver for the files in the folder.
static int compile_files(const char *folder, const struct tn_hip_compilation *compilation,
                         char driver[PATH_MAX], int *status) {
    char source[PATH_MAX], output[PATH_MAX], log[PATH_MAX];
    (void)snprintf(source, sizeof source, "%s/program.hip", folder);
    (void)snprintf(output, sizeof output, "%s/program.co", folder);
    (void)snprintf(log, sizeof log, "%s/log", folder);
    const char *const own[] = {
        "--genco", "-include", "hip/hip_runtime.h", "-I", folder, "-x", "hip", source,
        "-o",      output};
    enum { OWN = sizeof own / sizeof *own };
    static char races[] = "--kernel-races";
    char **words = (char **)calloc(compilation->option_count + OWN + 3, sizeof *words);
    size_t count = 0;
    if (words == NULL) return ENOMEM;
    find_driver(driver);
    words[count++] = driver;
    for (size_t i = 0; i < compilation->option_count; i++)
        words[count++] = (char *)(uintptr_t)compilation->options[i];
    // No call of HIP may have read it yet.
    if (tn_variable_value("TARN_HIP_KERNEL_RACES", 0) != 0) words[count++] = races;
    for (size_t i = 0; i < OWN; i++) words[count++] = (char *)(uintptr_t)own[i];
    int error = run_driver(words, folder, log, status);
    free((void *)words);
    return error;
}

static bool compile_in(const char *folder, struct tn_hip_compilation *compilation) {
    char driver[PATH_MAX], path[PATH_MAX];
    size_t bytes;
    int status;
    (void)snprintf(path, sizeof path, "%s/program.hip", folder);
    const char *unwritten = write_file(path, compilation->source) ? NULL : path;
    for (size_t i = 0; i < compilation->header_count && unwritten == NULL; i++)
        if (!write_header(folder, &compilation->headers[i]))
            unwritten = compilation->headers[i].name;
    int error = unwritten != NULL ? errno : compile_files(folder, compilation, driver, &status);
    if (error != 0) {
        compilation->log =
            print_failure("", unwritten != NULL ? unwritten : driver, strerror(error));
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/log", folder);
    compilation->log = read_file(path, &bytes);
    if (WIFSIGNALED(status) && compilation->log != NULL) {
        char *messages = compilation->log;
        compilation->log = print_failure(messages, driver, strsignal(WTERMSIG(status)));
        free(messages);
    }
    (void)snprintf(path, sizeof path, "%s/program.co", folder);
    if (status == 0) compilation->code = read_file(path, &compilation->code_bytes);
    return compilation->code != NULL && compilation->code_bytes > 0;
}

bool tn_hip_compile(struct tn_hip_compilation *compilation) {
    TN_UNCANCELLED;
    const char *base = getenv("TMPDIR");
    char folder[256];
    int length = snprintf(folder, sizeof folder, "%s/tarn-hiprtc-XXXXXX",
                          base != NULL && *base != '\0' ? base : "/tmp");
    compilation->log = compilation->code = NULL;
    if (length >= (int)sizeof folder || mkdtemp(folder) == NULL) {
        compilation->log = print_failure("", folder, strerror(errno));
        return false;
    }
    bool is_compiled = compile_in(folder, compilation);
    (void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return is_compiled;
}
