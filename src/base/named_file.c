// SPDX-License-Identifier: Apache-2.0
// See named_file.h.
#include "base/named_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 6 }; // of a descriptor, at most

int tn_named_file_descriptor(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        const char *digits = path + length;
        if (strncmp(path, folders[i], length) == 0 && *digits != '\0' && strlen(digits) <= DIGITS &&
            digits[strspn(digits, "0123456789")] == '\0')
            return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

int tn_named_file_open(const char *path, int flags, int *file) {
    int own = tn_named_file_descriptor(path);
    *file = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0)
                     : open(path, flags | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0666);
    return *file >= 0 ? 0 : errno;
}

const char *tn_named_file_error(int failure) {
    return failure == ELOOP ? "a symbolic link is not followed" : strerror(failure);
}
