// SPDX-License-Identifier: Apache-2.0
// Finds the owners of stacks; see owner.h. A stack contains those of its callers, so one pass over
// the calls suffices. signs.c has the tables of what owns nothing.
#include "trace/study/owner.h"

#include "base/error.h"
#include "trace/intern.h"
#include "trace/study/distinct.h"
#include "trace/study/name.h"
#include "trace/study/signs.h"
#include <stdlib.h>
#include <string.h>

// Calls of a stack, or 0. The innermost of its kind, unless it says otherwise.
struct candidates {
    uint32_t user;      // of the program, with a line or in Python
    uint32_t package;   // Python code of an installed package that is no framework
    uint32_t backward;  // of a backward pass
    uint32_t native;    // of the program or of an unknown library, without a line
    uint32_t operation; // the outermost operator of PyTorch
    uint32_t framework; // Python code of a framework
    uint32_t any;       // not of the recorder
};

static bool is_framework(const struct tn_trace *trace, const struct tn_trace_call *call,
                         unsigned file) {
    return (file & TN_SIGN_FRAMEWORK) != 0 ||
           ((file & TN_SIGN_ALIKE) != 0 &&
            tn_signs_is_pair(trace->texts[call->function], trace->texts[call->file]));
}

// The script by which a package starts: /opt/conda/bin/torchrun.
static bool is_launcher(const char *function, const char *file) {
    const char *base = tn_name_base(file);
    return strcmp(function, "<module>") == 0 && strchr(base, '.') == NULL && base - file >= 4 &&
           strncmp(base - 4, "bin", 3) == 0;
}

static struct candidates find_candidates(const struct tn_trace *trace, const uint8_t *functions,
                                         const uint8_t *files, const struct candidates *found,
                                         uint32_t stack) {
    const struct tn_trace_call *call = &trace->calls[stack];
    unsigned function = functions[call->function], file = files[call->file];
    struct candidates own = found[call->caller];
    bool hidden = ((function | file) & TN_SIGN_HIDDEN) != 0;
    if (is_launcher(trace->texts[call->function], trace->texts[call->file]) ||
        (file & TN_SIGN_PACKAGE) != 0)
        own.package = stack;
    else if ((file & TN_SIGN_PYTHON) != 0)
        *(is_framework(trace, call, file) ? &own.framework : &own.user) = stack;
    else if (!hidden)
        *(call->line != 0 ? &own.user : &own.native) = stack;
    if ((function & TN_SIGN_BACKWARD) != 0) own.backward = stack;
    if ((function & TN_SIGN_OPERATOR) != 0 && own.operation == 0) own.operation = stack;
    if ((function & TN_SIGN_RECORDER) == 0) own.any = stack;
    return own;
}

static uint32_t choose_owner(const struct candidates *found, uint32_t stack) {
    const uint32_t order[] = {found->user,      found->package,   found->backward, found->native,
                              found->operation, found->framework, found->any};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] != 0) return order[i];
    return stack;
}

static void choose_owners(const struct tn_trace *trace, const uint8_t *functions,
                          const uint8_t *files, struct candidates *found, bool innermost,
                          struct tn_owners *owners) {
    for (uint32_t i = 1; i < trace->call_count; i++) {
        found[i] = find_candidates(trace, functions, files, found, i);
        owners->own[i] = innermost || found[i].user == i ||
                         (found[i].user == 0 &&
                          (found[i].package != 0 ? found[i].package == i : found[i].native == i));
        owners->calls[i] = innermost ? i : choose_owner(&found[i], i);
    }
}

static bool equal_function(const void *elements, uint32_t number, const void *wanted) {
    const struct tn_trace_call *a = (const struct tn_trace_call *)elements + number;
    const struct tn_trace_call *b = (const struct tn_trace_call *)wanted;
    return a->function == b->function && a->file == b->file;
}

static bool equal_line(const void *elements, uint32_t number, const void *wanted) {
    const struct tn_trace_call *a = (const struct tn_trace_call *)elements + number;
    const struct tn_trace_call *b = (const struct tn_trace_call *)wanted;
    return a->line == b->line && equal_function(elements, number, wanted);
}

// Stores for each stack the first owner that equals its own, whatever their callers.
static bool number_owners(const struct tn_owners *owners, tn_intern_equal *equal, uint32_t *first) {
    const struct tn_trace *trace = owners->trace;
    struct tn_intern table = {0};
    bool fits = true;
    for (uint32_t i = 1; i < trace->call_count && fits; i++) {
        const struct tn_trace_call *call = &trace->calls[owners->calls[i]];
        uint32_t key[] = {call->function, call->file, equal == equal_line ? call->line : 0};
        uint32_t hash = tn_intern_hash(0, key, sizeof key);
        if (tn_intern_find(&table, hash, equal, trace->calls, call, &first[i])) continue;
        first[i] = owners->calls[i];
        fits = tn_intern_add(&table, hash, owners->calls[i]);
    }
    tn_intern_release(&table);
    return fits;
}

// Finds what distinguishes the owners of blocks, segments and failures from each other.
static bool find_detail(struct tn_owners *owners) {
    const struct tn_trace *trace = owners->trace;
    uint8_t *wanted = (uint8_t *)calloc(trace->call_count + 1, 1);
    if (wanted == NULL) return false;
    for (size_t i = 0; i < trace->block_count; i++)
        wanted[owners->functions[trace->blocks[i].stack]] = 1;
    for (size_t i = 0; i < trace->segment_count; i++)
        wanted[owners->functions[trace->segments[i].stack]] = 1;
    for (size_t i = 0; i < trace->failure_count; i++)
        wanted[owners->functions[trace->failures[i].stack]] = 1;
    bool fits = tn_distinct_find(trace, wanted, owners->detail);
    free(wanted);
    return fits;
}

tarn_status tn_owners_make_by(const struct tn_trace *trace, bool innermost,
                              struct tn_owners *owners) {
    struct tn_owners made = {.trace = trace};
    struct tn_scratch memory = {0};
    uint8_t *functions;
    struct candidates *found;
    TN_TAKE(&memory, functions, 2 * trace->text_count);
    TN_TAKE(&memory, found, trace->call_count);
    TN_TAKE(&made.memory, made.calls, trace->call_count);
    TN_TAKE(&made.memory, made.functions, trace->call_count);
    TN_TAKE(&made.memory, made.lines, trace->call_count);
    TN_TAKE(&made.memory, made.own, trace->call_count);
    TN_TAKE(&made.memory, made.detail, trace->text_count);
    bool fits = !memory.failed && !made.memory.failed;
    if (fits) {
        uint8_t *files = functions + trace->text_count;
        for (size_t i = 0; i < trace->text_count; i++) {
            functions[i] = (uint8_t)tn_signs_of_function(trace->texts[i]);
            files[i] = (uint8_t)tn_signs_of_file(trace->texts[i]);
        }
        choose_owners(trace, functions, files, found, innermost, &made);
        fits = number_owners(&made, equal_function, made.functions) &&
               number_owners(&made, equal_line, made.lines) && find_detail(&made);
    }
    tn_scratch_release(&memory);
    if (fits) {
        *owners = made;
        return TARN_OK;
    }
    tn_owners_release(&made);
    return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the owners of %zu stacks",
                   trace->call_count);
}

void tn_owners_release(struct tn_owners *owners) {
    tn_scratch_release(&owners->memory);
    *owners = (struct tn_owners){0};
}

// The call next to the owner is the one that the program wrote; deeper ones are its parts.
const char *tn_owner_operator(const struct tn_owners *owners, uint32_t stack, size_t *length) {
    const struct tn_trace *trace = owners->trace;
    const char *name = NULL;
    for (uint32_t at = stack; at != 0; at = trace->calls[at].caller) {
        size_t size;
        const char *found = tn_name_operator(trace->texts[trace->calls[at].function], &size);
        if (found != NULL) {
            name = found;
            *length = size;
        }
        if (at == owners->calls[stack]) break;
    }
    return name;
}
