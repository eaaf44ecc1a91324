// SPDX-License-Identifier: Apache-2.0
// See runs.h. A terminal's signals do not reach the process groups of the runs, so a signal that ends
// the command ends the runs first. The output of a program comes through a pipe, so that a full disk
// does not change the program; the files that Tarn writes in the program have their room before.
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fail/tally.h"
#include "tools/check/check.h"
#include "tools/launch/inject.h"
#include "tools/launch/messages.h"
#include "tools/progress.h"
#include "tools/runs/runs.h"
#include "tools/timing.h"

enum { JOBS_MAX = 256 };

// A run in progress.
struct job {
    pid_t pid; // 0: free
    size_t item;
    uint64_t begun_ns;
    bool killed;
    int failed; // a pipe: the error number of a process that could not become the program
    struct tn_run_output output;
    struct tn_run_outcome outcome; // of the output so far
    char folder[600];
};

static double seconds_since(uint64_t begun_ns) {
    return (double)(tn_timing_now() - begun_ns) * 1e-9;
}

// ---- signals

static volatile sig_atomic_t stop_signal; // 0: none has come

static void note_stop(int number) { stop_signal = number; }

// A signal that the caller ignores stays ignored.
static void catch_signals(void) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    const struct sigaction note = {.sa_handler = note_stop};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &note, NULL);
    }
}

// ---- one process

static void (*xfsz_before)(int); // the signal of a limit of file sizes; this process gets an error

// The files of a run, and the bytes that are allocated for each, so that a process that writes to
// them meets no full disk. A file that becomes longer may meet one, see tn_run_read().
static const struct {
    const char *name;
    off_t size, room;
} files[] = {
    {"tally", TN_FAIL_TALLY_NAMES * sizeof(struct tn_fail_tally_entry), 0},
    {"log", 0, 64 << 10},
    {"check", 0, 128 << 10},
    {"decisions", 0, 128 << 10},
};

// Returns 0 or an errno. A file system that can keep no room has to be trusted.
static int make_room(int file, off_t size, off_t room) {
    if (size > 0) return posix_fallocate(file, 0, size);
    if (fallocate(file, FALLOC_FL_KEEP_SIZE, 0, room) == 0) return 0;
    return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : errno;
}

// Returns false, with a message, if the system fails.
static bool make_files(const struct tn_runs *runs, const char *folder) {
    bool good = mkdir(folder, 0700) == 0 || errno == EEXIST;
    if (!good) return tn_complain("%s: %s", folder, strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[TN_RUN_PATH];
        bool is_used = strcmp(files[i].name, "decisions") != 0 || runs->keeps_log;
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        int error = file < 0 ? errno : is_used ? make_room(file, files[i].size, files[i].room) : 0;
        if (file >= 0) (void)close(file);
        if (error != 0)
            return tn_complain("%s: %s; TMPDIR selects another folder", path, strerror(error));
    }
    return true;
}

static bool set_path(const char *variable, const char *before, const char *folder,
                     const char *name) {
    char value[8192];
    int length = snprintf(value, sizeof value, "%s%s/%s", before, folder, name);
    return length < (int)sizeof value && setenv(variable, value, 1) == 0;
}

// In the child. `output` and `failed` are the ends of pipes.
static void become_program(const struct tn_runs *runs, const struct job *job, int output,
                           int failed) {
    const char *folder = job->folder, *options = getenv("TARN_CHECK_OPTIONS");
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    char before[7000];
    (void)snprintf(before, sizeof before, "%s:json=", options != NULL ? options : "");
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // for a command that is killed
    (void)signal(SIGXFSZ, xfsz_before);
    errno = 0;
    if (input < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0 || !set_path("TARN_FAIL_TALLY", "", folder, "tally") ||
        !set_path("TARN_FAIL_LOG", "", folder, "log") ||
        (runs->keeps_log && !set_path("TARN_DECISION_LOG", "", folder, "decisions")) ||
        !tn_launch_renew_machine() || !runs->step->prepare(runs->context, job->item, folder) ||
        (runs->check && !set_path("TARN_CHECK_OPTIONS", before, folder, "check"))) {
        int error = errno != 0 ? errno : ENOMEM;
        (void)!write(failed, &error, sizeof error);
        _exit(TN_LAUNCH_FAILED);
    }
    _exit(tn_launch_exec(runs->launch));
}

static void close_ends(const int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) (void)close(ends[i]);
}

static bool start_job(const struct tn_runs *runs, struct job *job) {
    int output[2] = {-1, -1}, failed[2] = {-1, -1};
    if (!make_files(runs, job->folder)) return false;
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0 ||
        fcntl(output[0], F_SETFL, O_NONBLOCK) != 0 || fcntl(failed[0], F_SETFL, O_NONBLOCK) != 0) {
        (void)tn_complain("pipe: %s", strerror(errno));
        close_ends(output);
        close_ends(failed);
        return false;
    }
    (void)fflush(NULL);
    job->begun_ns = tn_timing_now();
    job->killed = false;
    tn_run_output_begin(&job->output, output[0], &job->outcome);
    job->failed = failed[0];
    job->pid = fork();
    if (job->pid == 0) become_program(runs, job, output[1], failed[1]);
    int error = errno;
    (void)close(output[1]);
    (void)close(failed[1]);
    if (job->pid > 0) {
        (void)setpgid(job->pid, job->pid); // here too, so that a kill cannot come too early
        return true;
    }
    job->pid = 0;
    (void)close(output[0]);
    (void)close(failed[0]);
    return tn_complain("fork: %s", strerror(error));
}

static void end_job(struct job *job) {
    (void)kill(-job->pid, SIGKILL);
    (void)waitpid(job->pid, NULL, 0);
    (void)close(job->output.file);
    (void)close(job->failed);
    free(job->outcome.text);
    job->pid = 0;
}

// Returns true if the run is over. Kills it at the time limit; processes that it left die with it.
static bool watch_job(struct job *job, double limit) {
    int status = 0;
    tn_run_output_take(&job->output, &job->outcome);
    if (waitpid(job->pid, &status, WNOHANG) != job->pid) {
        if (!job->killed && limit > 0 && seconds_since(job->begun_ns) > limit) {
            job->killed = true;
            (void)kill(-job->pid, SIGKILL);
        }
        return false;
    }
    (void)kill(-job->pid, SIGKILL);
    job->outcome.status = status;
    job->outcome.timed_out = job->killed;
    job->outcome.seconds = seconds_since(job->begun_ns);
    job->pid = 0;
    return true;
}

// Reads what a run that is over has left. Returns false, with a message, if the system failed it, so
// that its end says nothing about the program.
static bool read_job(const struct tn_runs *runs, struct job *job) {
    int error = 0;
    bool unstarted = read(job->failed, &error, sizeof error) == (ssize_t)sizeof error;
    tn_run_output_end(&job->output, &job->outcome);
    (void)close(job->failed);
    if (unstarted)
        return tn_complain("%s cannot be started: %s", *runs->launch->command, strerror(error));
    const char *cut = tn_run_read(job->folder, &job->outcome);
    if (cut != NULL)
        return tn_complain("%s/%s ends within a line: the disk is full; TMPDIR selects another "
                           "folder",
                           job->folder, cut);
    if (runs->check && tn_messages()->failure != NULL)
        return tn_complain("%s", tn_messages()->failure);
    return true;
}

// ---- all runs

static bool has_next(struct tn_runs *runs) {
    const struct tn_run_step *step = runs->step;
    while (runs->next < runs->count && step->skips != NULL &&
           step->skips(runs->context, runs->next))
        runs->next++;
    return runs->next < runs->count;
}

// Returns the number of runs in progress, or -1 if the system fails.
static int advance_jobs(struct tn_runs *runs, struct job *jobs, unsigned count) {
    int running = 0;
    for (unsigned i = 0; i < count; i++) {
        struct job *job = &jobs[i];
        if (job->pid != 0 && watch_job(job, runs->limit) &&
            (!read_job(runs, job) ||
             !runs->step->finished(runs->context, job->item, job->folder, &job->outcome)))
            return -1;
        if (job->pid == 0 && has_next(runs)) {
            job->item = runs->next++;
            (void)snprintf(job->folder, sizeof job->folder, "%s/%u", runs->folder, i);
            if (!start_job(runs, job)) return -1;
        }
        running += job->pid != 0;
    }
    return running;
}

bool tn_runs_all(struct tn_runs *runs, const struct tn_run_step *step, void *context,
                 size_t count) {
    static struct job jobs[JOBS_MAX];
    unsigned at_a_time = runs->jobs < JOBS_MAX ? runs->jobs : JOBS_MAX;
    int running;
    runs->step = step;
    runs->context = context;
    runs->next = 0;
    runs->count = count;
    while ((running = advance_jobs(runs, jobs, at_a_time)) > 0 && stop_signal == 0) {
        const struct timespec pause = {0, 2000000};
        tn_progress_step(0); // shows the bar when it is due
        (void)nanosleep(&pause, NULL);
    }
    for (unsigned i = 0; i < at_a_time; i++)
        if (jobs[i].pid != 0) end_job(&jobs[i]);
    return running == 0;
}

// ---- the run that the others are compared with

bool tn_runs_base(struct tn_runs *runs, const struct tn_run_step *step, void *context) {
    if (!tn_runs_all(runs, step, context, 1)) return false;
    if (runs->limit == 0) runs->limit = 10 + 10 * runs->base.seconds;
    return true;
}

int tn_runs_check_base(const struct tn_runs *runs, const char *fails) {
    const struct tn_run_outcome *base = &runs->base;
    const char *program = *runs->launch->command;
    if (tn_inject_failed(runs->launch, TN_CHECK_LIBRARY, true)) return TN_LAUNCH_FAILED;
    bool exited = WIFEXITED(base->status);
    int code = exited ? WEXITSTATUS(base->status) : WTERMSIG(base->status);
    if (base->timed_out) {
        (void)tn_complain("%s %s: it did not end within %.0f s", program, fails, runs->limit);
    } else if (code != 0 || base->sanitizer) {
        (void)tn_complain("%s %s: %s %d", program, fails, exited ? "status" : "signal", code);
        fputs(base->text != NULL ? base->text : "", stderr);
    }
    if (code == 0) return base->sanitizer ? TN_RUNS_FINDINGS : 0;
    return exited ? code : 128 + code;
}

// ---- before and after

static bool prepare_check(void) {
    char library[PATH_MAX], options[8192];
    const char *before = getenv("TARN_CHECK_OPTIONS");
    (void)snprintf(options, sizeof options, "%s%sexitcode=0", before != NULL ? before : "",
                   before != NULL && *before != '\0' ? ":" : "");
    return tn_check_accepts(options) && tn_check_prepare(options, library);
}

void tn_runs_begin(struct tn_runs *runs) {
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    runs->jobs = cpus > 0 ? (unsigned)cpus : 1;
}

bool tn_runs_open(struct tn_runs *runs, const struct tn_launch *launch, const char *command) {
    const char *parent = getenv("TMPDIR");
    runs->launch = launch;
    if (!tn_launch_prepare(launch) || (runs->check && !prepare_check()) || !tn_messages_open())
        return false;
    (void)snprintf(runs->folder, sizeof runs->folder, "%.400s/tarn-%s-XXXXXX",
                   parent == NULL || *parent != '/' ? "/tmp" : parent, command);
    if (mkdtemp(runs->folder) == NULL) return tn_complain("%s: %s", runs->folder, strerror(errno));
    catch_signals();
    xfsz_before = signal(SIGXFSZ, SIG_IGN);
    return true;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

void tn_runs_close(const struct tn_runs *runs) {
    (void)nftw(runs->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (stop_signal != 0) {
        (void)signal(stop_signal, SIG_DFL);
        (void)raise(stop_signal);
    }
}
