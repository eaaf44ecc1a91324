// SPDX-License-Identifier: Apache-2.0
// Asks the questions of a suite. Each group runs in a process, which writes its answers to a pipe.
// If it crashes or hangs, that is the answer to the question, and a new process asks the rest.
// Libraries are opened in these processes only, so that none is used across fork(). One thread.
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/conform/conform.h"
#include "tools/progress.h"

// The exit status of a process that cannot go on. An absent function is already in the answer.
enum { SPOILT = 101, ABSENT = 102 };

// The first process may have to wake the device.
enum { ANSWER_MAX = 16384, FIRST_SECONDS = 40 };

// ---- in the process of a group

static void *handles[TN_CONFORM_LIBRARIES];
static int answers_file = -1, peer_file = -1;
static bool is_peer;
static const char **pending; // shared, so that the parent knows the call that crashed

struct request {
    void (*work)(const void *data, int file);
    unsigned char data[TN_PEER_DATA_MAX];
};

static void write_answer(const char *text, size_t bytes) {
    if (write(answers_file, text, bytes) != (ssize_t)bytes) _exit(SPOILT);
}

static void state(const char *name, const char *value, bool is_text) {
    char text[1024];
    const char *quote = is_text ? "\"" : "";
    int length = snprintf(text, sizeof text, " %s%s=%s%.500s%s", is_peer ? "peer." : "", name,
                          quote, value, quote);
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\n') *at = '?';
    write_answer(text, (size_t)length);
}

void tn_state(const char *name, long long value) {
    char number[32];
    (void)snprintf(number, sizeof number, "%lld", value);
    state(name, number, false);
}

void tn_state_text(const char *name, const char *text) {
    state(name, text != NULL ? text : "null", text != NULL);
}

void tn_pending(const char *name) { *pending = name; }

long long tn_state_code(const char *name, long long code) {
    tn_state(name, code);
    return code;
}

long long tn_state_failure(const char *name, long long code) {
    return code != 0 ? tn_state_code(name, code) : code;
}

static void *find_symbol(const char *name) {
    void *found = NULL;
    for (size_t i = 0; i < TN_CONFORM_LIBRARIES && handles[i] != NULL && found == NULL; i++)
        found = dlsym(handles[i], name);
    return found;
}

bool tn_has(const char *name) { return find_symbol(name) != NULL; }

void (*tn_find(const char *name))(void) {
    void *found = find_symbol(name);
    void (*function)(void);
    if (found == NULL) {
        state(name, "absent", false);
        if (!is_peer) write_answer("\n", 1);
        _exit(ABSENT);
    }
    memcpy(&function, &found, sizeof function);
    return function;
}

// Of libraries whose names differ in their numbers only, the first that can be opened is used.
static void open_libraries(const struct tn_asked *asked) {
    const char *last = "";
    size_t opened = 0;
    for (size_t i = 0; i < asked->library_count; i++) {
        const char *name = asked->libraries[i];
        if (*last != '\0' && strncmp(last, name, tn_face_library_stem(last)) == 0) continue;
        handles[opened] = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
        if (handles[opened] == NULL) continue;
        last = name;
        opened++;
    }
}

// States the files behind the libraries, which vendors name by their versions.
static void state_libraries(const struct tn_asked *asked) {
    if (handles[0] == NULL) {
        *pending = asked->libraries[0];
        tn_state_text("dlopen", dlerror());
        _exit(SPOILT);
    }
    for (size_t i = 0; i < TN_CONFORM_LIBRARIES && handles[i] != NULL; i++) {
        struct link_map *map = NULL;
        char path[PATH_MAX];
        if (dlinfo(handles[i], RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, path) != NULL)
            tn_state_text("library", strrchr(path, '/') + 1);
    }
}

static bool receive_request(int file, struct request *request, int *passed) {
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {request, sizeof *request};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    *passed = -1;
    if (recvmsg(file, &message, 0) != (ssize_t)sizeof *request) return false;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head != NULL) memcpy(passed, CMSG_DATA(head), sizeof *passed);
    return true;
}

// Serves tn_in_peer(): each piece of work has a process that has not used the library before.
static void serve_peers(const struct tn_suite *suite, const struct tn_asked *asked, int file) {
    struct request request;
    int passed, status;
    is_peer = true;
    while (receive_request(file, &request, &passed)) {
        pid_t child = fork();
        if (child == 0) {
            open_libraries(asked);
            if (suite->api->begin()) request.work(request.data, passed);
            _exit(0);
        }
        if (waitpid(child, &status, 0) == child && WIFSIGNALED(status)) {
            char text[32];
            (void)snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
            tn_state_text(*pending, text);
        }
        if (passed >= 0) (void)close(passed);
        (void)!write(file, "", 1);
    }
    _exit(0);
}

static void start_peers(const struct tn_suite *suite, const struct tn_asked *asked) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) _exit(SPOILT);
    if (fork() == 0) {
        (void)close(ends[0]);
        serve_peers(suite, asked, ends[1]);
    }
    (void)close(ends[1]);
    peer_file = ends[0];
}

void tn_in_peer(void (*work)(const void *data, int file), const void *data, size_t bytes,
                int file) {
    struct request request = {.work = work};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {.bytes = {0}};
    struct iovec part = {&request, sizeof request};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    char done;
    if (bytes > 0) memcpy(request.data, data, bytes);
    if (file >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        *head = (struct cmsghdr){CMSG_LEN(sizeof file), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(head), &file, sizeof file);
    }
    if (sendmsg(peer_file, &message, 0) < 0 || read(peer_file, &done, 1) != 1) _exit(SPOILT);
}

// Asks the questions [first, end), or states what the library is if `end` is 0.
static void run_group(const struct tn_suite *suite, const bool *chosen,
                      const struct tn_asked *asked, size_t first, size_t end) {
    int nowhere = open("/dev/null", O_RDWR);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setpgid(0, 0);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (int file = 0; file < 3; file++) (void)dup2(nowhere, file);
    start_peers(suite, asked);
    open_libraries(asked);
    if (end == 0) {
        state_libraries(asked);
        suite->api->about();
    }
    for (size_t i = first; i < end; i++) {
        if (!chosen[i]) continue;
        *pending = "begin";
        if (!suite->questions[i]->is_first && !suite->api->begin()) _exit(SPOILT);
        suite->questions[i]->ask();
        write_answer("\n", 1);
    }
    _exit(0);
}

// ---- in the command

// Returns the end of the questions that one process asks, beginning with `first`.
static size_t find_end(const struct tn_suite *suite, size_t first) {
    const struct tn_question *const *all = suite->questions;
    size_t end = first + 1;
    while (!all[first]->is_first && end < suite->count && !all[end]->is_first &&
           strcmp(all[end]->group, all[first]->group) == 0)
        end++;
    return end;
}

static size_t next_chosen(const bool *chosen, size_t from, size_t end) {
    while (from < end && !chosen[from]) from++;
    return from;
}

struct process {
    pid_t id;
    int file;
    size_t length;
    char text[ANSWER_MAX]; // the part of an answer that came
    bool is_late;
};

static char *copy_answer(struct process *process) {
    process->text[process->length] = '\0';
    process->length = 0;
    return tn_conform_copy(process->text + (process->text[0] == ' '));
}

static bool start_process(struct process *process, const struct tn_suite *suite, const bool *chosen,
                          const struct tn_asked *asked, size_t first, size_t end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return tn_complain("pipe: %s", strerror(errno));
    *process = (struct process){.file = ends[0]};
    process->id = fork();
    if (process->id == 0) {
        (void)close(ends[0]);
        answers_file = ends[1];
        run_group(suite, chosen, asked, first, end);
    }
    (void)close(ends[1]);
    return process->id > 0 || tn_complain("fork: %s", strerror(errno));
}

// Reads until a line is complete. Returns false at the end, or after the time.
static bool read_answer(struct process *process, double limit) {
    struct pollfd wait = {.fd = process->file, .events = POLLIN};
    for (;;) {
        char byte;
        if (poll(&wait, 1, (int)(limit * 1000)) == 0) {
            process->is_late = true;
            return false;
        }
        if (read(process->file, &byte, 1) != 1) return false;
        if (byte == '\n') return true;
        if (process->length + 64 < ANSWER_MAX) process->text[process->length++] = byte;
    }
}

// Ends the process. Returns its exit status, or -1; `end` describes it.
static int end_process(struct process *process, char end[32]) {
    int status = 0;
    if (process->is_late) (void)kill(-process->id, SIGKILL);
    while (waitpid(process->id, &status, 0) < 0 && errno == EINTR) continue;
    (void)close(process->file);
    if (process->is_late)
        (void)snprintf(end, 32, "hang");
    else
        (void)snprintf(end, 32, "%s %d", WIFSIGNALED(status) ? "signal" : "exit",
                       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return WIFEXITED(status) && !process->is_late ? WEXITSTATUS(status) : -1;
}

// Asks the questions of one process from `first` on. Returns the next question that was not asked.
static size_t ask_process(const struct tn_suite *suite, const bool *chosen, struct tn_asked *asked,
                          size_t first) {
    size_t end = find_end(suite, first), at = next_chosen(chosen, first, end), begun = at;
    struct process process;
    if (at == end) return end;
    if (!start_process(&process, suite, chosen, asked, at, end)) exit(TN_EXIT_FAILED);
    while (at < end && read_answer(&process, asked->limit)) {
        asked->answers[at] = copy_answer(&process);
        at = next_chosen(chosen, at + 1, end);
        tn_progress_step(1);
    }
    char ended[32];
    int code = end_process(&process, ended);
    if (at == end || code == ABSENT || (code == SPOILT && at > begun)) return at;
    process.length += (size_t)snprintf(process.text + process.length, 64, " %s=\"%s\"",
                                       *pending != NULL ? *pending : "start", ended);
    asked->answers[at] = copy_answer(&process);
    tn_progress_step(1);
    return at + 1;
}

bool tn_conform_ask(const struct tn_suite *suite, const bool *chosen, struct tn_asked *asked) {
    struct process process;
    void *page =
        mmap(NULL, sizeof *pending, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return tn_complain("mmap: %s", strerror(errno));
    pending = (const char **)page;
    if (!start_process(&process, suite, chosen, asked, 0, 0)) return false;
    (void)read_answer(&process, asked->limit + FIRST_SECONDS);
    char ended[32];
    int code = end_process(&process, ended);
    asked->about = copy_answer(&process);
    const char *count = strstr(asked->about, " devices=");
    if (code != 0 || count == NULL || atoi(count + strlen(" devices=")) == 0)
        return tn_complain("%s has no device that works (%s, %s)", asked->libraries[0],
                           asked->about, ended);
    tn_progress_phase("questions", 1, suite->count);
    for (size_t i = 0; i < suite->count;) i = ask_process(suite, chosen, asked, i);
    tn_progress_hide();
    (void)munmap(page, sizeof *pending);
    return true;
}
