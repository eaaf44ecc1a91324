// SPDX-License-Identifier: Apache-2.0
// See run.h. A signal that ends this process ends the compiler too, and the folder is removed.
#include "tools/hipcc/run.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/grow.h"
#include "tools/arguments.h"
#include "tools/command.h"

extern char **environ;

static char folder[PATH_MAX];
static volatile sig_atomic_t child, ended_by;

static int fail(const char *what) {
    int error = errno;
    (void)tn_complain("%s: %s", what, strerror(error));
    if (error == ENOMEM) exit(tn_arguments_no_memory());
    return TN_EXIT_FAILED;
}

// ---- the folder

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void) { (void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }

char *tn_hipcc_temporary(const char *name) {
    if (folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        int length = snprintf(folder, sizeof folder, "%s/tarn-hipcc-XXXXXX",
                              base != NULL && *base != '\0' ? base : "/tmp");
        if (length >= (int)sizeof folder || mkdtemp(folder) == NULL) exit(fail(folder));
        (void)atexit(remove_folder);
    }
    return tn_hipcc_text("%s/%s", folder, name);
}

bool tn_hipcc_save(const char *path, const char *text, size_t bytes) {
    FILE *file = fopen(path, "w");
    bool is_written = file != NULL && fwrite(text, 1, bytes, file) == bytes;
    is_written = file != NULL && fclose(file) == 0 && is_written;
    if (!is_written) (void)fail(path);
    return is_written;
}

// ---- commands

static void print_command(const struct tn_hipcc_words *command) {
    for (size_t i = 0; i < command->count; i++) fprintf(stderr, " \"%s\"", command->all[i]);
    fputc('\n', stderr);
}

static void pass_on(int number) {
    ended_by = number;
    if (child > 0) (void)kill((pid_t)child, SIGTERM);
}

static void watch_signals(void) {
    const struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        (void)sigaction(passed[i], &action, NULL);
}

// Receives until the end, and closes the descriptor.
static bool read_all(int descriptor, char **output, size_t *bytes) {
    size_t room = 0;
    ssize_t got = 1;
    *output = NULL;
    *bytes = 0;
    while (got > 0) {
        char *grown = (char *)tn_grow(*output, &room, *bytes + 65536, 1);
        if (grown == NULL) tn_hipcc_no_memory();
        *output = grown;
        got = read(descriptor, grown + *bytes, room - *bytes);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            *bytes += (size_t)got;
    }
    (void)close(descriptor);
    return got == 0;
}

static int wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return fail("waitpid");
    child = 0;
    if (ended_by != 0) {
        remove_folder();
        (void)signal(ended_by, SIG_DFL);
        (void)raise(ended_by);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int tn_hipcc_run(const struct tn_hipcc_words *command, bool is_dry, bool is_verbose, char **output,
                 size_t *bytes) {
    posix_spawn_file_actions_t actions;
    int pipes[2] = {-1, -1};
    pid_t process;
    if (is_verbose) print_command(command);
    if (is_dry) return 0;
    watch_signals();
    (void)fflush(NULL);
    if (output != NULL && pipe(pipes) != 0) return fail("pipe");
    if ((errno = posix_spawn_file_actions_init(&actions)) != 0) return fail("posix_spawn");
    if (output != NULL) {
        (void)posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
        (void)posix_spawn_file_actions_addclose(&actions, pipes[0]);
        (void)posix_spawn_file_actions_addclose(&actions, pipes[1]);
    }
    errno = posix_spawnp(&process, command->all[0], &actions, NULL, command->all, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (pipes[1] >= 0) (void)close(pipes[1]);
    if (errno != 0) return fail(command->all[0]);
    child = process;
    bool is_read = output == NULL || read_all(pipes[0], output, bytes);
    int status = wait_for(process);
    return is_read ? status : fail("the output of the preprocessor");
}
