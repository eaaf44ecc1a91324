// SPDX-License-Identifier: Apache-2.0
// The progress thread: jobs, links, sleep, start and stop. `lock` guards jobs and `stopping`;
// `life_lock` guards the count of holders. Everything else belongs to the thread.
#include "channel/ucx/link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "base/error.h"
#include "base/thread.h"
#include "base/uncancelled.h"

#define EVENTS     32
#define POLL_MS    2     // how often to look for changes that no descriptor signals
#define SPIN_NS    20000 // how long to poll for more work before sleeping
#define MAPPED_MAX 64

struct job {
    void (*fn)(void *);
    void *arg;
    struct job *next;
    bool done;
};

struct mapped_arena {
    const tarn_arena *arena;
    ucp_mem_h memory;
    uint32_t uses;
};

static struct tn_mutex life_lock = TN_MUTEX(PROGRESS_LIFE, "holders of the progress thread");
static struct tn_mutex lock = TN_MUTEX(PROGRESS, "jobs of the progress thread");

static struct {
    uint32_t holds;      // guard: life_lock
    unsigned generation; // tn_channel_forks at the start. Guard: life_lock
    const struct tn_progress_ops *ops;
    pthread_t thread;
    struct tn_cond changed;
    struct job *first, **last; // guard: lock
    bool stopping;             // guard: lock
    // Only the thread touches the following.
    ucp_context_h context;
    ucp_worker_h worker;
    int epoll, eventfd, worker_fd;
    uint64_t spin_ns;
    struct tn_link *links;
    _Atomic uint32_t link_count; // read by the exit handler
    struct mapped_arena mapped[MAPPED_MAX];
    tarn_status status; // the result of the start
    char why[200];
} progress = {.epoll = -1, .eventfd = -1};

ucp_worker_h tn_progress_worker(void) { return progress.worker; }

int tn_progress_eventfd(void) { return progress.eventfd; }

// ---- links

struct tn_link *tn_progress_find_link(ucp_ep_h ep) {
    struct tn_link *link = progress.links;
    while (link != NULL && link->ep != ep) link = link->next;
    return link;
}

void tn_progress_add_link(struct tn_link *link) {
    TARN_ASSERT(link->next == NULL);
    link->next = progress.links;
    progress.links = link;
    (void)tn_add_relaxed(&progress.link_count, 1);
}

void tn_progress_remove_link(struct tn_link *link) {
    struct tn_link **at = &progress.links;
    while (*at != link) at = &(*at)->next;
    *at = link->next;
    (void)tn_sub_release(&progress.link_count, 1);
    if (link->socket >= 0) (void)epoll_ctl(progress.epoll, EPOLL_CTL_DEL, link->socket, NULL);
}

static bool watch_fd(int fd, void *about) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.ptr = about}};
    return epoll_ctl(progress.epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool tn_progress_watch_socket(struct tn_link *link) { return watch_fd(link->socket, link); }

// ---- memory

ucp_mem_h tn_progress_map_arena(tarn_arena *arena) {
    ucp_mem_map_params_t params = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
                                                 UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                                                 UCP_MEM_MAP_PARAM_FIELD_FLAGS,
                                   .address = arena->shm.base,
                                   .length = arena->shm.bytes,
                                   .flags = UCP_MEM_MAP_NONBLOCK};
    struct mapped_arena *unused = NULL;
    for (int i = 0; i < MAPPED_MAX; i++) {
        struct mapped_arena *m = &progress.mapped[i];
        if (m->arena == arena) {
            m->uses++;
            return m->memory;
        }
        unused = m->arena == NULL ? m : unused;
    }
    ucp_mem_h memory;
    if (unused == NULL || tn_ucx.ucp_mem_map(progress.context, &params, &memory) != UCS_OK)
        return NULL;
    *unused = (struct mapped_arena){arena, memory, 1};
    return memory;
}

void tn_progress_unmap_arena(const tarn_arena *arena) {
    for (int i = 0; i < MAPPED_MAX; i++) {
        struct mapped_arena *m = &progress.mapped[i];
        if (m->arena == arena && --m->uses == 0) {
            (void)tn_ucx.ucp_mem_unmap(progress.context, m->memory);
            m->arena = NULL;
        }
    }
}

// ---- jobs

void tn_progress_run(void (*fn)(void *), void *arg) {
    struct job job = {.fn = fn, .arg = arg};
    TN_LOCKED(&lock);
    if (!progress.stopping) { // otherwise the process exits
        *progress.last = &job;
        progress.last = &job.next;
        tn_eventfd_signal(progress.eventfd);
        while (!job.done) tn_cond_wait(&progress.changed, &lock);
    }
}

bool tn_progress_wait(bool (*ready)(const void *), const void *arg, uint64_t deadline_ns) {
    bool in_time = true;
    TN_LOCKED(&lock);
    while (!ready(arg) && in_time && !progress.stopping)
        if (deadline_ns == UINT64_MAX)
            tn_cond_wait(&progress.changed, &lock);
        else
            in_time = tn_cond_wait_until(&progress.changed, &lock, deadline_ns);
    return ready(arg);
}

void tn_progress_notify(void) {
    TN_LOCKED(&lock);
    tn_cond_broadcast(&progress.changed);
}

static void run_jobs(void) {
    tn_mutex_lock(&lock);
    struct job *job = progress.first;
    progress.first = NULL;
    progress.last = &progress.first;
    tn_mutex_unlock(&lock);
    while (job != NULL) {
        TARN_ASSERT(!job->done);
        struct job *next = job->next; // the memory of a finished job may be freed
        job->fn(job->arg);
        TN_LOCKED(&lock);
        job->done = true;
        tn_cond_broadcast(&progress.changed);
        job = next;
    }
}

static bool must_stop(void) {
    TN_LOCKED(&lock);
    return progress.stopping && progress.first == NULL;
}

// ---- the thread

static bool step_links(void) {
    bool progressed = false;
    struct tn_link *next;
    for (int i = 0; i < 64 && tn_ucx.ucp_worker_progress(progress.worker) != 0; i++)
        progressed = true;
    bool moved = progressed;
    for (struct tn_link *link = progress.links; link != NULL; link = next) {
        next = link->next; // a step may remove the link
        moved |= progress.ops->step(link, progressed);
    }
    return moved;
}

static void sleep_until_needed(void) {
    struct epoll_event events[EVENTS];
    int limit = -1;
    int count = 0;
    bool may_sleep = true;
    for (struct tn_link *link = progress.links; link != NULL; link = link->next)
        may_sleep &= progress.ops->may_sleep(link);
    if (may_sleep && tn_ucx.ucp_worker_arm(progress.worker) == UCS_OK) {
        for (const struct tn_link *link = progress.links; link != NULL; link = link->next)
            limit = progress.ops->polls(link) ? POLL_MS : limit;
        count = epoll_wait(progress.epoll, events, EVENTS, limit);
    }
    for (struct tn_link *link = progress.links; link != NULL; link = link->next)
        progress.ops->woke(link);
    for (int i = 0; i < count; i++) {
        void *source = events[i].data.ptr;
        if (source == &progress.eventfd)
            tn_eventfd_clear(progress.eventfd);
        else if (source != &progress.worker)
            progress.ops->on_socket((struct tn_link *)source, events[i].events);
    }
}

static void run_until_stopped(void) {
    uint64_t idle_since = 0;
    while (!must_stop()) {
        run_jobs();
        if (step_links()) {
            idle_since = 0;
            continue;
        }
        if (progress.spin_ns != 0) {
            uint64_t now = tn_now_ns();
            idle_since = idle_since != 0 ? idle_since : now;
            if (now - idle_since < progress.spin_ns) {
                tn_cpu_relax();
                continue;
            }
        }
        sleep_until_needed();
    }
}

// ---- start and stop

static void keep_start_error(const char *call, ucs_status_t code) {
    progress.status = tn_fail(TARN_UNSUPPORTED, "%s: %s", call, tn_ucx.status_string(code));
    tarn_error error;
    (void)tarn_last_error(&error);
    (void)snprintf(progress.why, sizeof progress.why, "%s", error.message);
}

static ucs_status_t set_handlers(void) {
    ucs_status_t code = UCS_OK;
    for (uintptr_t kind = TN_WIRE_HELLO; code == UCS_OK && kind < TN_WIRE_END; kind++) {
        ucp_am_handler_param_t param = {
            .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                          UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
            .id = (unsigned)kind,
            .flags = UCP_AM_FLAG_WHOLE_MSG | UCP_AM_FLAG_PERSISTENT_DATA,
            .cb = progress.ops->on_am,
            .arg = (void *)kind};
        code = tn_ucx.ucp_worker_set_am_recv_handler(progress.worker, &param);
    }
    return code;
}

static ucs_status_t open_worker(void) {
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SINGLE};
    ucp_worker_attr_t attr = {.field_mask = UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER};
    ucs_status_t code = tn_ucx.ucp_worker_create(progress.context, &params, &progress.worker);
    if (code != UCS_OK) return code;
    code = tn_ucx.ucp_worker_query(progress.worker, &attr);
    if (code == UCS_OK && attr.max_am_header < sizeof(struct tn_wire_message))
        code = UCS_ERR_UNSUPPORTED;
    code = code == UCS_OK ? set_handlers() : code;
    code = code == UCS_OK ? tn_ucx.ucp_worker_get_efd(progress.worker, &progress.worker_fd) : code;
    if (code != UCS_OK) tn_ucx.ucp_worker_destroy(progress.worker);
    return code;
}

// UCX's registration cache would intercept mmap() for the whole program. It is not needed, because
// arenas are registered as a whole.
static ucs_status_t open_context(void) {
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_NAME,
                           .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
                           .name = "tarn"};
    ucp_config_t *config;
    ucs_status_t code = tn_ucx.ucp_config_read(NULL, NULL, &config);
    if (code != UCS_OK) return code;
    if (getenv("UCX_RCACHE_ENABLE") == NULL) {
        (void)tn_ucx.ucp_config_modify(config, "RCACHE_ENABLE",
                                       "n"); // some versions lack this option
    }
    code =
        tn_ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &progress.context);
    tn_ucx.ucp_config_release(config);
    return code;
}

static void open_ucx(void) {
    ucs_status_t code = open_context();
    if (code != UCS_OK) {
        keep_start_error("ucp_init", code);
        return;
    }
    code = open_worker();
    if (code != UCS_OK) {
        tn_ucx.ucp_cleanup(progress.context);
        keep_start_error("ucp_worker_create", code);
        return;
    }
    (void)watch_fd(progress.worker_fd, &progress.worker);
    progress.status = TARN_OK;
}

static void *run_progress(void *arg) {
    bool *started = (bool *)arg;
    open_ucx();
    bool opened = progress.status == TARN_OK;
    tn_mutex_lock(&lock);
    *started = true;
    tn_cond_broadcast(&progress.changed);
    tn_mutex_unlock(&lock);
    if (opened) {
        run_until_stopped();
        tn_ucx.ucp_worker_destroy(progress.worker);
        tn_ucx.ucp_cleanup(progress.context);
    }
    return NULL;
}

static void close_descriptors(void) {
    if (progress.eventfd >= 0) tn_close(progress.eventfd);
    if (progress.epoll >= 0) tn_close(progress.epoll);
    progress.eventfd = progress.epoll = -1;
}

static tarn_status open_descriptors(void) {
    progress.epoll = epoll_create1(EPOLL_CLOEXEC);
    progress.eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (progress.epoll < 0 || progress.eventfd < 0 ||
        !watch_fd(progress.eventfd, &progress.eventfd)) {
        tarn_status status =
            tn_fail_native(TARN_NO_HANDLES, "epoll_create1", errno, "the progress thread of UCX");
        close_descriptors();
        return status;
    }
    return TARN_OK;
}

static void stop_thread(void) {
    tn_mutex_lock(&lock);
    progress.stopping = true;
    tn_eventfd_signal(progress.eventfd);
    tn_cond_broadcast(&progress.changed);
    tn_mutex_unlock(&lock);
    (void)pthread_join(progress.thread, NULL);
}

static void close_thread_resources(void) {
    close_descriptors();
    tn_cond_fini(&progress.changed);
}

static void leave_all(void *arg) {
    (void)arg;
    for (struct tn_link *link = progress.links; link != NULL; link = link->next)
        progress.ops->start_leaving(link);
}

static bool no_link_left(const void *arg) {
    (void)arg;
    return tn_load_acquire(&progress.link_count) == 0;
}

// exit() delivers all sent messages, like a close. The thread must have ended before UCX's own exit
// handlers run.
static void stop_at_exit(void) {
    TN_LOCKED(&life_lock);
    if (progress.holds != 0 && progress.generation == tn_load_relaxed(&tn_channel_forks)) {
        tn_progress_run(leave_all, NULL);
        (void)tn_progress_wait(no_link_left, NULL, UINT64_MAX);
        progress.holds = 0;
        stop_thread();
    }
}

// Without its transports of networks UCX still listens and connects, but no connection succeeds.
static tarn_status find_networks(void) {
    static const char folder[] = "/sys/class/net"; // UCX lists the networks by it
    return access(folder, F_OK) == 0 ? TARN_OK
                                     : tn_fail_native(TARN_UNSUPPORTED, "access", errno,
                                                      "UCX finds no network without %s", folder);
}

static tarn_status start_progress(void) {
    static bool at_exit;
    bool started = false;
    TN_TRY(tn_ucx_load());
    TN_TRY(find_networks());
    TN_TRY(open_descriptors());
    if (!at_exit) at_exit = atexit(stop_at_exit) == 0;
    progress.first = NULL;
    progress.last = &progress.first;
    progress.links = NULL;
    progress.stopping = false;
    progress.generation = tn_load_relaxed(&tn_channel_forks);
    progress.spin_ns = sysconf(_SC_NPROCESSORS_ONLN) > 2 ? SPIN_NS : 0;
    tn_cond_init(&progress.changed);
    int code = tn_thread_create(&progress.thread, run_progress, &started);
    if (code != 0) {
        close_thread_resources();
        return tn_fail_native(TARN_NO_HOST_MEMORY, "pthread_create", code,
                              "the progress thread of UCX");
    }
    tn_mutex_lock(&lock);
    while (!started) tn_cond_wait(&progress.changed, &lock);
    tn_mutex_unlock(&lock);
    if (progress.status != TARN_OK) {
        stop_thread();
        close_thread_resources();
        return tn_fail(progress.status, "%s", progress.why);
    }
    return TARN_OK;
}

tarn_status tn_progress_hold(const struct tn_progress_ops *ops) {
    static bool ever;
    TN_LOCKED(&life_lock);
    TN_REFUSE(ever && progress.generation != tn_load_relaxed(&tn_channel_forks), TARN_UNSUPPORTED,
              "the parent process used UCX before fork(): the child cannot");
    if (progress.holds == 0) {
        progress.ops = ops;
        ever = true;
        TN_TRY(start_progress());
    }
    progress.holds++;
    return TARN_OK;
}

void tn_progress_release(void) {
    TN_LOCKED(&life_lock);
    if (progress.holds != 0 && --progress.holds == 0) { // already 0 if the process exits
        stop_thread();
        close_thread_resources();
    }
}

void tn_link_close_in_child(void) { close_descriptors(); }
