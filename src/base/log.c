// SPDX-License-Identifier: Apache-2.0
// See log.h. The file is opened for each line, so that the log keeps no descriptor, which the program
// could close or redirect, and so that a child of fork() writes to its own file.
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/error.h"
#include "base/launcher.h"
#include "base/named_file.h"
#include "base/printable.h"
#include "base/variable.h"

enum { REPORTED = 8, TEXT = 1024, LINE = 9 * TEXT }; // a record of HiAI is 8 KiB

static struct {
    pthread_once_t once;
    const char *variable; // of a face; NULL: TARN_LOG
    int level;
    char path[PATH_MAX]; // absolute, with %p; "": standard error
    bool is_started;     // by a command of Tarn
    _Atomic int reports;
} log_state = {.once = PTHREAD_ONCE_INIT};

// ---- the variable

// A relative path belongs to the folder in which the process begins. A bad value is refused by the call
// that opens the devices.
static void read_variable(void) {
    const char *text = log_state.variable != NULL ? tn_variable_text(log_state.variable) : NULL;
    char folder[PATH_MAX] = "";
    log_state.is_started = tn_variable_text(TN_LAUNCHER_VARIABLE) != NULL;
    if (text == NULL) text = tn_variable_text("TARN_LOG");
    if (text == NULL || !tn_variable_read_level(text, &log_state.level)) return;
    const char *path = strchr(text, ':');
    if (path == NULL) return;
    path++;
    bool is_whole = *path == '/' || getcwd(folder, sizeof folder) == NULL;
    int length = snprintf(log_state.path, sizeof log_state.path, "%s%s%s", is_whole ? "" : folder,
                          is_whole ? "" : "/", path);
    if (length >= (int)sizeof log_state.path) log_state.path[0] = '\0';
}

void tn_log_use(const char *variable) { log_state.variable = variable; }

enum tn_log_level tn_log_level(void) {
    (void)pthread_once(&log_state.once, read_variable);
    return (enum tn_log_level)log_state.level;
}

// ---- lines

// Replaces each %p by the pid. Returns false if the path is too long.
static bool expand_path(char path[PATH_MAX]) {
    size_t used = 0;
    for (const char *at = log_state.path; *at != '\0'; at++) {
        bool is_pid = at[0] == '%' && at[1] == 'p';
        int length = is_pid ? snprintf(path + used, PATH_MAX - used, "%d", (int)getpid())
                            : snprintf(path + used, PATH_MAX - used, "%c", *at);
        used += (size_t)length;
        at += is_pid;
        if (used >= PATH_MAX) return false;
    }
    path[used] = '\0';
    return true;
}

// A file that cannot be opened leaves the line to standard error.
void tn_log_write(const char *text) {
    char line[LINE + 1], path[PATH_MAX];
    int error = errno, file = -1;
    tn_printable_copy(text, line, LINE);
    size_t bytes = strlen(line);
    line[bytes++] = '\n';
    bool is_own = log_state.path[0] != '\0' && expand_path(path) &&
                  tn_named_file_open(path, O_WRONLY | O_CREAT | O_APPEND, &file) == 0;
    (void)!write(is_own ? file : STDERR_FILENO, line, bytes);
    if (is_own) (void)close(file);
    errno = error;
}

void tn_log_line(enum tn_log_level level, const char *format, ...) {
    char text[TEXT] = "tarn: ";
    va_list arguments;
    if (level > tn_log_level()) return;
    va_start(arguments, format);
    (void)vsnprintf(text + strlen(text), sizeof text - strlen(text), format, arguments);
    va_end(arguments);
    tn_log_write(text);
}

void tn_log_variables(const char *owner) {
    static _Atomic bool shown[TN_VARIABLE_COUNT];
    const char *text;
    if (tn_log_level() < TN_LOG_INFO) return;
    for (unsigned i = 0; i < TN_VARIABLE_COUNT; i++)
        if (strcmp(tn_variable_at(i)->owner, owner) == 0 &&
            (text = tn_variable_text(tn_variable_at(i)->name)) != NULL &&
            !tn_exchange_relaxed(&shown[i], true))
            tn_log_line(TN_LOG_INFO, "info: %s=%s", tn_variable_at(i)->name, text);
}

// The first failures of a process are reported to the command, which shows them if nothing succeeded.
void tn_log_failure(const char *function, const char *error, const char *reason) {
    char text[TN_LAUNCHER_MESSAGE - 1];
    tn_log_line(TN_LOG_ERROR, "%s: %s: %s", function, error, reason);
    if (!log_state.is_started || tn_load_relaxed(&log_state.reports) >= REPORTED ||
        tn_add_relaxed(&log_state.reports, 1) >= REPORTED)
        return;
    (void)snprintf(text, sizeof text, "%s: %s: %s", function, error, reason);
    tn_launcher_refused(tn_variable_text(TN_LAUNCHER_VARIABLE), text);
}

void tn_log_refusal(const char *reason) {
    static _Atomic bool written;
    if (tn_log_level() == TN_LOG_OFF && !tn_exchange_relaxed(&written, true)) {
        char text[TEXT];
        (void)snprintf(text, sizeof text, "tarn: %s", reason);
        tn_log_write(text);
    }
}

void tn_log_opened(void) {
    tn_launcher_report(tn_variable_text(TN_LAUNCHER_VARIABLE), TN_LAUNCHER_OPENED);
}

tarn_status tn_log_call(const char *function, tarn_status status) {
    tarn_error error;
    if (log_state.variable != NULL) return status;
    (void)tarn_last_error(&error);
    tn_log_failure(function, tarn_status_name(status),
                   error.status == status ? error.message : tarn_status_text(status));
    return status;
}
