// SPDX-License-Identifier: Apache-2.0
// See text_file.h.
#include "base/text_file.h"

#include <errno.h>
#include <fcntl.h>

#include "base/uncancelled.h"

static bool read_text(int fd, char *text, size_t size) {
    size_t used = 0;
    while (used < size - 1) {
        ssize_t got = read(fd, text + used, size - 1 - used);
        if (got == 0) break;
        if (got > 0) {
            used += (size_t)got;
        } else if (errno != EINTR) {
            text[0] = '\0';
            return false;
        }
    }
    text[used] = '\0';
    return true;
}

bool tn_text_file_read(const char *path, char *text, size_t size) {
    TN_UNCANCELLED;
    text[0] = '\0';
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool good = read_text(fd, text, size);
    int error = errno;
    tn_close(fd);
    errno = error;
    return good;
}
