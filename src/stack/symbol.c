// SPDX-License-Identifier: Apache-2.0
// Names of addresses: the loaded file that contains one, and the answer of tarn-symbols about it.
// Without an answer, the dynamic linker knows the file and its public functions.
#include "stack/stack.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stack/namer.h"

// Gets the absolute path of a loaded file, or "". The program itself has no name.
static void copy_path(const struct link_map *map, char path[PATH_MAX]) {
    ssize_t length = *map->l_name != '\0' ? snprintf(path, PATH_MAX, "%s", map->l_name)
                                          : readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 && length < PATH_MAX && path[0] == '/' ? length : 0] = '\0';
}

// Defined in C++ programs; the checker does not link it.
extern char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status)
    __attribute__((weak));

struct question {
    tn_stack_symbol_visit visit;
    void *context;
    struct tn_stack_symbol symbol;
    bool more;
};

// Removes the names of files, "[abi:u0123456789abcdef]", by which `tarn hipcc` keeps device functions apart.
static void remove_files(char *name) {
    static const char begin[] = "[abi:u";
    enum { BEGIN = sizeof begin - 1, BYTES = BEGIN + 16 + 1 };
    for (char *at = name; (at = strstr(at, begin)) != NULL;)
        if (strspn(at + BEGIN, "0123456789abcdef") == 16 && at[BYTES - 1] == ']')
            memmove(at, at + BYTES, strlen(at + BYTES) + 1);
        else
            at += BEGIN;
}

static bool visit_place(void *context, const char *function, const char *file, int line) {
    struct question *question = (struct question *)context;
    char *readable = NULL;
    if (function != NULL && strncmp(function, "_Z", 2) == 0 && __cxa_demangle != NULL)
        readable = __cxa_demangle(function, NULL, NULL, NULL);
    if (readable != NULL) remove_files(readable);
    question->symbol.function = readable == NULL ? function : readable;
    question->symbol.file = file;
    question->symbol.line = line;
    question->more = question->visit(question->context, &question->symbol);
    free(readable);
    return question->more;
}

bool tn_stack_symbol_walk(uintptr_t address, tn_stack_symbol_visit visit, void *context) {
    struct question question = {
        .visit = visit, .context = context, .symbol = {.address = address}, .more = true};
    const void *call = (const void *)(address - 1); // before the return address
    const char *function = NULL;
    char path[PATH_MAX] = "";
    void *map = NULL;
    Dl_info info;
    if (dladdr1(call, &info, &map, RTLD_DL_LINKMAP) != 0) {
        copy_path(map, path);
        question.symbol.object = path;
        question.symbol.offset = address - (uintptr_t)info.dli_fbase;
        if (path[0] == '/' &&
            tn_namer_ask(path, question.symbol.offset - 1, visit_place, &question))
            return question.more;
        question.symbol.object = info.dli_fname;
        function = info.dli_sname;
    }
    (void)visit_place(&question, function, NULL, 0);
    return question.more;
}
