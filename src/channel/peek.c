// SPDX-License-Identifier: Apache-2.0
// Statistics of a channel, and of any process, read through its open descriptors. Values of another
// process are copied and only reported.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/struct.h"
#include "base/uncancelled.h"
#include "channel/channel.h"

tarn_status tarn_channel_query_stats(tarn_channel *channel, tarn_channel_stats *stats) {
    tarn_channel_stats own = {.struct_size = sizeof own};
    TN_TRY(tn_channel_usable(channel));
    tn_wait_set_reclaim(&channel->arena->wait_set);
    (void)tn_wait_set_is_alive(&channel->arena->wait_set, channel);
    tn_spin_lock(&channel->send_lock);
    uint64_t consumed = tn_load_acquire(&channel->peer.head->consumed);
    if (consumed >= channel->peer_consumed && consumed <= channel->sent)
        channel->peer_consumed = consumed;
    tn_mailbox_set(&channel->own, TN_CHANNEL_queued, channel->sent - channel->peer_consumed);
    tn_spin_unlock(&channel->send_lock);
#define COPY(name, text) own.name = tn_load_relaxed(&channel->own.head->stats[TN_CHANNEL_##name]);
    TARN_CHANNEL_STATS_LIST(COPY)
#undef COPY
    return TN_DONE(tn_struct_write(stats, &own, sizeof own, "tarn_channel_stats"));
}

// ---- other processes

// Maps the first `bytes` of an arena's board or a channel's mailbox for reading.
static tarn_status map_head(const char *path, size_t bytes, const void **head) {
    struct stat file;
    TN_REFUSE(path == NULL, TARN_BAD_ARGUMENT, "path is NULL");
    TN_UNCANCELLED;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        bool refused = errno == EACCES || errno == EPERM;
        return tn_fail_native(refused ? TARN_NO_ACCESS : TARN_SYSTEM, "open", errno, "%s", path);
    }
    int seals = fcntl(fd, F_GET_SEALS);
    bool valid = seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(fd, &file) == 0 &&
                 file.st_size >= (off_t)bytes;
    void *mapped = valid ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    tn_close(fd);
    TN_REFUSE(mapped == MAP_FAILED, TARN_BAD_ARGUMENT,
              "%s is not the memory of an arena or a channel", path);
    *head = mapped;
    return TARN_OK;
}

static tarn_status refuse_file(const char *path, const char *what) {
    return tn_fail(TARN_BAD_ARGUMENT, "%s is not %s", path, what);
}

tarn_status tarn_arena_peek(const char *path, tarn_arena_stats *stats) {
    const void *head;
    tarn_arena_stats own = {.struct_size = sizeof own};
    TN_TRY(map_head(path, sizeof(struct tn_arena_board), &head));
    const struct tn_arena_board *board = (const struct tn_arena_board *)head;
    bool ours = board->magic == TN_ARENA_BOARD_MAGIC && board->bytes == sizeof *board;
#define COPY(name, text) own.name = tn_load_relaxed(&board->stats[TN_ARENA_##name]);
    TARN_ARENA_STATS_LIST(COPY)
#undef COPY
    (void)munmap((void *)(uintptr_t)head, sizeof *board);
    return TN_DONE(ours ? tn_struct_write(stats, &own, sizeof own, "tarn_arena_stats")
                        : refuse_file(path, "the statistics of an arena"));
}

tarn_status tarn_channel_peek(const char *path, tarn_channel_stats *stats) {
    const void *head;
    tarn_channel_stats own = {.struct_size = sizeof own};
    TN_TRY(map_head(path, sizeof(struct tn_mailbox_head), &head));
    const struct tn_mailbox_head *mailbox = (const struct tn_mailbox_head *)head;
    bool ours = mailbox->magic == TN_MAILBOX_MAGIC;
#define COPY(name, text) own.name = tn_load_relaxed(&mailbox->stats[TN_CHANNEL_##name]);
    TARN_CHANNEL_STATS_LIST(COPY)
#undef COPY
    (void)munmap((void *)(uintptr_t)head, sizeof *mailbox);
    return TN_DONE(ours ? tn_struct_write(stats, &own, sizeof own, "tarn_channel_stats")
                        : refuse_file(path, "the mailbox of a channel"));
}
