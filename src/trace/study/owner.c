// SPDX-License-Identifier: Apache-2.0
// Finds the owners of stacks; see owner.h. A stack contains those of its callers, so one pass over
// the calls suffices.
#include "trace/study/owner.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/intern.h"
#include "trace/study/name.h"

// Parts of the names of functions that own nothing: the recorder, the interpreter and the start of
// a program, as PyTorch's own viewer hides them, and allocators.
static const char *const hidden_functions[] = {"unwind::unwind",    "CapturedTraceback::gather",
                                               "gather_with_cpp",   "_start",
                                               "__libc_start_main", "PyEval_",
                                               "PyObject_",         "PyFunction_",
                                               "CachingAllocator",  "at::detail::",
                                               "at::native::empty", "c10::"};

// Parts of the files of such functions.
static const char *const hidden_files[] = {"core/boxing",
                                           "/Register",
                                           "/Redispatch",
                                           "pythonrun.c",
                                           "Modules/main.c",
                                           "Objects/call.c",
                                           "Objects/methodobject.c",
                                           "pycore_ceval.h",
                                           "ceval.c",
                                           "cpython/abstract.h"};

// Python files that pass a call on. A recording that has only base names is matched by those.
static const char *const plumbing_files[] = {"torch/nn/functional.py",
                                             "torch/functional.py",
                                             "torch/nn/modules/module.py",
                                             "torch/_tensor.py",
                                             "torch/_ops.py",
                                             "torch/_compile.py",
                                             "torch/_dynamo/eval_frame.py",
                                             "torch/autograd/__init__.py",
                                             "torch/autograd/graph.py",
                                             "torch/autograd/function.py",
                                             "torch/utils/_contextlib.py",
                                             "torch/utils/_device.py",
                                             "torch/utils/checkpoint.py",
                                             "torch/nn/parallel/parallel_apply.py",
                                             "torch/nn/parallel/data_parallel.py",
                                             "accelerate/hooks.py",
                                             "einops/einops.py",
                                             "einops/_backends.py",
                                             "threading.py"};

enum text_flag {
    HIDDEN_FUNCTION = 1 << 0,
    OPERATOR = 1 << 1, // "at::_ops::NAME::call"
    BACKWARD = 1 << 2, // "...NAMEBackward0::apply"
    HIDDEN_FILE = 1 << 3,
    PLUMBING = 1 << 4,
    PYTHON = 1 << 5
};

static const char operator_prefix[] = "at::_ops::";

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), part = strlen(end);
    return length >= part && strcmp(text + length - part, end) == 0;
}

static bool is_plumbing_file(const char *file) {
    for (size_t i = 0; i < sizeof plumbing_files / sizeof *plumbing_files; i++)
        if (strchr(file, '/') != NULL ? ends_with(file, plumbing_files[i])
                                      : strcmp(file, tn_name_base(plumbing_files[i])) == 0)
            return true;
    return false;
}

static unsigned text_flags(const char *text) {
    unsigned flags = 0;
    for (size_t i = 0; i < sizeof hidden_functions / sizeof *hidden_functions; i++)
        flags |= strstr(text, hidden_functions[i]) != NULL ? HIDDEN_FUNCTION : 0;
    for (size_t i = 0; i < sizeof hidden_files / sizeof *hidden_files; i++)
        flags |= strstr(text, hidden_files[i]) != NULL ? HIDDEN_FILE : 0;
    flags |= strncmp(text, operator_prefix, strlen(operator_prefix)) == 0 ? OPERATOR : 0;
    flags |= strstr(text, "Backward") != NULL && strstr(text, "::apply") != NULL ? BACKWARD : 0;
    // "<frozen ...>", "<string>" and "<ipython-input-...>" are Python's names of code without files
    flags |= ends_with(text, ".py") || text[0] == '<' ? PYTHON : 0;
    return flags | (is_plumbing_file(text) ? PLUMBING : 0);
}

// ---- the owner of each stack

// The innermost call of each kind in a stack, or 0.
struct candidates {
    uint32_t python;
    uint32_t backward;
    uint32_t native;
};

static struct candidates find_candidates(const struct tn_trace *trace, const uint8_t *flags,
                                         const struct candidates *found, uint32_t stack) {
    const struct tn_trace_call *call = &trace->calls[stack];
    unsigned function = flags[call->function], file = flags[call->file];
    struct candidates own = found[call->caller];
    bool hidden = (function & HIDDEN_FUNCTION) != 0 || (file & HIDDEN_FILE) != 0;
    if ((file & PYTHON) != 0 && (file & PLUMBING) == 0 && !hidden)
        own.python = stack;
    if ((function & BACKWARD) != 0)
        own.backward = stack;
    if ((file & PYTHON) == 0 && !hidden)
        own.native = stack;
    return own;
}

static void choose_owners(const struct tn_trace *trace, const uint8_t *flags,
                          struct candidates *found, struct tn_owners *owners) {
    for (uint32_t i = 1; i < trace->call_count; i++) {
        found[i] = find_candidates(trace, flags, found, i);
        owners->backward[i] = found[i].backward != 0;
        owners->own[i] = found[i].python == i || found[i].native == i;
        owners->calls[i] = found[i].python     ? found[i].python
                           : found[i].backward ? found[i].backward
                           : found[i].native   ? found[i].native
                                               : i;
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
        if (tn_intern_find(&table, hash, equal, trace->calls, call, &first[i]))
            continue;
        first[i] = owners->calls[i];
        fits = tn_intern_add(&table, hash, owners->calls[i]);
    }
    tn_intern_release(&table);
    return fits;
}

tarn_status tn_owners_make(const struct tn_trace *trace, struct tn_owners *owners) {
    struct tn_owners made = {.trace = trace};
    uint8_t *flags = (uint8_t *)calloc(trace->text_count + 1, 1);
    struct candidates *found = (struct candidates *)calloc(trace->call_count + 1, sizeof *found);
    made.calls = (uint32_t *)calloc(trace->call_count + 1, sizeof *made.calls);
    made.functions = (uint32_t *)calloc(trace->call_count + 1, sizeof *made.functions);
    made.lines = (uint32_t *)calloc(trace->call_count + 1, sizeof *made.lines);
    made.backward = (uint8_t *)calloc(trace->call_count + 1, 1);
    made.own = (uint8_t *)calloc(trace->call_count + 1, 1);
    bool fits = flags != NULL && found != NULL && made.calls != NULL && made.functions != NULL &&
                made.lines != NULL && made.backward != NULL && made.own != NULL;
    if (fits) {
        for (size_t i = 0; i < trace->text_count; i++)
            flags[i] = (uint8_t)text_flags(trace->texts[i]);
        choose_owners(trace, flags, found, &made);
        fits = number_owners(&made, equal_function, made.functions) &&
               number_owners(&made, equal_line, made.lines);
    }
    free(flags);
    free(found);
    if (fits) {
        *owners = made;
        return TARN_OK;
    }
    tn_owners_release(&made);
    return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the owners of %zu stacks",
                   trace->call_count);
}

void tn_owners_release(struct tn_owners *owners) {
    free(owners->calls);
    free(owners->functions);
    free(owners->lines);
    free(owners->backward);
    free(owners->own);
    *owners = (struct tn_owners){0};
}

// The call next to the owner is the one that the program wrote; deeper ones are its parts.
const char *tn_owner_operator(const struct tn_owners *owners, uint32_t stack, size_t *length) {
    const struct tn_trace *trace = owners->trace;
    const char *name = NULL;
    for (uint32_t at = stack; at != 0; at = trace->calls[at].caller) {
        const char *text = trace->texts[trace->calls[at].function];
        if (strncmp(text, operator_prefix, strlen(operator_prefix)) == 0)
            name = text + strlen(operator_prefix);
        if (at == owners->calls[stack])
            break;
    }
    const char *end = name != NULL ? strstr(name, "::") : NULL;
    if (end != NULL)
        *length = (size_t)(end - name);
    return end != NULL ? name : NULL;
}
