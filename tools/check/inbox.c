// SPDX-License-Identifier: Apache-2.0
// Receives the messages of checked processes; see inbox.h.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "check/report/output.h"
#include "tools/check/inbox.h"
#include "tools/command.h"
#include "tools/findings.h"
#include "tools/launch/socket.h"

// A process that has sent no summary.
struct process {
    pid_t pid; // in the namespace of this process
    struct tn_check_counts counts;
};

// A connection whose head has not arrived completely.
struct connection {
    int file;
    struct ucred peer;
    struct tn_check_wire_head head;
    size_t got; // bytes of the head
};

enum {
    CONNECTIONS = 32,
    ACCEPTED_AT_ONCE = 256, // then the program is looked at again
    LAST_WAIT_MS = 1000     // for the heads of processes that have connected before the end
};

static struct {
    int listener;
    char token[TN_LAUNCHER_TOKEN];
    int ready; // an epoll of the listener and of all open connections
    struct connection connections[CONNECTIONS];
    unsigned open; // connections
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

// Each line of JSON is an object; those of summaries are no findings.
static void collect_findings(const struct tn_check_wire_head *head) {
    const char *at = inbox.json_bytes, *end = at + head->json_bytes;
    while (tn_findings_are_wanted() && at < end) {
        const char *newline = (const char *)memchr(at, '\n', (size_t)(end - at));
        const char *next = newline != NULL ? newline + 1 : end;
        json_t *line = json_loadb(at, (size_t)(next - at), 0, NULL);
        tn_findings_add_report(line);
        json_decref(line);
        at = next;
    }
}

// Standard error replaces a file for text that has failed.
static void write_message(const struct tn_check_wire_head *head) {
    if (!tn_check_output_write(&inbox.text, head->pid, inbox.text_bytes, head->text_bytes)) {
        struct tn_check_output instead = {.path = "-", .standard = STDERR_FILENO, .file = -1};
        (void)tn_check_output_write(&instead, head->pid, inbox.text_bytes, head->text_bytes);
    }
    (void)tn_check_output_write(&inbox.json, head->pid, inbox.json_bytes, head->json_bytes);
    collect_findings(head);
}

static void receive_message(const struct connection *from, pid_t program) {
    const struct timeval limit = {TN_CHECK_OUTPUT_SECONDS, 0};
    struct tn_check_wire_head head = from->head;
    struct tn_check_wire_answer answer = {from->peer.pid == program};
    if (memcmp(head.token, inbox.token, sizeof head.token) != 0 ||
        head.text_bytes > TN_CHECK_WIRE_TEXT || head.json_bytes > TN_CHECK_WIRE_TEXT)
        return;
    (void)setsockopt(from->file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    bool complete = receive_bytes(from->file, inbox.text_bytes, head.text_bytes) &&
                    receive_bytes(from->file, inbox.json_bytes, head.json_bytes);
    if (complete)
        write_message(&head);
    else if (head.kind == TN_CHECK_WIRE_END)
        head.kind = TN_CHECK_WIRE_REPORT; // the process died before its summary was sent
    count_message(from->peer.pid, &head);
    (void)send(from->file, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// ---- connections

// The order of the others stays: the first has waited longest.
static void close_connection(unsigned index) {
    (void)close(inbox.connections[index].file);
    inbox.open--;
    memmove(&inbox.connections[index], &inbox.connections[index + 1],
            (inbox.open - index) * sizeof *inbox.connections);
}

static unsigned count_of_user(uid_t user) {
    unsigned count = 0;
    for (unsigned i = 0; i < inbox.open; i++) count += inbox.connections[i].peer.uid == user;
    return count;
}

// Makes room: the user who holds most connections loses the one that has been silent longest.
static void close_silent(void) {
    unsigned chosen = 0, most = 0;
    for (unsigned i = 0; i < inbox.open; i++) {
        unsigned count = count_of_user(inbox.connections[i].peer.uid);
        if (count > most) most = count, chosen = i;
    }
    close_connection(chosen);
}

// Receives what has arrived of the head. Never waits. Returns false when the connection is finished:
// its message was received, or it has ended.
static bool advance_connection(struct connection *from, pid_t program) {
    ssize_t got = recv(from->file, (char *)&from->head + from->got, sizeof from->head - from->got,
                       MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    from->got += (size_t)got;
    if (from->got == sizeof from->head) receive_message(from, program);
    return got > 0 && from->got < sizeof from->head;
}

static void advance_connections(pid_t program) {
    for (unsigned i = 0; i < inbox.open;)
        if (advance_connection(&inbox.connections[i], program))
            i++;
        else
            close_connection(i);
}

static bool watch(int file) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(inbox.ready, EPOLL_CTL_ADD, file, &event) == 0;
}

// Other users are refused before a byte of theirs is read. A program that root started may have
// changed its user, so that root must read the token of every peer.
static bool accept_connection(pid_t program) {
    struct connection own = {.file = accept4(inbox.listener, NULL, NULL, SOCK_CLOEXEC)};
    socklen_t size = sizeof own.peer;
    if (own.file < 0) return false;
    bool allowed = getsockopt(own.file, SOL_SOCKET, SO_PEERCRED, &own.peer, &size) == 0 &&
                   (own.peer.uid == geteuid() || own.peer.uid == 0 || geteuid() == 0);
    if (!allowed || !advance_connection(&own, program) || !watch(own.file)) {
        (void)close(own.file);
        return true;
    }
    if (inbox.open == CONNECTIONS) advance_connections(program);
    if (inbox.open == CONNECTIONS) close_silent();
    inbox.connections[inbox.open++] = own;
    return true;
}

void tn_check_inbox_take(pid_t program) {
    advance_connections(program);
    for (int i = 0; i < ACCEPTED_AT_ONCE && accept_connection(program); i++) {
    }
}

// Processes that have not ended may have connected, and send their heads at once.
static void take_last(pid_t program) {
    const struct timespec pause = {0, 1000000};
    for (unsigned taken = 0; taken < SOMAXCONN && accept_connection(program); taken++) {
    }
    (void)close(inbox.listener);
    for (int i = 0; i < LAST_WAIT_MS && inbox.open > 0; i++) {
        advance_connections(program);
        if (inbox.open > 0) (void)nanosleep(&pause, NULL);
    }
    while (inbox.open > 0) close_connection(0);
}

// ---- the beginning and the end

static bool open_listener(void) {
    inbox.listener = tn_socket_open(SOCK_STREAM, "check", TN_CHECK_WIRE_VARIABLE, inbox.token);
    inbox.ready = epoll_create1(EPOLL_CLOEXEC);
    return inbox.listener >= 0 && inbox.ready >= 0 && listen(inbox.listener, SOMAXCONN) == 0 &&
           watch(inbox.listener);
}

bool tn_check_inbox_open(const struct tn_check_options *options) {
    inbox.text.path = *options->log_path == '\0' ? "-" : options->log_path;
    inbox.json.path = options->json_path;
    if (!tn_check_output_start(&inbox.text) || !tn_check_output_start(&inbox.json)) return false;
    return open_listener() || tn_complain("no socket for the reports: %s", strerror(errno));
}

int tn_check_inbox_descriptor(void) { return inbox.ready; }

void tn_check_inbox_close(pid_t program, struct tn_check_results *results) {
    take_last(program);
    (void)close(inbox.ready);
    sweep_processes();
    for (size_t i = 0; i < inbox.count; i++) add_lost(&inbox.results.running, &inbox.processes[i]);
    free(inbox.processes);
    bool text = tn_check_output_close(&inbox.text), json = tn_check_output_close(&inbox.json);
    *results = inbox.results;
    results->failed = !text || !json;
}
