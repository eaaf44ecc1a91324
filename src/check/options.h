// SPDX-License-Identifier: Apache-2.0
// The options in TARN_CHECK_OPTIONS: key=value pairs, separated by colons; a backslash escapes a
// colon. They are read once, before the first event, and constant afterwards, so any thread may
// read them. A wrong key or value ends the program with a text that names it, because a checker
// with wrong options would report wrong results.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum tn_check_overlap { TN_CHECK_OVERLAP_OFF, TN_CHECK_OVERLAP_WARN, TN_CHECK_OVERLAP_ERROR };

// STRICT: copies inside devices are reads, too.
enum tn_check_uninitialised {
    TN_CHECK_UNINITIALISED_OFF,
    TN_CHECK_UNINITIALISED_ON,
    TN_CHECK_UNINITIALISED_STRICT
};

enum tn_check_leaks { TN_CHECK_LEAKS_OFF, TN_CHECK_LEAKS_EXIT, TN_CHECK_LEAKS_STEP };

struct tn_check_options {
    bool halt_on_error;        // end the program at the first error
    int exitcode;              // the exit code if errors were found; 0 keeps the program's own
    int child_exitcode;        // the same for a child of the program
    char log_path[512];        // "" means standard error; %p is replaced by the pid
    char json_path[512];       // one object a line; "" means none, "-" standard output; %p as above
    enum tn_check_leaks leaks; // at exit, or after each step as well
    bool heap_exit_leaks;      // report heaps that end with live regions
    enum tn_check_overlap overlap; // whether regions that overlap are reported
    bool placement;                // judge where regions lie by the rules of their heaps
    char rounded_domains[512];     // separated by commas; their regions have rounded sizes
    bool after_heap_poison;        // the range of an ended heap stays forbidden
    unsigned canary;               // bytes to fill and check beside regions, or 0
    bool fill;                     // fill ended regions and check them later
    unsigned history;              // the number of ended regions to remember
    unsigned stack_depth;          // frames of a stack; 0 captures no stacks
    char quirk_domains[512];       // separated by commas; their heaps are statistics, not ranges
    char suppressions[512];        // a file, or ""
    bool gen_suppressions;         // print the line that hides a report
    int asan;                      // -1 means if present
    int valgrind;
    int nvtx;
    bool host_ranges;     // the checker may write to heaps that this process maps
    unsigned max_reports; // of one kind and place; later ones are only counted
    bool backing;         // report heaps that the process has not mapped
    bool realloc_keep;    // a region that begins at the same address right after another keeps its
                          // written bytes
    enum tn_check_uninitialised uninitialised; // report reads of bytes that were never written
    bool told_only;     // only events access memory, so that every region counts as seen
    bool unused;        // report regions that end with unwritten bytes
    bool order;         // check the order of work between streams
    bool resources;     // follow reservations, handles, mappings and descriptors
    bool faults;        // explain CPU accesses that fault
    unsigned alignment; // required of every access; 0 allows any
    bool misaligned;    // report misaligned accesses of kernels
    bool compat_id;     // answer mstxGetToolId() like msSanitizer
};

// Returns the options, which are read on the first call.
const struct tn_check_options *tn_check_options(void);

// A key with its values, its default and its help text.
struct tn_check_option {
    const char *key;
    const char *takes; // "0|1", "N", "FILE", "count|error"
    const char *fallback;
    const char *help;
};

// Returns all options. The last one has a NULL key.
const struct tn_check_option *tn_check_option_list(void);

// Returns true if the option with this place in the list takes the value.
bool tn_check_option_takes(unsigned index, const char *value);

// Parses `text` over the defaults, for tests and `tarn check`. Returns false for a wrong text and
// stores the reason in `error`.
bool tn_check_options_parse(const char *text, struct tn_check_options *options, char *error,
                            unsigned error_bytes);
