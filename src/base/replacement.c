// SPDX-License-Identifier: Apache-2.0
// See replacement.h.
#include "base/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"

enum { NAMES_TRIED = 100 };

static void free_names(struct tn_replacement *replacement) {
    free(replacement->target);
    free(replacement->temporary);
    *replacement = (struct tn_replacement){.file = -1};
}

// Creates a file of an unused name beside the target.
static int create_temporary(struct tn_replacement *replacement) {
    for (int i = 0; i < NAMES_TRIED; i++) {
        if (asprintf(&replacement->temporary, "%s.%ld-%d", replacement->target, (long)getpid(), i) <
            0) {
            replacement->temporary = NULL;
            return ENOMEM;
        }
        replacement->file =
            open(replacement->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (replacement->file >= 0) return 0;
        int failure = errno;
        free(replacement->temporary);
        replacement->temporary = NULL;
        if (failure != EEXIST) return failure;
    }
    return EEXIST;
}

static int open_beside(const char *path, const struct stat *old,
                       struct tn_replacement *replacement) {
    if (old != NULL && access(path, W_OK) != 0) return errno;
    replacement->target = strdup(path);
    int failure = replacement->target != NULL ? create_temporary(replacement) : ENOMEM;
    if (failure == 0 && old != NULL && fchmod(replacement->file, old->st_mode & 07777) != 0)
        return tn_replacement_close(replacement, errno);
    if (failure != 0) free_names(replacement);
    return failure;
}

int tn_replacement_open(const char *path, int flags, struct tn_replacement *replacement) {
    struct stat old;
    *replacement = (struct tn_replacement){.file = -1};
    bool exists = lstat(path, &old) == 0;
    if (tn_named_file_descriptor(path) < 0 && (!exists || S_ISREG(old.st_mode)))
        return open_beside(path, exists ? &old : NULL, replacement);
    return tn_named_file_open(path, O_WRONLY | flags, &replacement->file);
}

int tn_replacement_close(struct tn_replacement *replacement, int failure) {
    bool replaces = replacement->target != NULL;
    if (failure == 0 && replaces && fsync(replacement->file) != 0) failure = errno;
    if (close(replacement->file) != 0 && failure == 0) failure = errno;
    if (failure == 0 && replaces && rename(replacement->temporary, replacement->target) != 0)
        failure = errno;
    if (failure != 0 && replaces) (void)unlink(replacement->temporary);
    free_names(replacement);
    return failure;
}
