// SPDX-License-Identifier: Apache-2.0
// The command line of `tarn replay`, and its help. One thread.
#include <string.h>

#include "base/options.h"
#include "tools/arguments.h"
#include "tools/reading.h"
#include "tools/replay/replay.h"
#include "tools/value.h"

static const char doc[] =
    "Replays recorded allocations and measures their cost.\n"
    "\n"
    "A TRACE is a text, plain or gzip, with one event on each line: \"a TIME_US ID BYTES\" "
    "allocates, \"f TIME_US ID\" frees, \"m TIME_US LABEL\" marks a phase. Ids increase and are "
    "never reused. A TRACE can also be a PyTorch memory snapshot "
    "(torch.cuda.memory._dump_snapshot), pickled, plain or gzip. Its blocks that were live before "
    "the recording are allocated first. Each stream becomes a stream, and each device is replayed "
    "on a device of its own, with the totals summed. A pickle of anything but plain data is "
    "refused.\v"
    "Pools:\n"
#define TARGET(NAME, name, text) "  " name "\t" text "\n"
    TN_TARGET_LIST(TARGET) "\n"
                           "Rules (start alignment/size rounding/padding):\n"
#define RULE(NAME, name, start, rounding, padding, text)                                           \
    "  " name "\t" #start "/" #rounding "/" #padding ": " text "\n"
    TARN_RULE_LIST(RULE) "\n"
                         "Times are of single calls, without the cost of reading the clock. The "
                         "throughput is of a "
                         "second replay in which no call is timed. With --repeat all repetitions "
                         "use one pool, and "
                         "each is a pass of its plan.\n"
                         "\n" TN_EXIT_HELP;

#define OPTIONS struct tn_replay_options

static const struct tn_arg_option rows[] = {
    {"device", 'd', "URI", "Device to replay on, such as host:0 or sim:0,memory=80G",
     TN_STRING(OPTIONS, device)},
    {"pool", 'p', "POOL", "Kind of pool, see below (default: expandable:balanced)",
     TN_PARSED(OPTIONS, kind, tn_replay_parse_pool)},
    {"plan", 0, "FILE|learn",
     "The pool follows the plan in FILE (`tarn plan -o`), or learns one from its passes (learn). "
     "With "
     "--compare the kind expandable:planned does so",
     TN_STRING(OPTIONS, plan)},
    {"compare", 0, NULL, "Replay on every kind of pool", TN_FLAG(OPTIONS, compare)},
    {"rule", 'r', "RULE", "Placement rule, see below (default: gpu)", TN_NAME(OPTIONS, rule_name)},
    {"limit", 0, "SIZE",
     "Limit the memory of the pool: 20G, 1.02x (that multiple of the peak of live bytes) or +48M "
     "(that much above it)",
     TN_PARSED(OPTIONS, limit, tn_replay_parse_limit)},
    {"segment", 0, "SIZE", "Ordinary segments have SIZE (segments; default: 32M)",
     TN_SIZE(OPTIONS, settings.segment_bytes, 1)},
    {"page", 0, "SIZE",
     "Create physical memory in multiples of SIZE (expandable; default: the device's granularity)",
     TN_SIZE(OPTIONS, settings.page_bytes, 1)},
    {"streams", 0, TN_REPLAY_STREAMS,
     "honour: each recorded stream is a stream (the default); ignore: no block has a stream",
     TN_CHOICE(OPTIONS, ignore_streams)},
    {"scale", 0, "N", "Multiply every size by N", TN_NUMBER(OPTIONS, scale, 1, UINT32_MAX)},
    {"repeat", 'n', "N", "Replay N times in a row", TN_NUMBER(OPTIONS, repeat, 1, UINT32_MAX)},
    {"touch", 0, NULL,
     "Write a pattern into every block, verify it before the block is freed, and verify that no "
     "two blocks overlap. This uses the memory",
     TN_FLAG(OPTIONS, touch)},
    {"check", 0, NULL,
     "Use the memory checker, which sees each access; exit with 77 if it finds errors",
     TN_FLAG(OPTIONS, check)},
    {"verbose", 'v', NULL, "Show the memory at each mark of the trace", TN_FLAG(OPTIONS, verbose)},
    TN_JSON_OPTION(OPTIONS, "Print one JSON object, to FILE if it is given: the result, or with "
                            "several traces or --compare {\"runs\": [...]}"),
    {0},
};

void tn_replay_parse_limit(struct argp_state *state, const struct tn_arg_option *option, char *text,
                           void *input) {
    struct tn_replay_limit *limit = (struct tn_replay_limit *)tn_arg_field(option, input);
    size_t length = strlen(text);
    bool is_factor = length > 0 && text[length - 1] == 'x', is_more = text[0] == '+';
    *limit = (struct tn_replay_limit){.text = text, .factor = is_more ? 1 : 0};
    bool valid = is_factor ? tn_parse_double(text, length - 1, &limit->factor) &&
                                 limit->factor > 0 && limit->factor < 1e6
                           : tn_parse_size(text + is_more, length - is_more, &limit->bytes) &&
                                 (is_more || limit->bytes != 0);
    if (!valid)
        argp_error(state, "--limit takes a size such as 20G, 1.02x or +48M, not \"%s\"", text);
}

// The kinds have the order of the list, in which "expandable" comes last.
void tn_replay_parse_pool(struct argp_state *state, const struct tn_arg_option *option, char *text,
                          void *input) {
    size_t choice = tn_choice_parse(state, "--pool", "POOL", text, strlen(text));
    *(enum tn_target_kind *)tn_arg_field(option, input) =
        choice < TN_TARGET_KINDS ? (enum tn_target_kind)choice : TN_TARGET_BALANCED;
}

void tn_replay_defaults(struct tn_replay_options *options) {
    *options = (struct tn_replay_options){
        .kind = TN_TARGET_BALANCED, .rule_name = "gpu", .scale = 1, .repeat = 1};
    (void)tarn_rule_find(options->rule_name, &options->settings.rule);
}

void tn_replay_parse(int argc, char **argv, struct tn_replay_options *options) {
    static const struct tn_command_line line = {
        {rows, NULL},
        "TRACE...",
        doc,
        TN_READS(struct tn_replay_options, limits),
        TN_REST(struct tn_replay_options, traces, "a trace")};
    tn_replay_defaults(options);
    tn_arguments_parse(&line, argc, argv, 0, options);
    while (options->traces[options->trace_count] != NULL) options->trace_count++;
    options->settings.learns = options->plan != NULL && strcmp(options->plan, "learn") == 0;
    (void)tarn_rule_find(options->rule_name, &options->settings.rule);
}
