// SPDX-License-Identifier: Apache-2.0
// Functions of the program in streams. A list of bindings states which thread serves which stream,
// by name, so that a binding ends with its stream. A subscriber has the messages for one thread.
// One lock guards all of it; no call of the program is made under it, and of Tarn only annotations.
// Waiting threads sleep at the condition of their subscriber.
#include <acl/detail/callback.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include <tarn/annotate.h>

#include "compat/acl/clock.h"
#include "compat/acl/fork.h"
#include "compat/acl/task.h"
#include "compat/face/scope.h"
#include "compat/face/uncancelled.h"
#include "src/base/list.h"

#define THREADS_MAX 1024

// A callback on its way from a stream to a thread.
struct message {
    struct message *next;
    uint64_t thread;
    aclrtCallback fn;
    void *data;
    uint64_t annotated; // its number for tools
    _Atomic(int) refs;  // of the stream's task, and of the subscriber
    _Atomic(bool) done; // returned, or dropped
    bool sent;          // only the task uses it
    bool blocks;
};

struct subscriber {
    struct subscriber *next;
    uint64_t thread;
    int device;
    unsigned bindings; // 0: not in the list any more
    unsigned users;    // threads that wait at the condition
    bool busy;         // runs a callback
    struct message *first;
    struct message **last;
    pthread_cond_t changed;
};

struct binding {
    struct binding *next;
    uintptr_t stream; // a stream, or the context whose default stream it is
    struct subscriber *subscriber;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static struct subscriber *subscribers;
static struct binding *bindings;

static void forget_reports(void) {
    subscribers = NULL; // conditions of a parent's threads cannot be destroyed
    bindings = NULL;
}
TN_FACE_ON_FORK(TN_ACL_LOCK_CALLBACK, &lock, forget_reports);

// ---- messages

static void message_put(struct message *message) {
    if (atomic_fetch_sub(&message->refs, 1) == 1) free(message);
}

static void message_finish(struct message *message) {
    tarn_annotate_function_end(message->annotated);
    atomic_store(&message->done, true);
    message_put(message);
}

// ---- subscribers and bindings; call these under the lock

static struct subscriber *find_subscriber(uint64_t thread) {
    struct subscriber *at = subscribers;
    while (at != NULL && at->thread != thread) at = at->next;
    return at;
}

static struct subscriber *new_subscriber(uint64_t thread, int device) {
    struct subscriber *made = (struct subscriber *)calloc(1, sizeof *made);
    if (made != NULL) {
        tn_face_cond_init(&made->changed);
        made->thread = thread;
        made->device = device;
        made->last = &made->first;
        made->next = subscribers;
        subscribers = made;
    }
    return made;
}

// Frees a subscriber without bindings, unless a thread still uses it.
static void subscriber_put(struct subscriber *subscriber) {
    if (subscriber->bindings == 0 && subscriber->users == 0) {
        (void)pthread_cond_destroy(&subscriber->changed);
        free(subscriber);
    }
}

// A subscriber ends with its last binding.
static void end_binding(struct binding **link) {
    struct binding *gone = *link;
    struct subscriber *subscriber = gone->subscriber;
    *link = gone->next;
    free(gone);
    if (--subscriber->bindings > 0) return;
    TN_CHAIN_REMOVE(subscribers, subscriber, next);
    TN_CHAIN_DRAIN(struct message, message, subscriber->first, next) message_finish(message);
    subscriber->last = &subscriber->first;
    (void)pthread_cond_broadcast(&subscriber->changed);
    subscriber_put(subscriber);
}

// Ends bindings of streams that have ended.
static void drop_dead_bindings(void) {
    for (struct binding **link = &bindings; *link != NULL;) {
        uintptr_t stream = (*link)->stream;
        if (tn_face_handle_live(stream, TN_ACL_STREAM) ||
            tn_face_handle_live(stream, TN_ACL_CONTEXT))
            link = &(*link)->next;
        else
            end_binding(link);
    }
}

// Returns the link to the binding of a stream, or the last link.
static struct binding **find_binding(uintptr_t stream) {
    struct binding **link = &bindings;
    while (*link != NULL && (*link)->stream != stream) link = &(*link)->next;
    return link;
}

// ---- subscriptions

static aclError refuse_host_func(const struct tn_acl_order *order) {
    TN_ACL_REFUSE(order->queue->calls, ACL_ERROR_RT_STREAM_SUBSCRIBE,
                  "the stream has served aclrtLaunchHostFunc()");
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtSubscribeReport, uint64_t, threadId, aclrtStream, stream) {
    unsigned threads = 0;
    TN_ACL_ORDER(order, stream);
    TN_FACE_LOCKED(&lock);
    drop_dead_bindings();
    TN_ACL_TRY(refuse_host_func(&order));
    const struct binding *known = *find_binding(order.queue->object.handle);
    struct subscriber *subscriber = find_subscriber(threadId);
    TN_ACL_REFUSE(known != NULL, ACL_ERROR_RT_STREAM_SUBSCRIBE, "thread %#llx is subscribed to it",
                  (unsigned long long)known->subscriber->thread);
    TN_ACL_REFUSE(subscriber != NULL && subscriber->device != order.device->ordinal,
                  ACL_ERROR_RT_THREAD_SUBSCRIBE,
                  "thread %#llx is subscribed to streams of another device",
                  (unsigned long long)threadId);
    for (const struct subscriber *at = subscribers; at != NULL; at = at->next) threads++;
    TN_ACL_REFUSE(subscriber == NULL && threads >= THREADS_MAX, ACL_ERROR_RT_INTERNAL_ERROR,
                  "%d threads are subscribed", THREADS_MAX);
    struct binding *binding = (struct binding *)malloc(sizeof *binding);
    if (binding != NULL && subscriber == NULL)
        subscriber = new_subscriber(threadId, order.device->ordinal);
    if (subscriber == NULL || binding == NULL) {
        free(binding);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for a subscription");
    }
    subscriber->bindings++;
    *binding = (struct binding){bindings, order.queue->object.handle, subscriber};
    bindings = binding;
    return ACL_SUCCESS;
}

static uint64_t own_thread(void) { return (uint64_t)pthread_self(); }

// Waits until the thread runs no callback, unless that is the caller.
TN_ACL_FUNCTION(aclrtUnSubscribeReport, uint64_t, threadId, aclrtStream, stream) {
    TN_FACE_UNCANCELLED;
    TN_ACL_ORDER(order, stream);
    TN_FACE_LOCKED(&lock);
    const struct binding *binding = *find_binding(order.queue->object.handle);
    TN_ACL_REFUSE(binding == NULL, ACL_ERROR_RT_STREAM_SUBSCRIBE,
                  "no thread is subscribed to the stream");
    struct subscriber *subscriber = binding->subscriber;
    TN_ACL_REFUSE(subscriber->thread != threadId, ACL_ERROR_RT_THREAD_SUBSCRIBE,
                  "thread %#llx is subscribed to the stream, not %#llx",
                  (unsigned long long)subscriber->thread, (unsigned long long)threadId);
    subscriber->users++;
    while (subscriber->busy && subscriber->thread != own_thread())
        (void)pthread_cond_wait(&subscriber->changed, &lock);
    subscriber->users--;
    struct binding **link = find_binding(order.queue->object.handle);
    if (*link != NULL && (*link)->subscriber == subscriber)
        end_binding(link);
    else // another thread ended it meanwhile
        subscriber_put(subscriber);
    return ACL_SUCCESS;
}

// ---- callbacks, from the stream

// Called by a task, once. The message is dropped if the thread is not subscribed any more.
static void send_message(struct message *message) {
    TN_FACE_LOCKED(&lock);
    struct subscriber *subscriber = find_subscriber(message->thread);
    message->sent = true;
    if (subscriber == NULL) {
        message_finish(message);
        return;
    }
    *subscriber->last = message;
    subscriber->last = &message->next;
    (void)pthread_cond_broadcast(&subscriber->changed);
}

static tarn_status run_callback(void *closure, bool dropped) {
    struct message *message = *(struct message **)closure;
    if (!dropped && !message->sent)
        send_message(message);
    else if (!message->sent)
        message_finish(message); // in place of the subscriber
    if (!dropped && message->blocks && !atomic_load(&message->done)) return TARN_NOT_READY;
    message_put(message);
    return TARN_OK;
}

TN_ACL_FUNCTION(aclrtLaunchCallback, aclrtCallback, fn, void *, userData, aclrtCallbackBlockType,
                blockType, aclrtStream, stream) {
    TN_ACL_ARGUMENT(blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK,
                    "blockType %d is neither 0 nor 1", (int)blockType);
    TN_ACL_INVALID(fn == NULL, "fn is NULL");
    TN_ACL_ORDER(order, stream);
    TN_ACL_TRY(refuse_host_func(&order));
    (void)pthread_mutex_lock(&lock);
    const struct binding *binding = *find_binding(order.queue->object.handle);
    uint64_t thread = binding != NULL ? binding->subscriber->thread : 0;
    (void)pthread_mutex_unlock(&lock);
    TN_ACL_REFUSE(binding == NULL, ACL_ERROR_RT_STREAM_NO_CB_REG,
                  "no thread is subscribed to the stream");
    struct message *message = (struct message *)calloc(1, sizeof *message);
    TN_ACL_REFUSE(message == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a callback");
    *message = (struct message){.thread = thread,
                                .fn = fn,
                                .data = userData,
                                .annotated = tarn_annotate_function(order.stream),
                                .refs = 2,
                                .blocks = blockType == ACL_CALLBACK_BLOCK};
    aclError error = tn_acl_task_enqueue(&order, run_callback, &message, sizeof message);
    if (error != ACL_SUCCESS) {
        tarn_annotate_function_end(message->annotated);
        free(message);
    }
    return error;
}

// ---- callbacks, on the thread

// Called under the lock. Returns when there is a message, the subscription has ended, or the time
// is up.
static void await_message(struct subscriber *subscriber, int32_t ms) {
    int64_t end = tn_acl_clock_now() + (int64_t)ms * 1000000;
    const struct timespec deadline = {end / 1000000000, end % 1000000000};
    int result = 0;
    subscriber->users++;
    while (subscriber->first == NULL && subscriber->bindings > 0 && result != ETIMEDOUT) {
        result = ms < 0 ? pthread_cond_wait(&subscriber->changed, &lock)
                        : pthread_cond_timedwait(&subscriber->changed, &lock, &deadline);
    }
    subscriber->users--;
}

// Called under the lock, which it releases during the callbacks.
static void run_messages(struct subscriber *subscriber) {
    subscriber->users++;
    subscriber->busy = true;
    while (subscriber->first != NULL) {
        struct message *message = subscriber->first;
        subscriber->first = message->next;
        if (subscriber->first == NULL) subscriber->last = &subscriber->first;
        (void)pthread_mutex_unlock(&lock);
        tarn_annotate_function_begin(message->annotated);
        message->fn(message->data);
        message_finish(message);
        (void)pthread_mutex_lock(&lock);
    }
    subscriber->busy = false;
    subscriber->users--;
    (void)pthread_cond_broadcast(&subscriber->changed);
}

TN_ACL_FUNCTION(aclrtProcessReport, int32_t, timeout) {
    TN_FACE_UNCANCELLED;
    TN_ACL_ARGUMENT(timeout == 0 || timeout < -1, "timeout %d is neither -1 nor positive", timeout);
    TN_FACE_LOCKED(&lock);
    drop_dead_bindings();
    struct subscriber *subscriber = find_subscriber(own_thread());
    TN_ACL_REFUSE(subscriber == NULL, ACL_ERROR_RT_THREAD_SUBSCRIBE,
                  "this thread is not subscribed");
    await_message(subscriber, timeout);
    bool found = subscriber->first != NULL;
    bool ended = subscriber->bindings == 0;
    if (found) run_messages(subscriber);
    subscriber_put(subscriber);
    if (found) return ACL_SUCCESS;
    return ended
               ? tn_acl_fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "the subscription has ended")
               : tn_acl_fail(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback came within %d ms", timeout);
}

// ---- functions on a thread of Tarn

TN_ACL_FUNCTION(aclrtLaunchHostFunc, aclrtStream, stream, aclrtHostFunc, fn, void *, args) {
    TN_ACL_INVALID(fn == NULL, "fn is NULL");
    TN_ACL_ORDER(order, stream);
    (void)pthread_mutex_lock(&lock);
    bool subscribed = *find_binding(order.queue->object.handle) != NULL;
    order.queue->calls = order.queue->calls || !subscribed;
    (void)pthread_mutex_unlock(&lock);
    TN_ACL_REFUSE(subscribed, ACL_ERROR_RT_STREAM_SUBSCRIBE,
                  "a thread is subscribed to the stream");
    return tn_acl_status(tarn_stream_call(order.stream, fn, args));
}
