// SPDX-License-Identifier: Apache-2.0
// The command line of `tarn replay`, and its help. One thread.
#include <argp.h>
#include <string.h>

#include "base/options.h"
#include "tools/arguments.h"
#include "tools/choice.h"
#include "tools/reading.h"
#include "tools/replay/replay.h"
#include "tools/result.h"
#include "tools/value.h"

enum {
    OPTION_COMPARE = 0x100,
    OPTION_TOUCH,
    OPTION_JSON,
    OPTION_LIMIT,
    OPTION_CHECK,
    OPTION_STREAMS,
    OPTION_SEGMENT,
    OPTION_PAGE,
    OPTION_SCALE
};

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
    TN_TARGET_LIST(TARGET)
#undef TARGET
        "\n"
        "Rules (start alignment/size rounding/padding):\n"
#define RULE(NAME, name, start, rounding, padding, text)                                           \
    "  " name "\t" #start "/" #rounding "/" #padding ": " text "\n"
    TARN_RULE_LIST(RULE)
#undef RULE
        "\n"
        "Times are of single calls, without the cost of reading the clock. The throughput is of a "
        "second replay in which no call is timed. With --repeat all repetitions use one pool.\n"
        "\n" TN_EXIT_HELP;

static const struct argp_option options_table[] = {
    {"device", 'd', "URI", 0, "Device to replay on, such as host:0 or sim:0,memory=80G", 0},
    {"pool", 'p', "POOL", 0, "Kind of pool, see below (default: expandable:balanced)", 0},
    {"compare", OPTION_COMPARE, NULL, 0, "Replay on every kind of pool", 0},
    {"rule", 'r', "RULE", 0, "Placement rule, see below (default: gpu)", 0},
    {"limit", OPTION_LIMIT, "SIZE", 0,
     "Limit the memory of the pool: 20G, 1.02x (that multiple of the peak of live bytes) or +48M "
     "(that much above it)",
     0},
    {"segment", OPTION_SEGMENT, "SIZE", 0, "Ordinary segments have SIZE (segments; default: 32M)",
     0},
    {"page", OPTION_PAGE, "SIZE", 0,
     "Create physical memory in multiples of SIZE (expandable; default: the device's granularity)",
     0},
    {"streams", OPTION_STREAMS, TN_REPLAY_STREAMS, 0,
     "honour: each recorded stream is a stream (the default); ignore: no block has a stream", 0},
    {"scale", OPTION_SCALE, "N", 0, "Multiply every size by N", 0},
    {"repeat", 'n', "N", 0, "Replay N times in a row", 0},
    {"touch", OPTION_TOUCH, NULL, 0,
     "Write a pattern into every block, verify it before the block is freed, and verify that no "
     "two blocks overlap. This uses the memory",
     0},
    {"check", OPTION_CHECK, NULL, 0,
     "Use the memory checker, as `tarn check` does; exit with 77 if it finds errors", 0},
    {"verbose", 'v', NULL, 0, "Show the memory at each mark of the trace", 0},
    TN_RESULT_OPTION(OPTION_JSON,
                     "Print one JSON object, to FILE if it is given: the result, or with "
                     "several traces or --compare {\"runs\": [...]}"),
    {0},
};

void tn_replay_parse_limit(struct argp_state *state, const char *text,
                           struct tn_replay_limit *limit) {
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

bool tn_replay_parse_streams(struct argp_state *state, const char *text) {
    return tn_choice_parse(state, "--streams", TN_REPLAY_STREAMS, text, strlen(text)) == 1;
}

// The kinds have the order of the list, in which "expandable" comes last.
enum tn_target_kind tn_replay_parse_pool(struct argp_state *state, const char *text) {
    size_t choice = tn_choice_parse(state, "--pool", "POOL", text, strlen(text));
    return choice < TN_TARGET_KINDS ? (enum tn_target_kind)choice : TN_TARGET_BALANCED;
}

void tn_replay_parse_rule(struct argp_state *state, const char *text, tarn_rule *rule) {
    (void)tn_choice_parse(state, "--rule", "RULE", text, strlen(text));
    (void)tarn_rule_find(text, rule);
}

static error_t parse_replay(int key, char *text, struct argp_state *state) {
    struct tn_replay_options *options = (struct tn_replay_options *)state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &options->limits; return 0;
    case 'd': options->device = text; return 0;
    case 'p': options->kind = tn_replay_parse_pool(state, text); return 0;
    case 'r':
        tn_replay_parse_rule(state, text, &options->settings.rule);
        options->rule_name = text;
        return 0;
    case OPTION_LIMIT: tn_replay_parse_limit(state, text, &options->limit); return 0;
    case OPTION_SEGMENT:
        options->settings.segment_bytes = tn_value_size(state, "--segment", text, 1);
        return 0;
    case OPTION_PAGE:
        options->settings.page_bytes = tn_value_size(state, "--page", text, 1);
        return 0;
    case OPTION_STREAMS: options->ignore_streams = tn_replay_parse_streams(state, text); return 0;
    case OPTION_SCALE:
        options->scale = tn_value_number(state, "--scale", text, 1, UINT32_MAX);
        return 0;
    case 'n': options->repeat = tn_value_number(state, "--repeat", text, 1, UINT32_MAX); return 0;
    case OPTION_CHECK:
    case OPTION_COMPARE:
    case OPTION_TOUCH:
    case OPTION_JSON:
    case 'v':
        options->check |= key == OPTION_CHECK;
        options->compare |= key == OPTION_COMPARE;
        options->touch |= key == OPTION_TOUCH;
        options->json |= key == OPTION_JSON;
        options->verbose |= key == 'v';
        return 0;
    case ARGP_KEY_ARGS:
        options->traces = state->argv + state->next;
        options->trace_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "expected a trace"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

void tn_replay_defaults(struct tn_replay_options *options) {
    *options = (struct tn_replay_options){
        .kind = TN_TARGET_BALANCED, .rule_name = "gpu", .scale = 1, .repeat = 1};
    (void)tarn_rule_find(options->rule_name, &options->settings.rule);
}

void tn_replay_parse(int argc, char **argv, struct tn_replay_options *options) {
    static const struct argp_child children[] = TN_READING_CHILDREN;
    static const struct argp argp = {options_table, parse_replay, "TRACE...", doc,
                                     children,      NULL,         NULL};
    tn_replay_defaults(options);
    tn_arguments_parse(&argp, argc, argv, 0, options);
}
