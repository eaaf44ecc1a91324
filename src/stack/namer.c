// SPDX-License-Identifier: Apache-2.0
// Starts tarn-symbols at the first question, and asks it; see namer.h. The process keeps one socket,
// which ends tarn-symbols when it is closed.
#include "stack/namer.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/uncancelled.h"

enum {
    FAILURES_MAX = 8,   // after as many there are no more questions
    SECONDS = 30,       // longest wait for an answer; large files take seconds to read
    STACK_BYTES = 65536 // of the process that starts the program
};

static struct {
    pthread_mutex_t lock;
    char program[TN_NAMER_PATH];
    int file;     // the socket, or -1
    pid_t owner;  // the process that opened it; a forked child opens another
    dev_t device; // of the socket, to recognise it
    ino_t inode;
    unsigned failures;
    char answer[TN_NAMER_ANSWER + 1];
} namer = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

// ---- the program

void tn_namer_use(const char *program) {
    (void)pthread_mutex_lock(&namer.lock);
    (void)snprintf(namer.program, sizeof namer.program, "%s", program);
    (void)pthread_mutex_unlock(&namer.lock);
}

static bool find_program(void) {
    Dl_info own;
    if (namer.program[0] != '\0') return true;
    const char *slash =
        dladdr(&namer, &own) == 0 || own.dli_fname == NULL ? NULL : strrchr(own.dli_fname, '/');
    if (slash == NULL) return false;
    int length = snprintf(namer.program, sizeof namer.program, "%.*s/../check/%s",
                          (int)(slash - own.dli_fname), own.dli_fname, TN_NAMER_PROGRAM);
    return length > 0 && (size_t)length < sizeof namer.program;
}

struct start {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error;
};

// In a process of its own that shares the memory of the caller, which waits. The environment is
// empty, because that of the user preloads libraries.
static int start_program(void *argument) {
    struct start *start = (struct start *)argument;
    char name[] = TN_NAMER_PROGRAM;
    char *const arguments[] = {name, NULL};
    char *const environment[] = {NULL};
    pid_t pid;
    start->error = posix_spawn(&pid, namer.program, &start->actions, &start->attributes, arguments,
                               environment);
    return 0;
}

// The C library's own name of clone(). ThreadSanitizer replaces clone(), and supposes that the new
// process has memory of its own.
extern int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);

// The program must not become a child of this process, whose wait() would then return or wait for
// it. So it is the child of a process that ends at once, and that sends no signal when it ends. A
// handler of this process must not run in that one, so signals are blocked.
static bool start_orphan(struct start *start) {
    static char stack[STACK_BYTES] __attribute__((aligned(16)));
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t pid = __clone(start_program, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, start);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (pid > 0 && waitpid(pid, NULL, (int)__WCLONE) < 0 && errno == EINTR) {
    }
    return pid > 0 && start->error == 0;
}

// A session of its own keeps signals of the terminal from the program.
static bool start_with(int input) {
    struct start start = {.error = ENOMEM};
    sigset_t none;
    if (posix_spawn_file_actions_init(&start.actions) != 0) return false;
    (void)sigemptyset(&none);
    (void)posix_spawnattr_init(&start.attributes);
    (void)posix_spawnattr_setsigmask(&start.attributes, &none);
    (void)posix_spawnattr_setflags(&start.attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    bool started = posix_spawn_file_actions_adddup2(&start.actions, input, STDIN_FILENO) == 0 &&
                   start_orphan(&start);
    (void)posix_spawnattr_destroy(&start.attributes);
    (void)posix_spawn_file_actions_destroy(&start.actions);
    return started;
}

// ---- the socket

static bool recognise(int file) {
    struct stat status;
    return file >= 0 && fstat(file, &status) == 0 && status.st_dev == namer.device &&
           status.st_ino == namer.inode;
}

// The program may have closed the socket, and its number may be another file now.
static void close_namer(void) {
    if (recognise(namer.file)) (void)close(namer.file);
    namer.file = -1;
}

// The numbers of the standard descriptors stay free where the program has closed them. Returns -1 if
// there is no other number.
static int leave_standard(int file) {
    int other = file;
    if (file <= STDERR_FILENO) {
        other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        (void)close(file);
    }
    return other;
}

static bool open_namer(void) {
    const struct timeval limit = {SECONDS, 0};
    struct stat status;
    int ends[2];
    if (!find_program() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    ends[0] = leave_standard(ends[0]);
    (void)setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    (void)setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    bool opened = fstat(ends[0], &status) == 0 && start_with(ends[1]);
    (void)close(ends[1]);
    if (!opened) {
        (void)close(ends[0]);
        return false;
    }
    namer.file = ends[0];
    namer.device = status.st_dev;
    namer.inode = status.st_ino;
    namer.owner = getpid();
    return true;
}

// ---- questions

static bool receive_bytes(void *data, size_t bytes) {
    char *to = (char *)data;
    while (bytes > 0) {
        ssize_t got = recv(namer.file, to, bytes, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            namer.failures += got < 0 && errno == EAGAIN ? FAILURES_MAX : 0;
            return false;
        }
        to += got > 0 ? got : 0;
        bytes -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool exchange(const char *path, uint64_t offset, struct tn_namer_answer *answer) {
    const struct tn_namer_question question = {.offset = offset,
                                               .path_bytes = (uint32_t)strlen(path) + 1};
    return tn_namer_send(namer.file, &question, sizeof question) &&
           tn_namer_send(namer.file, path, question.path_bytes) &&
           receive_bytes(answer, sizeof *answer) && answer->bytes <= TN_NAMER_ANSWER &&
           receive_bytes(namer.answer, answer->bytes);
}

// Asks a second time, because the first program may have been killed.
static bool ask(const char *path, uint64_t offset, struct tn_namer_answer *answer) {
    for (int i = 0; i < 2 && namer.failures < FAILURES_MAX; i++) {
        if (namer.file >= 0 && (namer.owner != getpid() || !recognise(namer.file))) close_namer();
        if ((namer.file >= 0 || open_namer()) && exchange(path, offset, answer)) return true;
        close_namer();
        namer.failures++;
    }
    return false;
}

// Returns the text, and goes behind it. There is a zero byte at the end of all texts.
static const char *next_text(const char **at, const char *end) {
    const char *text = *at < end ? *at : "";
    *at += *at < end ? strlen(text) + 1 : 0;
    return text;
}

static const char *known(const char *text) { return *text == '\0' ? NULL : text; }

bool tn_namer_ask(const char *path, uint64_t offset, tn_namer_visit visit, void *context) {
    TN_UNCANCELLED;
    struct tn_namer_answer answer = {0, 0};
    int error = errno;
    (void)pthread_mutex_lock(&namer.lock);
    bool answered = strlen(path) < TN_NAMER_PATH && ask(path, offset, &answer) && answer.places > 0;
    const char *at = namer.answer, *end = namer.answer + answer.bytes;
    namer.answer[answer.bytes] = '\0';
    for (uint32_t i = 0; answered && i < answer.places; i++) {
        const char *function = next_text(&at, end), *file = next_text(&at, end);
        if (!visit(context, known(function), known(file), atoi(next_text(&at, end)))) break;
    }
    (void)pthread_mutex_unlock(&namer.lock);
    errno = error;
    return answered;
}
