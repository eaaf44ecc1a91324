// SPDX-License-Identifier: Apache-2.0
// tarn-symbols: answers questions about code (stack/namer.h) on its standard input, a socket, by
// elfutils, until the socket is closed. It may end at any time: the process that asks then does
// without names. One thread. Never uses the network.
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stack/namer.h"

// ---- files

// The standard callback for debug information would also ask servers.
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_build_id_find_debuginfo,
};

// A file at the addresses that it was linked for. It stays open.
struct file {
    struct file *next;
    Dwfl_Module *module; // NULL if the file cannot be read
    Dwarf_Addr start;    // of its lowest page
    char path[];
};

static Dwfl_Module *open_module(const char *path) {
    Dwfl *session = dwfl_begin(&callbacks);
    Dwfl_Module *module = NULL;
    if (session != NULL) {
        dwfl_report_begin(session);
        module = dwfl_report_elf(session, path, path, -1, 0, true);
        (void)dwfl_report_end(session, NULL, NULL);
    }
    return module;
}

// Returns NULL if out of memory.
static struct file *find_file(const char *path) {
    static struct file *files;
    struct file *file = files;
    while (file != NULL && strcmp(file->path, path) != 0) file = file->next;
    if (file == NULL) {
        file = (struct file *)calloc(1, sizeof *file + strlen(path) + 1);
        if (file == NULL) return NULL;
        strcpy(file->path, path);
        file->module = open_module(path);
        if (file->module != NULL)
            (void)dwfl_module_info(file->module, NULL, &file->start, NULL, NULL, NULL, NULL, NULL);
        file->next = files;
        files = file;
    }
    return file;
}

// ---- places

struct question {
    Dwfl_Module *module;
    Dwarf_Addr pc;
    Dwarf_Die *unit; // the compilation unit, or NULL without debug information
    Dwarf_Addr bias; // added to addresses of the unit to get those of the module
    const char *file;
    int line;
    struct tn_namer_answer answer;
    char texts[TN_NAMER_ANSWER];
};

// Leaves out the place if there is no room for it.
static void add_place(struct question *question, const char *function) {
    size_t left = sizeof question->texts - question->answer.bytes;
    int length = snprintf(question->texts + question->answer.bytes, left, "%s%c%s%c%d",
                          function == NULL ? "" : function, 0,
                          question->file == NULL ? "" : question->file, 0, question->line);
    if (length > 0 && (size_t)length < left) {
        question->answer.bytes += (uint32_t)length + 1;
        question->answer.places++;
    }
}

// Goes to the place where an inlined function was called.
static void go_to_call(struct question *question, Dwarf_Die *inlined) {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files = NULL;
    size_t count = 0;
    (void)dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file);
    (void)dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line);
    question->line = (int)line;
    question->file = NULL;
    if (dwarf_getsrcfiles(question->unit, &files, &count) == 0 && file < count)
        question->file = dwarf_filesrc(files, file, NULL, NULL);
}

// Uses the index of addresses. If the compiler omitted it, every unit is searched.
static void find_unit(struct question *question) {
    question->unit = dwfl_module_addrdie(question->module, question->pc, &question->bias);
    while (question->unit == NULL ||
           dwarf_haspc(question->unit, question->pc - question->bias) <= 0) {
        question->unit = dwfl_module_nextcu(question->module, question->unit, &question->bias);
        if (question->unit == NULL) return;
    }
}

// Gets the functions, innermost first. Returns a negative number if the debug information does not
// contain the address.
static int scopes_of(const struct question *question, Dwarf_Die **scopes) {
    Dwarf_Die *innermost = NULL;
    int count = question->unit == NULL
                    ? 0
                    : dwarf_getscopes(question->unit, question->pc - question->bias, &innermost);
    if (count <= 0) return -1;
    count = dwarf_getscopes_die(innermost, scopes);
    free(innermost);
    return count;
}

// Follows a reference to another entry, if there is one.
static void follow(Dwarf_Die *entry, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    if (dwarf_formref_die(dwarf_attr(entry, name, &attribute), &next) != NULL) *entry = next;
}

// Adds an inlined function. It has no symbol, so its namespaces and classes are those around its
// declaration.
static void add_inlined(struct question *question, const Dwarf_Die *inlined) {
    Dwarf_Die entry = *inlined, *around = NULL;
    char name[1024] = "";
    size_t used = 0;
    follow(&entry, DW_AT_abstract_origin);
    follow(&entry, DW_AT_specification);
    for (int i = dwarf_getscopes_die(&entry, &around) - 1; i > 0 && used < sizeof name; i--) {
        int tag = dwarf_tag(&around[i]);
        const char *part = dwarf_diename(&around[i]);
        bool is_class = tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
        if (tag == DW_TAG_namespace || is_class) {
            part = part != NULL ? part : is_class ? "{unnamed class}" : "(anonymous namespace)";
            used += (size_t)snprintf(name + used, sizeof name - used, "%s::", part);
        }
    }
    free(around);
    const char *own = dwarf_diename(&entry);
    if (own == NULL || used + strlen(own) >= sizeof name) {
        add_place(question, own);
        return;
    }
    memcpy(name + used, own, strlen(own) + 1);
    add_place(question, name);
}

static void add_places(struct question *question) {
    Dwarf_Die *scopes = NULL, *outer = NULL;
    int count = scopes_of(question, &scopes);
    for (int i = 0; i < count && outer == NULL; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_inlined_subroutine) {
            add_inlined(question, &scopes[i]);
            go_to_call(question, &scopes[i]);
        } else if (tag == DW_TAG_subprogram) {
            outer = &scopes[i];
        }
    }
    // The symbol table alone has complete C++ names.
    const char *symbol = dwfl_module_addrname(question->module, question->pc);
    const char *name = outer == NULL ? NULL : dwarf_diename(outer);
    bool is_cpp = symbol != NULL && strncmp(symbol, "_Z", 2) == 0;
    add_place(question, name == NULL || is_cpp ? symbol : name);
    free(scopes);
}

static void answer_question(struct question *question, const struct file *file, uint64_t offset) {
    question->answer = (struct tn_namer_answer){0, 0};
    question->file = NULL;
    question->line = 0;
    if (file == NULL || file->module == NULL) return;
    question->module = file->module;
    question->pc = file->start + offset;
    find_unit(question);
    Dwarf_Line *line = question->unit == NULL
                           ? NULL
                           : dwarf_getsrc_die(question->unit, question->pc - question->bias);
    if (line != NULL && dwarf_lineno(line, &question->line) == 0)
        question->file = dwarf_linesrc(line, NULL, NULL);
    add_places(question);
}

// ---- the socket

static bool receive_bytes(void *data, size_t bytes) {
    ssize_t got;
    do {
        got = recv(STDIN_FILENO, data, bytes, MSG_WAITALL);
    } while (got < 0 && errno == EINTR);
    return got == (ssize_t)bytes;
}

// The descriptors of the process that asks would keep its pipes and files in use.
static void close_others(void) {
    int null = open("/dev/null", O_RDWR);
    (void)dup2(null, STDOUT_FILENO);
    (void)dup2(null, STDERR_FILENO);
    (void)syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
    (void)!chdir("/"); // nor a folder
}

int main(void) {
    static struct question question;
    static char path[TN_NAMER_PATH];
    struct tn_namer_question received;
    close_others();
    while (receive_bytes(&received, sizeof received) && received.path_bytes > 0 &&
           received.path_bytes <= sizeof path && receive_bytes(path, received.path_bytes) &&
           path[received.path_bytes - 1] == '\0') {
        answer_question(&question, find_file(path), received.offset);
        if (!tn_namer_send(STDIN_FILENO, &question.answer, sizeof question.answer) ||
            !tn_namer_send(STDIN_FILENO, question.texts, question.answer.bytes))
            break;
    }
    _exit(0); // whatever is open is given back
}
