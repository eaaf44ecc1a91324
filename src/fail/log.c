// SPDX-License-Identifier: Apache-2.0
// See log.h. A firing keeps errno, and formats into a buffer on the stack.
#include "fail/log.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 32 };

static int file = STDERR_FILENO;

struct line {
    char text[8192];
    size_t used;
};

void tn_fail_log_open(const char *path) {
    int fd = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    file = fd >= 0 ? fd : STDERR_FILENO;
}

// Text that does not fit is cut off.
static TARN_PRINTF(2, 3) void add_text(struct line *line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(line->text + line->used, sizeof line->text - line->used, format, arguments);
    va_end(arguments);
    line->used += length > 0 ? (size_t)length : 0;
    if (line->used >= sizeof line->text) {
        line->used = sizeof line->text - 1;
    }
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// A function without a public name is shown by its file and offset, as addr2line takes them.
static void add_frame(struct line *line, int number, void *address) {
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        add_text(line, "    #%d %p\n", number, address);
        return;
    }
    add_text(line, "    #%d %s (%s+0x%llx)\n", number,
             info.dli_sname != NULL ? info.dli_sname : "?", base_name(info.dli_fname),
             (unsigned long long)((uintptr_t)address - (uintptr_t)info.dli_fbase));
}

static void add_stack(struct line *line) {
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    for (int i = 0; i < count; i++) {
        add_frame(line, i, frames[i]);
    }
}

void tn_fail_log(const struct tn_fail_spec *spec, const struct tn_fail_call *call, uint64_t n) {
    int error = errno;
    struct line line = {.used = 0};
    add_text(&line, "tarn: fault: %s, call %llu, fails with %s", call->name, (unsigned long long)n,
             spec->as[0] != '\0' ? spec->as : tarn_status_name(spec->status));
    if (call->address != 0) {
        add_text(&line, ", address 0x%llx", (unsigned long long)call->address);
    }
    if (call->bytes != 0) {
        add_text(&line, ", %llu bytes", (unsigned long long)call->bytes);
    }
    add_text(&line, " (%s)\n", spec->text);
    if (spec->stack) {
        add_stack(&line);
    }
    (void)!write(file, line.text, line.used);
    errno = error;
}
