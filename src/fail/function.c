// SPDX-License-Identifier: Apache-2.0
// See function.h.
#include "fail/function.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fail/functions_acl.h"
#include "fail/functions_cuda.h"
#include "fail/functions_hiai.h"
#include "fail/functions_hip.h"

static const struct tn_fail_function rows[] = {
#define ROW(error, arguments, names) {error, arguments, names},
    TN_FAIL_HIP(ROW) TN_FAIL_CUDA(ROW) TN_FAIL_ACL(ROW) TN_FAIL_HIAI(ROW)};

// ---- names

struct name {
    const char *text; // ends at its length
    size_t length;
    const struct tn_fail_function *row;
};

static struct name names[2048]; // in the order of their texts
static size_t name_count;

static int compare_names(const void *a, const void *b) {
    const struct name *left = a, *right = b;
    size_t both = left->length < right->length ? left->length : right->length;
    int order = strncmp(left->text, right->text, both);
    return order != 0 ? order : (left->length > both) - (right->length > both);
}

static void sort_names(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *at = rows[i].names; *at != '\0'; at += *at == ' ') {
            size_t length = strcspn(at, " ");
            names[name_count++] = (struct name){at, length, &rows[i]};
            at += length;
        }
    qsort(names, name_count, sizeof *names, compare_names);
}

static const struct tn_fail_function *find_exact(const char *text, size_t length) {
    const struct name key = {text, length, NULL};
    const struct name *found = bsearch(&key, names, name_count, sizeof *names, compare_names);
    return found != NULL ? found->row : NULL;
}

static bool ends_with(const char *text, size_t length, const char *ending) {
    size_t size = strlen(ending);
    return length > size && memcmp(text + length - size, ending, size) == 0;
}

// Returns the length of a name without the ending of a form or a release.
static size_t stem_of(const char *name, size_t length) {
    static const char *const endings[] = {"_spt", "_ptsz", "_ptds", "R0000", "R0600"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(name, length, endings[i])) length -= strlen(endings[i]);
    bool has_release = length > 3 && name[length - 3] == '_' && name[length - 2] == 'v' &&
                       name[length - 1] >= '0' && name[length - 1] <= '9';
    return has_release ? length - 3 : length;
}

bool tn_fail_function_is(const char *spec, const char *name) {
    size_t stem = stem_of(name, strlen(name));
    if (strcmp(spec, name) == 0) return true;
    return strlen(spec) == stem && strncmp(spec, name, stem) == 0;
}

const struct tn_fail_function *tn_fail_function_find(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, sort_names);
    size_t length = strlen(name), stem = stem_of(name, length);
    const struct tn_fail_function *found = find_exact(name, length);
    if (found == NULL) found = find_exact(name, stem);
    for (size_t i = 0; i < name_count && found == NULL; i++)
        if (stem_of(names[i].text, names[i].length) == stem &&
            strncmp(names[i].text, name, stem) == 0)
            found = names[i].row;
    return found;
}

// ---- recipes

static const char *const fact_names[TN_FAIL_FACTS] = {
#define NAME(fact, text) text,
    TN_FAIL_FACT_LIST(NAME)};

// Returns the fact whose name begins the text, and moves behind its "=".
static int read_fact(const char **at) {
    for (int fact = 0; fact < TN_FAIL_FACTS; fact++) {
        size_t length = strlen(fact_names[fact]);
        if (strncmp(*at, fact_names[fact], length) == 0 && (*at)[length] == '=') {
            *at += length + 1;
            return fact;
        }
    }
    return -1;
}

unsigned tn_fail_function_facts(const struct tn_fail_function *function) {
    unsigned facts = 0;
    for (const char *at = function->arguments; *at != '\0';) {
        int fact = read_fact(&at);
        facts |= fact >= 0 ? 1u << fact : 0;
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return facts;
}

// The bits of an element: four ints for x, y, z and w.
static uint64_t element_bytes(uint64_t description) {
    uint32_t bits[4] = {0};
    memcpy(bits, (const void *)(uintptr_t)description, sizeof bits);
    return (uint64_t)(bits[0] + bits[1] + bits[2] + bits[3]) / 8;
}

// Reads "[OFFSET]" or "[OFFSET.4]". The pointer is not NULL.
static uint64_t read_part(const char **at, uint64_t pointer) {
    char *end;
    unsigned long offset = strtoul(*at + 1, &end, 10);
    size_t bytes = *end == '.' ? strtoul(end + 1, &end, 10) : sizeof(uint64_t);
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)(pointer + offset), bytes);
    *at = end + 1;
    return value;
}

// Returns false if an argument is missing or is a NULL pointer.
static bool read_factor(const char **at, const uint64_t *arguments, unsigned count,
                        uint64_t *value) {
    if (**at >= '0' && **at <= '9') {
        char *end;
        *value = strtoul(*at, &end, 10);
        *at = end;
        return true;
    }
    unsigned place = (unsigned)(**at - 'a');
    if (place >= count) return false;
    *value = arguments[place];
    ++*at;
    bool is_pointer = **at == '[' || **at == '#';
    if (is_pointer && *value == 0) return false;
    if (**at == '[') *value = read_part(at, *value);
    if (**at == '#') *value = element_bytes(*value);
    if (**at == '>') *value >>= 32;
    if (**at == '+' && *value == 0) *value = 1;
    if (**at == '#' || **at == '>' || **at == '+') ++*at;
    return true;
}

static bool read_product(const char **at, const uint64_t *arguments, unsigned count,
                         uint64_t *product) {
    *product = 1;
    for (;; ++*at) {
        uint64_t factor;
        if (!read_factor(at, arguments, count, &factor)) return false;
        if (__builtin_mul_overflow(*product, factor, product)) *product = UINT64_MAX;
        if (**at != '*') return true;
    }
}

void tn_fail_function_read(const struct tn_fail_function *function, const uint64_t *arguments,
                           unsigned count, struct tn_fail_facts *facts) {
    for (const char *at = function->arguments; *at != '\0';) {
        uint64_t value;
        int fact = read_fact(&at);
        if (fact >= 0 && read_product(&at, arguments, count, &value) &&
            facts->count < TN_FAIL_FACTS_MAX)
            facts->list[facts->count++] =
                (struct tn_fail_fact){(enum tn_fail_fact_kind)fact, value};
        at += strcspn(at, " ");
        at += *at == ' ';
    }
}
