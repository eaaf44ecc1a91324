// SPDX-License-Identifier: Apache-2.0
// See event_shared.h. A record of this process is marked in the page by a condition that passes at
// once, and that is called also if the stream fails. A wait for another process is a condition that
// reads the page, and watches over that process, because it may end before it has marked its
// record.
#include "core/work/event_shared.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/uncancelled.h"
#include "core/platform/notify.h"

// ---- a record of this process

struct mark {
    struct tn_event_page *page; // a reference
    uint64_t record;
};

static tarn_status mark_passed(void *arg, bool dropped) {
    struct mark *mark = arg;
    tn_event_page_pass(mark->page, mark->record, dropped);
    tn_event_page_put(mark->page);
    free(mark);
    return TARN_OK;
}

tarn_status tn_event_shared_record(struct tn_stream_or_event *event,
                                   struct tn_stream_or_event *stream) {
    struct tn_platform *platform = stream->device->platform;
    TARN_ASSERT(event->is_event && !stream->is_event);
    struct mark *mark = malloc(sizeof *mark);
    TN_REFUSE(mark == NULL, TARN_NO_HOST_MEMORY, "no memory for the record of a shared event");
    tarn_status status = tn_event_page_begin(event->page, &mark->record);
    if (status != TARN_OK) {
        free(mark);
        return status;
    }
    mark->page = tn_event_page_keep(event->page);
    status = platform->ops->stream_wait_until(platform->p, stream->backend, mark_passed, mark);
    if (status != TARN_OK)
        (void)mark_passed(mark, false); // the number is taken, and nothing precedes the record
    return status;
}

// ---- a record of another process

struct foreign {
    struct tn_event_page *page; // a reference
    uint64_t record;
    int process; // a descriptor; -1: not opened yet, or the system has none
    bool opened;
};

static void foreign_fini(const struct foreign *f) {
    if (f->process >= 0) tn_close(f->process);
}

// Returns true if the process that made the record has ended.
static bool process_ended(struct foreign *f) {
#ifdef SYS_pidfd_open
    if (!f->opened) {
        f->opened = true;
        f->process = (int)syscall(SYS_pidfd_open, tn_event_page_process(f->record), 0);
        if (f->process < 0) return errno == ESRCH;
    }
    struct pollfd fd = {f->process, POLLIN, 0};
    return f->process >= 0 && poll(&fd, 1, 0) == 1;
#else
    (void)f;
    return false;
#endif
}

static tarn_status foreign_status(struct foreign *f) {
    enum tn_event_state state = tn_event_page_state(f->page, f->record);
    if (state == TN_EVENT_PENDING && process_ended(f)) {
        state = tn_event_page_state(f->page, f->record); // it may have marked it as its last act
        TN_REFUSE(state == TN_EVENT_PENDING, TARN_DEVICE_FAILED,
                  "process %d, which recorded the event, ended before its stream came there",
                  tn_event_page_process(f->record));
    }
    return state == TN_EVENT_PENDING ? TARN_NOT_READY
           : state == TN_EVENT_PASSED
               ? TARN_OK
               : tn_fail(TARN_DEVICE_FAILED, "work before the event failed in process %d",
                         tn_event_page_process(f->record));
}

// A record that is dropped behind a failure counts as passed for the streams that wait for it.
static tarn_status foreign_passed(void *arg, bool dropped) {
    TN_UNCANCELLED;
    struct foreign *f = arg;
    tarn_status status = dropped || tn_event_page_state(f->page, f->record) == TN_EVENT_FAILED
                             ? TARN_OK
                             : foreign_status(f);
    if (status != TARN_NOT_READY) {
        foreign_fini(f);
        tn_event_page_put(f->page);
        free(f);
    }
    return status;
}

// Events of one process, which are the usual ones, cost no call of the system.
uint64_t tn_event_shared_foreign(const struct tn_stream_or_event *event) {
    uint64_t last = event->page != NULL ? tn_event_page_last(event->page) : 0;
    return last != 0 && tn_event_page_process(last) != getpid() ? last : 0;
}

tarn_status tn_event_shared_wait(struct tn_stream_or_event *event,
                                 struct tn_stream_or_event *stream, uint64_t record) {
    struct tn_platform *platform = stream->device->platform;
    if (tn_subscribed()) // a record that has passed may come after work of this process, too
        tn_emit_order(TN_MEM_CONDITION, stream->device, stream->id, event->id);
    if (tn_event_page_state(event->page, record) != TN_EVENT_PENDING) return TARN_OK;
    struct foreign *f = malloc(sizeof *f);
    TN_REFUSE(f == NULL, TARN_NO_HOST_MEMORY, "no memory to wait for a shared event");
    TARN_ASSERT(event->is_event && !stream->is_event && tn_event_page_process(record) != getpid());
    *f = (struct foreign){tn_event_page_keep(event->page), record, -1, false};
    tarn_status status =
        platform->ops->stream_wait_until(platform->p, stream->backend, foreign_passed, f);
    if (status != TARN_OK) {
        tn_event_page_put(f->page);
        free(f);
    }
    return status;
}

#define FIRST_SLEEP_NS 20000
#define LAST_SLEEP_NS  1000000

tarn_status tn_event_shared_await(struct tn_stream_or_event *event, uint64_t record,
                                  uint64_t deadline_ns) {
    TN_UNCANCELLED;
    struct foreign f = {event->page, record, -1, false};
    struct timespec pause = {0, FIRST_SLEEP_NS};
    tarn_status status;
    while ((status = foreign_status(&f)) == TARN_NOT_READY &&
           (deadline_ns == UINT64_MAX || tn_now_ns() < deadline_ns)) {
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < LAST_SLEEP_NS ? pause.tv_nsec * 2 : LAST_SLEEP_NS;
    }
    foreign_fini(&f);
    return status;
}
