// SPDX-License-Identifier: Apache-2.0
// The explanation of a recording: the facts of one device at one moment, which the text, the JSON
// and the answers to the questions print. tn_explain_make() fills it, and it is constant
// afterwards. One thread.
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "tools/bytes.h"
#include "tools/command.h"
#include "tools/replay/card.h"
#include "tools/replay/replay.h"
#include "trace/study/expandable.h"
#include "trace/study/leak.h"
#include "trace/study/roles.h"
#include "trace/study/verdict.h"

enum { TN_QUESTIONS = 20, TN_PINNED = 5, TN_OWNER_TEXT = 256 };

// The options of the command line.
struct tn_explain_options {
    const char *path;
    struct tn_trace_limits limits;
    uint64_t device;   // its number as recorded, or UINT64_MAX to choose one
    uint64_t at;       // number of an event, or 0; UINT64_MAX: none
    uint64_t top;      // holders to list one by one
    unsigned question; // 0: all
    bool json;
    bool replays;
    bool all_frames; // the innermost call of a stack is the holder
};

// The kind of the moment that is explained.
enum tn_explain_moment { TN_EXPLAIN_PEAK, TN_EXPLAIN_FAILURE, TN_EXPLAIN_EVENT };

// The replays of an explanation: on an expandable pool, on pools of segments and of a fixed range,
// and on one that follows a plan.
enum { TN_EXPLAIN_EXPANDABLE, TN_EXPLAIN_PLANNED = 3, TN_EXPLAIN_REPLAYS };

// A replay of the device on a pool of Tarn, on the card of the recording.
struct tn_explain_replay {
    const char *pool;        // NULL: not replayed
    uint64_t peak;           // reserved bytes; 0 if the memory of the card does not suffice
    struct tn_totals totals; // of PLANNED: requests without a place
};

// Blocks by function, and by line for the names of the functions.
struct tn_explain_set {
    struct tn_holders functions, lines;
};

// The device calls by which the recorded allocator got and returned its segments.
struct tn_explain_calls {
    uint64_t taken;
    uint64_t returned;
    uint64_t taken_bytes;
    uint64_t returned_bytes;
    uint64_t again; // taken with the size of one that was returned before
};

// Signs that the whole recording shows, in bytes; 0 without the sign.
struct tn_explain_course {
    uint64_t reserved;    // the most, or live where it is not recorded
    uint64_t end_private; // free in private pools at the end
    uint64_t end_idle;    // reserved but not live at the end
    uint64_t usual_idle;  // on average, if most of the time half of the reserved bytes are not live
    uint64_t grown;  // by the function that keeps most, if it allocates throughout the recording
    uint64_t before; // live at the moment, and before the recording began, by unknown callers
};

// The verdict and the remedy with which the answer opens: see opening.c.
struct tn_explain_opening {
    const char *kind; // name in JSON
    bool is_good;     // nothing is wrong
    char verdict[1024];
    char remedy[1024];
};

struct tn_explain {
    const struct tn_explain_options *options;
    const struct tn_trace *trace;
    const struct tn_trace_device *device;
    bool is_state; // the device has no history: none of its events asks for memory
    struct tn_life *lives;
    struct tn_owners owners;
    struct tn_levels levels;
    struct tn_phases phases;
    struct tn_steps steps;
    struct tn_tables tables; // the tables above, as studies take them
    struct tn_leak leak;
    enum tn_explain_moment kind;
    struct tn_moment moment;
    struct tn_fragments fragments; // empty unless the moment has places
    struct tn_holders holders[TN_HOLDER_KINDS];
    struct tn_explain_set grown; // blocks that steps leave, see trace/study/leak.h
    struct tn_explain_set kept;  // allocated by events and never freed
    struct tn_roles roles;
    size_t failures;           // of the device
    struct tn_verdict verdict; // of the first failure; `failure` is NULL without one
    struct tn_explain_course course;
    struct tn_explain_calls calls;
    struct tn_explain_replay replays[TN_EXPLAIN_REPLAYS];
    struct tn_expandable expandable; // of PyTorch's allocator; zero for others and without replays
    struct tn_explain_opening opening;
    char *answers[TN_QUESTIONS]; // NULL: not asked
    struct tn_replay_card card;  // of the replays
};

// Computes the explanation. Release it with tn_explain_release() in any case. Fails with
// BAD_ARGUMENT if the trace does not have the device or event of the options, and with
// NO_HOST_MEMORY.
tarn_status tn_explain_make(const struct tn_trace *trace, const struct tn_explain_options *options,
                            struct tn_explain *explain);
void tn_explain_release(struct tn_explain *explain);

// Returns the sample of a device with the highest live bytes, or NULL without samples.
const struct tn_trace_sample *tn_explain_peak_sample(const struct tn_trace *trace,
                                                     const struct tn_trace_device *device);
// Returns the highest live bytes of a device.
uint64_t tn_explain_peak(const struct tn_trace *trace, const struct tn_trace_device *device);

// Replays the device on several pools. Fails if memory or the system fails a replay.
tarn_status tn_explain_replay(struct tn_explain *explain);

// Computes the verdict and the remedy, after everything else.
void tn_explain_open(const struct tn_explain *explain, struct tn_explain_opening *opening);

// Returns the text of a question.
const char *tn_explain_question(unsigned number);
// Answers the question of the options, or all of them, each on one line. Fails with NO_HOST_MEMORY.
tarn_status tn_explain_answer(struct tn_explain *explain);

// The name of a holder as text. Returns `text`.
const char *tn_explain_key(const struct tn_explain *explain, enum tn_holder_kind kind, uint64_t key,
                           char text[TN_OWNER_TEXT]);

// The name of a function with the lines at which it holds the most of `lines`. Returns `text`.
const char *tn_explain_function(const struct tn_explain *explain, const struct tn_holders *lines,
                                uint64_t key, char text[TN_OWNER_TEXT]);

// Returns the sums of the holders after the first `top` of the options.
struct tn_holder tn_explain_rest(const struct tn_explain *explain,
                                 const struct tn_holders *holders);
// The explained moment, such as "at the peak, after event 15,210". Returns `text`.
const char *tn_explain_when(const struct tn_explain *explain, char text[TN_OWNER_TEXT]);
// Returns true if more is live than reserved after `at` events.
bool tn_explain_contradicts(const struct tn_explain *explain, size_t at);
// Returns why such a recording cannot tell more.
const char *tn_explain_lack(const struct tn_explain *explain);
// Returns why the roles of blocks cannot be told.
const char *tn_explain_role_lack(enum tn_role_lack lack);
// Prints why the answer cannot be told, if `cannot`. Returns `cannot`.
bool tn_explain_cannot(bool cannot, const char *why, FILE *out);
// Returns true if PyTorch's allocator made the recording.
bool tn_explain_is_torch(const struct tn_explain *explain);
// Returns true if a setting of the recorded allocator is "true".
bool tn_explain_is_on(const struct tn_explain *explain, const char *name);

// The answers: those about the moment and the failure, those about the whole, and that about cards.
// Each prints a sentence without its full stop.
typedef void tn_explain_answers(const struct tn_explain *explain, FILE *out);
tn_explain_answers tn_answer_failure, tn_answer_fragmentation, tn_answer_holders, tn_answer_peak,
    tn_answer_line, tn_answer_reserved, tn_answer_saving, tn_answer_roles, tn_answer_others,
    tn_answer_apart, tn_answer_late;
tn_explain_answers tn_answer_leak, tn_answer_kept, tn_answer_before, tn_answer_complete,
    tn_answer_expandable, tn_answer_pools, tn_answer_difference, tn_answer_calls;
tn_explain_answers tn_answer_card;

// Prints the screen, or the JSON.
void tn_explain_print(const struct tn_explain *explain, FILE *out);
json_t *tn_explain_json(const struct tn_explain *explain);
// Sets the members about cards.
void tn_explain_set_cards(json_t *object, const struct tn_explain *explain);
