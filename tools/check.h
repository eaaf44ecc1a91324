// SPDX-License-Identifier: Apache-2.0
// What the files of `tarn check` share. One thread.
#ifndef TARN_TOOLS_CHECK_H
#define TARN_TOOLS_CHECK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define TN_CHECK_LIBRARY "libtarn-check.so"

// Makes this process's environment such that what runs in it, this process as well, is checked with
// the options (added to those in TARN_CHECK_OPTIONS). False, with a complaint in the name of
// `command`: an option is wrong, or the library is not there.
bool tn_check_prepare(const char *command, const char *options, char library[PATH_MAX]);

// Prints what is known of a kind, of "all", or the "list" of names. False: there is no such kind.
bool tn_check_explain(const char *kind);

// What the checkers of all processes wrote down.
struct tn_check_results {
    unsigned processes; // that told the checker anything
    uint64_t errors;
    uint64_t warnings;
    uint64_t leaked_bytes;
    uint64_t leaked_regions;
    uint64_t suppressed;
};

// From a file of JSON lines. False: it cannot be read.
bool tn_check_read(const char *path, struct tn_check_results *results);

#endif
