// SPDX-License-Identifier: Apache-2.0
// Looks at the file that the system runs for a command; see program.h.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tools/launch/image.h"
#include "tools/launch/program.h"

enum { INTERPRETERS = 4 }; // the kernel follows as many

bool tn_program_search(const char *name, char path[PATH_MAX]) {
    const char *rest = getenv("PATH");
    if (strchr(name, '/') != NULL || rest == NULL)
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    while (*rest != '\0') {
        size_t length = strcspn(rest, ":");
        int written =
            snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, rest, length > 0 ? "/" : "", name);
        if (written < PATH_MAX && access(path, X_OK) == 0) return true;
        rest += length + (rest[length] == ':');
    }
    return false;
}

// Replaces the path of a script by that of its interpreter. Returns false for any other file.
static bool follow_script(char path[PATH_MAX]) {
    char line[512] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = file >= 0 ? read(file, line, sizeof line - 1) : -1;
    if (file >= 0) (void)close(file);
    if (got < 2 || line[0] != '#' || line[1] != '!') return false;
    const char *interpreter = line + 2 + strspn(line + 2, " \t");
    size_t length = strcspn(interpreter, " \t\r\n");
    return length > 0 && snprintf(path, PATH_MAX, "%.*s", (int)length, interpreter) < PATH_MAX;
}

bool tn_program_locate(const char *name, char path[PATH_MAX]) {
    if (!tn_program_search(name, path)) return false;
    for (int i = 0; i < INTERPRETERS && follow_script(path); i++) {
    }
    return true;
}

// Returns true if the system runs the file in secure mode, in which the environment loads nothing.
static bool is_privileged(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return false;
    return ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) ||
           ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid()) ||
           (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

bool tn_program_is_closed(const char *path, char *reason, size_t room) {
    struct tn_image image;
    bool is_static = false;
    if (tn_image_open(&image, path)) {
        is_static = tn_image_is_static(&image);
        tn_image_close(&image);
    }
    bool privileged = !is_static && is_privileged(path);
    if (is_static)
        (void)snprintf(
            reason, room,
            "%s is linked statically and can load no library of Tarn. Link it dynamically", path);
    else if (privileged)
        (void)snprintf(reason, room,
                       "%s runs with the rights of another user (setuid, setgid or capabilities), "
                       "and the system ignores the settings that load a library of Tarn. Start it "
                       "as that user",
                       path);
    return is_static || privileged;
}
