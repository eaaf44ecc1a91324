// SPDX-License-Identifier: Apache-2.0
// C++ exceptions that no handler caught: the texts with which libstdc++ and libc++ end a program, and
// the stack from the frame that threw. One thread.
#include <ctype.h>
#include <sys/wait.h>

#include "tools/runs/runs.h"

// The text of a line, behind the mark and up to `end`.
static bool take_behind(const char *text, const char *mark, const char *end, char *to,
                        size_t room) {
    const char *at = strstr(text, mark);
    if (at == NULL) return false;
    at += strlen(mark);
    (void)snprintf(to, room, "%.*s", (int)strcspn(at, end), at);
    return true;
}

bool tn_run_find_exception(struct tn_run_outcome *outcome) {
    const char *text = outcome->text;
    char what[TN_RUN_DETAIL] = "", *type = outcome->exception;
    size_t room = sizeof outcome->exception;
    if (!WIFSIGNALED(outcome->status) || WTERMSIG(outcome->status) != SIGABRT || text == NULL)
        return false;
    // libstdc++ demangles the type; libc++ adds the message on the same line.
    if (take_behind(text, "terminate called after throwing an instance of '", "'\n", type, room))
        (void)take_behind(strstr(text, "terminate called after"), "\n  what():  ", "\n", what,
                          sizeof what);
    else if (take_behind(text, "due to uncaught exception of type ", ":\n", type, room))
        (void)take_behind(strstr(text, "due to uncaught exception of type "), ": ", "\n", what,
                          sizeof what);
    else
        return false;
    (void)snprintf(outcome->detail, sizeof outcome->detail, "%.100s%s%.130s", type,
                   *what != '\0' ? ": " : "", what);
    return true;
}

// ---- the stack

static bool is_frame(const char *line) { return strncmp(line, "    #", 5) == 0; }

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static bool has_word(const char *line, const char *word) {
    const char *at = strstr(line, word);
    return at != NULL && at < line + strcspn(line, "\n");
}

// The frames between the one that threw and the signal. libstdc++ and libc++ may be a part of the
// program.
bool tn_run_is_of_cxx(const char *line) {
    static const char *const words[] = {"/libstdc++.so", "/libc++.so", "/libc++abi.so",
                                        " __cxa_throw ", " __cxa_rethrow "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(line, words[i])) return true;
    return false;
}

// Removes the frames of the C++ library and of libc above the one that threw.
void tn_run_show_thrower(struct tn_run_outcome *outcome) {
    char *first = outcome->text, *thrower;
    outcome->thrower[0] = '\0';
    while (first != NULL && *first != '\0' && !is_frame(first)) first += next_line(first) - first;
    for (thrower = first; thrower != NULL && is_frame(thrower) && !tn_run_is_of_cxx(thrower);)
        thrower += next_line(thrower) - thrower;
    while (thrower != NULL && is_frame(thrower) && tn_run_is_of_cxx(thrower))
        thrower += next_line(thrower) - thrower;
    if (thrower == NULL || !is_frame(thrower)) return;
    const char *place = thrower + strlen("    #");
    place += strspn(place, "0123456789 ");
    (void)snprintf(outcome->thrower, sizeof outcome->thrower, "%.*s", (int)strcspn(place, "\n"),
                   place);
    memmove(first, thrower, strlen(thrower) + 1);
}

// ---- patterns

// Compares texts without their numbers and without the names of errors, which differ from call to
// call.
static bool skip_detail(const char **at) {
    const char *from = *at;
    size_t word = strspn(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
    if (word == 0) return false;
    if (isdigit((unsigned char)*from) || memmem(from, word, "Error", 5) != NULL ||
        memmem(from, word, "ERROR", 5) != NULL) {
        *at += word;
        return true;
    }
    return false;
}

static bool is_same_text(const char *a, const char *b) {
    bool start = true;
    for (;;) {
        bool one = start && skip_detail(&a), two = start && skip_detail(&b);
        if (one != two || *a != *b) return false;
        if (*a == '\0') return true;
        start = !isalnum((unsigned char)*a) && *a != '_';
        a++;
        b++;
    }
}

// The frame is a function, whose name may have spaces, and a place: one function may throw in several
// places. Of main() they are different checks.
static bool is_same_function(const char *a, const char *b) {
    const char *one = strrchr(a, ' '), *two = strrchr(b, ' ');
    return one != NULL && two != NULL && one - a == two - b &&
           strncmp(a, b, (size_t)(one - a)) == 0 && strncmp(a, "main ", 5) != 0;
}

bool tn_run_same_exception(const struct tn_run_outcome *a, const struct tn_run_outcome *b) {
    return strcmp(a->exception, b->exception) == 0 &&
           (is_same_function(a->thrower, b->thrower) || is_same_text(a->detail, b->detail));
}
