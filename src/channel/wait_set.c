// SPDX-License-Identifier: Apache-2.0
// The wait set: watching sockets, waking, leading, and waiting for a condition. One lock guards all
// of it. It acts on channels through the callbacks of tn_wait_ops.
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/list.h"
#include "base/uncancelled.h"
#include "channel/channel.h"

#define EVENTS      32
#define WAIT_MAX_NS 1000000 // longest wait that enters the running mean

// The data of an epoll event contains the channel's id and one of these, for its two descriptors.
enum { ABOUT_SOCKET = 0, ABOUT_PROCESS = 1 };
#define ABOUT_WAKE_FD UINT64_MAX

void tn_eventfd_signal(int eventfd) {
    TN_UNCANCELLED;
    uint64_t one = 1;
    (void)!write(eventfd, &one, sizeof one); // if the counter is full, it is signalled already
}

void tn_eventfd_clear(int eventfd) {
    TN_UNCANCELLED;
    uint64_t count;
    (void)!read(eventfd, &count, sizeof count);
}

enum { CHECKED = 16 }; // waiters of a set that is checked in debug builds

// For assertions, under the lock: `for_room` counts the waiters for room, and the list goes both ways.
static bool is_sound(const struct tn_wait_set *set) {
    const struct tn_waiter *before = NULL;
    uint32_t for_room = 0;
    unsigned left = CHECKED;
    for (const struct tn_waiter *w = set->first; w != NULL; before = w, w = w->next) {
        if (left-- == 0) return true;
        if (w->prev != before) return false;
        for_room += w->channel == NULL;
    }
    return set->last == before && tn_load_relaxed(&set->for_room) == for_room;
}

// ---- creation and destruction

static bool watch_fd(struct tn_wait_set *set, int fd, uint64_t about) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.u64 = about}};
    return epoll_ctl(set->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

tarn_status tn_wait_set_init(struct tn_wait_set *set) {
    set->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (set->epoll < 0)
        return tn_fail_native(TARN_NO_HANDLES, "epoll_create1", errno, "wait set of an arena");
    set->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (set->wake_fd < 0 || !watch_fd(set, set->wake_fd, ABOUT_WAKE_FD)) {
        int code = errno;
        tn_wait_set_close_in_child(set);
        return tn_fail_native(TARN_NO_HANDLES, "eventfd", code, "wait set of an arena");
    }
    tn_mutex_init(&set->lock, TN_RANK_CHANNEL_WAIT_SET, "wait set");
    return TARN_OK;
}

void tn_wait_set_close_in_child(struct tn_wait_set *set) {
    if (set->wake_fd >= 0) tn_close(set->wake_fd);
    tn_close(set->epoll);
}

void tn_wait_set_fini(struct tn_wait_set *set) {
    TARN_ASSERT(set->first == NULL && set->channels == NULL && !set->led);
    tn_wait_set_close_in_child(set);
    tn_mutex_fini(&set->lock);
}

tarn_status tn_wait_set_add(struct tn_wait_set *set, const struct tn_wait_ops *ops,
                            tarn_channel *channel) {
    TN_LOCKED(&set->lock);
    set->ops = ops;
    TARN_ASSERT(set->ids != UINT32_MAX && channel->next == NULL);
    channel->id = ++set->ids;
    channel->sleep_number = 1; // the peer regards sleep 0 as woken already
    uint64_t about = (uint64_t)channel->id << 1;
    if (!watch_fd(set, channel->socket, about | ABOUT_SOCKET) ||
        (channel->pidfd >= 0 && !watch_fd(set, channel->pidfd, about | ABOUT_PROCESS))) {
        int code = errno;
        tn_wait_set_unwatch(set, channel);
        return tn_fail_native(TARN_NO_HANDLES, "epoll_ctl", code, "a channel's socket");
    }
    channel->next = set->channels;
    set->channels = channel;
    return TARN_OK;
}

void tn_wait_set_unwatch(struct tn_wait_set *set, const tarn_channel *channel) {
    (void)epoll_ctl(set->epoll, EPOLL_CTL_DEL, channel->socket, NULL);
    if (channel->pidfd >= 0) (void)epoll_ctl(set->epoll, EPOLL_CTL_DEL, channel->pidfd, NULL);
}

void tn_wait_set_remove(struct tn_wait_set *set, tarn_channel *channel) {
    TN_LOCKED(&set->lock);
    tn_wait_set_unwatch(set, channel);
    TN_CHAIN_REMOVE(set->channels, channel, next);
}

// ---- waking

static void wake_waiter(struct tn_wait_set *set, struct tn_waiter *w) {
    TARN_ASSERT(tn_mutex_is_held(&set->lock) && (!w->leads || set->led));
    w->woken = true;
    if (w->eventfd >= 0) {
        tn_eventfd_signal(w->eventfd);
    } else if (!w->leads) {
        tn_cond_broadcast(&w->cond);
    } else if (!set->wake_pending) {
        set->wake_pending = true;
        tn_eventfd_signal(set->wake_fd);
    }
}

static struct tn_waiter *first_for_room(const struct tn_wait_set *set) {
    struct tn_waiter *w = set->first;
    TARN_ASSERT(tn_mutex_is_held(&set->lock));
    while (w != NULL && w->channel != NULL) w = w->next;
    TARN_ASSERT((w != NULL) == (tn_load_relaxed(&set->for_room) != 0));
    return w;
}

void tn_wait_set_wake_locked(struct tn_wait_set *set, const tarn_channel *channel) {
    for (struct tn_waiter *w = set->first; channel != NULL && w != NULL; w = w->next)
        if (w->channel == channel) wake_waiter(set, w);
    struct tn_waiter *next = first_for_room(set);
    if (next != NULL) wake_waiter(set, next);
}

void tn_wait_set_wake(struct tn_wait_set *set, const tarn_channel *channel) {
    TN_LOCKED(&set->lock);
    tn_wait_set_wake_locked(set, channel);
}

bool tn_wait_set_is_next(struct tn_wait_set *set, const struct tn_waiter *w) {
    TN_LOCKED(&set->lock);
    return first_for_room(set) == w;
}

// ---- peers

void tn_wait_set_reclaim(struct tn_wait_set *set) {
    TN_LOCKED(&set->lock);
    for (tarn_channel *c = set->channels; c != NULL; c = c->next) set->ops->reclaim(c);
}

static bool is_socket_alive(const tarn_channel *c) {
    TN_UNCANCELLED;
    struct pollfd fds[2] = {{c->socket, POLLRDHUP, 0}, {c->pidfd, POLLIN, 0}};
    if (poll(fds, c->pidfd >= 0 ? 2 : 1, 0) <= 0) return true;
    return (fds[0].revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL)) == 0 &&
           (fds[1].revents & POLLIN) == 0;
}

void tn_wait_set_poll_peers(struct tn_wait_set *set) {
    TN_LOCKED(&set->lock);
    for (tarn_channel *c = set->channels; c != NULL; c = c->next) {
        set->ops->reclaim(c);
        if (!is_socket_alive(c)) set->ops->disconnected(c);
    }
}

bool tn_wait_set_is_alive(struct tn_wait_set *set, tarn_channel *channel) {
    if (tn_channel_ended(channel) != TARN_OK) return false;
    if (is_socket_alive(channel)) return true;
    TN_LOCKED(&set->lock);
    set->ops->disconnected(channel);
    return false;
}

// ---- entering and leaving

// Publishes that this side sleeps, and the union of the events that its threads want of the
// channel.
static void publish_asleep(const struct tn_wait_set *set, tarn_channel *channel) {
    uint32_t wants = 0;
    for (const struct tn_waiter *w = set->first; w != NULL; w = w->next)
        if (w->channel == channel || w->channel == NULL) wants |= w->wants;
    TARN_ASSERT(wants >> TN_ASLEEP_SHIFT == 0 && tn_mutex_is_held(&set->lock));
    tn_store_seq_cst(&channel->own.head->asleep, channel->sleep_number << TN_ASLEEP_SHIFT | wants);
}

void tn_wait_set_enter(struct tn_wait_set *set, struct tn_waiter *w, tarn_channel *channel,
                       uint32_t wants, int eventfd) {
    *w = (struct tn_waiter){.channel = channel, .wants = wants, .eventfd = eventfd};
    tn_cond_init(&w->cond);
    TN_LOCKED(&set->lock);
    TN_QUEUE_ADD(set->first, set->last, w, next, prev);
    if (channel == NULL) (void)tn_add_relaxed(&set->for_room, 1);
    TARN_ASSERT(is_sound(set));
    // A leader already sleeps, so the peers must learn that this thread waits for more.
    for (tarn_channel *c = set->channels; set->led && c != NULL; c = c->next)
        publish_asleep(set, c);
}

void tn_wait_set_leave(struct tn_wait_set *set, struct tn_waiter *w) {
    tn_mutex_lock(&set->lock);
    TARN_ASSERT(!w->leads && (w->prev != NULL ? w->prev->next : set->first) == w);
    TN_QUEUE_REMOVE(set->first, set->last, w, next, prev);
    if (w->channel == NULL) {
        (void)tn_sub_relaxed(&set->for_room, 1);
        tn_wait_set_wake_locked(set, NULL); // the next request for room
    }
    TARN_ASSERT(is_sound(set));
    if (!set->led) { // wake one of the threads that sleep here, which then leads
        struct tn_waiter *leader = set->first;
        while (leader != NULL && leader->eventfd >= 0) leader = leader->next;
        if (leader != NULL) wake_waiter(set, leader);
    }
    tn_mutex_unlock(&set->lock);
    tn_cond_fini(&w->cond);
}

// ---- leading

static bool progress_differs(struct tn_channel_progress a, struct tn_channel_progress b) {
    return a.sent != b.sent || a.consumed != b.consumed || a.returned != b.returned ||
           a.grants != b.grants;
}

// Wakes the waiters of each channel whose peer has changed anything since the last check. Returns
// true if any has.
static bool wake_changed(struct tn_wait_set *set) {
    bool any = false;
    for (tarn_channel *c = set->channels; c != NULL; c = c->next) {
        struct tn_channel_progress now = tn_channel_read_progress(c);
        if (progress_differs(now, c->seen)) {
            c->seen = now;
            tn_wait_set_wake_locked(set, c);
            any = true;
        }
    }
    return any;
}

static void handle_event(struct tn_wait_set *set, const struct epoll_event *event) {
    uint64_t about = event->data.u64;
    if (about == ABOUT_WAKE_FD) {
        tn_eventfd_clear(set->wake_fd);
        return;
    }
    tarn_channel *c = set->channels;
    while (c != NULL && c->id != about >> 1) c = c->next;
    if (c == NULL) return; // closed meanwhile
    bool hung_up = (event->events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)) != 0;
    if ((about & 1) == ABOUT_PROCESS || hung_up) {
        set->ops->disconnected(c);
    } else {
        char wakeups[8];
        (void)!recv(c->socket, wakeups, sizeof wakeups, MSG_DONTWAIT);
    }
}

static void set_asleep(struct tn_wait_set *set, bool asleep) {
    for (tarn_channel *c = set->channels; c != NULL; c = c->next) {
        if (asleep) {
            c->sleep_number++;
            publish_asleep(set, c);
        } else {
            tn_store_relaxed(&c->own.head->asleep, 0);
        }
    }
}

// Sleeps in the kernel on behalf of all waiters. Releases the lock meanwhile.
static void lead(struct tn_wait_set *set, struct tn_waiter *w, uint64_t deadline_ns) {
    TN_UNCANCELLED;
    struct epoll_event events[EVENTS];
    int count = 0;
    TARN_ASSERT(!set->led && tn_mutex_is_held(&set->lock)); // one thread leads
    set->led = true;
    set_asleep(set, true);
    if (!wake_changed(set) && !w->woken) {
        if (w->channel != NULL) tn_mailbox_count(&w->channel->own, TN_CHANNEL_sleeps, 1);
        w->leads = true;
        tn_mutex_unlock(&set->lock);
        count = epoll_wait(set->epoll, events, EVENTS, tn_ms_until(deadline_ns));
        tn_mutex_lock(&set->lock);
        w->leads = false;
    }
    set_asleep(set, false);
    for (int i = 0; i < count; i++) handle_event(set, &events[i]);
    (void)wake_changed(set);
    set->led = false;
    set->wake_pending = false;
}

bool tn_wait_set_sleep(struct tn_wait_set *set, struct tn_waiter *w, uint64_t deadline_ns) {
    bool in_time = deadline_ns == UINT64_MAX || tn_now_ns() < deadline_ns;
    TN_LOCKED(&set->lock);
    if (in_time && !w->woken) {
        if (!set->led)
            lead(set, w, deadline_ns);
        else if (deadline_ns == UINT64_MAX)
            tn_cond_wait(&w->cond, &set->lock);
        else
            (void)tn_cond_wait_until(&w->cond, &set->lock, deadline_ns);
    }
    w->woken = false;
    return in_time;
}

// ---- waiting for a condition

// Returns how long to spin before sleeping: twice the mean of recent waits, at most the limit, or 0
// if the mean exceeds it. Spinning in vain costs CPU time only. A sleep costs the peer a system
// call of some microseconds, and this side as much until it runs again.
static uint64_t spin_time(const tarn_channel *channel) {
    uint64_t limit = channel->spin_ns;
    uint64_t mean = tn_load_relaxed(&channel->wait_ns);
    if (channel->spins_always) return limit;
    return mean > limit ? 0 : 2 * mean < limit ? 2 * mean : limit;
}

// Threads may overwrite each other's update: the mean is an estimate.
static void update_mean_wait(tarn_channel *channel, uint64_t since_ns) {
    int64_t took = (int64_t)(tn_now_ns() - since_ns);
    int64_t mean = (int64_t)tn_load_relaxed(&channel->wait_ns);
    mean += ((took < WAIT_MAX_NS ? took : WAIT_MAX_NS) - mean) / 4;
    tn_store_relaxed(&channel->wait_ns, (uint32_t)mean);
}

// Returns true if the peer changed anything while this thread was spinning.
static bool spin_for_change(const tarn_channel *channel, uint64_t now_ns, uint64_t deadline_ns) {
    struct tn_channel_progress before = tn_channel_read_progress(channel);
    uint64_t until = now_ns + spin_time(channel);
    until = until < deadline_ns ? until : deadline_ns;
    do {
        for (int i = 0; i < 8; i++) {
            if (progress_differs(tn_channel_read_progress(channel), before)) return true;
            for (int pause = 0; pause < 8; pause++) // a read takes the lines from their writer
                tn_cpu_relax();
        }
    } while (tn_now_ns() < until);
    return false;
}

tarn_status tn_wait_until(tarn_channel *channel, uint32_t wants, uint64_t timeout_ns,
                          tarn_status (*attempt)(void *), void *arg) {
    struct tn_wait_set *set = &channel->arena->wait_set;
    tarn_status status = attempt(arg);
    if (status != TARN_NOT_READY) return status;
    if (timeout_ns == 0) return tn_wait_set_is_alive(set, channel) ? status : attempt(arg);
    struct tn_waiter w;
    uint64_t now = tn_now_ns();
    uint64_t deadline = tn_deadline(timeout_ns);
    if (channel->spin_ns != 0 && spin_for_change(channel, now, deadline)) {
        status = attempt(arg);
        if (status != TARN_NOT_READY) {
            update_mean_wait(channel, now);
            return status;
        }
    }
    tn_wait_set_enter(set, &w, channel, wants, -1);
    bool in_time = true;
    while ((status = attempt(arg)) == TARN_NOT_READY && in_time)
        in_time = tn_wait_set_sleep(set, &w, deadline);
    tn_wait_set_leave(set, &w);
    update_mean_wait(channel, now);
    return status;
}
