// SPDX-License-Identifier: Apache-2.0
// Names of addresses, by elfutils. The process has one session, which the first query opens and a
// query after dlopen() updates. Its lock is held during a query.
#include "stack/symbol.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    Dwfl *dwfl;
    unsigned long long loads; // the number of libraries loaded so far, at the last update
} session = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- the session

// The standard callback for debug information would also ask servers.
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = dwfl_build_id_find_debuginfo,
};

static int count_loads(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    *(unsigned long long *)context = info->dlpi_adds;
    return 1;
}

static const char *program_path(void) {
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    return path;
}

static int report_module(struct dl_phdr_info *info, size_t size, void *context) {
    const char *path = info->dlpi_name[0] == '\0' ? program_path() : info->dlpi_name;
    (void)size;
    if (*path == '/' &&
        dwfl_report_elf((Dwfl *)context, path, path, -1, info->dlpi_addr, true) == NULL) {
        (void)dwfl_errno(); // the file is gone, so its addresses have no names
    }
    return 0;
}

static void update_session(void) {
    unsigned long long loads = 0;
    (void)dl_iterate_phdr(count_loads, &loads);
    if (session.dwfl == NULL) {
        session.dwfl = dwfl_begin(&callbacks);
    } else if (loads == session.loads) {
        return;
    }
    session.loads = loads;
    if (session.dwfl != NULL) {
        dwfl_report_begin(session.dwfl);
        (void)dl_iterate_phdr(report_module, session.dwfl);
        (void)dwfl_report_end(session.dwfl, NULL, NULL);
    }
}

// ---- one address

// Defined in C++ programs; the checker does not link it.
extern char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status)
    __attribute__((weak));

struct question {
    tn_stack_symbol_visit visit;
    void *context;
    Dwfl_Module *module;
    Dwarf_Addr pc;   // of the call, which is before the return address
    Dwarf_Die *unit; // the compilation unit, or NULL without debug information
    Dwarf_Addr bias; // added to addresses of the unit to get those of the process
    struct tn_stack_symbol symbol;
};

static bool visit_function(struct question *question, const char *function) {
    char *readable = NULL;
    if (function != NULL && strncmp(function, "_Z", 2) == 0 && __cxa_demangle != NULL) {
        readable = __cxa_demangle(function, NULL, NULL, NULL);
    }
    question->symbol.function = readable == NULL ? function : readable;
    bool more = question->visit(question->context, &question->symbol);
    free(readable);
    return more;
}

// Goes to the place where an inlined function was called.
static void go_to_call(struct question *question, Dwarf_Die *inlined) {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files = NULL;
    size_t count = 0;
    (void)dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file);
    (void)dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line);
    question->symbol.line = (int)line;
    question->symbol.file = NULL;
    if (dwarf_getsrcfiles(question->unit, &files, &count) == 0 && file < count) {
        question->symbol.file = dwarf_filesrc(files, file, NULL, NULL);
    }
}

// Uses the index of addresses. If the compiler omitted it, every unit is searched.
static void find_unit(struct question *question) {
    question->unit = dwfl_module_addrdie(question->module, question->pc, &question->bias);
    while (question->unit == NULL ||
           dwarf_haspc(question->unit, question->pc - question->bias) <= 0) {
        question->unit = dwfl_module_nextcu(question->module, question->unit, &question->bias);
        if (question->unit == NULL) {
            return;
        }
    }
}

// Gets the functions, innermost first. Returns a negative number if the debug information does not
// contain the address.
static int scopes_of(const struct question *question, Dwarf_Die **scopes) {
    Dwarf_Die *innermost = NULL;
    int count = question->unit == NULL
                    ? 0
                    : dwarf_getscopes(question->unit, question->pc - question->bias, &innermost);
    if (count <= 0) {
        return -1;
    }
    count = dwarf_getscopes_die(innermost, scopes);
    free(innermost);
    return count;
}

static bool visit_all(struct question *question) {
    Dwarf_Die *scopes = NULL, *outer = NULL;
    bool more = true;
    int count = scopes_of(question, &scopes);
    for (int i = 0; i < count && more && outer == NULL; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_inlined_subroutine) {
            more = visit_function(question, dwarf_diename(&scopes[i]));
            go_to_call(question, &scopes[i]);
        } else if (tag == DW_TAG_subprogram) {
            outer = &scopes[i];
        }
    }
    if (more) {
        // The symbol table alone has complete C++ names.
        const char *symbol = dwfl_module_addrname(question->module, question->pc);
        const char *name = outer == NULL ? NULL : dwarf_diename(outer);
        bool is_cpp = symbol != NULL && strncmp(symbol, "_Z", 2) == 0;
        more = visit_function(question, name == NULL || is_cpp ? symbol : name);
    }
    free(scopes);
    return more;
}

// Without the file, the dynamic linker knows the module.
static void describe_by_linker(struct question *question) {
    Dl_info info;
    if (dladdr((const void *)(uintptr_t)question->pc, &info) != 0) {
        question->symbol.object = info.dli_fname;
        question->symbol.offset = question->symbol.address - (uintptr_t)info.dli_fbase;
        question->symbol.function = info.dli_sname;
    }
}

bool tn_stack_symbol_walk(uintptr_t address, tn_stack_symbol_visit visit, void *context) {
    struct question question = {
        .visit = visit, .context = context, .pc = address - 1, .symbol = {.address = address}};
    bool more;
    (void)pthread_mutex_lock(&session.lock);
    update_session();
    question.module =
        session.dwfl == NULL ? NULL : dwfl_addrmodule(session.dwfl, (Dwarf_Addr)question.pc);
    if (question.module == NULL) {
        describe_by_linker(&question);
        more = visit(context, &question.symbol);
    } else {
        Dwarf_Addr start = 0;
        question.symbol.object =
            dwfl_module_info(question.module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
        question.symbol.offset = address - (uintptr_t)start;
        find_unit(&question);
        Dwarf_Line *line = question.unit == NULL
                               ? NULL
                               : dwarf_getsrc_die(question.unit, question.pc - question.bias);
        if (line != NULL && dwarf_lineno(line, &question.symbol.line) == 0) {
            question.symbol.file = dwarf_linesrc(line, NULL, NULL);
        }
        more = visit_all(&question);
    }
    (void)pthread_mutex_unlock(&session.lock);
    return more;
}
