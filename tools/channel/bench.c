// SPDX-License-Identifier: Apache-2.0
// `tarn channel bench`: options, and results as a table or as JSON. One thread.
#include <inttypes.h>
#include <string.h>

#include "base/options.h"
#include "tools/arguments.h"
#include "tools/channel/channel.h"
#include "tools/result.h"
#include "tools/terminal.h"

static const char doc[] =
    "Streams messages from this process to a child, one parcel each. The producer writes every "
    "byte, the consumer reads every byte and checks a sum. Memory is allocated before.\v"
    "send        nanoseconds of one tarn_channel_send(), including a wake-up of the consumer\n"
    "hand-over   microseconds from before the send until the consumer has the message; grows with "
    "the depth if the consumer is the slower side\n"
    "faults      page faults for each message of both sides together\n"
    "CPU         of both sides together, 100 % is one CPU\n"
    "\n" TN_EXIT_HELP;

static bool size_of(const char *text, uint64_t *bytes) {
    if (strcmp(text, "1080p") == 0)
        *bytes = 3110400;
    else if (strcmp(text, "4K-video") == 0)
        *bytes = 12441600;
    else
        return tn_parse_size(text, strlen(text), bytes) && *bytes >= 64 &&
               *bytes <= UINT64_C(256) << 20;
    return true;
}

static void parse_sizes(struct argp_state *state, const struct tn_arg_option *option, char *list,
                        void *input) {
    struct tn_channel_options *options = (struct tn_channel_options *)input;
    char text[256];
    char *rest = text;
    char *word;
    (void)option;
    (void)snprintf(text, sizeof text, "%s", list);
    options->size_count = 0;
    while ((word = strsep(&rest, ",")) != NULL) {
        uint64_t bytes = 0;
        if (!size_of(word, &bytes) || options->size_count == TN_CHANNEL_SIZES)
            argp_error(state, "--sizes takes up to %d sizes from 64 to 256M, not \"%s\"",
                       TN_CHANNEL_SIZES, word);
        else
            options->sizes[options->size_count++] = bytes;
    }
}

static const struct tn_arg_option rows[] = {
    {"sizes", 0, "SIZE,...",
     "Sizes of messages, separated by commas, such as 64K,1080p,4K-video,64M (default: "
     "4K,64K,256K,1080p,4K-video,64M; the two names are frames of YUV 4:2:0)",
     TN_PARSED(struct tn_channel_options, sizes, parse_sizes)},
    {"time", 0, "MS", "Milliseconds for each size (default: 1000)",
     TN_NUMBER(struct tn_channel_options, milliseconds, 1, 3600000)},
    {"rate", 0, "N", "Messages a second; 0: as many as possible (default)",
     TN_NUMBER(struct tn_channel_options, rate, 0, 100000000)},
    {"depth", 0, "N", "Parcels under way concurrently (default: 4)",
     TN_NUMBER(struct tn_channel_options, depth, 1, 4096)},
    {"ports", 0, "N", "Ports used in turn (default: 1)",
     TN_NUMBER(struct tn_channel_options, ports, 1, 65536)},
    {"verify", 0, NULL, "Compare every word as well", TN_FLAG(struct tn_channel_options, verify)},
    {"spin", 0, NULL, "Spin for 30 microseconds before sleeping",
     TN_FLAG(struct tn_channel_options, spin)},
    TN_JSON_OPTION(struct tn_channel_options,
                   "Print one JSON object, {\"runs\": [...]}, to FILE if it is given"),
    {0},
};

// ---- results

static double per_second(const struct tn_channel_result *r) {
    return r->elapsed_ns > 0 ? (double)r->consumer.messages * 1e9 / (double)r->elapsed_ns : 0;
}

static double faults_per_message(const struct tn_channel_result *r) {
    double all = (double)(r->producer.faults + r->consumer.faults);
    return r->consumer.messages > 0 ? all / (double)r->consumer.messages : 0;
}

static double cpu_percent(const struct tn_channel_result *r) {
    double all = (double)(r->producer.cpu_ns + r->consumer.cpu_ns);
    return r->elapsed_ns > 0 ? 100 * all / (double)r->elapsed_ns : 0;
}

static uint64_t lost_messages(const struct tn_channel_result *r) {
    return r->producer.messages - r->consumer.messages;
}

static void print_heading(const struct tn_channel_options *options) {
    printf("%" PRIu32 " message%s in flight, %" PRIu32 " port%s, %" PRIu64 " ms per size",
           options->depth, options->depth == 1 ? "" : "s", options->ports,
           options->ports == 1 ? "" : "s", options->milliseconds);
    if (options->rate != 0) printf(", %" PRIu64 " a second", options->rate);
    printf("%s%s\n\n", options->verify ? ", every word verified" : "",
           options->spin ? ", spinning" : "");
    tn_style_print(stdout, TN_STYLE_HEAD,
                   "     bytes   messages/s     GB/s      send ns         hand-over us   faults    "
                   "CPU   lost  late copies\n"
                   "                                   med     p99       med       p99\n");
}

static void print_row(const struct tn_channel_result *r) {
    printf("%10" PRIu64 " %12.0f %8.2f %6" PRIu64 " %7" PRIu64
           " %9.1f %9.1f %8.3f %5.0f%% %6" PRIu64 " %5" PRIu64 " %6" PRIu64 "\n",
           r->bytes, per_second(r), per_second(r) * (double)r->bytes / 1e9,
           tn_histogram_quantile(&r->producer.times, 500),
           tn_histogram_quantile(&r->producer.times, 990),
           (double)tn_histogram_quantile(&r->consumer.times, 500) / 1e3,
           (double)tn_histogram_quantile(&r->consumer.times, 990) / 1e3, faults_per_message(r),
           cpu_percent(r), lost_messages(r), r->late, r->copies);
    (void)fflush(stdout);
}

static json_t *describe_result(const struct tn_channel_result *r) {
    return json_pack(
        "{sI, sI, sf, sf, sI, sI, sI, sI, sf, sf, sI, sI, sI}", "bytes", (json_int_t)r->bytes,
        "messages", (json_int_t)r->consumer.messages, "messages_per_s", per_second(r),
        "bytes_per_s", per_second(r) * (double)r->bytes, "send_ns_median",
        (json_int_t)tn_histogram_quantile(&r->producer.times, 500), "send_ns_p99",
        (json_int_t)tn_histogram_quantile(&r->producer.times, 990), "hand_over_ns_median",
        (json_int_t)tn_histogram_quantile(&r->consumer.times, 500), "hand_over_ns_p99",
        (json_int_t)tn_histogram_quantile(&r->consumer.times, 990), "faults_per_message",
        faults_per_message(r), "cpu_percent", cpu_percent(r), "lost", (json_int_t)lost_messages(r),
        "late", (json_int_t)r->late, "copies", (json_int_t)r->copies);
}

int tn_channel_bench(int argc, char **argv) {
    static const struct tn_command_line line = {.options = {rows, NULL}, .doc = doc};
    struct tn_channel_options options = {
        .sizes = {4096, 65536, 262144, 3110400, 12441600, UINT64_C(64) << 20},
        .size_count = 6,
        .milliseconds = 1000,
        .depth = 4,
        .ports = 1};
    tn_arguments_parse(&line, argc, argv, 0, &options);
    json_t *runs = json_array();
    enum tn_exit code = TN_EXIT_OK;
    if (tn_result_shows_text()) print_heading(&options);
    for (size_t i = 0; i < options.size_count && code == TN_EXIT_OK; i++) {
        struct tn_channel_result result;
        memset(&result, 0, sizeof result);
        code = tn_channel_stream(&options, options.sizes[i], &result);
        if (code == TN_EXIT_OK || code == TN_EXIT_CORRUPT) {
            tn_list_add(runs, describe_result(&result));
            if (tn_result_shows_text()) print_row(&result);
        }
    }
    if (options.json && (code == TN_EXIT_OK || code == TN_EXIT_CORRUPT))
        tn_result_print(json_pack("{sO}", "runs", runs));
    json_decref(runs);
    return (int)code;
}
