// SPDX-License-Identifier: Apache-2.0
// Output to terminals: text without control characters; colours and progress if the terminal can
// draw them. One thread.
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum tn_style {
    TN_STYLE_HEAD, // the head of a table or section
    TN_STYLE_GOOD,
    TN_STYLE_BAD
};

// Replaces standard error, and standard output if it is a terminal, by streams that print \xNN for
// control characters other than newlines and tabulators: a label of a recording may contain some.
void tn_terminal_guard(void);
// Writes to a descriptor as these streams do. Returns false if it failed.
bool tn_terminal_write(int file, const char *text, size_t bytes);
// Sends control characters to the terminal that a stream leads to.
void tn_terminal_command(FILE *stream, const char *codes);

// fprintf() in a style. The text has no style unless the stream is a terminal and TERM is not "dumb",
// or if NO_COLOR is set and not empty.
void tn_style_print(FILE *stream, enum tn_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Returns true if the stream is a terminal that can place and erase text.
bool tn_terminal_draws(FILE *stream);

// Suppresses progress from now on.
void tn_terminal_be_quiet(void);

// Returns true if progress can be drawn on standard error and is wanted.
bool tn_terminal_wants_progress(void);

// ---- names of files in messages

// Returns the text with \xNN for each byte that is not printable, so that a name neither commands a
// terminal nor looks like another line. The result is valid until the eighth next call; a long name
// that is not printable is cut.
const char *tn_shown(const char *text);
