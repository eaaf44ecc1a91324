// SPDX-License-Identifier: Apache-2.0
// The hub. Its lock is taken before those of channels, and never while one of them is held.
#include "channel/wait_set.h"

#include <errno.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "channel/channel.h"

#define EVENTS       32
#define WAIT_MOST_NS 1000000 // that is remembered of a wait

// What an event of the kernel is about: the channel's id, and which of its two descriptors.
enum { ABOUT_SOCKET = 0, ABOUT_PROCESS = 1 };
#define ABOUT_NUDGE UINT64_MAX

// ---- life

static bool watch(struct tn_wait_set *hub, int fd, uint64_t about) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.u64 = about}};
    return epoll_ctl(hub->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

tarn_status tn_wait_set_init(struct tn_wait_set *hub) {
    hub->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (hub->epoll < 0) {
        return tn_fail_native(TARN_NO_HANDLES, "epoll_create1", errno, "waiting of an arena");
    }
    hub->nudge = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (hub->nudge < 0 || !watch(hub, hub->nudge, ABOUT_NUDGE)) {
        int code = errno;
        tn_wait_set_close_in_child(hub);
        return tn_fail_native(TARN_NO_HANDLES, "eventfd", code, "waiting of an arena");
    }
    tn_mutex_init(&hub->lock, TN_RANK_CHANNEL_WAIT_SET, "hub");
    return TARN_OK;
}

void tn_wait_set_close_in_child(struct tn_wait_set *hub) {
    if (hub->nudge >= 0) {
        (void)close(hub->nudge);
    }
    (void)close(hub->epoll);
}

void tn_wait_set_fini(struct tn_wait_set *hub) {
    tn_wait_set_close_in_child(hub);
    tn_mutex_fini(&hub->lock);
}

tarn_status tn_wait_set_add(struct tn_wait_set *hub, tarn_channel *channel) {
    tarn_status status = TARN_OK;
    tn_mutex_lock(&hub->lock);
    channel->id = ++hub->ids;
    channel->sleep_number = 1; // somebody may sleep already, and the peer has rung for number 0
    uint64_t about = (uint64_t)channel->id << 1;
    if (!watch(hub, channel->socket, about | ABOUT_SOCKET) ||
        (channel->pidfd >= 0 && !watch(hub, channel->pidfd, about | ABOUT_PROCESS))) {
        status = tn_fail_native(TARN_NO_HANDLES, "epoll_ctl", errno, "a channel's socket");
        tn_wait_set_unwatch(hub, channel);
    } else {
        channel->next = hub->channels;
        hub->channels = channel;
    }
    tn_mutex_unlock(&hub->lock);
    return status;
}

void tn_wait_set_unwatch(struct tn_wait_set *hub, const tarn_channel *channel) {
    (void)epoll_ctl(hub->epoll, EPOLL_CTL_DEL, channel->socket, NULL);
    if (channel->pidfd >= 0) {
        (void)epoll_ctl(hub->epoll, EPOLL_CTL_DEL, channel->pidfd, NULL);
    }
}

void tn_wait_set_remove(struct tn_wait_set *hub, tarn_channel *channel) {
    tn_mutex_lock(&hub->lock);
    tn_wait_set_unwatch(hub, channel);
    tarn_channel **link = &hub->channels;
    while (*link != channel) {
        link = &(*link)->next;
    }
    *link = channel->next;
    tn_mutex_unlock(&hub->lock);
}

// ---- poking

static void nudge(int eventfd) {
    uint64_t one = 1;
    // Only a counter that is full would refuse, and that is as good as one more.
    ssize_t written = write(eventfd, &one, sizeof one);
    (void)written;
}

static void poke(struct tn_wait_set *hub, struct tn_waiter *w) {
    w->poked = true;
    if (w->bell >= 0) {
        nudge(w->bell);
    } else if (!w->leads) {
        tn_cond_broadcast(&w->cond);
    } else if (!hub->nudged) {
        hub->nudged = true;
        nudge(hub->nudge);
    }
}

static struct tn_waiter *first_for_room(const struct tn_wait_set *hub) {
    struct tn_waiter *w = hub->first;
    while (w != NULL && w->channel != NULL) {
        w = w->next;
    }
    return w;
}

void tn_wait_set_wake_locked(struct tn_wait_set *hub, const tarn_channel *channel) {
    for (struct tn_waiter *w = hub->first; channel != NULL && w != NULL; w = w->next) {
        if (w->channel == channel) {
            poke(hub, w);
        }
    }
    struct tn_waiter *next = first_for_room(hub);
    if (next != NULL) {
        poke(hub, next);
    }
}

void tn_wait_set_wake(struct tn_wait_set *hub, const tarn_channel *channel) {
    tn_mutex_lock(&hub->lock);
    tn_wait_set_wake_locked(hub, channel);
    tn_mutex_unlock(&hub->lock);
}

bool tn_wait_set_is_next(struct tn_wait_set *hub, const struct tn_waiter *w) {
    tn_mutex_lock(&hub->lock);
    bool first = first_for_room(hub) == w;
    tn_mutex_unlock(&hub->lock);
    return first;
}

void tn_wait_set_reclaim(struct tn_wait_set *hub) {
    tn_mutex_lock(&hub->lock);
    for (tarn_channel *c = hub->channels; c != NULL; c = c->next) {
        tn_channel_reclaim(c);
    }
    tn_mutex_unlock(&hub->lock);
}

// ---- entering and leaving

// What all waiters want of one channel.
static uint32_t wanted(const struct tn_wait_set *hub, const tarn_channel *channel) {
    uint32_t wants = 0;
    for (const struct tn_waiter *w = hub->first; w != NULL; w = w->next) {
        if (w->channel == channel || w->channel == NULL) {
            wants |= w->wants;
        }
    }
    return wants;
}

static void say_asleep(const struct tn_wait_set *hub, tarn_channel *channel) {
    uint32_t word = channel->sleep_number << TN_ASLEEP_SHIFT | wanted(hub, channel);
    tn_store_seq_cst(&channel->own.head->asleep, word);
}

static void enter(struct tn_wait_set *hub, struct tn_waiter *w, tarn_channel *channel,
                  uint32_t wants, int bell) {
    *w = (struct tn_waiter){.channel = channel, .wants = wants, .bell = bell};
    tn_cond_init(&w->cond);
    tn_mutex_lock(&hub->lock);
    w->prev = hub->last;
    *(hub->last != NULL ? &hub->last->next : &hub->first) = w;
    hub->last = w;
    if (channel == NULL) {
        (void)tn_add_relaxed(&hub->for_room, 1);
    }
    // Somebody sleeps for all already: the peers must know that there is more to be woken for.
    for (tarn_channel *c = hub->channels; hub->led && c != NULL; c = c->next) {
        say_asleep(hub, c);
    }
    tn_mutex_unlock(&hub->lock);
}

void tn_wait_set_enter(struct tn_wait_set *hub, struct tn_waiter *w, tarn_channel *channel,
                       uint32_t wants) {
    enter(hub, w, channel, wants, -1);
}

void tn_wait_set_enter_with_eventfd(struct tn_wait_set *hub, struct tn_waiter *w, int bell) {
    enter(hub, w, NULL, TN_WAIT_RETURN, bell);
}

// One of those that sleep here; who has a bell does not.
static struct tn_waiter *next_leader(const struct tn_wait_set *hub) {
    struct tn_waiter *w = hub->first;
    while (w != NULL && w->bell >= 0) {
        w = w->next;
    }
    return w;
}

void tn_wait_set_leave(struct tn_wait_set *hub, struct tn_waiter *w) {
    tn_mutex_lock(&hub->lock);
    *(w->prev != NULL ? &w->prev->next : &hub->first) = w->next;
    *(w->next != NULL ? &w->next->prev : &hub->last) = w->prev;
    if (w->channel == NULL) {
        (void)tn_sub_relaxed(&hub->for_room, 1);
        tn_wait_set_wake_locked(hub, NULL); // the next in line
    }
    struct tn_waiter *leader = hub->led ? NULL : next_leader(hub);
    if (leader != NULL) {
        poke(hub, leader); // one of those left must lead
    }
    tn_mutex_unlock(&hub->lock);
    tn_cond_fini(&w->cond);
}

// ---- leading

// Whether the peer has changed anything since the last look; the look is remembered.
static bool news_of(tarn_channel *c) {
    struct tn_channel_progress now = tn_channel_read_progress(c);
    bool same = now.sent == c->seen.sent && now.consumed == c->seen.consumed &&
                now.returned == c->seen.returned && now.grants == c->seen.grants;
    c->seen = now;
    return !same;
}

static bool look_around(struct tn_wait_set *hub) {
    bool any = false;
    for (tarn_channel *c = hub->channels; c != NULL; c = c->next) {
        if (news_of(c)) {
            tn_wait_set_wake_locked(hub, c);
            any = true;
        }
    }
    return any;
}

static tarn_channel *by_id(const struct tn_wait_set *hub, uint64_t id) {
    tarn_channel *c = hub->channels;
    while (c != NULL && c->id != id) {
        c = c->next;
    }
    return c;
}

static void hear(struct tn_wait_set *hub, const struct epoll_event *event) {
    uint64_t about = event->data.u64;
    if (about == ABOUT_NUDGE) {
        uint64_t count;
        ssize_t got = read(hub->nudge, &count, sizeof count);
        (void)got;
        return;
    }
    tarn_channel *c = by_id(hub, about >> 1);
    if (c == NULL) {
        return; // closed meanwhile
    }
    bool hung_up = (event->events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)) != 0;
    if ((about & 1) == ABOUT_PROCESS || hung_up) {
        tn_channel_disconnected_locked(c);
    } else {
        tn_channel_drain_wakeups(c);
    }
}

static int milliseconds_to(uint64_t deadline_ns) {
    if (deadline_ns == UINT64_MAX) {
        return -1;
    }
    uint64_t now = tn_now_ns();
    uint64_t left = deadline_ns > now ? (deadline_ns - now + 999999) / 1000000 : 0;
    return left > INT_MAX ? INT_MAX : (int)left;
}

static void set_asleep(struct tn_wait_set *hub, bool asleep) {
    for (tarn_channel *c = hub->channels; c != NULL; c = c->next) {
        if (asleep) {
            c->sleep_number++;
            say_asleep(hub, c);
        } else {
            tn_store_relaxed(&c->own.head->asleep, 0);
        }
    }
}

// Sleeps in the kernel on behalf of everybody. With the lock, which it gives up meanwhile.
static void lead(struct tn_wait_set *hub, struct tn_waiter *w, uint64_t deadline_ns) {
    struct epoll_event events[EVENTS];
    int count = 0;
    hub->led = true;
    set_asleep(hub, true);
    if (!look_around(hub) && !w->poked) {
        if (w->channel != NULL) {
            tn_mailbox_count(&w->channel->own, TN_CHANNEL_sleeps, 1);
        }
        w->leads = true;
        tn_mutex_unlock(&hub->lock);
        count = epoll_wait(hub->epoll, events, EVENTS, milliseconds_to(deadline_ns));
        tn_mutex_lock(&hub->lock);
        w->leads = false;
    }
    set_asleep(hub, false);
    for (int i = 0; i < count; i++) {
        hear(hub, &events[i]);
    }
    (void)look_around(hub);
    hub->led = false;
    hub->nudged = false;
}

bool tn_wait_set_sleep(struct tn_wait_set *hub, struct tn_waiter *w, uint64_t deadline_ns) {
    bool in_time = deadline_ns == UINT64_MAX || tn_now_ns() < deadline_ns;
    tn_mutex_lock(&hub->lock);
    if (in_time && !w->poked) {
        if (!hub->led) {
            lead(hub, w, deadline_ns);
        } else if (deadline_ns == UINT64_MAX) {
            tn_cond_wait(&w->cond, &hub->lock);
        } else {
            (void)tn_cond_wait_until(&w->cond, &hub->lock, deadline_ns);
        }
    }
    w->poked = false;
    tn_mutex_unlock(&hub->lock);
    return in_time;
}

// ---- waiting for a condition

// How long to look before sleeping: twice as long as waits took of late, if that is not too long to
// be worth it. A look in vain delays nobody but takes a CPU; a sleep costs the peer a call of some
// microseconds, and this side as much again until it runs.
static uint64_t spin_time(const tarn_channel *channel) {
    uint64_t most = channel->spin_ns;
    uint64_t mean = tn_load_relaxed(&channel->wait_ns);
    if (channel->spins_always) {
        return most;
    }
    return mean > most ? 0 : 2 * mean < most ? 2 * mean : most;
}

// Of several threads one may overwrite what another has found out just now: it is a guess anyway.
static void remember_wait(tarn_channel *channel, uint64_t since_ns) {
    int64_t took = (int64_t)(tn_now_ns() - since_ns);
    int64_t mean = (int64_t)tn_load_relaxed(&channel->wait_ns);
    mean += ((took < WAIT_MOST_NS ? took : WAIT_MOST_NS) - mean) / 4;
    tn_store_relaxed(&channel->wait_ns, (uint32_t)mean);
}

// Gives way to who writes what is looked at: each look takes the lines away from there.
static void let_pass(void) {
    for (int i = 0; i < 8; i++) {
        tn_cpu_relax();
    }
}

// Looks for a while before sleeping. True: something has changed.
static bool spin(const tarn_channel *channel, uint64_t now_ns, uint64_t deadline_ns) {
    struct tn_channel_progress before = tn_channel_read_progress(channel);
    uint64_t until = now_ns + spin_time(channel);
    until = until < deadline_ns ? until : deadline_ns;
    do {
        for (int i = 0; i < 8; i++) {
            struct tn_channel_progress now = tn_channel_read_progress(channel);
            if (now.sent != before.sent || now.consumed != before.consumed ||
                now.returned != before.returned || now.grants != before.grants) {
                return true;
            }
            let_pass();
        }
    } while (tn_now_ns() < until);
    return false;
}

tarn_status tn_wait_until(struct tn_wait_set *hub, tarn_channel *channel, uint32_t wants,
                          uint64_t timeout_ns, tarn_status (*attempt)(void *), void *arg) {
    tarn_status status = attempt(arg);
    if (status != TARN_NOT_READY) {
        return status;
    }
    if (timeout_ns == 0) {
        return tn_channel_is_alive(channel) ? status : attempt(arg);
    }
    struct tn_waiter w;
    uint64_t now = tn_now_ns();
    uint64_t deadline = tn_deadline(timeout_ns);
    if (channel->spin_ns != 0 && spin(channel, now, deadline)) {
        status = attempt(arg);
        if (status != TARN_NOT_READY) {
            remember_wait(channel, now);
            return status;
        }
    }
    tn_wait_set_enter(hub, &w, channel, wants);
    bool in_time = true;
    while ((status = attempt(arg)) == TARN_NOT_READY && in_time) {
        in_time = tn_wait_set_sleep(hub, &w, deadline);
    }
    tn_wait_set_leave(hub, &w);
    remember_wait(channel, now);
    return status;
}
