// SPDX-License-Identifier: Apache-2.0
// Shared by the files of `tarn explore`: seeds, the logs of their runs, findings, and what is known
// about the order of work. One thread.
#pragma once

#include "tools/runs/runs.h"

// ---- log.c: the log of decisions of a run (base/decide.h)

enum tn_explore_kind {
    TN_EXPLORE_DECISION, // with `key`, `choices`, `choice` and `text`
    TN_EXPLORE_CALL,     // the program waits or queries; `text`
    TN_EXPLORE_BEGIN,    // of the work `key`
    TN_EXPLORE_END,      // of the work `key`
    TN_EXPLORE_TIME,     // something depended on time; `text`
    TN_EXPLORE_TURN      // the thread calls the function `text`
};

struct tn_explore_entry {
    enum tn_explore_kind kind;
    uint64_t stack; // 0: none
    int thread;
    unsigned choices, choice;
    char key[40];  // of a decision, "delay.1.5"; of work, "1.9"
    char work[40]; // of a decision about work; "" otherwise
    char text[120];
};

struct tn_explore_log {
    struct tn_explore_entry *entries;
    size_t count;
    struct tn_explore_stack {
        uint64_t number;
        char *frames; // "FILE+OFFSET FILE+OFFSET", the innermost first
    } * stacks;
    size_t stack_count;
};

// Reads the log in the folder of a run. Without memory, the log is cut short.
void tn_explore_log_read(struct tn_explore_log *log, const char *folder);
void tn_explore_log_free(struct tn_explore_log *log);

// Returns the number of threads that took decisions.
size_t tn_explore_log_threads(const struct tn_explore_log *log);

// Returns true if two runs took the same decisions and ran the same work in the same order.
bool tn_explore_log_same(const struct tn_explore_log *a, const struct tn_explore_log *b);

// Writes the program's own line of a stack, such as "copy.c:41", or "".
void tn_explore_place(const struct tn_explore_log *log, uint64_t stack, char *place, size_t room);

// ---- orders.c: which pairs of works were seen in both orders

enum { TN_EXPLORE_WORKS = 512, TN_EXPLORE_SHOWN = 10 };

struct tn_explore_work {
    uint64_t stream;
    char text[120]; // "copy of 4 bytes on stream 2"
    char place[120];
};

struct tn_explore_orders {
    size_t count; // of works: the first of each run
    struct tn_explore_work works[TN_EXPLORE_WORKS];
    // [a][b]: a began before b in some run.
    bool before[TN_EXPLORE_WORKS][TN_EXPLORE_WORKS];
    size_t more; // works beyond these
};

void tn_explore_orders_add(struct tn_explore_orders *orders, const struct tn_explore_log *log);

// Counts the pairs of works of different streams that were seen, and those seen in both orders.
void tn_explore_orders_count(const struct tn_explore_orders *orders, size_t *pairs, size_t *both);

// Calls `visit` for each pair that was seen in one order only.
void tn_explore_orders_visit(const struct tn_explore_orders *orders,
                             void (*visit)(void *context, const struct tn_explore_work *first,
                                           const struct tn_explore_work *second),
                             void *context);

// ---- the command

// A decision that matters, in the program's words.
enum { TN_EXPLORE_SENTENCE = 600, TN_EXPLORE_DECISIONS = 16 };

// Runs that ended in the same way.
struct tn_explore_finding {
    uint64_t seed; // the first
    size_t seeds;
    struct tn_run_outcome outcome; // of the first
    struct tn_explore_log log;     // of the first
    enum { TN_EXPLORE_UNTRIED, TN_EXPLORE_REPEATS, TN_EXPLORE_DIFFERS } again;
    char why[200]; // why it does not repeat
    bool minimised;
    size_t decision_count; // that matter; may exceed the sentences
    char decisions[TN_EXPLORE_DECISIONS][TN_EXPLORE_SENTENCE];
};

struct tn_explore {
    struct tn_launch launch;
    struct tn_runs runs;
    struct tn_findings_options reporting;
    uint64_t number; // of seeds; 0: not given
    uint64_t first;  // seed; UINT64_MAX: not given
    bool faults, threads, same_output, minimise, json;
    uint64_t done;    // of the seeds
    uint64_t decided; // decisions in all runs
    struct tn_explore_orders orders;
    struct tn_explore_finding *findings;
    size_t finding_count;
};

// ---- search.c

// Runs the program in the plain order. Returns false, with a message, if the system fails.
bool tn_explore_plain(struct tn_explore *explore);

// Runs the seeds, and then each finding a second time. Returns false, with a message, if the system
// fails.
bool tn_explore_seeds(struct tn_explore *explore);

// Reads the log of a run, decides the class of the run, and describes it.
void tn_explore_judge(const struct tn_explore *explore, const char *folder,
                      struct tn_explore_log *log, struct tn_run_outcome *outcome);

// Sets the environment of a run: its seed, or a file of decisions unless that is NULL.
bool tn_explore_set_seed(const struct tn_explore *explore, uint64_t seed, const char *decisions);

// ---- minimise.c

// Finds few decisions of the finding with which the program ends in the same way. Returns false, with
// a message, if the system fails.
bool tn_explore_minimise(struct tn_explore *explore, struct tn_explore_finding *finding);

// ---- words.c

// Describes the decision at an entry of the log of a run that took it.
void tn_explore_describe(const struct tn_explore_log *log, size_t at, char *text, size_t room);

// ---- print.c

void tn_explore_print(const struct tn_explore *explore);
void tn_explore_print_json(const struct tn_explore *explore);
