// SPDX-License-Identifier: Apache-2.0
// See terminal.h.
#include "tools/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_quiet;

// `file` is -1 for a text in memory.
static bool draws(int file) {
    const char *term = getenv("TERM");
    return file >= 0 && isatty(file) == 1 && term != NULL && strcmp(term, "dumb") != 0;
}

bool tn_terminal_draws(FILE *stream) {
    return draws(fileno(stream));
}

static bool has_colours(FILE *stream) {
    const char *refused = getenv("NO_COLOR");
    return (refused == NULL || *refused == '\0') && tn_terminal_draws(stream);
}

void tn_style_print(FILE *stream, enum tn_style style, const char *format, ...) {
    static const char *const codes[] = {
        [TN_STYLE_HEAD] = "\033[1m", [TN_STYLE_GOOD] = "\033[32m", [TN_STYLE_BAD] = "\033[31m"};
    bool coloured = has_colours(stream);
    va_list values;
    va_start(values, format);
    (void)fputs(coloured ? codes[style] : "", stream);
    (void)vfprintf(stream, format, values);
    (void)fputs(coloured ? "\033[m" : "", stream);
    va_end(values);
}

void tn_terminal_be_quiet(void) {
    is_quiet = true;
}

bool tn_terminal_wants_progress(void) {
    return !is_quiet && draws(STDERR_FILENO); // `stderr` may be a stream of result.c
}
