// SPDX-License-Identifier: Apache-2.0
// Shared by the programs in programs/, which are written like the samples of a vendor: a macro around
// each call, a check of each result, and pipes between two processes.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <acl/acl.h>

static inline void sample_call(aclError error, const char *call, const char *file, int line) {
    if (error != ACL_SUCCESS) {
        const char *text = aclGetRecentErrMsg();
        fprintf(stderr, "%s:%d: %s: %d %s\n", file, line, call, error, text != NULL ? text : "");
        exit(1);
    }
}

static inline void sample_expect(int holds, const char *what, const char *file, int line) {
    if (!holds) {
        fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
        exit(1);
    }
}

// Ends the program if the call fails, or if the condition does not hold.
#define must(call)        sample_call((call), #call, __FILE__, __LINE__)
#define expect(condition) sample_expect((condition), #condition, __FILE__, __LINE__)

// Writes and reads complete values; the other process has ended if that is impossible.
static inline void pipe_send(int fd, const void *data, size_t bytes) {
    expect(write(fd, data, bytes) == (ssize_t)bytes);
}

static inline void pipe_receive(int fd, void *data, size_t bytes) {
    expect(read(fd, data, bytes) == (ssize_t)bytes);
}
