// SPDX-License-Identifier: Apache-2.0
// Carrier: iceoryx by its C binding. The run starts its daemon with one pool, whose chunks have the
// size of a message. Both sides wait as iceoryx does: a blocked publisher polls, a subscriber
// sleeps.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <iceoryx_binding_c/log.h>
#include <iceoryx_binding_c/publisher.h>
#include <iceoryx_binding_c/runtime.h>
#include <iceoryx_binding_c/subscriber.h>
#include <iceoryx_binding_c/wait_set.h>

#include "stream.h"

static pid_t daemon_pid;

static void write_config(struct stream *stream, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) stream_fail(stream, path);
    (void)fprintf(file,
                  "[general]\nversion = 1\n\n[[segment]]\n\n[[segment.mempool]]\n"
                  "size = %llu\ncount = %u\n",
                  (unsigned long long)stream->bytes + 128, stream->depth + 4);
    (void)fclose(file);
}

static void start_daemon(struct stream *stream, const char *name) {
    char path[80];
    (void)snprintf(path, sizeof path, "/tmp/%s.toml", name);
    write_config(stream, path);
    daemon_pid = fork();
    if (daemon_pid == 0) {
        (void)alarm(60);
        int nowhere = open("/dev/null", O_WRONLY);
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO); // it reports clients that exited before it
        (void)execlp("iox-roudi", "iox-roudi", "-c", path, "-l", "off", "-m", "off", (char *)NULL);
        _exit(1);
    }
    struct timespec second = {1, 0};
    (void)nanosleep(&second, NULL);
    if (waitpid(daemon_pid, NULL, WNOHANG) != 0) stream_fail(stream, "iox-roudi does not run");
    (void)unlink(path);
}

static void stop_daemon(void) {
    // SIGTERM would make it end its clients first, and this process still is one.
    (void)kill(daemon_pid, SIGKILL);
    (void)waitpid(daemon_pid, NULL, 0);
}

// Removes the files that a client leaves when its daemon is killed.
static void clean_up(const char *name) {
    char path[96];
    for (const char *end = "pc"; *end != '\0'; end++) {
        (void)snprintf(path, sizeof path, "/tmp/%s-%c", name, *end);
        (void)unlink(path);
        (void)snprintf(path, sizeof path, "/tmp/%s-%c.lock", name, *end);
        (void)unlink(path);
    }
}

static void produce(struct stream *stream, int socket, const char *name) {
    static iox_pub_storage_t storage;
    char byte = 0, own[80];
    iox_set_loglevel(Iceoryx_LogLevel_Off);
    start_daemon(stream, name);
    (void)!write(socket, &byte, 1);
    (void)snprintf(own, sizeof own, "%s-p", name);
    iox_runtime_init(own);
    iox_pub_options_t options;
    iox_pub_options_init(&options);
    options.subscriberTooSlowPolicy = ConsumerTooSlowPolicy_WAIT_FOR_CONSUMER;
    options.historyCapacity = 0;
    iox_pub_t publisher = iox_pub_init(&storage, "tarn", "bench", name, &options);
    (void)!read(socket, &byte, 1);
    while (!iox_pub_has_subscribers(publisher)) {
        struct timespec pause = {0, 1000000};
        (void)nanosleep(&pause, NULL);
    }
    bool more = true;
    for (uint64_t n = 0; more; n++) {
        void *message;
        if (iox_pub_loan_aligned_chunk(publisher, &message, (uint32_t)stream->bytes, 64) !=
            AllocationResult_SUCCESS)
            stream_fail(stream, "iox_pub_loan_aligned_chunk");
        more = stream_write(stream, n, message);
        iox_pub_publish_chunk(publisher, message);
    }
    (void)!read(socket, &byte, 1);
    iox_pub_deinit(publisher);
    iox_runtime_shutdown();
    stop_daemon();
    clean_up(name);
}

// Returns false if there is no message. *more becomes false at the last one.
static bool take(struct stream *stream, iox_sub_t subscriber, bool *more) {
    const void *message;
    if (iox_sub_take_chunk(subscriber, &message) != ChunkReceiveResult_SUCCESS) return false;
    *more = stream_read(stream, message);
    iox_sub_release_chunk(subscriber, message);
    return true;
}

static void consume(struct stream *stream, int socket, const char *name) {
    static iox_sub_storage_t storage;
    static iox_ws_storage_t wait_storage;
    char byte = 0, own[80];
    iox_set_loglevel(Iceoryx_LogLevel_Off);
    (void)!read(socket, &byte, 1);
    (void)snprintf(own, sizeof own, "%s-c", name);
    iox_runtime_init(own);
    iox_sub_options_t options;
    iox_sub_options_init(&options);
    options.queueCapacity = stream->depth;
    options.queueFullPolicy = QueueFullPolicy_BLOCK_PRODUCER;
    iox_sub_t subscriber = iox_sub_init(&storage, "tarn", "bench", name, &options);
    iox_ws_t wait_set = iox_ws_init(&wait_storage);
    (void)iox_ws_attach_subscriber_state(wait_set, subscriber, SubscriberState_HAS_DATA, 0, NULL);
    (void)!write(socket, &byte, 1);
    bool more = true;
    while (more) {
        iox_notification_info_t infos[1];
        uint64_t missed;
        (void)iox_ws_wait(wait_set, infos, 1, &missed);
        while (more && take(stream, subscriber, &more)) {
        }
    }
    iox_ws_deinit(wait_set);
    iox_sub_deinit(subscriber);
    iox_runtime_shutdown();
    (void)!write(socket, &byte, 1);
}

const struct carrier carry_iceoryx = {"iceoryx", produce, consume};
