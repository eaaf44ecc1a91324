// SPDX-License-Identifier: Apache-2.0
// See inject.h. The library stays loaded, because its destructor runs at the end of this process.
#include "tools/launch/inject.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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

bool tn_inject_find(const char *part, const char *library, char path[PATH_MAX]) {
    char folder[PATH_MAX];
    if (!tn_library_folder(part, library, folder) ||
        snprintf(path, PATH_MAX, "%s/%s", folder, library) >= PATH_MAX)
        return tn_complain("%s is not in %s", library, folder);
    if (dlopen(path, RTLD_NOW | RTLD_LOCAL) != NULL) return true;
    const char *reason = dlerror(); // calls a library for another machine a missing file
    unsigned own = machine_of("/proc/self/exe"), found = machine_of(path);
    if (found == 0 || found == own) return tn_complain("%s cannot be loaded: %s", path, reason);
    return tn_complain("%s cannot be loaded: it is for another processor (ELF machine %u, not %u)",
                       path, found, own);
}

bool tn_inject_failed(const struct tn_launch *launch, const char *library, bool done) {
    const char *failure = tn_messages()->failure;
    bool is_alone = !done && tn_messages()->alone;
    char path[PATH_MAX], reason[PATH_MAX + 256];
    if ((failure == NULL && !is_alone) || (tn_program_locate(*launch->command, path) &&
                                           tn_program_is_closed(path, reason, sizeof reason)))
        return false;
    if (failure != NULL)
        (void)tn_complain("%s", failure);
    else
        (void)tn_complain("%s is not in the program, whose environment lacks MSTX_INJECTION_PATH "
                          "or names another tool",
                          library);
    return true;
}
