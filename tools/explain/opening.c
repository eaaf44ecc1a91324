// SPDX-License-Identifier: Apache-2.0
// The opening of an explanation: one verdict and one remedy, as a table of kinds. The texts have
// words in braces, which stand for numbers and names of the recording, and for calls and settings
// of the program that was recorded. Nothing is allocated here. See explain.h.
#include <stdarg.h>

#include "tools/explain/explain.h"
#include "trace/study/vendor.h"

#define ASKED "{asked} were asked at event {event}{segment}, "

// X(KIND, "name in JSON", "verdict", "remedy"). The first kinds are those of enum tn_verdict_cause, in
// its order. Where expandable segments would help, {expandable} is the remedy, and the words beside
// it are empty; elsewhere it is empty.
#define OPENING_LIST(X)                                                                            \
    X(REFUSED, "refused",                                                                          \
      "{asked} were refused at event {event}, and the recording does not tell why",                \
      "{record}, so that segments and the free memory of the device are known")                    \
    X(SHORTAGE, "shortage", "{missing} are missing: " ASKED "and {free} were free{holder}",        \
      "hold {missing} less at event {event}{first}, or use a device with {missing} more{early}")   \
    X(FRAGMENTATION, "fragmentation",                                                              \
      ASKED "and {free} were free, but {fits} at most in one piece", "{expandable}{order}{pin}")   \
    X(WAITING, "waiting",                                                                          \
      ASKED "{free} were free, and {waiting} had been freed but waited for other streams",         \
      "call {wait} before event {event}, or free blocks on the stream that uses them")             \
    X(STREAMS, "streams", ASKED "{free} were free, and {apart} more in segments of other streams", \
      "allocate on the stream that has them, whose segments serve no other")                       \
    X(PRIVATE, "private", ASKED "{free} were free, and {private} more in private pools",           \
      "{share}")                                                                                   \
    X(TOGETHER, "together",                                                                        \
      ASKED "{free} were free; {waiting} that waited for other streams, {apart} in segments of "   \
            "other streams and {private} in private pools would have sufficed together",           \
      "call {wait} before event {event}, and {share}")                                             \
    X(LIMIT, "limit",                                                                              \
      ASKED "and the device had {device_free} free: a limit of the process refused, or another "   \
            "process took the memory first",                                                       \
      "{limit}")                                                                                   \
    X(SETTING, "setting", ASKED "and a free piece had {largest}, which a setting kept",            \
      "compare the settings of the allocator with its defaults")                                   \
    X(POOL_LIMIT, "limit", ASKED "and the pool may hold {limit_bytes}, of which {free} were free", \
      "raise the limit of the pool by {missing}, or hold as much less at event {event}{first}")    \
    X(OTHERS, "others",                                                                            \
      "{missing} are missing: " ASKED "and {free} were free; others hold {others} of the "         \
      "device's {card}",                                                                           \
      "look for other processes on the device, or hold {missing} less at event {event}{first}")    \
    X(POOLS, "pools", ASKED "{free} were free, and {pooled} more were free inside pools",          \
      "call {release} before event {event}, or allocate from those pools")                         \
    X(HOST, "host_memory", ASKED "and the host had no memory left",                                \
      "free memory of the host, or raise the limits on it (ulimit -v, ulimit -l, the control "     \
      "group)")                                                                                    \
    X(HANDLES, "handles", ASKED "and no handle or file descriptor was left",                       \
      "use fewer and larger handles, or raise ulimit -n")                                          \
    X(MAPPINGS, "mappings", ASKED "and the kernel had no memory mapping left",                     \
      "map fewer and larger pieces, or raise vm.max_map_count")                                    \
    X(SPACE, "address_space", ASKED "and no range of addresses was left",                          \
      "reserve smaller ranges, or raise ulimit -v")                                                \
    X(TOO_LARGE, "too_large",                                                                      \
      "the {asked} asked at event {event} are too much alone: {short} would be missing with "      \
      "nothing else live",                                                                         \
      "split the request, or use a device with {missing} more")                                    \
    X(SPLIT, "setting",                                                                            \
      ASKED "and a free piece had {largest}, which the setting max_split_size ({split}) kept",     \
      "raise max_split_size_mb above it, or remove it")                                            \
    X(LEAK, "leak", "it leaks: each of {steps} steps leaves {leak}{leaker}",                       \
      "free in each step what the step allocates{leaker_first}")                                   \
    X(EMPTY, "empty_segments", "{empty} of {reserved} reserved lies in empty segments {when}",     \
      "{expandable}{trim}{option}")                                                                \
    X(HOLES, "holes", "{holes} of {reserved} reserved lies between live blocks {when}",            \
      "{expandable}{order}{pin}{option}")                                                          \
    X(IDLE_PRIVATE, "private",                                                                     \
      "{private} of {reserved} reserved are free in private pools {when}", "{share}")              \
    X(IDLE_WAITING, "waiting",                                                                     \
      "{waiting} of {reserved} reserved are freed but wait for other streams {when}",              \
      "free blocks on the stream that uses them, or call {wait} earlier")                          \
    X(ROUNDING, "rounding", "{rounding} of {reserved} reserved are sizes rounded up {when}",       \
      "allocate small blocks as parts of larger ones")                                             \
    X(CACHED, "cached", "{idle} of {reserved} reserved are not live {when}",                       \
      "{record}, so that the places of the blocks show why")                                       \
    X(END_PRIVATE, "private",                                                                      \
      "{end_private} are free in private pools {end}, which nothing else can use", "{share}")      \
    X(END_IDLE, "cached",                                                                          \
      "{end_idle} of {end_reserved} reserved are not live {end}: the allocator keeps them",        \
      "call {release} if other programs need the memory")                                          \
    X(USUALLY_IDLE, "idle",                                                                        \
      "{usual_idle} of up to {most} reserved are not live most of the time: the peak needs them "  \
      "for a short time",                                                                          \
      "lower the peak{first}, or call {release} after it if other programs need the "              \
      "memory")                                                                                    \
    X(GROWN, "growth",                                                                             \
      "{grown}, of {peak} live at the peak, are allocated throughout the recording and never "     \
      "freed, by {grower}: a leak, a cache or a model that is built",                              \
      "record with steps ({mark}), which tell these apart, or free what {grower} allocates")       \
    X(CONTRADICTS, "contradiction",                                                                \
      "the recording contradicts itself: {live} are live, and {reserved} reserved, {when}",        \
      "record again: blocks or segments are missing")                                              \
    X(BEFORE, "before",                                                                            \
      "{before} were allocated before the recording began, by unknown callers, of {live} live "    \
      "{when}",                                                                                    \
      "start the recording earlier, before the model is built")                                    \
    X(STATE, "state", "{live} are live{of}; a state shows neither a failure nor a leak",           \
      "{record}, which has the history")                                                           \
    X(STATE_PROFILE, "state", "{live} are live; a profile shows neither a failure nor a leak",     \
      "compare profiles of two moments by `tarn diff`, to see what grows")                         \
    X(SUMS, "sums", "the peak is {peak}; sums show neither holders nor a failure",                 \
      "{record}, which has the blocks")                                                            \
    X(NOTHING, "nothing", "the recording has no allocation", "record the program while it runs")   \
    X(GOOD, "good",                                                                                \
      "nothing is wrong{on} as far as the recording shows: {live} are live{of} {when}",            \
      "none is needed{other}")

enum opening {
#define KIND(kind, name, verdict, remedy) OPENING_##kind,
    OPENING_LIST(KIND)
};

_Static_assert((int)OPENING_SPACE + 1 == (int)TN_VERDICT_CAUSES, "a kind for each cause");

static const struct {
    const char *name, *verdict, *remedy;
} openings[] = {
#define ROW(kind, name, verdict, remedy) {name, verdict, remedy},
    OPENING_LIST(ROW)};

// ---- the program that was recorded

enum { TORCH, TARN, OTHER };

// The words that depend on it.
static const struct {
    const char *word, *text[3];
} program_words[] = {
    {"release", {"torch.{npu}.empty_cache()", "tarn_pool_trim()", "the allocator's trim"}},
    {"wait",
     {"torch.{npu}.synchronize()", "tarn_stream_synchronize()", "the device's synchronization"}},
    {"limit",
     {"raise torch.{npu}.set_per_process_memory_fraction(), or look for other processes",
      "raise the limit of the pool, or look for other processes",
      "raise the limit of the allocator, or look for other processes"}},
    {"share",
     {"let the graphs share a pool (torch.{npu}.graph_pool_handle()), or delete those that are "
      "not replayed",
      "let the graphs share a pool, or delete those that are not replayed",
      "let the graphs share a pool, or delete those that are not replayed"}},
    {"mark",
     {"torch.profiler.record_function(\"step\")", "tarn_annotate_step(), or marks of NVTX",
      "marks of NVTX or MSTX"}},
    {"record",
     {"record with torch.{npu}.memory._record_memory_history()",
      "record with a newer `tarn record`", "record with `tarn record`"}},
};

static bool is_of_npu(const struct tn_explain *explain) {
    return tn_vendor_find(explain->trace) == TN_VENDOR_ASCEND;
}

// Tarn's own formats also hold converted recordings, which keep their settings.
static int program_of(const struct tn_explain *explain) {
    switch (explain->trace->origin) {
    case TN_TRACE_SNAPSHOT:
    case TN_TRACE_TIMELINE:
    case TN_TRACE_CHROME:
    case TN_TRACE_NPU_PROFILER: return TORCH;
    case TN_TRACE_MEMSCOPE: // of MindSpore too
        return tn_trace_mentions(explain->trace, "torch") ? TORCH : OTHER;
    case TN_TRACE_TEXT:
    case TN_TRACE_BINARY:
        return tn_trace_setting(explain->trace, "expandable_segments") != NULL ? TORCH : TARN;
    default: return OTHER;
    }
}

bool tn_explain_is_torch(const struct tn_explain *explain) { return program_of(explain) == TORCH; }

static bool was_expandable(const struct tn_explain *explain) {
    if (tn_explain_is_on(explain, "expandable_segments")) return true;
    for (size_t i = 0; i < explain->moment.segment_count; i++)
        if (explain->moment.segments[i].mapped) return true;
    return false;
}

// The option, or else a replay on one growing range, that saves less than a twentieth refutes that it
// would help.
// Reserved bytes say nothing about a refused request, which is not replayed.
static bool is_refuted(const struct tn_explain *explain) {
    const struct tn_explain_replay *replay = &explain->replays[TN_EXPLAIN_EXPANDABLE];
    uint64_t needed = explain->expandable.with_room;
    if (explain->kind == TN_EXPLAIN_FAILURE || needed == 0)
        needed = replay->pool != NULL && replay->peak == 0 ? UINT64_MAX : replay->peak;
    return needed == UINT64_MAX ||
           (explain->kind != TN_EXPLAIN_FAILURE &&
            needed >= explain->moment.reserved - explain->moment.reserved / 20);
}

// ---- the kind

static enum opening judge_failure(const struct tn_explain *explain) {
    const struct tn_verdict *verdict = &explain->verdict;
    enum opening kind = (enum opening)verdict->cause;
    const char *split = tn_trace_setting(explain->trace, "max_split_size");
    if (kind == OPENING_SHORTAGE && verdict->alone > 0) return OPENING_TOO_LARGE;
    if (kind == OPENING_SETTING && split != NULL && strcmp(split, "-1") != 0) return OPENING_SPLIT;
    return kind;
}

// Bytes are worth a verdict from a tenth of the reserved ones, and from one segment of PyTorch.
#define MUCH (UINT64_C(20) << 20)

static bool is_much(const struct tn_explain *explain, uint64_t bytes) {
    return bytes >= explain->moment.reserved / 10 && bytes >= MUCH;
}

static enum opening judge_reserved(const struct tn_explain *explain) {
    const struct tn_moment *moment = &explain->moment;
    const struct tn_fragments *fragments = &explain->fragments;
    const struct {
        uint64_t bytes;
        enum opening kind;
    } parts[] = {{fragments->empty, OPENING_EMPTY},
                 {fragments->holes, OPENING_HOLES},
                 {fragments->private_free, OPENING_IDLE_PRIVATE},
                 {moment->waiting, OPENING_IDLE_WAITING},
                 {fragments->rounding, OPENING_ROUNDING}};
    size_t most = 0;
    if (!moment->has_places)
        return is_much(explain, moment->reserved - moment->live) && moment->reserved > moment->live
                   ? OPENING_CACHED
                   : OPENING_GOOD;
    for (size_t i = 1; i < sizeof parts / sizeof *parts; i++)
        most = parts[i].bytes > parts[most].bytes ? i : most;
    return is_much(explain, parts[most].bytes) ? parts[most].kind : OPENING_GOOD;
}

// The signs of the whole recording, where the moment shows none: bytes, the least percentage of the
// highest reserved bytes, and the kind. The first that is found counts.
static enum opening find_sign(const struct tn_explain_course *course) {
    const struct {
        uint64_t bytes;
        unsigned least;
        enum opening kind;
    } signs[] = {{course->end_private, 10, OPENING_END_PRIVATE},
                 {course->end_idle, 75, OPENING_END_IDLE},
                 {course->usual_idle, 25, OPENING_USUALLY_IDLE},
                 {course->grown, 25, OPENING_GROWN},
                 {course->before, 50, OPENING_BEFORE}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].bytes >= MUCH && signs[i].bytes >= course->reserved / 100 * signs[i].least)
            return signs[i].kind;
    return OPENING_GOOD;
}

static enum opening choose_opening(const struct tn_explain *explain) {
    if ((explain->trace->lacks & TN_TRACE_NO_BLOCKS) != 0) return OPENING_SUMS;
    if (explain->kind == TN_EXPLAIN_FAILURE) return judge_failure(explain);
    if (explain->levels.live[explain->levels.peak] == 0) return OPENING_NOTHING;
    if (tn_explain_contradicts(explain, explain->moment.at)) return OPENING_CONTRADICTS;
    if (explain->kind == TN_EXPLAIN_PEAK && explain->leak.verdict == TN_LEAK_YES)
        return OPENING_LEAK;
    enum opening kind = judge_reserved(explain);
    if (kind != OPENING_GOOD) return kind;
    if (!explain->is_state) return find_sign(&explain->course);
    return explain->trace->origin == TN_TRACE_PPROF ? OPENING_STATE_PROFILE : OPENING_STATE;
}

// ---- the words

enum { WORDS = 64 };

struct words {
    struct {
        const char *word;
        char text[2 * TN_OWNER_TEXT];
    } list[WORDS];
    size_t count;
};

static void TARN_PRINTF(3, 4)
    add_word(struct words *words, const char *word, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(words->list[words->count].text, sizeof words->list->text, format, args);
    va_end(args);
    words->list[words->count++].word = word;
}

// Replaces the words in braces; those that are not defined are empty.
static void expand_text(const struct words *words, const char *text, char *to, size_t room) {
    size_t used = 0;
    for (const char *at = text; *at != '\0' && used + 1 < room;) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        if (end == NULL) {
            to[used++] = *at++;
            continue;
        }
        size_t length = (size_t)(end - at) - 1;
        for (size_t i = 0; i < words->count; i++) {
            if (strlen(words->list[i].word) != length ||
                strncmp(words->list[i].word, at + 1, length) != 0)
                continue;
            int added = snprintf(to + used, room - used, "%s", words->list[i].text);
            used += (size_t)added < room - used ? (size_t)added : room - used - 1;
        }
        at = end + 1;
    }
    to[used] = '\0';
}

static void add_program_words(const struct tn_explain *explain, struct words *words) {
    int program = program_of(explain);
    char text[TN_OWNER_TEXT];
    struct words npu = {.count = 0};
    add_word(&npu, "npu", "%s", is_of_npu(explain) ? "npu" : "cuda");
    for (size_t i = 0; i < sizeof program_words / sizeof *program_words; i++) {
        expand_text(&npu, program_words[i].text[program], text, sizeof text);
        add_word(words, program_words[i].word, "%s", text);
    }
}

// Adds the block that keeps the segment with the most free memory.
static void add_pin(const struct tn_explain *explain, struct words *words) {
    const struct tn_moment *moment = &explain->moment;
    uint32_t pinned;
    char text[TN_OWNER_TEXT];
    if (tn_fragments_pinned(&explain->fragments, &pinned, 1) == 0) return;
    const struct tn_segment_use *use = &explain->fragments.uses[pinned];
    uint32_t stack = moment->trace->blocks[moment->blocks[use->first]].stack;
    if (stack != 0)
        add_word(words, "pin", ": a block of %s keeps a segment with %s free",
                 tn_explain_key(explain, TN_HOLD_BY_LINE, explain->owners.lines[stack], text),
                 tn_bytes(use->free));
}

// Adds how expandable segments are set, or what helps where they do not.
static void add_expandable(const struct tn_explain *explain, struct words *words) {
    const char *const npu = "PYTORCH_NPU_ALLOC_CONF", *const cuda = "PYTORCH_CUDA_ALLOC_CONF";
    const char *variable = is_of_npu(explain) ? npu : cuda;
    const char *value = tn_trace_setting(explain->trace, variable);
    const struct tn_explain_replay *replay = &explain->replays[TN_EXPLAIN_EXPANDABLE];
    const struct tn_expandable *option = &explain->expandable;
    bool is_refused = explain->kind == TN_EXPLAIN_FAILURE;
    bool is_comparable =
        !is_refused && (explain->levels.reserved == NULL || explain->levels.peak_reserved > 0);
    char evidence[TN_OWNER_TEXT] = "", card[64] = "";
    const char *condition = "";
    if (option->least != 0)
        (void)snprintf(card, sizeof card, " a card of at least %s", tn_bytes(option->least));
    if (was_expandable(explain) || is_refuted(explain) || explain->is_state) {
        add_word(words, "order", "allocate what lives long before what is freed soon");
        add_word(words, "trim", "call %s if other programs need the memory", words->list[0].text);
        add_pin(explain, words);
        if (option->with_room != 0 && is_refuted(explain))
            add_word(
                words, "option",
                "; expandable segments help on a full card only: they reserve %s with room%s%s",
                tn_bytes(option->with_room), card[0] != '\0' ? ", and need" : "", card);
        return;
    }
    if (option->with_room != 0 && is_comparable)
        (void)snprintf(evidence, sizeof evidence,
                       " (it reserves %s for the same work with room on the card%s%s)",
                       tn_bytes(option->with_room), card[0] != '\0' ? ", and needs" : "", card);
    else if (replay->peak != 0 && is_comparable)
        (void)snprintf(evidence, sizeof evidence,
                       " (one growing range, Tarn's %s, needs %s for the same work)", replay->pool,
                       tn_bytes(replay->peak));
    if (value == NULL && variable != npu)
        condition = ", or PYTORCH_NPU_ALLOC_CONF on an NPU";
    else if (tn_trace_setting(explain->trace, "pinned_use_hip_host_register") != NULL)
        condition = ", if this PyTorch has it for ROCm";
    if (program_of(explain) != TORCH)
        add_word(words, "expandable", "use a pool of one growing range, such as Tarn's %s%s",
                 "expandable:memory", evidence);
    else if (value != NULL && value[0] != '\0')
        add_word(words, "expandable", "set expandable_segments:True in %s, beside \"%s\"%s%s",
                 variable, value, condition, evidence);
    else
        add_word(words, "expandable", "set %s=expandable_segments:True%s%s", variable, condition,
                 evidence);
}

// Adds the owner of most of the live bytes, if it is known.
static void add_holder(const struct tn_explain *explain, struct words *words) {
    const struct tn_holders *holders = &explain->holders[TN_HOLD_BY_FUNCTION];
    char text[TN_OWNER_TEXT];
    uint64_t before = explain->course.before;
    if (before > explain->moment.live / 2)
        add_word(words, "early",
                 "; start the recording before the model is built, to see who holds %s",
                 tn_bytes(before));
    if (holders->count == 0 || holders->list[0].key == 0) return;
    (void)tn_explain_key(explain, TN_HOLD_BY_FUNCTION, holders->list[0].key, text);
    add_word(words, "holder", "; %s holds %s of %s live", text, tn_bytes(holders->list[0].bytes),
             tn_bytes(explain->moment.live));
    add_word(words, "first", ", first in %s", text);
}

static void add_failure(const struct tn_explain *explain, struct words *words) {
    const struct tn_verdict *verdict = &explain->verdict;
    const char *split = tn_trace_setting(explain->trace, "max_split_size");
    if (verdict->failure == NULL) return;
    add_word(words, "asked", "%s", tn_bytes(verdict->failure->size));
    add_word(words, "event", "%s", tn_count(verdict->event));
    add_word(words, "device_free", "%s", tn_bytes(verdict->device_free));
    add_word(words, "free", "%s", tn_bytes(verdict->free));
    add_word(words, "fits", "%s", tn_bytes(verdict->fits));
    add_word(words, "largest", "%s", tn_bytes(verdict->largest));
    add_word(words, "missing", "%s", tn_bytes(verdict->missing));
    add_word(words, "limit_bytes", "%s", tn_bytes(verdict->failure->why.limit));
    add_word(words, "others", "%s", tn_bytes(verdict->others));
    add_word(words, "pooled", "%s", tn_bytes(verdict->pooled));
    add_word(words, "card", "%s", tn_bytes(explain->device->memory_bytes));
    add_word(words, "short", "%s", tn_bytes(verdict->alone));
    add_word(words, "apart", "%s", tn_bytes(verdict->apart));
    bool shows_segment = verdict->missing > 0 && (verdict->free >= verdict->failure->size ||
                                                  verdict->missing > verdict->failure->size);
    if (shows_segment && was_expandable(explain))
        add_word(words, "segment", " in whole pages");
    else if (shows_segment)
        add_word(words, "segment", " in a segment of %s", tn_bytes(verdict->needs));
    if (split != NULL) add_word(words, "split", "%s bytes", split);
}

static void add_leak(const struct tn_explain *explain, struct words *words) {
    const struct tn_holders *grown = &explain->grown.functions;
    char text[TN_OWNER_TEXT];
    add_word(words, "steps", "%s", tn_count(explain->leak.steps));
    add_word(words, "leak", "%s", tn_bytes(explain->leak.bytes));
    if (grown->count == 0 || grown->list[0].key == 0) return;
    (void)tn_explain_function(explain, &explain->grown.lines, grown->list[0].key, text);
    add_word(words, "leaker", ", %.0f %% of it from %s",
             100 * (double)grown->list[0].bytes / (double)grown->bytes, text);
    add_word(words, "leaker_first", ", first in %s", text);
}

static void add_course(const struct tn_explain *explain, struct words *words) {
    const struct tn_explain_course *course = &explain->course;
    const struct tn_levels *levels = &explain->levels;
    size_t last = levels->count - 1;
    char text[TN_OWNER_TEXT];
    add_word(words, "end", "at the end, after event %s", tn_count(last));
    add_word(words, "end_private", "%s", tn_bytes(course->end_private));
    add_word(words, "end_idle", "%s", tn_bytes(course->end_idle));
    if (levels->reserved != NULL)
        add_word(words, "end_reserved", "%s", tn_bytes(levels->reserved[last]));
    add_word(words, "usual_idle", "%s", tn_bytes(course->usual_idle));
    add_word(words, "most", "%s", tn_bytes(course->reserved));
    add_word(words, "grown", "%s", tn_bytes(course->grown));
    if (course->grown > 0)
        add_word(words, "grower", "%s",
                 tn_explain_function(explain, &explain->kept.lines,
                                     explain->kept.functions.list[0].key, text));
}

static void add_moment(const struct tn_explain *explain, struct words *words) {
    const struct tn_moment *moment = &explain->moment;
    const struct tn_fragments *fragments = &explain->fragments;
    char text[TN_OWNER_TEXT];
    uint64_t reserved =
        explain->levels.reserved != NULL ? explain->levels.reserved[moment->at] : moment->reserved;
    add_word(words, "when", "%s", tn_explain_when(explain, text));
    add_word(words, "peak", "%s", tn_bytes(tn_explain_peak(explain->trace, explain->device)));
    add_word(words, "live", "%s", tn_bytes(moment->live));
    add_word(words, "reserved", "%s", tn_bytes(reserved));
    if (reserved > 0) add_word(words, "of", " of %s reserved", tn_bytes(reserved));
    add_word(words, "idle", "%s", tn_bytes(reserved > moment->live ? reserved - moment->live : 0));
    add_word(words, "empty", "%s", tn_bytes(fragments->empty));
    add_word(words, "holes", "%s", tn_bytes(fragments->holes));
    add_word(words, "private", "%s", tn_bytes(fragments->private_free));
    add_word(
        words, "waiting", "%s",
        tn_bytes(explain->kind == TN_EXPLAIN_FAILURE && explain->verdict.failure->why.waiting > 0
                     ? explain->verdict.failure->why.waiting
                     : moment->waiting));
    add_word(words, "rounding", "%s", tn_bytes(fragments->rounding));
    add_course(explain, words);
    add_word(words, "before", "%s", tn_bytes(explain->course.before));
    if (tn_trace_accelerators(explain->trace) < 2) return;
    add_word(words, "on", " on device %u", explain->device->number);
    add_word(words, "other", " there; --device N looks at another device");
}

void tn_explain_open(const struct tn_explain *explain, struct tn_explain_opening *opening) {
    enum opening kind = choose_opening(explain);
    struct words words = {.count = 0};
    add_program_words(explain, &words);
    add_expandable(explain, &words);
    add_holder(explain, &words);
    add_failure(explain, &words);
    add_leak(explain, &words);
    add_moment(explain, &words);
    opening->kind = openings[kind].name;
    opening->is_good = kind >= OPENING_STATE;
    expand_text(&words, openings[kind].verdict, opening->verdict, sizeof opening->verdict);
    expand_text(&words, openings[kind].remedy, opening->remedy, sizeof opening->remedy);
}
