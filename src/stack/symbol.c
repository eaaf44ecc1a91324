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

// ---- loaded files

struct image {
    uintptr_t pc;
    uintptr_t start; // of the lowest page
    char path[PATH_MAX];
};

// The program itself has no name.
static void copy_path(struct image *image, const char *name) {
    ssize_t length = *name != '\0'
                         ? snprintf(image->path, sizeof image->path, "%s", name)
                         : readlink("/proc/self/exe", image->path, sizeof image->path - 1);
    image->path[length > 0 && length < PATH_MAX ? length : 0] = '\0';
}

static int find_image(struct dl_phdr_info *info, size_t size, void *context) {
    struct image *image = (struct image *)context;
    uintptr_t low = UINTPTR_MAX, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool found = false;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD) {
            low = start < low ? start : low;
            found = found || image->pc - start < part->p_memsz;
        }
    }
    if (found) {
        image->start = low / page * page;
        copy_path(image, info->dlpi_name);
    }
    return found;
}

// ---- one address

// Defined in C++ programs; the checker does not link it.
extern char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status)
    __attribute__((weak));

struct question {
    tn_stack_symbol_visit visit;
    void *context;
    struct tn_stack_symbol symbol;
    bool more;
};

static bool visit_place(void *context, const char *function, const char *file, int line) {
    struct question *question = (struct question *)context;
    char *readable = NULL;
    if (function != NULL && strncmp(function, "_Z", 2) == 0 && __cxa_demangle != NULL)
        readable = __cxa_demangle(function, NULL, NULL, NULL);
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
    struct image image = {.pc = address - 1, .path = ""}; // the call is before the return address
    Dl_info info;
    (void)dl_iterate_phdr(find_image, &image);
    if (image.path[0] == '/') {
        question.symbol.object = image.path;
        question.symbol.offset = address - image.start;
        if (tn_namer_ask(image.path, image.pc - image.start, visit_place, &question))
            return question.more;
    }
    const char *function = NULL;
    if (dladdr((const void *)image.pc, &info) != 0) {
        question.symbol.object = info.dli_fname;
        question.symbol.offset = address - (uintptr_t)info.dli_fbase;
        function = info.dli_sname;
    }
    (void)visit_place(&question, function, NULL, 0);
    return question.more;
}
