// SPDX-License-Identifier: Apache-2.0
// `tarn layout`: places segments of given lengths one after another in a block, under a placement
// rule, and shows whether they fit. One thread.
#include "tools/layout/layout.h"
#include "tools/arguments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/result.h"
#include "tools/value.h"

struct request {
    struct tn_layout layout;
    const char *verify;
    uint64_t *lengths; // not placed yet, because the rule may follow them
    size_t length_count;
};

static const char doc[] =
    "Places segments of LENGTH bytes one after another in a block, under the rule of an allocator "
    "for secondary allocation, and shows their addresses.\v"
    "Lengths and sizes are bytes, or 4K, 2M, 1.5G. The size of a segment is LENGTH, rounded up, "
    "plus the padding of the rule. It starts at the next address that the rule allows. Its stride "
    "is the distance to another segment of the same length.\n"
    "\n"
    "--verify reads the segments of your own pool, one START,LENGTH on each line (START counts "
    "from the base), and reports each that breaks the rule: its start is not aligned, or it "
    "reaches into another segment or beyond the block.\n"
    "\n"
    "Exit status: 0 success; 1 system error; 2 invalid input; 3 the segments do not fit into the "
    "block; 4 --verify found a broken rule.";

// ---- placement

static uint64_t stride_of(const struct tn_layout *layout, const struct tn_segment *segment) {
    return (segment->size + layout->rule.start - 1) / layout->rule.start * layout->rule.start;
}

// Places the segments one after another. Returns the index of the first that does not fit, or the
// number of segments.
static size_t place_segments(struct tn_layout *layout) {
    uint64_t cursor = 0;
    for (size_t i = 0; i < layout->count; i++) {
        struct tn_segment *segment = &layout->segments[i];
        if (!tn_layout_align(layout, cursor, &segment->start) ||
            segment->size > UINT64_MAX - segment->start)
            return i;
        cursor = segment->start + segment->size;
        if (layout->bytes != 0 && cursor > layout->bytes) return i;
    }
    return layout->count;
}

// ---- output

static uint64_t end_of(const struct tn_layout *layout, size_t placed) {
    return placed == 0 ? 0 : layout->segments[placed - 1].start + layout->segments[placed - 1].size;
}

static void print_table(const struct tn_layout *layout, size_t placed) {
    const tarn_rule *rule = &layout->rule;
    printf("rule %s: starts at multiples of %u, sizes rounded up to %u, then %u more\n\n",
           layout->rule_name, rule->start, rule->rounding, rule->padding);
    printf("segment        length         start          size        stride           end\n");
    for (size_t i = 0; i < placed; i++) {
        const struct tn_segment *segment = &layout->segments[i];
        printf("%7zu  %12" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "\n",
               i + 1, segment->length, segment->start, segment->size, stride_of(layout, segment),
               segment->start + segment->size);
    }
    printf("\ntotal: %" PRIu64 " bytes", end_of(layout, placed));
    if (layout->bytes != 0 && placed == layout->count)
        printf("; fits into %" PRIu64 "\n", layout->bytes);
    else
        printf("\n");
}

static void print_json(const struct tn_layout *layout, size_t placed) {
    json_t *list = json_array();
    for (size_t i = 0; i < placed; i++) {
        const struct tn_segment *segment = &layout->segments[i];
        tn_list_add(list, json_pack("{s:I, s:I, s:I, s:I}", "length", (json_int_t)segment->length,
                                    "start", (json_int_t)segment->start, "size",
                                    (json_int_t)segment->size, "stride",
                                    (json_int_t)stride_of(layout, segment)));
    }
    json_t *whole = json_pack("{s:s, s:I, s:b, s:o}", "rule", layout->rule_name, "total",
                              (json_int_t)end_of(layout, placed), "fits", placed == layout->count,
                              "segments", list);
    tn_result_print(whole);
}

static enum tn_exit print_placement(struct tn_layout *layout) {
    size_t placed = place_segments(layout);
    if (layout->json) print_json(layout, placed);
    if (tn_result_shows_text()) print_table(layout, placed);
    if (placed == layout->count) return TN_EXIT_OK;
    const struct tn_segment *segment = &layout->segments[placed];
    if (layout->bytes != 0)
        return tn_exit_with(TN_EXIT_NO_FIT,
                            "segment %zu (%" PRIu64 " bytes) does not fit: it would need %" PRIu64
                            " from %" PRIu64 " on, and the block ends at %" PRIu64,
                            placed + 1, segment->length, segment->size, segment->start,
                            layout->bytes);
    return tn_exit_with(TN_EXIT_NO_FIT, "segment %zu (%" PRIu64 " bytes) exceeds the address space",
                        placed + 1, segment->length);
}

// ---- the command line

static void parse_base(struct argp_state *state, const struct tn_arg_option *option, char *text,
                       void *input) {
    const char *address = text;
    if (text[strcspn(text, " \t\r\n")] != '\0' ||
        !tn_layout_number(&address, '\0', (uint64_t *)tn_arg_field(option, input)))
        argp_error(state, "--base takes an address such as 4096 or 0x1000, not \"%s\"", text);
}

static const struct tn_arg_option rows[] = {
    {"rule", 'r', "acl|dvpp|mixed|950|plain|gpu|caching",
     "The rule of this allocator (default: acl)", TN_NAME(struct request, layout.rule_name)},
    {"pool", 0, "SIZE", "Size of the block", TN_SIZE(struct request, layout.bytes, 1)},
    {"base", 'b', "ADDRESS", "Address of the block (default: 0)",
     TN_PARSED(struct request, layout.base, parse_base)},
    {"verify", 0, "FILE", "Check the segments in FILE instead (-: standard input)",
     TN_STRING(struct request, verify)},
    {"json", 0, "FILE", "Print one JSON object, to FILE if it is given",
     TN_FLAG(struct request, layout.json), .is_optional = true},
    {0},
};

static error_t parse_layout(int key, char *text, struct argp_state *state, void *input) {
    struct request *request = (struct request *)input;
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    request->lengths[request->length_count++] = tn_value_size(state, "LENGTH", text, 0);
    return 0;
}

static enum tn_exit run_request(struct request *request) {
    if ((request->length_count == 0) == (request->verify == NULL))
        return tn_exit_with(TN_EXIT_BAD_INPUT, "expected lengths, or --verify FILE");
    if (request->verify != NULL) return tn_layout_verify(&request->layout, request->verify);
    for (size_t i = 0; i < request->length_count; i++)
        if (!tn_layout_add(&request->layout, 0, request->lengths[i], 0)) return TN_EXIT_BAD_INPUT;
    return print_placement(&request->layout);
}

int tn_command_layout(int argc, char **argv) {
    struct request request = {.layout = {.rule_name = "acl"}, .verify = NULL};
    static const struct tn_command_line line = {
        .options = {rows, parse_layout}, .args_doc = "LENGTH...", .doc = doc};
    request.lengths = (uint64_t *)calloc((size_t)argc + 1, sizeof *request.lengths);
    if (request.lengths == NULL) {
        fprintf(stderr, "tarn layout: out of memory for %d lengths\n", argc);
        return TN_EXIT_NO_MEMORY;
    }
    tn_arguments_parse(&line, argc, argv, 0, &request);
    // A pool for media and other memory follows the stricter rule.
    const char *rule = request.layout.rule_name;
    (void)tarn_rule_find(strcmp(rule, "mixed") == 0 ? "dvpp" : rule, &request.layout.rule);
    enum tn_exit code = run_request(&request);
    free(request.layout.segments);
    free(request.lengths);
    return (int)code;
}
