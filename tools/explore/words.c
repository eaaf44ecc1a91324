// SPDX-License-Identifier: Apache-2.0
// Describes decisions in the program's words: the work, its stream, the line that submitted it, and
// what came before it although the program submitted it later. One thread.
#include <stdarg.h>

#include "tools/explore/explore.h"

struct sentence {
    char *text;
    size_t used, room;
};

static void add_words(struct sentence *sentence, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_words(struct sentence *sentence, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(sentence->text + sentence->used, sentence->room - sentence->used, format,
                           arguments);
    va_end(arguments);
    sentence->used += length > 0 ? (size_t)length : 0;
    if (sentence->used >= sentence->room) sentence->used = sentence->room - 1;
}

static void add_place(struct sentence *sentence, const struct tn_explore_log *log,
                      const struct tn_explore_entry *entry) {
    char place[120];
    tn_explore_place(log, entry->stack, place, sizeof place);
    if (*place != '\0') add_words(sentence, " (%s)", place);
}

// Returns the submission of a work, or NULL.
static const struct tn_explore_entry *find_work(const struct tn_explore_log *log, const char *key) {
    for (size_t i = 0; i < log->count; i++)
        if (*log->entries[i].work != '\0' && strcmp(log->entries[i].work, key) == 0)
            return &log->entries[i];
    return NULL;
}

// "the copy of 4 bytes on stream 2 (copy.c:41)"
static void add_work(struct sentence *sentence, const struct tn_explore_log *log,
                     const struct tn_explore_entry *work) {
    add_words(sentence, "the %s", work->text);
    add_place(sentence, log, work);
}

static bool is_record(const struct tn_explore_entry *work) {
    return strncmp(work->text, "record ", 7) == 0;
}

static bool has_begun(const struct tn_explore_entry *entry) {
    return entry->kind == TN_EXPLORE_BEGIN || entry->kind == TN_EXPLORE_END;
}

// Returns the place in the log where the work begins, or the end of the log.
static size_t find_begin(const struct tn_explore_log *log, const char *key) {
    size_t i = 0;
    while (i < log->count &&
           !(has_begun(&log->entries[i]) && strcmp(log->entries[i].key, key) == 0))
        i++;
    return i;
}

enum { OVERTAKERS = 3 };

// Returns true if a work of the same words from the same line begins between two places of the log.
static bool is_told(const struct tn_explore_log *log, size_t at, size_t begin,
                    const struct tn_explore_entry *work) {
    for (size_t i = at + 1; i < begin; i++) {
        const struct tn_explore_entry *other =
            log->entries[i].kind == TN_EXPLORE_BEGIN ? find_work(log, log->entries[i].key) : NULL;
        if (other != NULL && other->stack == work->stack && strcmp(other->text, work->text) == 0)
            return true;
    }
    return false;
}

// Adds the works that begin between two places of the log although they were submitted later, the
// last ones first, without records, and each line of the program once. Returns their number.
static size_t add_overtakers(struct sentence *sentence, const struct tn_explore_log *log, size_t at,
                             size_t begin) {
    size_t count = 0;
    for (size_t i = begin; i-- > at;) {
        const struct tn_explore_entry *entry = &log->entries[i];
        const struct tn_explore_entry *work =
            entry->kind == TN_EXPLORE_BEGIN ? find_work(log, entry->key) : NULL;
        if (work == NULL || work < &log->entries[at]) continue;
        if (is_told(log, i, begin, work)) continue;
        if (count++ < OVERTAKERS) {
            add_words(sentence, count == 1 ? " after " : " and ");
            add_work(sentence, log, work);
        }
    }
    if (count > OVERTAKERS) add_words(sentence, " and %zu more", count - OVERTAKERS);
    return count;
}

// "event 5 is queried (copy.c:41)", "the program waits for stream 2 (copy.c:50)"
static void add_call(struct sentence *sentence, const struct tn_explore_log *log,
                     const struct tn_explore_entry *call) {
    static const char query[] = "query of ";
    size_t length = strlen(query);
    if (strncmp(call->text, query, length) == 0)
        add_words(sentence, "%s is queried", call->text + length);
    else
        add_words(sentence, "the program waits%s", call->text + strlen("wait"));
    add_place(sentence, log, call);
}

// Returns the last query between two places of the log, or the last wait if there is none, or NULL.
static const struct tn_explore_entry *last_call(const struct tn_explore_log *log, size_t at,
                                                size_t begin) {
    const struct tn_explore_entry *call = NULL;
    for (size_t i = at + 1; i < begin; i++) {
        const struct tn_explore_entry *entry = &log->entries[i];
        bool better = call == NULL || strncmp(entry->text, "query", 5) == 0 ||
                      strncmp(call->text, "query", 5) != 0;
        if (entry->kind == TN_EXPLORE_CALL && better) call = entry;
    }
    return call;
}

// The work is held back: says what comes before it.
static void describe_delay(struct sentence *sentence, const struct tn_explore_log *log, size_t at) {
    const struct tn_explore_entry *work = &log->entries[at];
    size_t begin = find_begin(log, work->work);
    const struct tn_explore_entry *call = last_call(log, at, begin);
    bool never = begin == log->count, record = is_record(work);
    add_work(sentence, log, work);
    size_t used = sentence->used;
    add_words(sentence, record ? " passes" : " runs");
    if (add_overtakers(sentence, log, at, begin) > 0) {
        if (never) add_words(sentence, ", or not at all");
        return;
    }
    if (never) {
        sentence->used = used;
        add_words(sentence, " has not %s when ", record ? "passed" : "run");
    } else {
        add_words(sentence, call != NULL ? " after " : " later");
    }
    if (call != NULL)
        add_call(sentence, log, call);
    else if (never)
        add_words(sentence, "the program ends");
}

// Another work than the oldest one runs first: the one that begins next.
static void describe_first(struct sentence *sentence, const struct tn_explore_log *log, size_t at) {
    for (size_t i = at + 1; i < log->count; i++) {
        const struct tn_explore_entry *work =
            has_begun(&log->entries[i]) ? find_work(log, log->entries[i].key) : NULL;
        if (work == NULL) continue;
        add_work(sentence, log, work);
        add_words(sentence, " runs first of %u that may run", log->entries[at].choices);
        return;
    }
    add_words(sentence, "another work runs first");
}

static void add_turn(struct sentence *sentence, const struct tn_explore_log *log,
                     const struct tn_explore_entry *turn) {
    add_words(sentence, "%s", turn->text);
    add_place(sentence, log, turn);
}

// Another thread goes on than the one whose turn was before.
static void describe_turn(struct sentence *sentence, const struct tn_explore_log *log, size_t at) {
    const struct tn_explore_entry *before = NULL, *next = NULL, *later = NULL;
    for (size_t i = 0; i < log->count; i++) {
        const struct tn_explore_entry *entry = &log->entries[i];
        if (entry->kind != TN_EXPLORE_TURN) continue;
        if (i < at)
            before = entry;
        else if (next == NULL)
            next = entry;
        else if (later == NULL && before != NULL && entry->thread == before->thread)
            later = entry;
    }
    add_words(sentence, "a thread calls ");
    if (next != NULL) add_turn(sentence, log, next);
    if (later != NULL && next->thread != later->thread) {
        add_words(sentence, " before another one calls ");
        add_turn(sentence, log, later);
    }
}

void tn_explore_describe(const struct tn_explore_log *log, size_t at, char *text, size_t room) {
    const struct tn_explore_entry *entry = &log->entries[at];
    struct sentence sentence = {.text = text, .room = room};
    *text = '\0';
    if (*entry->work != '\0') {
        describe_delay(&sentence, log, at);
    } else if (strncmp(entry->key, "first.", 6) == 0) {
        describe_first(&sentence, log, at);
    } else if (strncmp(entry->key, "fail.", 5) == 0) {
        add_words(&sentence, "the call of %s", entry->text);
        add_place(&sentence, log, entry);
        add_words(&sentence, " fails");
    } else if (strncmp(entry->key, "turn.", 5) == 0) {
        describe_turn(&sentence, log, at);
    } else {
        add_words(&sentence, "%s", entry->text);
        add_place(&sentence, log, entry);
    }
}
