// SPDX-License-Identifier: Apache-2.0
// The cases of `tarn torture`: each call of each name that the program made, or pairs of them. One
// thread.
#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#include "backend/layer/quirks.h"
#include "fail/spec.h"
#include "fail/tally.h"
#include "tools/terminal.h"
#include "tools/torture/torture.h"

// ---- names

enum kind { SLOT, FUNCTION, FACE, NEVER };

// A slot may be one that cannot fail, and a vendor's function one for which its manual lists no error.
static enum kind kind_of(const char *name) {
    struct tn_fail_word word;
    if (tn_fail_device.find(name, &word)) return SLOT;
    if (strncmp(name, "tarn_", strlen("tarn_")) == 0) return FUNCTION;
    return tn_fail_process.find(name, &word) && !word.never ? FACE : NEVER;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const struct tn_torture_name *)a)->name,
                  ((const struct tn_torture_name *)b)->name);
}

bool tn_torture_read_names(struct tn_torture *torture, const char *path) {
    struct tn_fail_tally_entry *table = calloc(TN_FAIL_TALLY_NAMES, sizeof *table);
    torture->names = (struct tn_torture_name *)calloc(TN_FAIL_TALLY_NAMES, sizeof *torture->names);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = table != NULL && torture->names != NULL && file >= 0 &&
                read(file, table, TN_FAIL_TALLY_NAMES * sizeof *table) > 0;
    for (size_t i = 0; good && i < TN_FAIL_TALLY_NAMES; i++) {
        struct tn_torture_name *name = &torture->names[torture->name_count];
        if (table[i].count == 0 || kind_of(table[i].name) == NEVER) continue;
        (void)snprintf(name->name, sizeof name->name, "%s", table[i].name);
        name->calls = table[i].count;
        torture->name_count++;
    }
    if (good) qsort(torture->names, torture->name_count, sizeof *torture->names, compare_names);
    if (file >= 0) (void)close(file);
    free(table);
    return good;
}

// A face calls Tarn's functions.
bool tn_torture_chooses(const struct tn_torture *torture, const char *name) {
    bool face = false;
    if (torture->only != NULL) return fnmatch(torture->only, name, 0) == 0;
    for (size_t i = 0; i < torture->name_count; i++)
        face = face || kind_of(torture->names[i].name) == FACE;
    return !tn_fail_loses_memory(name) && (kind_of(name) != FUNCTION || !face);
}

bool tn_torture_check_only(const struct tn_torture *torture) {
    if (torture->only == NULL) return true;
    if (strcmp(torture->only, TN_TORTURE_NONE) == 0) {
        if (torture->quirks != NULL) return true;
        return tn_complain("--only=none leaves no case without --quirks");
    }
    for (size_t i = 0; i < torture->name_count; i++)
        if (tn_torture_chooses(torture, torture->names[i].name)) return true;
    (void)tn_complain("--only=%s matches no call of the program", tn_shown(torture->only));
    fprintf(stderr, "    it calls");
    for (size_t i = 0; i < torture->name_count; i++)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", torture->names[i].name);
    fprintf(stderr, "\n");
    return false;
}

// ---- cases

static uint64_t next_random(uint64_t *state) {
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

// The n-th call of all chosen ones.
static void describe_call(const struct tn_torture *torture, uint64_t n, char *text, size_t room) {
    for (size_t i = 0; i < torture->name_count; i++) {
        const struct tn_torture_name *name = &torture->names[i];
        if (!tn_torture_chooses(torture, name->name)) continue;
        if (n < name->calls) {
            (void)snprintf(text, room, "%s:%ju", name->name, (uintmax_t)n + 1);
            return;
        }
        n -= name->calls;
    }
}

// Pairs are numbered: those of call 1 with calls 0 to 0, of call 2 with calls 0 to 1, and so on.
static void describe_case(const struct tn_torture *torture, uint64_t n, char *text, size_t room) {
    if (!torture->pairs) {
        describe_call(torture, n, text, room);
        return;
    }
    uint64_t second = 1;
    while (n >= second) n -= second++;
    describe_call(torture, n, text, room);
    size_t used = strlen(text);
    (void)snprintf(text + used, room - used, ";");
    describe_call(torture, second, text + used + 1, room - used - 1);
}

#define QUIRK "quirk:"

const char *tn_torture_quirk(const char *spec) {
    return strncmp(spec, QUIRK, strlen(QUIRK)) == 0 ? spec + strlen(QUIRK) : NULL;
}

static bool add_quirk_cases(struct tn_torture *torture) {
#define NAME(id, name, ...) name ","
    const char *list = torture->quirks == NULL               ? ""
                       : strcmp(torture->quirks, "all") == 0 ? TN_QUIRKS(NAME)
                                                             : torture->quirks;
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        size_t room = (torture->case_count + 1) * sizeof(struct tn_torture_case);
        struct tn_torture_case *cases = (struct tn_torture_case *)realloc(torture->cases, room);
        if (cases == NULL) return false;
        torture->cases = cases;
        struct tn_torture_case *one = &cases[torture->case_count++];
        *one = (struct tn_torture_case){.done = false};
        (void)snprintf(one->spec, sizeof one->spec, QUIRK "%.*s", (int)length, list);
        list += length + (list[length] == ',');
    }
    return true;
}

bool tn_torture_plan(struct tn_torture *torture) {
    uint64_t calls = 0, all, state = torture->seed;
    for (size_t i = 0; i < torture->name_count; i++)
        calls += tn_torture_chooses(torture, torture->names[i].name) ? torture->names[i].calls : 0;
    all = torture->pairs ? calls * (calls - (calls > 0)) / 2 : calls;
    uint64_t wanted = torture->sample > 0 && torture->sample < all ? torture->sample : all;
    torture->cases = (struct tn_torture_case *)calloc(wanted + 1, sizeof *torture->cases);
    if (torture->cases == NULL) return false;
    // Each case is taken with the probability that leaves as many as are wanted.
    for (uint64_t n = 0; n < all && torture->case_count < wanted; n++)
        if (next_random(&state) % (all - n) < wanted - torture->case_count)
            describe_case(torture, n, torture->cases[torture->case_count++].spec, TN_TORTURE_SPEC);
    return add_quirk_cases(torture);
}
