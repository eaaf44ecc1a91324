// SPDX-License-Identifier: Apache-2.0
// See result.h. Standard error is passed through a stream that keeps the last line of the command.
#include "tools/result.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/replacement.h"
#include "tools/terminal.h"

enum { REAL_DIGITS = 12 };

static const char *asked; // the command, or NULL without --json
static const char *path;  // NULL for standard output
static bool done, failed;
static char line[1024], message[sizeof line];
static size_t used;

// Keeps a line that begins with the name of the program, without that name.
static void end_line(void) {
    char *text = line, shown[64];
    line[used] = '\0';
    used = 0;
    int length = snprintf(shown, sizeof shown, "tarn %s: ", asked);
    if (strncmp(text, shown, (size_t)length) == 0)
        (void)snprintf(message, sizeof message, "%s", text + length);
    else if (strncmp(text, "tarn", 4) == 0)
        (void)snprintf(message, sizeof message, "%s", text);
}

static ssize_t pass_on(void *cookie, const char *text, size_t bytes) {
    (void)cookie;
    for (size_t i = 0; i < bytes; i++)
        if (text[i] == '\n')
            end_line();
        else if (used + 1 < sizeof line)
            line[used++] = text[i];
    return tn_terminal_write(STDERR_FILENO, text, bytes) ? (ssize_t)bytes : 0;
}

void tn_result_expect(const char *command, const char *file) {
    const cookie_io_functions_t functions = {.write = pass_on};
    FILE *through = fopencookie(NULL, "w", functions);
    asked = command;
    path = file;
    if (through == NULL) return;
    (void)setvbuf(through, NULL, _IONBF, 0);
    stderr = through;
}

bool tn_result_shows_text(void) { return asked == NULL || path != NULL; }

void tn_result_done(void) { done = true; }

// Returns 0 or an errno. The text is made first: without memory for JSON the process ends.
static int write_file(json_t *result, int flags, size_t form) {
    struct tn_replacement place;
    char *text = json_dumps(result, form);
    int failure = text != NULL ? tn_replacement_open(path, flags, &place) : ENOMEM;
    if (failure == 0) {
        bool good = dprintf(place.file, "%s\n", text) >= 0;
        failure = tn_replacement_close(&place, good ? 0 : errno);
    }
    free(text);
    return failure;
}

// `flags` of open() are added, `form` is a flag of json_dumpf().
static void print_object(json_t *members, int flags, size_t form) {
    json_t *result = json_pack("{ss, si}", "command", asked, "schema", TN_RESULT_SCHEMA);
    int failure = 0;
    (void)json_object_update(result, members);
    if (path != NULL)
        failure = write_file(result, flags, form);
    else if (json_dumpf(result, stdout, form) != 0 || fputc('\n', stdout) == EOF)
        failure = EIO; // main.c looks at standard output itself
    if (failure != 0 && path != NULL)
        (void)fprintf(stderr, "tarn %s: --json=%s: %s\n", asked, tn_shown(path),
                      tn_named_file_error(failure));
    failed = failed || failure != 0;
    done = true;
    json_decref(result);
    json_decref(members);
}

void tn_result_print(json_t *members) {
    print_object(members, 0, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
}

// The object is one line, as it may end a stream of objects. A FIFO may have lost its reader. A path
// with %p stands for files of other processes.
bool tn_result_conclude(int exit_code) {
    if (asked != NULL && !done && exit_code != 0 && (path == NULL || strstr(path, "%p") == NULL)) {
        json_t *text = json_string(message);
        print_object(json_pack("{s{si, so}}", "error", "exit_code", exit_code, "message",
                               text != NULL ? text : json_string("(not UTF-8)")),
                     O_NONBLOCK, JSON_COMPACT);
    }
    return !failed;
}

// ---- members of objects

uint64_t tn_member_get_number(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

const char *tn_member_get_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

void tn_member_set(json_t *object, const char *key, json_t *value) {
    (void)json_object_set_new(object, key, value);
}

void tn_list_add(json_t *list, json_t *value) { (void)json_array_append_new(list, value); }

json_t *tn_member_list(json_t *object, const char *key) {
    json_t *list = json_array();
    tn_member_set(object, key, list);
    return list;
}

json_t *tn_member_object(json_t *object, const char *key) {
    json_t *member = json_object();
    tn_member_set(object, key, member);
    return member;
}

json_t *tn_list_object(json_t *list) {
    json_t *object = json_object();
    tn_list_add(list, object);
    return object;
}

void tn_member_number(json_t *object, const char *key, uint64_t value) {
    tn_member_set(object, key, json_integer((json_int_t)value));
}

void tn_member_text(json_t *object, const char *key, const char *value) {
    json_t *text = json_string(value);
    tn_member_set(object, key, text != NULL ? text : json_string("(not UTF-8)"));
}
