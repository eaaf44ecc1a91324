// SPDX-License-Identifier: Apache-2.0
// A menu: a command that only selects another, such as `tarn` and `tarn channel`. One thread.
#pragma once

#include <stddef.h>

struct tn_menu_entry {
    char shown[24];       // argv[0] of the command: "tarn channel top"
    const char *summary;  // a phrase for the list
    const char *document; // the page of docs/ about it
    int (*run)(int argc, char **argv);
};

struct tn_menu {
    struct tn_menu_entry *entries;
    size_t count;
    const char *text;  // the help before the list of commands
    const char *after; // the help after it
};

// Runs the command that the arguments select, and returns its exit code.
int tn_menu_run(const struct tn_menu *menu, int argc, char **argv);
