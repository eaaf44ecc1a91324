// SPDX-License-Identifier: Apache-2.0
// The list of AMD's exports, symbols.txt: each name is found with AMD's version, and each function
// that the list calls an error fails with that error and says which function failed.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdio.h>

#include "support/hip.h"

struct row {
    char name[128];
    char node[32];  // "" without a version
    char state[64]; // complete, partial, or the name of an error
    char test[64];
};

// Splits "NAME@@NODE STATE TEST". Returns false for a comment.
static bool read_row(const char *line, struct row *row) {
    char symbol[192];
    if (line[0] == '#') return false;
    memset(row, 0, sizeof *row);
    assert_int_equal(sscanf(line, "%191s %63s %63s", symbol, row->state, row->test), 3);
    assert_in_range(sscanf(symbol, "%127[^@]@@%31s", row->name, row->node), 1, 2);
    return true;
}

// Calls visit() for each row. Returns their number.
static int for_each_row(void (*visit)(const struct row *row)) {
    const char *path = getenv("SYMBOLS");
    char line[512];
    struct row row;
    int count = 0;
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    if (file == NULL) fail_msg("SYMBOLS does not name the list of exports");
    while (fgets(line, sizeof line, file) != NULL) {
        if (read_row(line, &row)) {
            visit(&row);
            count++;
        }
    }
    assert_int_equal(fclose(file), 0);
    return count;
}

static void *find_export(const struct row *row) {
    void *plain = dlsym(RTLD_DEFAULT, row->name);
    void *found = row->node[0] != '\0' ? dlvsym(RTLD_DEFAULT, row->name, row->node) : plain;
    if (found == NULL || found != plain) fail_msg("%s is not exported as %s", row->name, row->node);
    return found;
}

static void visit_name(const struct row *row) { (void)find_export(row); }

static void each_name_has_its_version(void **state) {
    (void)state;
    assert_in_range(for_each_row(visit_name), 541, 1000);
}

// Every argument is a valid pointer, for the functions that refuse NULL first.
static void visit_error(const struct row *row) {
    static char memory[4096];
    hipError_t (*function)(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                           void *, void *, void *, void *, void *);
    void *found = find_export(row);
    if (strncmp(row->state, "hipError", 8) != 0) return;
    memcpy(&function, &found, sizeof function);
    hipError_t error = function(memory, memory, memory, memory, memory, memory, memory, memory,
                                memory, memory, memory, memory, memory, memory);
    if (strcmp(hipGetErrorName(error), row->state) != 0)
        fail_msg("%s() returned %s", row->name, hipGetErrorName(error));
    if (error == hipErrorNotSupported && strstr(hipExtGetLastErrorText(), row->name) == NULL)
        fail_msg("%s() is not named in: %s", row->name, hipExtGetLastErrorText());
}

static void each_named_error_is_that_error(void **state) {
    (void)state;
    (void)for_each_row(visit_error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_name_has_its_version),
        cmocka_unit_test(each_named_error_is_that_error),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
