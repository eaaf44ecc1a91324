// SPDX-License-Identifier: Apache-2.0
// See point.h. The first point reads the environment, once for the process; a child of fork()
// inherits specs and counters. Every image that contains Tarn contains this file, so that its
// constructor reports the image to the command that started the process. An image that the command
// preloads is reported by its first point.
#include "fail/point.h"

#include <tarn/face.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decide.h"
#include "base/launcher.h"
#include "base/named_file.h"
#include "base/variable.h"
#include "fail/call.h"
#include "fail/function.h"
#include "fail/log.h"
#include "fail/tally.h"
#include "fail/turns.h"

enum { STATUSES = 64 };

_Atomic int tn_fail_state; // a store with release in read_environment() publishes what it read

static pthread_once_t reading = PTHREAD_ONCE_INIT;
static struct tn_fail_set process_set;
static tarn_status read_status;
static struct tn_fail_spec wrong;             // the "spec" of every call if TARN_FAIL is wrong
static struct tn_fail_spec by_seed[STATUSES]; // those of TARN_SEED, by their negative status
static char why[300];

static void report(bool preloaded) {
    if ((secure_getenv(TN_LAUNCHER_PRELOADED) != NULL) == preloaded)
        tn_launcher_report(secure_getenv(TN_LAUNCHER_VARIABLE), TN_LAUNCHER_LOADED);
}

__attribute__((constructor)) static void report_loaded(void) { report(false); }

// The log of a command may be out of reach of a program that has changed its user. Firings go to
// standard error then.
static void open_log(const char *path) {
    int error = tn_fail_log_open(path);
    if (error == 0 || tn_fail_tally_is_open() || read_status != TARN_OK) return;
    read_status = TARN_BAD_CONFIG;
    (void)snprintf(why, sizeof why, "environment variable TARN_FAIL_LOG is \"%.100s\": %s", path,
                   tn_named_file_error(error));
}

static void read_environment(void) {
    const char *text = secure_getenv("TARN_FAIL");
    report(true);
    read_status = tn_fail_parse(text, &tn_fail_process, &process_set);
    if (read_status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        (void)snprintf(why, sizeof why, "environment variable TARN_FAIL: %s", error.message);
    }
    tn_fail_tally_open(secure_getenv("TARN_FAIL_TALLY"));
    open_log(tn_variable_text("TARN_FAIL_LOG"));
    wrong.status = read_status;
    if (tn_fail_tallies()) tn_fail_log_crashes();
    for (unsigned i = 0; i < sizeof by_seed / sizeof *by_seed; i++) {
        by_seed[i].status = (tarn_status) - (int)i;
        (void)snprintf(by_seed[i].text, sizeof by_seed[i].text, "TARN_SEED");
    }
    bool off = read_status == TARN_OK && process_set.count == 0 && !tn_fail_tallies() &&
               !tn_decide_faults() && !tn_decide_threads();
    tn_store_release(&tn_fail_state, off ? TN_FAIL_OFF : TN_FAIL_ON);
}

tarn_status tn_fail_read(const struct tn_fail_set **set) {
    (void)pthread_once(&reading, read_environment);
    *set = &process_set;
    return read_status == TARN_OK ? TARN_OK : tn_fail(read_status, "%s", why);
}

bool tn_fail_tallies(void) { return tn_fail_tally_is_open() || tn_decide_faults(); }

// Decides by the seed whether the call fails.
static const struct tn_fail_spec *decide_by_seed(const char *name) {
    struct tn_fail_word word;
    if (!tn_decide_faults() || tn_fail_loses_memory(name) || !tn_fail_process.find(name, &word) ||
        word.never || tn_decide(&tn_process_decider, TN_DECIDE_FAIL, 2, "%s", name) == 0)
        return NULL;
    return &by_seed[-word.status];
}

// A call, and the error of the API with which it fails by default, or NULL.
struct call {
    const char *name, *error;
    struct tn_fail_facts facts;
    tarn_addr address; // for the log; 0 if the call has none
    uint64_t bytes;
};

static const char *error_of(const struct call *call, const struct tn_fail_spec *spec) {
    return spec->as[0] != '\0' ? spec->as : !spec->chosen ? call->error : NULL;
}

static const struct tn_fail_spec *decide_call(struct tn_fail_set *set, const struct call *call) {
    const struct tn_fail_set *unused;
    uint64_t n = 0;
    if (tn_fail_read(&unused) != TARN_OK) return &wrong;
    uint64_t all = tn_fail_tally_add(call->name);
    const uint64_t *shared = all != 0 ? &all : NULL;
    const struct tn_fail_spec *own =
        set != NULL ? tn_fail_count_facts(set, call->name, &call->facts, NULL, &n) : NULL;
    const struct tn_fail_spec *spec = tn_fail_count_facts(&process_set, call->name, &call->facts,
                                                          shared, own != NULL ? &all : &n);
    spec = own != NULL ? own : spec;
    if (spec == NULL && (spec = decide_by_seed(call->name)) != NULL) n = all;
    if (spec != NULL) {
        (void)tn_fail(spec->status, "%s: call %llu was made to fail, as \"%s\" asks", call->name,
                      (unsigned long long)n, spec->text);
        tn_fail_log(spec, call->name, error_of(call, spec), call->address, call->bytes, n);
    }
    return spec;
}

const struct tn_fail_spec *tn_fail_decide(struct tn_fail_set *set, const char *name,
                                          tarn_addr address, uint64_t bytes) {
    const struct call call = {
        .name = name,
        .facts = {2, {{TN_FAIL_FACT_ADDRESS, address}, {TN_FAIL_FACT_SIZE, bytes}}},
        .address = address,
        .bytes = bytes};
    return decide_call(set, &call);
}

bool tarn_fail_asked(void) {
    const struct tn_fail_set *unused;
    (void)tn_fail_read(&unused);
    return tn_fail_asked();
}

tarn_status tn_fail_call(const char *name, const uint64_t *arguments, unsigned count,
                         const char **as) {
    const struct tn_fail_function *row = tn_fail_asked() ? tn_fail_function_find(name) : NULL;
    struct call call = {.name = name};
    if (tn_decide_threads()) tn_turns_take(name, NULL);
    if (row != NULL) {
        tn_fail_function_read(row, arguments, count, &call.facts);
        call.error = strcmp(row->error, "-") != 0 ? row->error : NULL;
    }
    for (unsigned i = call.facts.count; i-- > 0;) {
        const struct tn_fail_fact *fact = &call.facts.list[i];
        if (fact->kind == TN_FAIL_FACT_ADDRESS) call.address = fact->value;
        if (fact->kind == TN_FAIL_FACT_SIZE) call.bytes = fact->value;
    }
    const struct tn_fail_spec *spec = tn_fail_asked() ? decide_call(NULL, &call) : NULL;
    if (spec != NULL && spec != &wrong) *as = error_of(&call, spec);
    return spec != NULL ? spec->status : TARN_OK;
}

tarn_status tarn_fail_point(const char *name, const char **as) {
    TN_REFUSE(name == NULL, TARN_BAD_ARGUMENT, "name is NULL");
    const char *error = NULL;
    tarn_status status = tn_fail_call(name, NULL, 0, &error);
    if (status != TARN_OK && as != NULL) *as = error;
    return status;
}

tarn_status tn_fail_at(const char *name, tarn_addr address, uint64_t bytes, const void *caller) {
    if (tn_decide_threads()) tn_turns_take(name, caller);
    const struct tn_fail_spec *spec =
        tn_fail_asked() ? tn_fail_decide(NULL, name, address, bytes) : NULL;
    return spec != NULL ? spec->status : TARN_OK;
}
