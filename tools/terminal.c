// SPDX-License-Identifier: Apache-2.0
// See terminal.h. Standard error, and standard output if it is a terminal, are streams of this file:
// they pass the text on to the descriptor without its control characters. Colours and the bar are
// written to the descriptor itself.
#include "tools/terminal.h"
#include "base/printable.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_quiet;

// ---- streams without control characters

// Returns the number of bytes until the first control character. U+0080 to U+009F take two bytes.
static size_t clean_length(const char *text, size_t bytes) {
    size_t i = 0;
    for (; i < bytes; i++) {
        uint8_t byte = (uint8_t)text[i];
        if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f ||
            (byte == 0xc2 && i + 1 < bytes && (uint8_t)text[i + 1] < 0xa0))
            break;
    }
    return i;
}

static bool write_whole(int file, const char *text, size_t bytes) {
    while (bytes > 0) {
        ssize_t done = write(file, text, bytes);
        if (done < 0) return false;
        text += done;
        bytes -= (size_t)done;
    }
    return true;
}

bool tn_terminal_write(int file, const char *text, size_t bytes) {
    bool good = true;
    while (good && bytes > 0) {
        char escaped[8];
        size_t clean = clean_length(text, bytes);
        good = write_whole(file, text, clean);
        text += clean;
        bytes -= clean;
        if (bytes == 0) break;
        int length = snprintf(escaped, sizeof escaped, "\\x%02x", (uint8_t)*text);
        good = good && write_whole(file, escaped, (size_t)length);
        text++;
        bytes--;
    }
    return good;
}

static ssize_t pass_on(void *cookie, const char *text, size_t bytes) {
    return tn_terminal_write((int)(intptr_t)cookie, text, bytes) ? (ssize_t)bytes : 0;
}

static void guard_stream(FILE **stream, int file, int mode) {
    const cookie_io_functions_t functions = {.write = pass_on};
    FILE *through = fopencookie((void *)(intptr_t)file, "w", functions);
    if (through == NULL) return; // it stays as it is
    (void)setvbuf(through, NULL, mode, 0);
    *stream = through;
}

void tn_terminal_guard(void) {
    guard_stream(&stderr, STDERR_FILENO, _IONBF);
    if (isatty(STDOUT_FILENO) == 1) guard_stream(&stdout, STDOUT_FILENO, _IOLBF);
}

// ---- colours and progress

// Returns the descriptor of a stream, or -1 for a text in memory.
static int file_of(FILE *stream) {
    return stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : fileno(stream);
}

static bool draws(int file) {
    const char *term = getenv("TERM");
    return file >= 0 && isatty(file) == 1 && term != NULL && strcmp(term, "dumb") != 0;
}

bool tn_terminal_draws(FILE *stream) { return draws(file_of(stream)); }

void tn_terminal_command(FILE *stream, const char *codes) {
    (void)fflush(stream);
    (void)write_whole(file_of(stream), codes, strlen(codes));
}

void tn_style_print(FILE *stream, enum tn_style style, const char *format, ...) {
    static const char *const codes[] = {
        [TN_STYLE_HEAD] = "\033[1m", [TN_STYLE_GOOD] = "\033[32m", [TN_STYLE_BAD] = "\033[31m"};
    const char *refused = getenv("NO_COLOR");
    bool coloured = (refused == NULL || *refused == '\0') && tn_terminal_draws(stream);
    va_list values;
    va_start(values, format);
    if (coloured) tn_terminal_command(stream, codes[style]);
    (void)vfprintf(stream, format, values);
    if (coloured) tn_terminal_command(stream, "\033[m");
    va_end(values);
}

void tn_terminal_be_quiet(void) { is_quiet = true; }

bool tn_terminal_wants_progress(void) { return !is_quiet && draws(STDERR_FILENO); }

// ---- names of files. Most are printable, and are returned as they are

enum { TEXTS = 8, ROOM = 1024 };

const char *tn_shown(const char *text) {
    static char texts[TEXTS][ROOM];
    static unsigned next;
    if (tn_printable_is(text)) return text;
    char *copy = texts[next++ % TEXTS];
    tn_printable_copy(text, copy, ROOM);
    return copy;
}
