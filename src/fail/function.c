// SPDX-License-Identifier: Apache-2.0
// See function.h. The tables are sorted by name.
#include "fail/function.h"

#include <stdlib.h>
#include <string.h>

#include "fail/functions_acl.h"
#include "fail/functions_cuda.h"
#include "fail/functions_hiai.h"
#include "fail/functions_hip.h"

#define ROW(name, error, arguments) {#name, error, arguments},
static const struct tn_fail_function hip[] = {TN_FAIL_HIP(ROW)};
static const struct tn_fail_function cuda[] = {TN_FAIL_CUDA(ROW)};
static const struct tn_fail_function acl[] = {TN_FAIL_ACL(ROW)};
static const struct tn_fail_function hiai[] = {TN_FAIL_HIAI(ROW)};

static const struct {
    const struct tn_fail_function *rows;
    size_t count;
} tables[] = {
#define TABLE(rows)                                                                                \
    { rows, sizeof rows / sizeof *rows }
    TABLE(hip), TABLE(cuda), TABLE(acl), TABLE(hiai)};

enum { TABLES = sizeof tables / sizeof *tables };

// ---- names

static int compare_row(const void *name, const void *row) {
    return strcmp((const char *)name, ((const struct tn_fail_function *)row)->name);
}

static const struct tn_fail_function *find_exact(const char *name) {
    const struct tn_fail_function *found = NULL;
    for (size_t i = 0; i < TABLES && found == NULL; i++)
        found = (const struct tn_fail_function *)bsearch(name, tables[i].rows, tables[i].count,
                                                         sizeof *tables[i].rows, compare_row);
    return found;
}

// Returns the length of a name without the ending of a form or a release.
static size_t stem_of(const char *name) {
    static const char *const endings[] = {"_spt", "_ptsz", "_ptds", "R0000", "R0600"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        if (length > size && strcmp(name + length - size, endings[i]) == 0) length -= size;
    }
    bool has_release = length > 3 && name[length - 3] == '_' && name[length - 2] == 'v' &&
                       name[length - 1] >= '0' && name[length - 1] <= '9';
    return has_release ? length - 3 : length;
}

bool tn_fail_function_is(const char *spec, const char *name) {
    size_t stem = stem_of(name);
    if (strcmp(spec, name) == 0) return true;
    return strlen(spec) == stem && strncmp(spec, name, stem) == 0;
}

const struct tn_fail_function *tn_fail_function_find(const char *name) {
    const struct tn_fail_function *found = find_exact(name);
    char plain[TN_FAIL_NAME];
    size_t stem = stem_of(name);
    if (found != NULL || stem >= sizeof plain) return found;
    memcpy(plain, name, stem);
    plain[stem] = '\0';
    if ((found = find_exact(plain)) != NULL) return found;
    for (size_t i = 0; i < TABLES; i++)
        for (size_t row = 0; row < tables[i].count; row++)
            if (tn_fail_function_is(plain, tables[i].rows[row].name)) return &tables[i].rows[row];
    return NULL;
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
