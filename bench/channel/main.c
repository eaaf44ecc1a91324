// SPDX-License-Identifier: Apache-2.0
// Compares a stream of messages over a Tarn channel with the same stream over other carriers. Each
// round runs all carriers in turn, so that a disturbance affects all of them. Figures are medians
// over rounds, with the lowest and highest. Usage: bench_channel [--json] [--rounds N] [--time MS]
// [--only CARRIER] [--no-pin] [SIZE...]
#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "stream.h"

enum { ROUNDS_MOST = 101, SIZES_MOST = 16, SECONDS_MOST = 20 };

static const struct carrier *const carriers[] = {
    &carry_tarn,      &carry_stream,   &carry_stream_large,
    &carry_seqpacket, &carry_vmsplice, &carry_readv,
#ifdef HAVE_ICEORYX
    &carry_iceoryx,
#endif
#ifdef HAVE_ZEROMQ
    &carry_zeromq,
#endif
#ifdef HAVE_NNG
    &carry_nng,
#endif
#ifdef HAVE_UCX
    &carry_ucx,       &carry_tarn_ucx,
#endif
};
enum { CARRIERS = sizeof carriers / sizeof *carriers };

struct settings {
    uint64_t sizes[SIZES_MOST];
    int size_count;
    int rounds;
    uint64_t milliseconds;
    const char *only; // part of a carrier's name; NULL: all
    bool pin;
    bool json;
};

// ---- one run

static void pin_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

// Makes carriers that take messages from malloc keep the pages that they have touched.
static void keep_pages(void) {
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    (void)mallopt(M_TOP_PAD, 64 << 20);
}

static pid_t start(const struct settings *settings, const struct carrier *carrier,
                   struct stream *stream, int side, const int sockets[2], const char *name) {
    pid_t child = fork();
    if (child != 0) return child;
    (void)close(sockets[!side]);
    (void)alarm(SECONDS_MOST);
    keep_pages();
    if (settings->pin) pin_to(side);
    (side == 0 ? carrier->produce : carrier->consume)(stream, sockets[side], name);
    _exit(0);
}

#define SOCKET_HOLDS (UINT64_C(8) << 20) // capacity of the sockets' buffers

static uint64_t between(uint64_t least, uint64_t value, uint64_t most) {
    return value < least ? least : value > most ? most : value;
}

// Returns GB/s, or a negative number after a failure.
static double run(const struct settings *settings, const struct carrier *carrier, uint64_t bytes,
                  struct stream *stream) {
    static int runs;
    char name[48];
    int sockets[2], status[2] = {1, 1};
    (void)snprintf(name, sizeof name, "tarn-bench-%d-%d", (int)getpid(), runs++);
    *stream = (struct stream){
        .bytes = bytes,
        .milliseconds = settings->milliseconds,
        .depth = (uint32_t)between(4, SOCKET_HOLDS / bytes, STREAM_DEPTH_MOST),
        .warm_up = between(8, 4 * SOCKET_HOLDS / bytes, 256), // touches all memory
    };
    (void)fflush(stdout);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) != 0) {
        perror("bench_channel: socketpair");
        exit(1);
    }
    pid_t consumer = start(settings, carrier, stream, 1, sockets, name);
    pid_t producer = start(settings, carrier, stream, 0, sockets, name);
    (void)close(sockets[0]);
    (void)close(sockets[1]);
    (void)waitpid(consumer, &status[1], 0);
    if (status[1] != 0) (void)kill(producer, SIGKILL);
    (void)waitpid(producer, &status[0], 0);
    if (status[0] != 0 || status[1] != 0 || stream->damaged != 0 || stream->counted == 0) {
        (void)fprintf(stderr,
                      "bench_channel: %s: wait status %d of the producer, %d of the consumer, %llu "
                      "of %llu messages damaged\n",
                      carrier->name, status[0], status[1], (unsigned long long)stream->damaged,
                      (unsigned long long)stream->counted);
        return -1;
    }
    return (double)stream->counted * (double)bytes / (double)(stream->ended_ns - stream->begun_ns);
}

// ---- results

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct figure {
    double median, least, most;
};

static struct figure summary(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return (struct figure){values[count / 2], values[0], values[count - 1]};
}

static void print(const struct settings *settings, uint64_t bytes, const struct carrier *carrier,
                  const struct figure *figure, double ours) {
    static bool comma;
    if (settings->json) {
        printf("%s  {\"bytes\": %llu, \"carrier\": \"%s\", \"gb_per_s\": %.3f, \"least\": %.3f, "
               "\"most\": %.3f, \"messages_per_s\": %.0f}",
               comma ? ",\n" : "", (unsigned long long)bytes, carrier->name, figure->median,
               figure->least, figure->most, figure->median * 1e9 / (double)bytes);
        comma = true;
    } else if (figure->least < 0) {
        printf("%10llu  %-18s does not work\n", (unsigned long long)bytes, carrier->name);
    } else {
        printf("%10llu  %-18s %8.2f  (%.2f to %.2f) %12.0f %8.2f\n", (unsigned long long)bytes,
               carrier->name, figure->median, figure->least, figure->most,
               figure->median * 1e9 / (double)bytes, ours / figure->median);
    }
    (void)fflush(stdout);
}

static bool is_wanted(const struct settings *settings, const struct carrier *carrier) {
    return settings->only == NULL || strstr(carrier->name, settings->only) != NULL;
}

static void measure(const struct settings *settings, uint64_t bytes, struct stream *stream) {
    static double values[CARRIERS][ROUNDS_MOST];
    for (int round = 0; round < settings->rounds; round++)
        for (int c = 0; c < CARRIERS; c++)
            if (is_wanted(settings, carriers[c]))
                values[c][round] = run(settings, carriers[c], bytes, stream);
    double ours = 0;
    for (int c = 0; c < CARRIERS; c++) {
        if (!is_wanted(settings, carriers[c])) continue;
        struct figure figure = summary(values[c], settings->rounds);
        ours = c == 0 ? figure.median : ours;
        print(settings, bytes, carriers[c], &figure, ours);
    }
    if (!settings->json) printf("\n");
}

// ---- the command line

static uint64_t number(const char *text, uint64_t most) {
    char *end;
    uint64_t value = text != NULL ? strtoull(text, &end, 10) : 0;
    if (value == 0 || value > most || *end != '\0') {
        (void)fprintf(stderr, "bench_channel: not a number up to %llu: %s\n",
                      (unsigned long long)most, text != NULL ? text : "(nothing)");
        exit(2);
    }
    return value;
}

static void parse(char **argv, struct settings *settings) {
    bool own_sizes = false;
    for (argv++; *argv != NULL; argv++) {
        if (strcmp(*argv, "--json") == 0)
            settings->json = true;
        else if (strcmp(*argv, "--no-pin") == 0)
            settings->pin = false;
        else if (strcmp(*argv, "--only") == 0 && argv[1] != NULL)
            settings->only = *++argv;
        else if (strcmp(*argv, "--rounds") == 0)
            settings->rounds = (int)number(*++argv, ROUNDS_MOST);
        else if (strcmp(*argv, "--time") == 0)
            settings->milliseconds = number(*++argv, 10000);
        else {
            settings->size_count = own_sizes ? settings->size_count : 0;
            own_sizes = true;
            if (settings->size_count < SIZES_MOST)
                settings->sizes[settings->size_count++] = number(*argv, 256 << 20) / 32 * 32;
        }
    }
}

int main(int argc, char **argv) {
    struct settings settings = {.sizes = {4096, 65536, 262144, 3110400, 12441600, 64 << 20},
                                .size_count = 6,
                                .rounds = 5,
                                .milliseconds = 200,
                                .pin = sysconf(_SC_NPROCESSORS_ONLN) > 1};
    (void)argc;
    parse(argv, &settings);
    struct stream *stream = (struct stream *)mmap(NULL, sizeof *stream, PROT_READ | PROT_WRITE,
                                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (stream == MAP_FAILED) {
        perror("bench_channel: mmap");
        return 1;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    if (settings.json) {
        printf("[\n");
    } else {
        measure_calls();
        printf(
            "%d rounds of %llu ms, %s; 8 MiB under way where one can say, 4 to 64 "
            "messages\n\n"
            "     bytes  carrier                GB/s  (least to most)     messages/s   tarn is\n",
            settings.rounds, (unsigned long long)settings.milliseconds,
            settings.pin ? "each side on a CPU of its own" : "not pinned");
    }
    for (int i = 0; i < settings.size_count; i++) measure(&settings, settings.sizes[i], stream);
    if (settings.json) printf("\n]\n");
    return 0;
}
