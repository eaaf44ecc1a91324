// SPDX-License-Identifier: Apache-2.0
// Answers as a file: a line "group.question: name=value name=value" for each question, and comments
// that begin with "#". One thread.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/conform/conform.h"
#include "tools/terminal.h"

void tn_conform_write(const struct tn_suite *suite, const struct tn_asked *asked, FILE *out) {
    (void)fprintf(out, "# tarn conform: %s\n", suite->api->name);
    (void)fprintf(out, "# %s\n", asked->about != NULL ? asked->about : "");
    if (asked->is_dated) {
        time_t now = time(NULL);
        char date[32] = "";
        (void)strftime(date, sizeof date, "%F", gmtime(&now));
        (void)fprintf(out, "# date: %s\n", date);
    }
    for (size_t i = 0; i < suite->count; i++)
        if (asked->answers[i] != NULL)
            (void)fprintf(out, "%s.%s: %s\n", suite->questions[i]->group, suite->questions[i]->name,
                          asked->answers[i]);
}

char *tn_conform_copy(const char *text) {
    char *copy = strdup(text);
    if (copy == NULL) {
        (void)tn_complain("out of memory for answers");
        exit(TN_EXIT_NO_MEMORY);
    }
    return copy;
}

// Stores an answer, or the first comment with values. Answers to questions that the suite does not
// have are ignored.
static void read_line(const struct tn_suite *suite, struct tn_asked *asked, const char *line) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "# ", 2) == 0 && colon == NULL && asked->about == NULL)
        asked->about = tn_conform_copy(line + 2);
    if (*line == '#' || colon == NULL) return;
    for (size_t i = 0; i < suite->count; i++) {
        const struct tn_question *question = suite->questions[i];
        size_t group = strlen(question->group), name = strlen(question->name);
        if (group + 1 + name == (size_t)(colon - line) &&
            memcmp(line, question->group, group) == 0 && line[group] == '.' &&
            memcmp(line + group + 1, question->name, name) == 0 && asked->answers[i] == NULL)
            asked->answers[i] = tn_conform_copy(colon + 1 + (colon[1] == ' '));
    }
}

bool tn_conform_read(const struct tn_suite *suite, const char *path, struct tn_asked *asked) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    if (file == NULL) return tn_complain("%s: %s", tn_shown(path), strerror(errno));
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
        line[length - (line[length - 1] == '\n')] = '\0';
        read_line(suite, asked, line);
    }
    asked->is_recorded = true;
    bool failed = ferror(file) != 0;
    free(line);
    (void)fclose(file);
    return !failed || tn_complain("%s cannot be read", tn_shown(path));
}

enum tn_agreement tn_conform_compare(const char *one, const char *other) {
    if (one == NULL || other == NULL || strstr(one, "skipped=") != NULL ||
        strstr(other, "skipped=") != NULL)
        return TN_UNASKED;
    return strcmp(one, other) == 0 ? TN_AGREES : TN_DIFFERS;
}
