// SPDX-License-Identifier: Apache-2.0
// The parts of `tarn conform`: asking, answers, and the table of differences. One thread.
#pragma once

#include <jansson.h>
#include <limits.h>

#include "tools/command.h"
#include "tools/conform/question.h"
#include "tools/launch/faces.h"

enum { TN_CONFORM_LIBRARIES = 4, TN_CONFORM_QUESTIONS = 2048 };

// An API's questions in their order.
struct tn_suite {
    const struct tn_conform_api *api;
    const struct tn_question *questions[TN_CONFORM_QUESTIONS];
    size_t count;
};

// A library or a file, and its answers.
struct tn_asked {
    const char *label; // "Tarn" or "native"
    char libraries[TN_CONFORM_LIBRARIES][PATH_MAX];
    size_t library_count;
    double limit;     // seconds for each question
    bool is_recorded; // its answers are those of a file
    bool is_dated;    // its answers change with the machine, so a file of them has the date
    // The answers: "name=value name=value", with quotes around text. NULL means not asked.
    char *about;
    char *answers[TN_CONFORM_QUESTIONS];
};

// Asks every question whose `chosen` is true. Returns false with a message if the library has no
// device.
bool tn_conform_ask(const struct tn_suite *suite, const bool *chosen, struct tn_asked *asked);

// Returns a copy of the text, or ends the command if memory is exhausted.
char *tn_conform_copy(const char *text);

// Reads recorded answers. Returns false with a message.
bool tn_conform_read(const struct tn_suite *suite, const char *path, struct tn_asked *asked);

// Writes the answers to a stream as tn_conform_read() reads them.
void tn_conform_write(const struct tn_suite *suite, const struct tn_asked *asked, FILE *out);

// The result of comparing two answers to a question.
enum tn_agreement { TN_AGREES, TN_DIFFERS, TN_UNASKED };
enum tn_agreement tn_conform_compare(const char *one, const char *other);

// The differences between Tarn's answers and another's as text, a page, or members of a result.
// `other` may be NULL: the result then has only Tarn's answers.
size_t tn_conform_print(const struct tn_suite *suite, const struct tn_asked *tarn,
                        const struct tn_asked *other);
void tn_conform_page(const struct tn_suite *suite, const struct tn_asked *tarn,
                     const struct tn_asked *other, FILE *out);
json_t *tn_conform_result(const struct tn_suite *suite, const struct tn_asked *tarn,
                          const struct tn_asked *other);
