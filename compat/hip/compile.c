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

// Returns the environment for the compiler, or NULL without host memory.
static char **copy_environment(void) {
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) count++;
    char **copy = (char **)calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0) copy[kept++] = environ[i];
    return copy;
}

// Runs the driver with its messages in the file `log`. Returns 0, or the error of the start.
static int run_driver(char *const *words, const char *log) {
    posix_spawn_file_actions_t actions;
    char **environment = copy_environment();
    pid_t process = -1;
    int status;
    int error = environment != NULL ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (error == 0) {
        (void)posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC,
                                               0600);
        (void)posix_spawn_file_actions_adddup2(&actions, 2, 1);
        error = posix_spawnp(&process, words[0], &actions, NULL, words, environment);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    free((void *)environment);
    // A program that ignores its children has no status for this one: the output tells then.
    while (error == 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    return error;
}

static char *print_failure(const char *driver, int error) {
    char *log = NULL;
    if (asprintf(&log, "error: %s: %s\n", driver, strerror(error)) < 0) return NULL;
    return log;
}

// Runs the driver for the files in the folder.
static int compile_files(const char *folder, const struct tn_hip_compilation *compilation,
                         char driver[PATH_MAX]) {
    char source[PATH_MAX], output[PATH_MAX], log[PATH_MAX];
    (void)snprintf(source, sizeof source, "%s/program.hip", folder);
    (void)snprintf(output, sizeof output, "%s/program.co", folder);
    (void)snprintf(log, sizeof log, "%s/log", folder);
    const char *const own[] = {
        "--genco", "-include", "hip/hip_runtime.h", "-I", folder, "-x", "hip", source,
        "-o",      output};
    enum { OWN = sizeof own / sizeof *own };
    static char races[] = "--kernel-races";
    const char *wanted = getenv("TARN_HIP_KERNEL_RACES"); // no call of HIP has read it yet
    char **words = (char **)calloc(compilation->option_count + OWN + 3, sizeof *words);
    size_t count = 0;
    if (words == NULL) return ENOMEM;
    find_driver(driver);
    words[count++] = driver;
    for (size_t i = 0; i < compilation->option_count; i++)
        words[count++] = (char *)(uintptr_t)compilation->options[i];
    if (wanted != NULL && strcmp(wanted, "1") == 0) words[count++] = races;
    for (size_t i = 0; i < OWN; i++) words[count++] = (char *)(uintptr_t)own[i];
    int error = run_driver(words, log);
    free((void *)words);
    return error;
}

static bool compile_in(const char *folder, struct tn_hip_compilation *compilation) {
    char driver[PATH_MAX], path[PATH_MAX];
    size_t bytes;
    (void)snprintf(path, sizeof path, "%s/program.hip", folder);
    bool is_ready = write_file(path, compilation->source);
    for (size_t i = 0; i < compilation->header_count && is_ready; i++)
        is_ready = write_header(folder, &compilation->headers[i]);
    if (!is_ready) {
        compilation->log = print_failure(path, errno);
        return false;
    }
    int error = compile_files(folder, compilation, driver);
    (void)snprintf(path, sizeof path, "%s/log", folder);
    compilation->log = error != 0 ? print_failure(driver, error) : read_file(path, &bytes);
    (void)snprintf(path, sizeof path, "%s/program.co", folder);
    if (error == 0) compilation->code = read_file(path, &compilation->code_bytes);
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
        compilation->log = print_failure(folder, errno);
        return false;
    }
    bool is_compiled = compile_in(folder, compilation);
    (void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return is_compiled;
}
