// SPDX-License-Identifier: Apache-2.0
// Counts and merges equal reports, sums them up and passes them to the outlet. One lock guards
// everything.
#include "check/report/report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/handle_map.h"
#include "check/options.h"
#include "check/report/outlet.h"
#include "check/report/print.h"
#include "check/report/suppress.h"
#include "check/table.h"

enum { SEEN_MAX = 10000 }; // bounds the memory, and what is printed

// Equal reports.
struct seen {
    uint64_t serial; // of the first one that was printed
    uint64_t count;
    enum tn_check_kind kind;
    bool suppressed;
};

static struct {
    pthread_mutex_t lock;
    struct tn_check_handle_map index; // from the key of a report to its index in `seen`
    struct tn_check_table seen;       // of struct seen
    uint64_t serial;
    struct tn_check_counts counts;
    tn_check_report_hook hook;
    void *hook_context;
    uint64_t unlisted;             // reports without a place in `seen`
    uint64_t leaked_space;         // bytes of reservations
    char text[TN_CHECK_WIRE_TEXT]; // pages that are never written cost no memory
    char json[TN_CHECK_WIRE_TEXT];
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- forks and nested calls

// True while this thread runs one of the functions below.
static _Thread_local bool busy __attribute__((tls_model("initial-exec")));
static _Thread_local int cancel_state __attribute__((tls_model("initial-exec")));

static void lock_for_fork(void) { (void)pthread_mutex_lock(&state.lock); }

static void unlock_after_fork(void) { (void)pthread_mutex_unlock(&state.lock); }

static void watch_forks(void) {
    (void)pthread_atfork(lock_for_fork, unlock_after_fork, unlock_after_fork);
}

// Returns false if this thread re-entered, because the checker's malloc() is the program's.
static bool enter_reports(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (busy) return false;
    busy = true;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state); // while the lock is held
    (void)pthread_once(&once, watch_forks);
    (void)pthread_mutex_lock(&state.lock);
    return true;
}

static void leave_reports(void) {
    (void)pthread_mutex_unlock(&state.lock);
    (void)pthread_setcancelstate(cancel_state, NULL);
    busy = false;
}

// ---- writing

static void print_as(void (*print)(struct tn_check_text *, const struct tn_check_report *,
                                   uint64_t),
                     struct tn_check_text *text, const struct tn_check_report *report) {
    print(text, report, state.serial);
    if (text->used + 1 == text->room) { // cut off, so print it without stacks instead
        struct tn_check_report shorter = *report;
        shorter.stack_count = 0;
        text->used = 0;
        print(text, &shorter, state.serial);
    }
}

// Emits the counts alone.
static void emit_counts(enum tn_check_wire_kind kind) {
    const struct tn_check_text none = {state.text, 0, 0};
    tn_check_outlet_emit(kind, &state.counts, &none, &none);
}

// ---- equal reports

static uint64_t mix_hash(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

// Two reports with stacks are equal if they agree in the kind, the first stack and the stack of the
// allocation. Two reports without stacks are equal if they agree in the kind, the address, the
// region, the heap and the text.
static uint64_t key_of(const struct tn_check_report *report) {
    uint64_t key = mix_hash(1, (uint64_t)report->kind);
    uint64_t stacks = 0;
    for (unsigned i = 0; i < report->stack_count; i++) {
        const struct tn_check_report_stack *stack = &report->stacks[i];
        if (i == 0 || strcmp(stack->role, "allocated") == 0) {
            key = mix_hash(key, stack->stack);
            stacks |= stack->stack;
        }
    }
    if (stacks == 0) {
        key = mix_hash(mix_hash(mix_hash(key, report->addr), report->region.serial),
                       report->heap.serial);
        for (const char *at = report->what; *at != '\0'; at++)
            key = mix_hash(key, (unsigned char)*at);
    }
    return key;
}

static struct seen *seen_at(uint32_t place) { return (struct seen *)state.seen.records + place; }

// Finds or adds the record of the report, and counts the report in it. Returns NULL if there is no
// room for another record.
static struct seen *count_seen(const struct tn_check_report *report) {
    uint64_t key = key_of(report);
    uint32_t place;
    if (!tn_check_handle_map_find(&state.index, 0, key, &place)) {
        if (state.seen.count >= SEEN_MAX ||
            !tn_check_table_add(&state.seen, sizeof(struct seen), &place))
            return NULL;
        if (!tn_check_handle_map_set(&state.index, 0, key, place)) {
            tn_check_table_remove(&state.seen, place);
            return NULL;
        }
        seen_at(place)->kind = report->kind;
        seen_at(place)->suppressed = tn_check_suppress_matches(report);
    }
    seen_at(place)->count++;
    return seen_at(place);
}

// ---- a report

void tn_check_report_begin(struct tn_check_report *report, enum tn_check_kind kind,
                           const char *role, const char *format, ...) {
    va_list arguments;
    memset(report, 0, sizeof *report);
    report->kind = kind;
    report->severity = -1;
    report->device = -1;
    va_start(arguments, format);
    (void)vsnprintf(report->what, sizeof report->what, format, arguments);
    va_end(arguments);
    if (role == NULL || *role != '\0') {
        report->thread = tn_stack_thread();
        tn_check_report_add_stack(report, role == NULL ? "access" : role, report->thread,
                                  tn_stack_capture());
    }
}

void tn_check_report_add_stack(struct tn_check_report *report, const char *role, uint32_t thread,
                               tn_stack_id stack) {
    if (report->stack_count < TN_CHECK_REPORT_STACKS && stack != 0)
        report->stacks[report->stack_count++] = (struct tn_check_report_stack){role, thread, stack};
}

// Counts and prints the report. Returns false if it is suppressed.
static bool accept_report(const struct tn_check_report *report) {
    struct seen *seen = count_seen(report);
    bool full = seen == NULL && state.seen.count >= SEEN_MAX;
    if (seen != NULL ? seen->suppressed : tn_check_suppress_matches(report)) {
        state.counts.suppressed++;
        return false;
    }
    state.counts.errors += report->severity == TN_CHECK_SEVERITY_ERROR;
    state.counts.warnings += report->severity == TN_CHECK_SEVERITY_WARN;
    state.counts.notes += report->severity == TN_CHECK_SEVERITY_NOTE;
    if (state.hook != NULL && state.hook(state.hook_context, report)) return true;
    state.unlisted += full;
    if (!full && (seen == NULL || seen->count <= tn_check_options()->max_reports)) {
        state.serial++;
        if (seen != NULL && seen->count == 1) {
            seen->serial = state.serial;
            tn_check_causes_add(report, state.serial);
        }
        struct tn_check_text text = TN_CHECK_TEXT(state.text), json = TN_CHECK_TEXT(state.json);
        print_as(tn_check_print_text, &text, report);
        if (tn_check_outlet_wants_json()) print_as(tn_check_print_json, &json, report);
        tn_check_outlet_emit(TN_CHECK_WIRE_REPORT, &state.counts, &text, &json);
        return true;
    }
    // At powers of two the counts are sent, for the case that the process is killed.
    uint64_t repeats = full ? state.unlisted : seen->count;
    if ((repeats & (repeats - 1)) == 0) emit_counts(TN_CHECK_WIRE_REPORT);
    return true;
}

void tn_check_report_end(struct tn_check_report *report) {
    const struct tn_check_options *options = tn_check_options();
    if (report->severity < 0) report->severity = (int)tn_check_kind_texts[report->kind].severity;
    if (!enter_reports()) return;
    bool taken = accept_report(report);
    leave_reports();
    if (taken && options->halt_on_error && report->severity == TN_CHECK_SEVERITY_ERROR) {
        (void)tn_check_report_summary(false);
        _exit(options->exitcode == 0 ? 77 : options->exitcode);
    }
}

void tn_check_report_count_leak(uint64_t bytes, uint64_t regions) {
    if (enter_reports()) {
        state.counts.leaked_bytes += bytes;
        state.counts.leaked_regions += regions;
        leave_reports();
    }
}

void tn_check_report_count_space(uint64_t bytes) {
    if (enter_reports()) {
        state.leaked_space += bytes;
        leave_reports();
    }
}

// ---- the end

// Emits each time that the texts are almost full, so that none is cut off.
static void add_repeats(struct tn_check_text *text, struct tn_check_text *json) {
    uint64_t shown = tn_check_options()->max_reports;
    for (uint32_t i = 0; i < state.seen.count; i++) {
        const struct seen *seen = seen_at(i);
        if (seen->count > shown && !seen->suppressed) {
            const char *kind = tn_check_kind_texts[seen->kind].name;
            uint64_t more = seen->count - shown;
            tn_check_text_add(text, "==%d== [#%" PRIu64 "] %s: %" PRIu64 " more of the same\n",
                              (int)getpid(), seen->serial, kind, more);
            tn_check_text_add(json,
                              TN_CHECK_JSON_HEAD ", \"repeat\": %" PRIu64
                                                 ", \"kind\": \"%s\", \"more\": %" PRIu64 "}\n",
                              (int)getpid(), seen->serial, kind, more);
        }
        if (json->used > json->room / 2) {
            tn_check_outlet_emit(TN_CHECK_WIRE_REPORT, &state.counts, text, json);
            text->used = json->used = 0;
        }
    }
    if (state.unlisted > 0) {
        tn_check_text_add(text,
                          "==%d== %" PRIu64 " report(s) of further places are counted, not shown\n",
                          (int)getpid(), state.unlisted);
        tn_check_text_add(json, TN_CHECK_JSON_HEAD ", \"unlisted\": %" PRIu64 "}\n", (int)getpid(),
                          state.unlisted);
    }
}

static void add_sums(struct tn_check_text *text, struct tn_check_text *json) {
    const struct tn_check_counts *counts = &state.counts;
    tn_check_text_add(text,
                      "==%d== SUMMARY: %" PRIu64 " error(s), %" PRIu64 " warning(s), %" PRIu64
                      " byte(s) leaked in %" PRIu64 " region(s), %" PRIu64 " suppressed",
                      (int)getpid(), counts->errors, counts->warnings, counts->leaked_bytes,
                      counts->leaked_regions, counts->suppressed);
    if (state.leaked_space != 0)
        tn_check_text_add(text, ", %" PRIu64 " byte(s) of address space leaked",
                          state.leaked_space);
    tn_check_text_add(text, "\n");
    tn_check_text_add(
        json,
        TN_CHECK_JSON_HEAD ", \"summary\": {\"errors\": %" PRIu64 ", \"warnings\": %" PRIu64
                           ", \"notes\": %" PRIu64 ", \"leaked_bytes\": %" PRIu64
                           ", \"leaked_regions\": %" PRIu64 ", \"leaked_space\": %" PRIu64
                           ", \"suppressed\": %" PRIu64 "}}\n",
        (int)getpid(), counts->errors, counts->warnings, counts->notes, counts->leaked_bytes,
        counts->leaked_regions, state.leaked_space, counts->suppressed);
}

void tn_check_report_start(void) {
    if (enter_reports()) {
        emit_counts(TN_CHECK_WIRE_BEGIN);
        leave_reports();
    }
}

int tn_check_report_summary(bool forked) {
    if (!enter_reports()) return 0;
    struct tn_check_text text = TN_CHECK_TEXT(state.text), json = TN_CHECK_TEXT(state.json);
    add_repeats(&text, &json);
    tn_check_growth_print(&text, &json);
    tn_check_causes_print(&text, &json);
    tn_check_unknown_print(&text, &json);
    add_sums(&text, &json);
    if (!tn_check_outlet_wants_json()) json.used = 0;
    tn_check_outlet_emit(TN_CHECK_WIRE_END, &state.counts, &text, &json);
    int code = tn_check_outlet_exit_code(state.counts.errors > 0, forked);
    leave_reports();
    return code;
}

// ---- for tests

void tn_check_report_set_hook(tn_check_report_hook hook, void *context) {
    if (enter_reports()) {
        state.hook = hook;
        state.hook_context = context;
        leave_reports();
    }
}

struct tn_check_counts tn_check_report_counts(void) {
    struct tn_check_counts counts = {0};
    if (enter_reports()) {
        counts = state.counts;
        leave_reports();
    }
    return counts;
}

void tn_check_report_reset(void) {
    if (enter_reports()) {
        tn_check_table_fini(&state.seen);
        tn_check_handle_map_fini(&state.index);
        tn_check_causes_reset();
        tn_check_growth_reset();
        tn_check_unknown_reset();
        state.serial = state.unlisted = 0;
        memset(&state.counts, 0, sizeof state.counts);
        leave_reports();
    }
}
