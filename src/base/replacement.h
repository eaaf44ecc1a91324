// SPDX-License-Identifier: Apache-2.0
// A file that takes the place of another one when it is complete, so that a failure leaves the old
// file. It is written under another name in the same folder. A target that is no regular file, such
// as a pipe, /dev/null or /dev/stdout, is written in place. One thread at a time.
#pragma once

struct tn_replacement {
    int file;        // the descriptor to write to
    char *target;    // private; NULL if the file is written in place
    char *temporary; // private; its name until it is complete
};

// Opens the file. An existing one must be writable, and its mode is kept. `flags` of open() count
// for a target that is written in place. Returns 0 or an errno, for tn_named_file_error(): a
// symbolic link is refused with ELOOP.
int tn_replacement_open(const char *path, int flags, struct tn_replacement *replacement);

// Closes the file, and puts it in its place if `failure`, the errno of what was written to it, is 0.
// Otherwise the file is removed. Returns 0, `failure`, or the errno of the first call that failed.
int tn_replacement_close(struct tn_replacement *replacement, int failure);
