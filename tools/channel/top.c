// SPDX-License-Identifier: Apache-2.0
// `tarn channel top`: the arenas and channels of running processes, read from the memory files that
// they have open. The processes are not involved. One thread.
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tarn/channel.h>

#include "tools/arguments.h"
#include "tools/bytes.h"
#include "tools/channel/channel.h"
#include "tools/result.h"
#include "tools/terminal.h"
#include "tools/value.h"

#define NUMBER tn_member_get_number

enum { PROCESSES = 64, SEEN = 256 };

struct options {
    int pids[PROCESSES];
    int pid_count; // 0 shows all
    double interval;
    uint64_t count; // number of samples; 0 continues until interrupted
    bool json;
};

static const char doc[] =
    "Shows the arenas and channels of the processes PID, or of all that this user may inspect, "
    "repeatedly. The processes are not involved, and may hang.\v"
    "live, peak   bytes of parcels, current and highest\n"
    "queued       messages that the peer has not received\n"
    "in flight    parcels of this process that the peer holds; held: the reverse\n"
    "waits        sends that had to wait for a credit or a slot\n"
    "\n" TN_EXIT_HELP;

static void parse_once(struct argp_state *state, const struct tn_arg_option *option, char *text,
                       void *input) {
    struct options *options = (struct options *)input;
    (void)state, (void)text;
    options->count = 1;
    options->json |= strcmp(option->name, "json") == 0;
}

static const struct tn_arg_option rows[] = {
    {"interval", 'i', "SECONDS", "Time between two samples (default: 1)",
     TN_SECONDS(struct options, interval)},
    {"count", 0, "N", "Stop after N samples", TN_NUMBER(struct options, count, 1, UINT64_MAX)},
    {"once", 0, NULL, "Stop after one sample", TN_PARSED(struct options, count, parse_once)},
    {"json", 0, "FILE", "Take one sample and print one JSON object, to FILE if it is given",
     TN_PARSED(struct options, count, parse_once), .is_optional = true},
    {0},
};

static error_t parse_top(int key, char *text, struct argp_state *state, void *input) {
    struct options *options = (struct options *)input;
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    int pid = (int)tn_value_number(state, "PID", text, 1, INT_MAX);
    if (options->pid_count == PROCESSES)
        argp_error(state, "PID takes up to %d process numbers, not \"%s\" too", PROCESSES, text);
    else
        options->pids[options->pid_count++] = pid;
    return 0;
}

// ---- sampling

// The counters of the previous sample, for rates.
struct seen {
    int pid, fd;
    uint64_t sends, sent_bytes, receives;
};

struct look {
    const struct options *options;
    struct seen seen[SEEN];
    size_t seen_count;
    double seconds;            // since the previous sample, or 0 for the first
    json_t *found;             // JSON objects of processes
    json_t *arenas, *channels; // of the current process
};

// Without room for the counters, a channel has no rates.
static void add_rates(struct look *look, int pid, int fd, const tarn_channel_stats *now,
                      json_t *channel) {
    size_t i = 0;
    while (i < look->seen_count && (look->seen[i].pid != pid || look->seen[i].fd != fd)) i++;
    if (i == SEEN) return;
    if (i == look->seen_count) look->seen[look->seen_count++] = (struct seen){.pid = pid, .fd = fd};
    struct seen *before = &look->seen[i];
    double t = look->seconds;
#define RATE(name)                                                                                 \
    tn_member_set(channel, #name "_per_s",                                                         \
                  json_real(t > 0 ? (double)(now->name - before->name) / t : 0));                  \
    before->name = now->name
    RATE(sends);
    RATE(sent_bytes);
    RATE(receives);
}

static void look_at_descriptor(struct look *look, int pid, int fd) {
    char path[64], target[64];
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0) return;
    target[length] = '\0';
    tarn_arena_stats arena = {.struct_size = sizeof arena};
    tarn_channel_stats channel = {.struct_size = sizeof channel};
    if (strncmp(target, "/memfd:tarn-arena-board", 23) == 0) {
        if (tarn_arena_peek(path, &arena) != TARN_OK) return;
        json_t *all = json_pack("{si}", "fd", fd);
#define PUT(name, text) tn_member_number(all, #name, arena.name);
        TARN_ARENA_STATS_LIST(PUT)
#undef PUT
        tn_list_add(look->arenas, all);
    } else if (strncmp(target, "/memfd:tarn-channel-mailbox", 27) == 0) {
        if (tarn_channel_peek(path, &channel) != TARN_OK) return;
        json_t *all = json_pack("{si}", "fd", fd);
#define PUT(name, text) tn_member_number(all, #name, channel.name);
        TARN_CHANNEL_STATS_LIST(PUT)
#undef PUT
        add_rates(look, pid, fd, &channel, all);
        tn_list_add(look->channels, all);
    }
}

static void look_at_process(struct look *look, int pid) {
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *all = opendir(path);
    if (all == NULL) return;
    look->arenas = json_array();
    look->channels = json_array();
    const struct dirent *entry;
    while ((entry = readdir(all)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            look_at_descriptor(look, pid, atoi(entry->d_name));
    (void)closedir(all);
    if (json_array_size(look->arenas) + json_array_size(look->channels) > 0)
        tn_list_add(look->found, json_pack("{si, sO, sO}", "pid", pid, "arenas", look->arenas,
                                           "channels", look->channels));
    json_decref(look->arenas);
    json_decref(look->channels);
}

static void look_at_all(struct look *look) {
    const struct options *options = look->options;
    for (int i = 0; i < options->pid_count; i++) look_at_process(look, options->pids[i]);
    DIR *all = options->pid_count == 0 ? opendir("/proc") : NULL;
    if (all == NULL) return;
    const struct dirent *entry;
    while ((entry = readdir(all)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0])) look_at_process(look, atoi(entry->d_name));
    (void)closedir(all);
}

// ---- output

static void print_arena(const json_t *a) {
    printf("  arena   %s, live %s in %" PRIu64 " parcels, peak %s; %" PRIu64 " allocated, %" PRIu64
           " waited, %" PRIu64 " refused, %" PRIu64 " recovered\n",
           tn_bytes(NUMBER(a, "capacity_bytes")), tn_bytes(NUMBER(a, "live_bytes")),
           NUMBER(a, "live_parcels"), tn_bytes(NUMBER(a, "peak_bytes")), NUMBER(a, "allocs"),
           NUMBER(a, "waits"), NUMBER(a, "refusals"), NUMBER(a, "recovered"));
}

static void print_channel(const json_t *c) {
    double bytes = json_real_value(json_object_get(c, "sent_bytes_per_s"));
    printf("  channel to %" PRIu64 "%s: sent %" PRIu64 " (%.0f/s, %s/s), received %" PRIu64
           " (%.0f/s), queued %" PRIu64 ", in flight %" PRIu64 ", held %" PRIu64 ", waits %" PRIu64
           ", timeouts %" PRIu64 ", copies %" PRIu64 "\n",
           NUMBER(c, "peer_pid"), NUMBER(c, "gone") != 0 ? " (gone)" : "", NUMBER(c, "sends"),
           json_real_value(json_object_get(c, "sends_per_s")),
           tn_bytes(bytes > 0 ? (uint64_t)bytes : 0), NUMBER(c, "receives"),
           json_real_value(json_object_get(c, "receives_per_s")), NUMBER(c, "queued"),
           NUMBER(c, "in_flight"), NUMBER(c, "held"), NUMBER(c, "send_waits"),
           NUMBER(c, "send_timeouts"), NUMBER(c, "copies"));
}

static void print_text(const json_t *found) {
    size_t i, j;
    json_t *process, *one;
    if (tn_terminal_draws(stdout)) tn_terminal_command(stdout, "\033[H\033[J");
    if (json_array_size(found) == 0) printf("no process has an arena or a channel\n");
    json_array_foreach(found, i, process) {
        tn_style_print(stdout, TN_STYLE_HEAD, "process %" PRIu64 "\n", NUMBER(process, "pid"));
        json_array_foreach(json_object_get(process, "arenas"), j, one) print_arena(one);
        json_array_foreach(json_object_get(process, "channels"), j, one) print_channel(one);
    }
    (void)fflush(stdout);
}

int tn_channel_top(int argc, char **argv) {
    static struct look look;
    static const struct tn_command_line line = {
        .options = {rows, parse_top}, .args_doc = "[PID...]", .doc = doc};
    struct options options = {.interval = 1};
    tn_arguments_parse(&line, argc, argv, 0, &options);
    look.options = &options;
    for (uint64_t i = 0; options.count == 0 || i < options.count; i++) {
        if (i > 0) {
            look.seconds = options.interval;
            const struct timespec time = {(time_t)look.seconds,
                                          (long)(fmod(look.seconds, 1) * 1e9)};
            (void)nanosleep(&time, NULL);
        }
        look.found = json_array();
        look_at_all(&look);
        if (options.json) tn_result_print(json_pack("{sO}", "processes", look.found));
        if (tn_result_shows_text()) print_text(look.found);
        json_decref(look.found);
    }
    return TN_EXIT_OK;
}
