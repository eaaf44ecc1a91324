// SPDX-License-Identifier: Apache-2.0
// See log.h. A firing keeps errno.
#include "fail/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/context.h"
#include "base/named_file.h"
#include "fail/text.h"

static int file = STDERR_FILENO;

int tn_fail_log_open(const char *path) {
    int fd = STDERR_FILENO, error = 0;
    if (path != NULL) error = tn_named_file_open(path, O_WRONLY | O_APPEND | O_CREAT, &fd);
    file = error == 0 ? fd : STDERR_FILENO;
    return error;
}

void tn_fail_log(const struct tn_fail_spec *spec, const char *name, const char *as,
                 tarn_addr address, uint64_t bytes, uint64_t n) {
    int error = errno;
    struct tn_fail_text line = {.used = 0};
    tn_fail_text_add(&line, "tarn: injected: %s, call %llu, fails with %s", name,
                     (unsigned long long)n, as != NULL ? as : tarn_status_name(spec->status));
    if (address != 0) tn_fail_text_add(&line, ", address 0x%llx", (unsigned long long)address);
    if (bytes != 0) tn_fail_text_add(&line, ", %llu bytes", (unsigned long long)bytes);
    tn_fail_text_add(&line, " (%s)\n", spec->text);
    if (spec->stack) tn_fail_text_add_stack(&line, 0);
    (void)!write(file, line.text, line.used);
    errno = error;
}

// ---- crashes

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// The handler is reset before it runs: returning raises a fault again, and SIGABRT is raised here.
static void log_crash(int number, siginfo_t *info, void *context) {
    struct tn_fail_text text = {.used = 0};
    tn_fail_text_add(&text, "tarn: crash: signal %d, address %p\n", number, info->si_addr);
    tn_fail_text_add_stack(&text, tn_context_instruction(context));
    (void)!write(file, text.text, text.used);
    if (info->si_code <= 0) // raised by a process, not by an instruction
        (void)raise(number);
}

void tn_fail_log_crashes(void) {
    struct sigaction action = {.sa_sigaction = log_crash,
                               .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND | SA_ONSTACK)};
    struct sigaction before;
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        if (sigaction(fatal[i], NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
            before.sa_handler == SIG_DFL)
            (void)sigaction(fatal[i], &action, NULL);
}
