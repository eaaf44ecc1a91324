// SPDX-License-Identifier: Apache-2.0
// Opens and writes a file that the user names for reports; see output.h.
#include "check/report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/printable.h"

static bool is_standard(const struct tn_check_output *output) {
    return strcmp(output->path, "-") == 0;
}

// Returns false, so that a caller can return the result.
static bool fail_output(struct tn_check_output *output, const char *reason) {
    char line[1024], path[600];
    tn_printable_copy(output->path, path, sizeof path);
    int length =
        snprintf(line, sizeof line, "tarn check: --%s %s: %s\n", output->option, path, reason);
    if (!(is_standard(output) && output->standard == STDERR_FILENO) && length > 0)
        (void)!write(STDERR_FILENO, line,
                     (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
    if (output->file > STDERR_FILENO) (void)close(output->file);
    output->file = -1;
    output->failed = true;
    return false;
}

// Replaces each %p by the pid. Returns false if the path is too long.
static bool expand_path(const char *pattern, int pid, char *path, size_t room) {
    size_t used = 0;
    while (*pattern != '\0') {
        bool is_pid = pattern[0] == '%' && pattern[1] == 'p';
        int length = is_pid ? snprintf(path + used, room - used, "%d", pid)
                            : snprintf(path + used, room - used, "%c", *pattern);
        if (length < 0 || (size_t)length >= room - used) return false;
        used += (size_t)length;
        pattern += is_pid ? 2 : 1;
    }
    path[used] = '\0';
    return true;
}

// A FIFO without a reader refuses a writer that does not wait, so the call is repeated.
static int open_path(const char *path, int flags) {
    const struct timespec pause = {0, 10000000};
    int file = -1;
    for (int i = 0; i < TN_CHECK_OUTPUT_SECONDS * 100; i++) {
        int failure =
            tn_named_file_open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | flags, &file);
        if (failure != ENXIO && failure != EINTR) {
            errno = failure;
            return file;
        }
        (void)nanosleep(&pause, NULL);
    }
    errno = ENXIO;
    return -1;
}

static bool open_output(struct tn_check_output *output, int pid, int flags) {
    struct stat status;
    char path[600];
    if (is_standard(output)) {
        output->file = output->standard;
        return true;
    }
    if (!expand_path(output->path, pid, path, sizeof path))
        return fail_output(output, strerror(ENAMETOOLONG));
    output->file = open_path(path, flags);
    output->pid = pid;
    if (output->file < 0 || fstat(output->file, &status) != 0)
        return fail_output(output,
                           errno == ENXIO ? "no process reads it" : tn_named_file_error(errno));
    output->device = status.st_dev;
    output->inode = status.st_ino;
    return true;
}

bool tn_check_output_start(struct tn_check_output *output) {
    bool known = *output->path != '\0' && strstr(output->path, "%p") == NULL;
    return !known || open_output(output, 0, O_TRUNC);
}

// Returns 0, or the reason as an error number.
static int write_bytes(int file, const char *data, size_t bytes) {
    while (bytes > 0) {
        struct pollfd wanted = {.fd = file, .events = POLLOUT};
        ssize_t written = write(file, data, bytes);
        if (written > 0) {
            data += written;
            bytes -= (size_t)written;
        } else if (written == 0) {
            return EIO;
        } else if (errno == EAGAIN) {
            if (poll(&wanted, 1, TN_CHECK_OUTPUT_SECONDS * 1000) == 0) return ETIMEDOUT;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

// A SIGPIPE or SIGXFSZ of this write is consumed, unless the process has blocked and received one
// before.
static int write_without_signals(int file, const char *data, size_t bytes) {
    const struct timespec none = {0, 0};
    sigset_t both, old, before, raised;
    (void)sigemptyset(&both);
    (void)sigaddset(&both, SIGPIPE);
    (void)sigaddset(&both, SIGXFSZ);
    (void)sigpending(&before);
    (void)pthread_sigmask(SIG_BLOCK, &both, &old);
    int error = write_bytes(file, data, bytes);
    int number = error == EPIPE ? SIGPIPE : SIGXFSZ;
    if ((error == EPIPE || error == EFBIG) && !sigismember(&before, number)) {
        (void)sigemptyset(&raised);
        (void)sigaddset(&raised, number);
        (void)sigtimedwait(&raised, NULL, &none);
    }
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

// Forgets the descriptor if the program has closed it, because it may be another file now. Closes
// it if it is the file of another process.
static void check_descriptor(struct tn_check_output *output, int pid) {
    struct stat status;
    if (output->file <= STDERR_FILENO) return;
    bool ours = fstat(output->file, &status) == 0 && status.st_dev == output->device &&
                status.st_ino == output->inode;
    if (ours && (output->pid == pid || strstr(output->path, "%p") == NULL)) return;
    if (ours) (void)close(output->file);
    output->file = -1;
}

bool tn_check_output_write(struct tn_check_output *output, int pid, const char *data,
                           size_t bytes) {
    if (*output->path == '\0' || output->failed || bytes == 0) return !output->failed;
    check_descriptor(output, pid);
    if (output->file < 0 && !open_output(output, pid, 0)) return false;
    int error = write_without_signals(output->file, data, bytes);
    return error == 0 || fail_output(output, strerror(error));
}

bool tn_check_output_close(struct tn_check_output *output) {
    int file = output->file;
    output->file = -1;
    if (file > STDERR_FILENO && close(file) != 0) return fail_output(output, strerror(errno));
    return !output->failed;
}
