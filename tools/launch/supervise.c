// SPDX-License-Identifier: Apache-2.0
// Starts a program, forwards signals to it and waits for its end; see supervise.h.
#include "tools/launch/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/launch/absence.h"
#include "tools/launch/messages.h"

static pid_t child;
static const int passed[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};

// The terminal sends its signals to the child directly.
static void pass_on(int number, siginfo_t *info, void *context) {
    int error = errno;
    (void)context;
    if (info->si_code <= 0) // from a process
        (void)kill(child, number);
    errno = error;
}

static void ignore_signal(int number) {
    (void)number; // it ends a ppoll()
}

// Receives messages until the program ends. SIGCHLD and signals to pass on are blocked except while this
// process waits.
static int receive_until_end(const struct tn_supervisor *by, const sigset_t *waiting) {
    struct pollfd inboxes[] = {{.fd = tn_messages_descriptor(), .events = POLLIN},
                               {.fd = by != NULL ? by->descriptor() : -1, .events = POLLIN}};
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended != 0) return ended == child ? status : -1;
        if (ppoll(inboxes, 2, NULL, waiting) <= 0) continue;
        tn_messages_take();
        if (by != NULL) by->take(child);
    }
}

int tn_supervise(const struct tn_launch *launch, const struct tn_supervisor *by, pid_t *process) {
    const struct sigaction wake = {.sa_handler = ignore_signal};
    const struct sigaction pass = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigaction unwoken;
    sigset_t blocked, before;
    if (!tn_messages_open()) return -1;
    (void)fflush(NULL);
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGCHLD);
    // The program may run before this process passes signals on: until then they wait.
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        (void)sigaddset(&blocked, passed[i]);
    (void)sigprocmask(SIG_BLOCK, &blocked, &before);
    (void)sigaction(SIGCHLD, &wake, &unwoken); // before the fork, in case it was ignored
    child = fork();
    if (child == 0) {
        (void)sigaction(SIGCHLD, &unwoken, NULL);
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(tn_launch_exec(launch));
    }
    if (child < 0) {
        (void)tn_complain("%s", strerror(errno));
        return -1;
    }
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        (void)sigaction(passed[i], &pass, NULL);
    (void)signal(SIGPIPE, SIG_IGN); // a failing output raises signals as well
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)sigdelset(&before, SIGCHLD);
    *process = child;
    return receive_until_end(by, &before);
}

int tn_supervise_conclude(const struct tn_launch *launch, int status, bool done,
                          const char *nothing) {
    bool signaled = WIFSIGNALED(status);
    int code = signaled ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (signaled)
        (void)tn_complain("%s was ended by signal %d (%s)", *launch->command, WTERMSIG(status),
                          strsignal(WTERMSIG(status)));
    if (!done)
        tn_absence_explain(launch, nothing);
    else if (!tn_messages()->opened)
        tn_absence_list_calls(launch, "note");
    return code != 0 || done ? code : TN_LAUNCH_NOTHING;
}
