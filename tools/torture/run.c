// SPDX-License-Identifier: Apache-2.0
// The runs of `tarn torture`: each in a process group and a folder of its own, several at a time,
// with a time limit. A terminal's signals do not reach those groups, so a signal that ends the command
// ends the runs first. One thread.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fail/tally.h"
#include "tools/progress.h"
#include "tools/timing.h"
#include "tools/torture/torture.h"

enum { JOBS_MAX = 256 };

// A run in progress.
struct job {
    pid_t pid; // 0: free
    struct tn_torture_case *one;
    uint64_t begun_ns;
    bool killed;
    char folder[600];
};

static double seconds_since(uint64_t begun_ns) {
    return (double)(tn_timing_now() - begun_ns) * 1e-9;
}

// ---- signals

static volatile sig_atomic_t stop_signal; // 0: none has come

static void note_stop(int number) { stop_signal = number; }

// A signal that the caller ignores stays ignored.
void tn_torture_catch_signals(void) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    const struct sigaction note = {.sa_handler = note_stop};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &note, NULL);
    }
}

void tn_torture_pass_signal(void) {
    if (stop_signal != 0) {
        (void)signal(stop_signal, SIG_DFL);
        (void)raise(stop_signal);
    }
}

// ---- one process

static int open_in(const char *folder, const char *name) {
    char path[700];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static bool make_files(const char *folder) {
    static const char *const names[] = {"tally", "log", "check", "output"};
    bool good = mkdir(folder, 0700) == 0 || errno == EEXIST;
    for (size_t i = 0; good && i < sizeof names / sizeof *names; i++) {
        int file = open_in(folder, names[i]);
        good = file >= 0 &&
               (i > 0 || ftruncate(file, TN_FAIL_TALLY_NAMES *
                                             (off_t)sizeof(struct tn_fail_tally_entry)) == 0);
        if (file >= 0) (void)close(file);
    }
    return good;
}

static bool set_path(const char *variable, const char *before, const char *folder,
                     const char *name) {
    char value[8192];
    int length = snprintf(value, sizeof value, "%s%s/%s", before, folder, name);
    return length < (int)sizeof value && setenv(variable, value, 1) == 0;
}

// A quirk is added to those that --quirk asks for.
static bool set_failure(const char *spec) {
    char quirks[1024];
    const char *quirk = tn_torture_quirk(spec), *before = getenv("TARN_QUIRK");
    if (quirk == NULL) return setenv("TARN_FAIL", spec, 1) == 0;
    bool alone = before == NULL || *before == '\0';
    int length =
        snprintf(quirks, sizeof quirks, "%s%s%s", alone ? "" : before, alone ? "" : ";", quirk);
    return length < (int)sizeof quirks && setenv("TARN_QUIRK", quirks, 1) == 0 &&
           setenv("TARN_FAIL", "", 1) == 0;
}

// In the child.
static void become_program(const struct tn_torture *torture, const char *folder, const char *spec) {
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC), output = open_in(folder, "output");
    char before[7000];
    const char *options = getenv("TARN_CHECK_OPTIONS");
    (void)snprintf(before, sizeof before, "%s:json=", options != NULL ? options : "");
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // for a command that is killed
    if (input < 0 || output < 0 || dup2(input, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0 ||
        !set_path("TARN_FAIL_TALLY", "", folder, "tally") ||
        !set_path("TARN_FAIL_LOG", "", folder, "log") || !set_failure(spec) ||
        (torture->check && !set_path("TARN_CHECK_OPTIONS", before, folder, "check")))
        _exit(TN_LAUNCH_FAILED);
    _exit(tn_launch_exec(&torture->launch));
}

static bool start_job(const struct tn_torture *torture, struct job *job, const char *spec) {
    if (!make_files(job->folder)) return tn_complain("%s: %s", job->folder, strerror(errno));
    (void)fflush(NULL);
    job->begun_ns = tn_timing_now();
    job->killed = false;
    job->pid = fork();
    if (job->pid == 0) become_program(torture, job->folder, spec);
    if (job->pid > 0) {
        (void)setpgid(job->pid, job->pid); // here too, so that a kill cannot come too early
        return true;
    }
    job->pid = 0;
    return tn_complain("fork: %s", strerror(errno));
}

static void end_job(struct job *job) {
    (void)kill(-job->pid, SIGKILL);
    (void)waitpid(job->pid, NULL, 0);
    job->pid = 0;
}

// Returns true if the run is over. Kills it at the time limit; processes that it left die with it.
static bool watch_job(struct job *job, double limit, struct tn_torture_outcome *outcome) {
    int status = 0;
    if (waitpid(job->pid, &status, WNOHANG) != job->pid) {
        if (!job->killed && limit > 0 && seconds_since(job->begun_ns) > limit) {
            job->killed = true;
            (void)kill(-job->pid, SIGKILL);
        }
        return false;
    }
    (void)kill(-job->pid, SIGKILL);
    *outcome = (struct tn_torture_outcome){
        .status = status, .timed_out = job->killed, .seconds = seconds_since(job->begun_ns)};
    tn_torture_read(job->folder, outcome);
    job->pid = 0;
    return true;
}

static void rest(void) {
    const struct timespec pause = {0, 2000000};
    tn_progress_step(0); // shows the bar when it is due
    (void)nanosleep(&pause, NULL);
}

// ---- all runs

bool tn_torture_count(struct tn_torture *torture) {
    struct job job = {0};
    char tally[700];
    (void)snprintf(job.folder, sizeof job.folder, "%s/base", torture->folder);
    if (!start_job(torture, &job, "")) return false;
    while (!watch_job(&job, torture->limit, &torture->base)) {
        rest();
        if (stop_signal != 0) {
            end_job(&job);
            return false;
        }
    }
    (void)snprintf(tally, sizeof tally, "%s/tally", job.folder);
    if (!tn_torture_read_names(torture, tally))
        return tn_complain("the calls of the program cannot be read");
    if (torture->limit == 0) torture->limit = 10 + 10 * torture->base.seconds;
    return true;
}

// Returns the number of runs in progress, or -1 if the system fails.
static int advance_jobs(struct tn_torture *torture, struct job *jobs, size_t *next,
                        bool (*finished)(struct tn_torture *, struct tn_torture_case *)) {
    int running = 0;
    for (unsigned i = 0; i < torture->jobs; i++) {
        struct job *job = &jobs[i];
        if (job->pid != 0 && watch_job(job, torture->limit, &job->one->outcome)) {
            job->one->outcome.fired |= tn_torture_quirk(job->one->spec) != NULL;
            tn_torture_judge(&torture->base, &job->one->outcome);
            job->one->done = true;
            if (!finished(torture, job->one)) return -1;
        }
        while (*next < torture->case_count && torture->cases[*next].done) (*next)++;
        if (job->pid == 0 && *next < torture->case_count) {
            job->one = &torture->cases[(*next)++];
            (void)snprintf(job->folder, sizeof job->folder, "%s/%u", torture->folder, i);
            if (!start_job(torture, job, job->one->spec)) return -1;
        }
        running += job->pid != 0;
    }
    return running;
}

bool tn_torture_run(struct tn_torture *torture,
                    bool (*finished)(struct tn_torture *torture, struct tn_torture_case *one)) {
    static struct job jobs[JOBS_MAX];
    size_t next = 0;
    int running;
    torture->jobs = torture->jobs < JOBS_MAX ? torture->jobs : JOBS_MAX;
    do {
        running = advance_jobs(torture, jobs, &next, finished);
        rest();
    } while (running > 0 && stop_signal == 0);
    for (unsigned i = 0; i < torture->jobs; i++)
        if (jobs[i].pid != 0) end_job(&jobs[i]);
    return running == 0;
}
