// SPDX-License-Identifier: Apache-2.0
// Receives the messages of checked processes; see inbox.h.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/grow.h"
#include "check/report/output.h"
#include "tools/check/inbox.h"

#include "tools/command.h"

// A process that has sent no summary.
struct process {
    pid_t pid; // in the namespace of this process
    struct tn_check_counts counts;
};

static struct {
    int listener;
    char token[TN_CHECK_WIRE_TOKEN];
    struct tn_check_output text;
    struct tn_check_output json;
    struct process *processes;
    size_t count;
    size_t room;
    struct tn_check_results results;
    char text_bytes[TN_CHECK_WIRE_TEXT];
    char json_bytes[TN_CHECK_WIRE_TEXT];
} inbox = {.listener = -1,
           .text = {.option = "log-path", .standard = STDERR_FILENO, .file = -1},
           .json = {.option = "json", .standard = STDOUT_FILENO, .file = -1}};

// ---- the sums

static void add_counts(struct tn_check_counts *sums, const struct tn_check_counts *counts) {
    sums->errors += counts->errors;
    sums->warnings += counts->warnings;
    sums->notes += counts->notes;
    sums->suppressed += counts->suppressed;
    sums->leaked_bytes += counts->leaked_bytes;
    sums->leaked_regions += counts->leaked_regions;
}

static void add_lost(struct tn_check_lost *lost, const struct process *process) {
    if (lost->count < TN_CHECK_NAMED) lost->pids[lost->count] = (int)process->pid;
    lost->count++;
    add_counts(&inbox.results.counts, &process->counts);
}

// A process that ended is not waited for, unless it is a child.
static bool is_running(pid_t pid) {
    int file = (int)syscall(SYS_pidfd_open, pid, 0);
    if (file < 0) return errno != ESRCH && kill(pid, 0) == 0;
    struct pollfd ended = {.fd = file, .events = POLLIN};
    bool running = poll(&ended, 1, 0) == 0;
    (void)close(file);
    return running;
}

// Adds up the processes that ended without a summary, so that the table stays small.
static void sweep_processes(void) {
    size_t kept = 0;
    for (size_t i = 0; i < inbox.count; i++)
        if (is_running(inbox.processes[i].pid))
            inbox.processes[kept++] = inbox.processes[i];
        else
            add_lost(&inbox.results.ended, &inbox.processes[i]);
    inbox.count = kept;
}

static struct process *find_process(pid_t pid) {
    for (size_t i = 0; i < inbox.count; i++)
        if (inbox.processes[i].pid == pid) return &inbox.processes[i];
    return NULL;
}

// A process that begins again has executed another program.
static struct process *begin_process(pid_t pid) {
    struct process *process = find_process(pid);
    if (process != NULL) add_lost(&inbox.results.ended, process);
    if (process == NULL && inbox.count == inbox.room) sweep_processes();
    if (process == NULL) {
        void *more = tn_grow(inbox.processes, &inbox.room, inbox.count + 1, sizeof *process);
        if (more == NULL) return NULL;
        inbox.processes = (struct process *)more;
        process = &inbox.processes[inbox.count++];
    }
    *process = (struct process){.pid = pid};
    inbox.results.processes++;
    return process;
}

static void count_message(pid_t pid, const struct tn_check_wire_head *head) {
    struct process *process = head->kind == TN_CHECK_WIRE_BEGIN ? NULL : find_process(pid);
    process = process != NULL ? process : begin_process(pid);
    if (process == NULL) return;
    process->counts = head->counts;
    if (head->kind != TN_CHECK_WIRE_END) return;
    add_counts(&inbox.results.counts, &process->counts);
    inbox.results.unsent += head->unsent;
    *process = inbox.processes[--inbox.count];
}

// ---- a message

static bool receive_bytes(int file, void *data, size_t bytes) {
    char *at = (char *)data;
    while (bytes > 0) {
        ssize_t got = recv(file, at, bytes, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

// Standard error replaces a file for text that has failed.
static void write_message(const struct tn_check_wire_head *head) {
    if (!tn_check_output_write(&inbox.text, head->pid, inbox.text_bytes, head->text_bytes)) {
        struct tn_check_output instead = {.path = "-", .standard = STDERR_FILENO, .file = -1};
        (void)tn_check_output_write(&instead, head->pid, inbox.text_bytes, head->text_bytes);
    }
    (void)tn_check_output_write(&inbox.json, head->pid, inbox.json_bytes, head->json_bytes);
}

static void receive_message(int file, pid_t pid, pid_t program) {
    struct tn_check_wire_head head;
    struct tn_check_wire_answer answer = {pid == program};
    if (!receive_bytes(file, &head, sizeof head) ||
        memcmp(head.token, inbox.token, sizeof head.token) != 0 ||
        head.text_bytes > TN_CHECK_WIRE_TEXT || head.json_bytes > TN_CHECK_WIRE_TEXT)
        return;
    bool complete = receive_bytes(file, inbox.text_bytes, head.text_bytes) &&
                    receive_bytes(file, inbox.json_bytes, head.json_bytes);
    if (complete)
        write_message(&head);
    else if (head.kind == TN_CHECK_WIRE_END)
        head.kind = TN_CHECK_WIRE_REPORT; // the process died before its summary was sent
    count_message(pid, &head);
    (void)send(file, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Other users, who lack the token anyway, cannot make this process wait. A program that root
// started may have changed its user.
void tn_check_inbox_take(pid_t program) {
    int file;
    while ((file = accept4(inbox.listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        struct ucred peer;
        socklen_t size = sizeof peer;
        const struct timeval limit = {TN_CHECK_OUTPUT_SECONDS, 0};
        (void)setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        if (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
            (peer.uid == geteuid() || peer.uid == 0 || geteuid() == 0))
            receive_message(file, peer.pid, program);
        (void)close(file);
    }
}

// ---- the beginning and the end

static bool make_token(char *text, size_t bytes) {
    unsigned char random[TN_CHECK_WIRE_TOKEN];
    if (getrandom(random, bytes, 0) != (ssize_t)bytes) return false;
    for (size_t i = 0; i < bytes; i++) text[i] = "0123456789abcdef"[random[i] % 16];
    return true;
}

// The name of the socket is the pid and a random part.
static bool open_listener(char *variable, size_t room) {
    char random[8], name[TN_CHECK_WIRE_NAME];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!make_token(inbox.token, sizeof inbox.token) || !make_token(random, sizeof random))
        return false;
    (void)snprintf(name, sizeof name, "tarn-check-%d-%.8s", (int)getpid(), random);
    (void)snprintf(variable, room, "%s/%.*s", name, TN_CHECK_WIRE_TOKEN, inbox.token);
    memcpy(address.sun_path + 1, name, strlen(name));
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    inbox.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return inbox.listener >= 0 &&
           bind(inbox.listener, (const struct sockaddr *)&address, size) == 0 &&
           listen(inbox.listener, SOMAXCONN) == 0;
}

bool tn_check_inbox_open(const struct tn_check_options *options) {
    char variable[TN_CHECK_WIRE_NAME + TN_CHECK_WIRE_TOKEN + 2];
    inbox.text.path = *options->log_path == '\0' ? "-" : options->log_path;
    inbox.json.path = options->json_path;
    if (!tn_check_output_start(&inbox.text) || !tn_check_output_start(&inbox.json)) return false;
    return (open_listener(variable, sizeof variable) &&
            setenv(TN_CHECK_WIRE_VARIABLE, variable, 1) == 0) ||
           tn_complain("no socket for the reports: %s", strerror(errno));
}

int tn_check_inbox_descriptor(void) { return inbox.listener; }

void tn_check_inbox_close(pid_t program, struct tn_check_results *results) {
    tn_check_inbox_take(program);
    (void)close(inbox.listener);
    sweep_processes();
    for (size_t i = 0; i < inbox.count; i++) add_lost(&inbox.results.running, &inbox.processes[i]);
    free(inbox.processes);
    bool text = tn_check_output_close(&inbox.text), json = tn_check_output_close(&inbox.json);
    *results = inbox.results;
    results->failed = !text || !json;
}
