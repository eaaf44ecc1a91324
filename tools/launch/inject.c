// SPDX-License-Identifier: Apache-2.0
// See inject.h. The library stays loaded, because its destructor runs at the end of this process.
#include "tools/launch/inject.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/launch/faces.h"
#include "tools/launch/messages.h"
#include "tools/launch/program.h"

// Returns the machine of an ELF file, or 0.
static unsigned machine_of(const char *path) {
    unsigned char head[20] = "";
    uint16_t machine = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, head, sizeof head) == (ssize_t)sizeof head &&
        memcmp(head, ELFMAG, SELFMAG) == 0)
        memcpy(&machine, head + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    if (file >= 0) (void)close(file);
    return machine;
}

// The C library calls a library for another machine a missing file.
static void print_reason(const char *command, const char *path) {
    const char *reason = dlerror();
    unsigned own = machine_of("/proc/self/exe"), found = machine_of(path);
    if (found != 0 && found != own)
        fprintf(stderr,
                "%s: %s cannot be loaded: it is for another processor (ELF machine %u, not %u)\n",
                command, path, found, own);
    else
        fprintf(stderr, "%s: %s cannot be loaded: %s\n", command, path, reason);
}

bool tn_inject_find(const char *command, const char *part, const char *library,
                    char path[PATH_MAX]) {
    char folder[PATH_MAX];
    if (!tn_library_folder(part, library, folder) ||
        snprintf(path, PATH_MAX, "%s/%s", folder, library) >= PATH_MAX) {
        fprintf(stderr, "%s: %s is not in %s\n", command, library, folder);
        return false;
    }
    if (dlopen(path, RTLD_NOW | RTLD_LOCAL) != NULL) return true;
    print_reason(command, path);
    return false;
}

bool tn_inject_failed(const struct tn_launch *launch, const char *command, const char *library,
                      bool done) {
    const char *failure = tn_messages()->failure;
    bool is_alone = !done && tn_messages()->alone;
    char path[PATH_MAX], reason[PATH_MAX + 256];
    if ((failure == NULL && !is_alone) || (tn_program_locate(*launch->command, path) &&
                                           tn_program_is_closed(path, reason, sizeof reason)))
        return false;
    if (failure != NULL)
        fprintf(stderr, "%s: %s\n", command, failure);
    else
        fprintf(
            stderr,
            "%s: %s is not in the program, whose environment lacks MSTX_INJECTION_PATH or names "
            "another tool\n",
            command, library);
    return true;
}
