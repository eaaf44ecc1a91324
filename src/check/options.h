// SPDX-License-Identifier: Apache-2.0
// What TARN_CHECK_OPTIONS says: key=value pairs with colons between them; a backslash takes the
// meaning from a colon behind it. Read once, before the first event; constant afterwards. A wrong
// key or value ends the program with a text that names it: a checker that guesses is worse than
// none.
#ifndef TARN_CHECK_OPTIONS_H
#define TARN_CHECK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum tn_check_leaks { TN_CHECK_LEAKS_OFF, TN_CHECK_LEAKS_EXIT, TN_CHECK_LEAKS_STEP };

struct tn_check_options {
    bool halt_on_error;        // end at the first error
    int exitcode;              // when errors were found; 0: that of the program
    char log_path[512];        // "": standard error; %p: the pid
    char json_path[512];       // "": none; one object a line; "-": standard error; %p as above
    enum tn_check_leaks leaks; // reported at exit, or for each step as well
    bool heap_exit_leaks;      // a heap that ends with live regions is told
    bool overlap_error;        // overlapping regions are errors
    bool after_heap_poison;    // a range that was a heap stays forbidden
    unsigned canary;           // bytes beside regions to fill and look at; 0: none
    bool fill;                 // dead regions are filled and looked at
    unsigned history;          // how many dead regions are remembered
    unsigned stack_depth;      // frames; 0: none
    char quirk_domains[512];   // commas between; their heaps are messages, not ranges
    char suppressions[512];    // a file; "": none
    int asan;                  // -1: if it is there
    int valgrind;
    int nvtx;
    bool host_ranges;     // the checker may write to heaps that this process maps
    unsigned max_reports; // of one kind and place; then they are counted
    bool backing;         // a heap outside every mapping of the process is told
    bool realloc_keep;    // init bits stay when the next call registers the same address
    bool uninitialised;   // reads of bytes that were never written are errors
    bool told_only;       // what nobody told has not happened: every region is as if it were seen
    bool unused;          // regions that end with bytes never written are told
    bool order;           // the order of work between streams is checked
    bool resources;       // reservations, handles, mappings and descriptors are followed
    unsigned alignment;   // that every access must have; 0: any
    bool compat_id;       // answers to mstxGetToolId as msSanitizer does
};

// The options, read on first use.
const struct tn_check_options *tn_check_options(void);

// One key: how it is written, what it takes, what it is when nothing is said.
struct tn_check_option {
    const char *key;
    const char *takes; // "0|1", "N", "FILE", "count|error"
    const char *fallback;
    const char *help;
};

// All keys; the last has a NULL key.
const struct tn_check_option *tn_check_option_list(void);

// For tests and `tarn check`: parses `text` over the defaults. False, and the reason in `error`.
bool tn_check_options_parse(const char *text, struct tn_check_options *options, char *error,
                            unsigned error_bytes);

#endif
