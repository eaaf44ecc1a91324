// SPDX-License-Identifier: Apache-2.0
// See variable.h.
#include "base/variable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/words.h"

static const struct tn_variable variables[] = {
#define ROW(owner, name, kind, ...) {owner, #name, TN_VARIABLE_##kind, __VA_ARGS__},
    TN_VARIABLES(ROW)
#undef ROW
};

_Static_assert(sizeof variables / sizeof *variables == TN_VARIABLE_COUNT, "each row is counted");

const struct tn_variable *tn_variable_at(unsigned index) { return &variables[index]; }

const char *tn_variable_text(const char *name) {
    const char *text = secure_getenv(name);
    return text != NULL && *text != '\0' ? text : NULL;
}

// ---- kinds

static bool read_word(const char *words, const char *text, uint64_t *value) {
    int index = tn_words_find(words, ' ', text, strlen(text));
    *value = (uint64_t)index;
    return index >= 0;
}

// Reads decimal digits. Returns what follows, or NULL if there are none or the number is too large.
static const char *read_digits(const char *text, uint64_t *value) {
    const char *at = text;
    for (*value = 0; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*value > (UINT64_MAX - digit) / 10) return NULL;
        *value = *value * 10 + digit;
    }
    return at != text ? at : NULL;
}

static bool read_number(const char *text, uint64_t *value) {
    static const char units[] = "KMG";
    const char *rest = read_digits(text, value);
    if (rest == NULL || *rest == '\0') return rest != NULL;
    const char *unit = strchr(units, *rest);
    if (unit == NULL || rest[1] != '\0') return false;
    unsigned shift = 10u * (unsigned)(unit - units + 1);
    bool fits = *value <= UINT64_MAX >> shift;
    *value <<= shift;
    return fits;
}

static bool read_release(const char *text, uint64_t *value) {
    uint64_t major, minor;
    const char *rest = read_digits(text, &major);
    if (rest == NULL || *rest != '.') return false;
    rest = read_digits(rest + 1, &minor);
    *value = 100 * major + minor;
    return rest != NULL && *rest == '\0' && major < 100 && minor < 100;
}

// A name without a folder is looked up in PATH, as posix_spawnp() does it.
static bool is_program(const char *text) {
    const char *folders = getenv("PATH");
    char path[4096];
    if (strchr(text, '/') != NULL || folders == NULL) return access(text, X_OK) == 0;
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":");
        int bytes = snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, text);
        if (bytes < (int)sizeof path && access(path, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

bool tn_variable_is_name(const char *text) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t length = strspn(text, letters);
    return length > 0 && length <= 48 && text[length] == '\0' && strchr(".-", *text) == NULL;
}

bool tn_variable_read_level(const char *text, int *level) {
    static const char *const names[] = {"off", "error", "info", "debug"};
    enum { LEVELS = sizeof names / sizeof *names };
    size_t length = strcspn(text, ":");
    for (*level = 0; *level < LEVELS; ++*level)
        if ((length == strlen(names[*level]) && strncmp(text, names[*level], length) == 0) ||
            (length == 1 && *text == '0' + *level))
            break;
    bool is_good = *level < LEVELS && (text[length] == '\0' || text[length + 1] != '\0');
    if (!is_good) *level = 0;
    return is_good;
}

static bool read_value(const struct tn_variable *variable, const char *text, uint64_t *value) {
    int level = 0;
    bool is_good = false;
    *value = 0;
    switch (variable->kind) {
    case TN_VARIABLE_WORD: return read_word(variable->words, text, value);
    case TN_VARIABLE_NAME: return tn_variable_is_name(text);
    case TN_VARIABLE_PROGRAM:
        if (read_word(variable->words, text, value)) return true;
        *value = 1; // behind that of the only word
        return is_program(text);
    case TN_VARIABLE_LOG:
        is_good = tn_variable_read_level(text, &level);
        *value = (uint64_t)level;
        return is_good;
    case TN_VARIABLE_NUMBER: is_good = read_number(text, value); break;
    case TN_VARIABLE_RELEASE: is_good = read_release(text, value); break;
    }
    return is_good && *value >= variable->min && *value <= variable->max;
}

// A log that cannot be written is refused too. Nothing is created here: a command checks the variables of the
// program, whose pid may be part of the name.
static bool is_writable(const struct tn_variable *variable, const char *text) {
    char path[4096];
    const char *name = variable->kind == TN_VARIABLE_LOG ? strchr(text, ':') : NULL;
    if (name == NULL || snprintf(path, sizeof path, "%s", name + 1) >= (int)sizeof path)
        return true;
    if (access(path, W_OK) == 0 || errno != ENOENT) return access(path, W_OK) == 0;
    char *end = strrchr(path, '/');
    if (end == NULL) return access(".", W_OK) == 0;
    end[end == path] = '\0';
    return strstr(path, "%p") != NULL || access(path, W_OK) == 0;
}

// ---- messages

static void describe_words(const char *words, char *text, size_t room) {
    size_t used = 0;
    for (const char *lead = ""; *words != '\0' && used < room;) {
        size_t bytes = strcspn(words, " ");
        used += (size_t)snprintf(text + used, room - used, "%s%.*s", lead, (int)bytes, words);
        words += bytes + (words[bytes] == ' ');
        lead = strchr(words, ' ') != NULL ? ", " : " or ";
    }
}

static void describe_kind(const struct tn_variable *variable, char *text, size_t room) {
    switch (variable->kind) {
    case TN_VARIABLE_WORD: describe_words(variable->words, text, room); return;
    case TN_VARIABLE_PROGRAM:
        (void)snprintf(text, room, "a program that can be executed, or %s,", variable->words);
        return;
    case TN_VARIABLE_LOG:
        (void)snprintf(text, room, "off, error, info or debug, or 0 to 3, and perhaps :FILE,");
        return;
    case TN_VARIABLE_NAME:
        (void)snprintf(text, room, "a name of at most 48 letters, digits, \".\", \"_\" or \"-\"");
        return;
    case TN_VARIABLE_RELEASE: (void)snprintf(text, room, "MAJOR.MINOR such as 9.0"); return;
    case TN_VARIABLE_NUMBER:
        (void)snprintf(text, room, "a number from %" PRIu64 " to %" PRIu64, variable->min,
                       variable->max);
        return;
    }
}

// ---- all of them

uint64_t tn_variable_value(const char *name, uint64_t otherwise) {
    const char *text = tn_variable_text(name);
    uint64_t value;
    for (size_t i = 0; i < TN_VARIABLE_COUNT; i++)
        if (strcmp(variables[i].name, name) == 0)
            return text != NULL && read_value(&variables[i], text, &value) ? value : otherwise;
    TARN_ASSERT(false); // every caller names a variable of the table
    return otherwise;
}

bool tn_variables_check(const char *owner, char *why, size_t room) {
    char expected[128];
    for (size_t i = 0; i < TN_VARIABLE_COUNT; i++) {
        const struct tn_variable *variable = &variables[i];
        uint64_t value;
        const char *text =
            strcmp(variable->owner, owner) == 0 ? tn_variable_text(variable->name) : NULL;
        bool is_good = text == NULL || read_value(variable, text, &value);
        if (is_good && (text == NULL || is_writable(variable, text))) continue;
        if (is_good) {
            (void)snprintf(why, room, "environment variable %s is \"%.100s\": the file: %s",
                           variable->name, text, strerror(errno));
            return false;
        }
        describe_kind(variable, expected, sizeof expected);
        (void)snprintf(why, room, "environment variable %s is \"%.100s\" where %s is expected",
                       variable->name, text, expected);
        return false;
    }
    return true;
}
