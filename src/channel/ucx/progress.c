// SPDX-License-Identifier: Apache-2.0
// The ferry: its thread, its jobs, its sleep.
#include "channel/ucx/progress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "channel/fork.h"
#include "channel/ucx/link.h"

#define EVENTS      32
#define LOOK_MS     2     // how often to look for what nobody announces
#define SPIN_NS     20000 // how long to look for more before sleeping
#define MAPPED_MOST 64

struct job {
    void (*fn)(void *);
    void *arg;
    struct job *next;
    bool done;
};

struct mapped {
    const tarn_arena *arena;
    ucp_mem_h memory;
    uint32_t uses;
};

static struct tn_mutex life_lock = TN_MUTEX(PROGRESS_LIFE, "life of the ferry");
static struct tn_mutex lock = TN_MUTEX(PROGRESS, "ferry");

static struct {
    uint32_t holds;      // guard: life
    unsigned generation; // of forks. Guard: life
    pthread_t thread;
    struct tn_cond changed;
    struct job *first, **last; // guard: lock
    bool stopping;             // guard: lock
    // The thread's own.
    ucp_context_h context;
    ucp_worker_h worker;
    int epoll, bell, worker_fd;
    uint64_t spin_ns;
    struct tn_link *links;
    _Atomic uint32_t link_count; // for who waits at the end
    struct mapped mapped[MAPPED_MOST];
    tarn_status status; // of the start
    char why[200];
} ferry = {.epoll = -1, .bell = -1};

ucp_worker_h tn_progress_worker(void) {
    return ferry.worker;
}

int tn_progress_eventfd(void) {
    return ferry.bell;
}

static void ring(void) {
    uint64_t one = 1;
    ssize_t written = write(ferry.bell, &one, sizeof one); // only a full counter would refuse
    (void)written;
}

// ---- links

struct tn_link *tn_progress_find_link(ucp_ep_h ep) {
    struct tn_link *link = ferry.links;
    while (link != NULL && link->ep != ep) {
        link = link->next;
    }
    return link;
}

void tn_progress_add_link(struct tn_link *link) {
    link->next = ferry.links;
    ferry.links = link;
    (void)tn_add_relaxed(&ferry.link_count, 1);
}

void tn_progress_remove_link(struct tn_link *link) {
    struct tn_link **at = &ferry.links;
    while (*at != link) {
        at = &(*at)->next;
    }
    *at = link->next;
    (void)tn_sub_release(&ferry.link_count, 1);
    if (link->socket >= 0) {
        (void)epoll_ctl(ferry.epoll, EPOLL_CTL_DEL, link->socket, NULL);
    }
}

static bool watch(int fd, void *about) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.ptr = about}};
    return epoll_ctl(ferry.epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void tn_progress_watch_socket(struct tn_link *link) {
    if (!watch(link->socket, link)) {
        tn_link_end(link, TARN_NO_HANDLES, "epoll_ctl");
    }
}

// ---- memory

ucp_mem_h tn_progress_map_arena(tarn_arena *arena) {
    ucp_mem_map_params_t params = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
                                                 UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                                                 UCP_MEM_MAP_PARAM_FIELD_FLAGS,
                                   .address = arena->shm.base,
                                   .length = arena->shm.bytes,
                                   .flags = UCP_MEM_MAP_NONBLOCK};
    struct mapped *free_one = NULL;
    for (int i = 0; i < MAPPED_MOST; i++) {
        struct mapped *m = &ferry.mapped[i];
        if (m->arena == arena) {
            m->uses++;
            return m->memory;
        }
        free_one = m->arena == NULL ? m : free_one;
    }
    ucp_mem_h memory;
    if (free_one == NULL || tn_ucx.ucp_mem_map(ferry.context, &params, &memory) != UCS_OK) {
        return NULL;
    }
    *free_one = (struct mapped){arena, memory, 1};
    return memory;
}

void tn_progress_unmap_arena(const tarn_arena *arena) {
    for (int i = 0; i < MAPPED_MOST; i++) {
        struct mapped *m = &ferry.mapped[i];
        if (m->arena == arena && --m->uses == 0) {
            (void)tn_ucx.ucp_mem_unmap(ferry.context, m->memory);
            m->arena = NULL;
        }
    }
}

// ---- jobs

void tn_progress_run(void (*fn)(void *), void *arg) {
    struct job job = {.fn = fn, .arg = arg};
    tn_mutex_lock(&lock);
    if (!ferry.stopping) { // else the program is at its end
        *ferry.last = &job;
        ferry.last = &job.next;
        ring();
        while (!job.done) {
            tn_cond_wait(&ferry.changed, &lock);
        }
    }
    tn_mutex_unlock(&lock);
}

bool tn_progress_wait(bool (*ready)(const void *), const void *arg, uint64_t deadline_ns) {
    bool in_time = true;
    tn_mutex_lock(&lock);
    while (!ready(arg) && in_time && !ferry.stopping) {
        if (deadline_ns == UINT64_MAX) {
            tn_cond_wait(&ferry.changed, &lock);
        } else {
            in_time = tn_cond_wait_until(&ferry.changed, &lock, deadline_ns);
        }
    }
    bool is = ready(arg);
    tn_mutex_unlock(&lock);
    return is;
}

void tn_progress_notify(void) {
    tn_mutex_lock(&lock);
    tn_cond_broadcast(&ferry.changed);
    tn_mutex_unlock(&lock);
}

static void run_jobs(void) {
    tn_mutex_lock(&lock);
    struct job *job = ferry.first;
    ferry.first = NULL;
    ferry.last = &ferry.first;
    tn_mutex_unlock(&lock);
    while (job != NULL) {
        struct job *next = job->next; // who waits for it takes it away
        job->fn(job->arg);
        tn_mutex_lock(&lock);
        job->done = true;
        tn_cond_broadcast(&ferry.changed);
        tn_mutex_unlock(&lock);
        job = next;
    }
}

static bool must_stop(void) {
    tn_mutex_lock(&lock);
    bool stop = ferry.stopping && ferry.first == NULL;
    tn_mutex_unlock(&lock);
    return stop;
}

// ---- the thread

static bool step(void) {
    bool progressed = false;
    struct tn_link *next;
    for (int i = 0; i < 64 && tn_ucx.ucp_worker_progress(ferry.worker) != 0; i++) {
        progressed = true;
    }
    bool moved = progressed;
    for (struct tn_link *link = ferry.links; link != NULL; link = next) {
        next = link->next; // a step may remove the link
        moved |= tn_link_step(link, progressed);
    }
    return moved;
}

static bool all_may_sleep(void) {
    bool may = true;
    for (struct tn_link *link = ferry.links; link != NULL; link = link->next) {
        may &= tn_link_may_sleep(link);
    }
    return may && tn_ucx.ucp_worker_arm(ferry.worker) == UCS_OK;
}

static void hear(const struct epoll_event *event) {
    uint64_t count;
    if (event->data.ptr == &ferry.bell) {
        ssize_t got = read(ferry.bell, &count, sizeof count);
        (void)got;
    } else if (event->data.ptr != &ferry.worker) {
        tn_link_on_socket((struct tn_link *)event->data.ptr, event->events);
    }
}

static void sleep_until_needed(void) {
    struct epoll_event events[EVENTS];
    int limit = -1;
    int count = 0;
    if (all_may_sleep()) {
        for (const struct tn_link *link = ferry.links; link != NULL; link = link->next) {
            limit = tn_link_polls(link) ? LOOK_MS : limit;
        }
        count = epoll_wait(ferry.epoll, events, EVENTS, limit);
    }
    for (struct tn_link *link = ferry.links; link != NULL; link = link->next) {
        tn_link_woke(link);
    }
    for (int i = 0; i < count; i++) {
        hear(&events[i]);
    }
}

static void work(void) {
    uint64_t idle_since = 0;
    while (!must_stop()) {
        run_jobs();
        if (step()) {
            idle_since = 0;
            continue;
        }
        if (ferry.spin_ns != 0) {
            uint64_t now = tn_now_ns();
            idle_since = idle_since != 0 ? idle_since : now;
            if (now - idle_since < ferry.spin_ns) {
                tn_cpu_relax();
                continue;
            }
        }
        sleep_until_needed();
    }
}

// ---- start and stop

static void refuse(tarn_status status, const char *call, ucs_status_t code) {
    ferry.status = tn_fail(status, "%s: %s", call, tn_ucx.status_string(code));
    tarn_error error;
    (void)tarn_last_error(&error);
    (void)snprintf(ferry.why, sizeof ferry.why, "%s", error.message);
}

static ucs_status_t set_handlers(void) {
    ucs_status_t code = UCS_OK;
    for (uintptr_t kind = TN_WIRE_HELLO; code == UCS_OK && kind < TN_WIRE_END; kind++) {
        ucp_am_handler_param_t param = {
            .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                          UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
            .id = (unsigned)kind,
            .flags = UCP_AM_FLAG_WHOLE_MSG | UCP_AM_FLAG_PERSISTENT_DATA,
            .cb = tn_link_am_handler,
            .arg = (void *)kind};
        code = tn_ucx.ucp_worker_set_am_recv_handler(ferry.worker, &param);
    }
    return code;
}

static ucs_status_t open_worker(void) {
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SINGLE};
    ucp_worker_attr_t attr = {.field_mask = UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER};
    ucs_status_t code = tn_ucx.ucp_worker_create(ferry.context, &params, &ferry.worker);
    if (code != UCS_OK) {
        return code;
    }
    code = tn_ucx.ucp_worker_query(ferry.worker, &attr);
    if (code == UCS_OK && attr.max_am_header < sizeof(struct tn_wire_message)) {
        code = UCS_ERR_UNSUPPORTED;
    }
    code = code == UCS_OK ? set_handlers() : code;
    code = code == UCS_OK ? tn_ucx.ucp_worker_get_efd(ferry.worker, &ferry.worker_fd) : code;
    if (code != UCS_OK) {
        tn_ucx.ucp_worker_destroy(ferry.worker);
    }
    return code;
}

// UCX's cache of registrations would change mmap() for the whole program; the arenas are registered
// as a whole, so there is nothing to find in it.
static ucs_status_t open_context(void) {
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_NAME,
                           .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
                           .name = "tarn"};
    ucp_config_t *config;
    ucs_status_t code = tn_ucx.ucp_config_read(NULL, NULL, &config);
    if (code != UCS_OK) {
        return code;
    }
    if (getenv("UCX_RCACHE_ENABLE") == NULL) {
        (void)tn_ucx.ucp_config_modify(config, "RCACHE_ENABLE", "n"); // not in every version
    }
    code = tn_ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &ferry.context);
    tn_ucx.ucp_config_release(config);
    return code;
}

static void open_ucx(void) {
    ucs_status_t code = open_context();
    if (code != UCS_OK) {
        refuse(TARN_UNSUPPORTED, "ucp_init", code);
        return;
    }
    code = open_worker();
    if (code != UCS_OK) {
        tn_ucx.ucp_cleanup(ferry.context);
        refuse(TARN_UNSUPPORTED, "ucp_worker_create", code);
        return;
    }
    (void)watch(ferry.worker_fd, &ferry.worker);
    ferry.status = TARN_OK;
}

static void *run(void *arg) {
    bool *started = (bool *)arg;
    open_ucx();
    bool good = ferry.status == TARN_OK;
    tn_mutex_lock(&lock);
    *started = true;
    tn_cond_broadcast(&ferry.changed);
    tn_mutex_unlock(&lock);
    if (good) {
        work();
        tn_ucx.ucp_worker_destroy(ferry.worker);
        tn_ucx.ucp_cleanup(ferry.context);
    }
    return NULL;
}

static void close_descriptors(void) {
    if (ferry.bell >= 0) {
        (void)close(ferry.bell);
    }
    if (ferry.epoll >= 0) {
        (void)close(ferry.epoll);
    }
    ferry.bell = ferry.epoll = -1;
}

static tarn_status open_descriptors(void) {
    ferry.epoll = epoll_create1(EPOLL_CLOEXEC);
    ferry.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (ferry.epoll < 0 || ferry.bell < 0 || !watch(ferry.bell, &ferry.bell)) {
        tarn_status status =
            tn_fail_native(TARN_NO_HANDLES, "epoll_create1", errno, "the thread of UCX");
        close_descriptors();
        return status;
    }
    return TARN_OK;
}

// The thread, and those that UCX starts from it, take no signals of the program's.
static int start_thread(void *arg) {
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&ferry.thread, NULL, run, arg);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static void stop(void) {
    tn_mutex_lock(&lock);
    ferry.stopping = true;
    ring();
    tn_cond_broadcast(&ferry.changed);
    tn_mutex_unlock(&lock);
    (void)pthread_join(ferry.thread, NULL);
}

static void clean_up(void) {
    close_descriptors();
    tn_cond_fini(&ferry.changed);
}

static void leave_all(void *arg) {
    (void)arg;
    for (struct tn_link *link = ferry.links; link != NULL; link = link->next) {
        tn_link_start_leaving(link);
    }
}

static bool are_all_gone(const void *arg) {
    (void)arg;
    return tn_load_acquire(&ferry.link_count) == 0;
}

// What was sent before the end of the program goes as with a close; and the thread must be gone
// before UCX takes itself down.
static void stop_at_exit(void) {
    tn_mutex_lock(&life_lock);
    if (ferry.holds != 0 && ferry.generation == tn_load_relaxed(&tn_channel_forks)) {
        tn_progress_run(leave_all, NULL);
        (void)tn_progress_wait(are_all_gone, NULL, UINT64_MAX);
        ferry.holds = 0;
        stop();
    }
    tn_mutex_unlock(&life_lock);
}

static tarn_status start(void) {
    static bool at_exit;
    bool started = false;
    tarn_status status = tn_ucx_load();
    if (status != TARN_OK || (status = open_descriptors()) != TARN_OK) {
        return status;
    }
    if (!at_exit) {
        at_exit = atexit(stop_at_exit) == 0;
    }
    ferry.first = NULL;
    ferry.last = &ferry.first;
    ferry.links = NULL;
    ferry.stopping = false;
    ferry.generation = tn_load_relaxed(&tn_channel_forks);
    ferry.spin_ns = sysconf(_SC_NPROCESSORS_ONLN) > 2 ? SPIN_NS : 0;
    tn_cond_init(&ferry.changed);
    int code = start_thread(&started);
    if (code != 0) {
        clean_up();
        return tn_fail_native(TARN_NO_HOST_MEMORY, "pthread_create", code, "the thread of UCX");
    }
    tn_mutex_lock(&lock);
    while (!started) {
        tn_cond_wait(&ferry.changed, &lock);
    }
    tn_mutex_unlock(&lock);
    if (ferry.status != TARN_OK) {
        stop();
        clean_up();
        return tn_fail(ferry.status, "%s", ferry.why);
    }
    return TARN_OK;
}

tarn_status tn_progress_hold(void) {
    static bool ever;
    tarn_status status = TARN_OK;
    tn_mutex_lock(&life_lock);
    if (ever && ferry.generation != tn_load_relaxed(&tn_channel_forks)) {
        status = tn_fail(TARN_UNSUPPORTED, "UCX was used before fork(): not in the child");
    } else if (ferry.holds == 0) {
        status = start();
        ever = true;
    }
    ferry.holds += status == TARN_OK;
    tn_mutex_unlock(&life_lock);
    return status;
}

void tn_progress_release(void) {
    tn_mutex_lock(&life_lock);
    if (ferry.holds != 0 && --ferry.holds == 0) { // 0 already: the program is at its end
        stop();
        clean_up();
    }
    tn_mutex_unlock(&life_lock);
}

void tn_link_close_in_child(void) {
    close_descriptors();
}
