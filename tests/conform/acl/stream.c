// SPDX-License-Identifier: Apache-2.0
// Streams, events, notifies, functions of the host, callbacks, and waits for values.
#include <pthread.h>
#include <unistd.h>

#include "begin.h"

#define TN_GROUP "stream"

static int status_of(aclrtStream stream) {
    aclrtStreamStatus status = (aclrtStreamStatus)77;
    MUST(aclrtStreamQuery, stream, &status);
    return (int)status;
}

QUESTION(created, "aclrtCreateStream") {
    aclrtStream stream = NULL;
    ASK(aclrtCreateStream, &stream);
    SAY("status", status_of(stream));
    ASK(aclrtSynchronizeStream, stream);
    ASK(aclrtDestroyStream, stream);
    ASK(aclrtDestroyStream, stream);
    ASK(aclrtCreateStream, NULL);
}

QUESTION(null_streams, "aclrtDestroyStream") {
    aclrtStreamStatus status = (aclrtStreamStatus)77;
    ASK(aclrtDestroyStream, NULL);
    ASK(aclrtDestroyStreamForce, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    ASK(aclrtSynchronizeStreamWithTimeout, NULL, 100);
    ASK(aclrtStreamQuery, NULL, &status);
    ASK(aclrtStreamQuery, NULL, NULL);
    ASK(aclrtStreamAbort, NULL);
    ASK(aclrtStreamStop, NULL);
}

#define CONFIG(name, priority, flag)                                                               \
    QUESTION(created_with_##name, "aclrtCreateStreamWithConfig") {                                 \
        aclrtStream stream = NULL;                                                                 \
        uint32_t value = 77;                                                                       \
        if (ASK(aclrtCreateStreamWithConfig, &stream, (priority), (flag)) != 0) return;            \
        ASK(aclrtStreamGetPriority, stream, &value);                                               \
        SAY("priority", value);                                                                    \
        ASK(aclrtStreamGetFlags, stream, &value);                                                  \
        SAY("flags", value);                                                                       \
        MUST(aclrtDestroyStream, stream);                                                          \
    }
CONFIG(nothing, 0, 0)
CONFIG(priority_1, 1, 0)
CONFIG(priority_7, 7, 0)
CONFIG(priority_8, 8, 0)
CONFIG(fast_launch, 0, 1)
CONFIG(fast_sync, 0, 2)
CONFIG(both_flags, 0, 3)
CONFIG(flag_4, 0, 4)
CONFIG(flag_8, 0, 8)
CONFIG(unknown_flags, 0, 0x80000000)

QUESTION(identities, "aclrtStreamGetId") {
    aclrtStream a = make_stream(), b = make_stream();
    int32_t one = -1, other = -1;
    ASK(aclrtStreamGetId, a, &one);
    ASK(aclrtStreamGetId, b, &other);
    SAY("new", one != other);
    ASK(aclrtStreamGetId, NULL, &one);
    ASK(aclrtStreamGetId, a, NULL);
    ASK(aclrtStreamGetPriority, a, NULL);
    ASK(aclrtStreamGetFlags, a, NULL);
    MUST(aclrtDestroyStream, a);
    MUST(aclrtDestroyStream, b);
}

#define STREAM_ATTRIBUTE(name, number, field, given)                                               \
    QUESTION(attribute_##name, "aclrtSetStreamAttribute") {                                        \
        aclrtStream stream = make_stream();                                                        \
        aclrtStreamAttrValue value;                                                                \
        memset(&value, 0, sizeof value);                                                           \
        ASK(aclrtGetStreamAttribute, stream, (aclrtStreamAttr)(number), &value);                   \
        SAY("value", value.field);                                                                 \
        value.field = (given);                                                                     \
        ASK(aclrtSetStreamAttribute, stream, (aclrtStreamAttr)(number), &value);                   \
        memset(&value, 0, sizeof value);                                                           \
        ASK(aclrtGetStreamAttribute, stream, (aclrtStreamAttr)(number), &value);                   \
        SAY("value", value.field);                                                                 \
        MUST(aclrtDestroyStream, stream);                                                          \
    }
STREAM_ATTRIBUTE(failure_mode, ACL_STREAM_ATTR_FAILURE_MODE, failureMode, 1)
STREAM_ATTRIBUTE(overflow, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, overflowSwitch, 1)
STREAM_ATTRIBUTE(tag, ACL_STREAM_ATTR_USER_CUSTOM_TAG, userCustomTag, 7)
STREAM_ATTRIBUTE(cache, ACL_STREAM_ATTR_CACHE_OP_INFO, cacheOpInfoSwitch, 1)
STREAM_ATTRIBUTE(priority, ACL_STREAM_ATTR_PRIORITY, streamPriority, 3)
STREAM_ATTRIBUTE(unknown, 99, userCustomTag, 1)

QUESTION(failure_modes, "aclrtSetStreamFailureMode") {
    aclrtStream stream = make_stream();
    ASK(aclrtSetStreamFailureMode, stream, ACL_STOP_ON_FAILURE);
    ASK(aclrtSetStreamFailureMode, stream, ACL_CONTINUE_ON_FAILURE);
    ASK(aclrtSetStreamFailureMode, stream, 9);
    ASK(aclrtSetStreamFailureMode, NULL, ACL_STOP_ON_FAILURE);
    MUST(aclrtDestroyStream, stream);
}

QUESTION(waits_with_a_time, "aclrtSynchronizeStreamWithTimeout") {
    aclrtStream stream = make_stream();
    int gate;
    close_gate(stream, &gate);
    SAY("status", status_of(stream));
    ASK(aclrtSynchronizeStreamWithTimeout, stream, 20);
    ASK(aclrtSynchronizeStreamWithTimeout, stream, 0);
    ASK(aclrtSynchronizeStreamWithTimeout, stream, -2);
    open_gate(&gate);
    ASK(aclrtSynchronizeStreamWithTimeout, stream, -1);
    ASK(aclrtSynchronizeStreamWithTimeout, stream, 20);
    MUST(aclrtDestroyStream, stream);
}

QUESTION(devices_with_a_time, "aclrtSynchronizeDeviceWithTimeout") {
    aclrtStream stream = make_stream();
    int gate;
    ASK(aclrtSynchronizeDeviceWithTimeout, 20);
    close_gate(stream, &gate);
    ASK(aclrtSynchronizeDeviceWithTimeout, 20);
    ASK(aclrtSynchronizeDeviceWithTimeout, -2);
    open_gate(&gate);
    ASK(aclrtSynchronizeDeviceWithTimeout, -1);
    MUST(aclrtDestroyStream, stream);
}

struct late {
    int gate, returned;
};

// Opens a gate once the call beside it has returned, or after a second: a library may wait for the work.
static void *open_late(void *arg) {
    struct late *late = arg;
    for (int i = 0; i < 100 && !__atomic_load_n(&late->returned, __ATOMIC_ACQUIRE); i++)
        (void)usleep(10 * 1000);
    open_gate(&late->gate);
    return NULL;
}

QUESTION(destroyed_with_work, "aclrtDestroyStream: waits for the work") {
    aclrtStream stream = make_stream();
    pthread_t thread;
    struct late late = {0, 0};
    close_gate(stream, &late.gate);
    (void)pthread_create(&thread, NULL, open_late, &late);
    ASK(aclrtDestroyStream, stream);
    SAY("waited", __atomic_load_n(&late.gate, __ATOMIC_ACQUIRE));
    __atomic_store_n(&late.returned, 1, __ATOMIC_RELEASE);
    (void)pthread_join(thread, NULL);
    MUST0(aclrtSynchronizeDevice);
}

QUESTION(destroyed_by_force, "aclrtDestroyStreamForce") {
    aclrtStream stream = make_stream();
    pthread_t thread;
    struct late late = {0, 0};
    close_gate(stream, &late.gate);
    (void)pthread_create(&thread, NULL, open_late, &late);
    ASK(aclrtDestroyStreamForce, stream);
    __atomic_store_n(&late.returned, 1, __ATOMIC_RELEASE);
    (void)pthread_join(thread, NULL);
    MUST0(aclrtSynchronizeDevice);
}

QUESTION(the_default_stream_waits_for_no_other, "default stream") {
    aclrtStream stream = make_stream();
    int gate;
    close_gate(stream, &gate);
    ASK(aclrtSynchronizeStream, NULL);
    SAY("status", status_of(stream));
    open_gate(&gate);
    ASK(aclrtSynchronizeStream, stream);
    MUST(aclrtDestroyStream, stream);
}

QUESTION(aborted, "aclrtStreamAbort") {
    aclrtStream stream = make_stream();
    ASK(aclrtStreamAbort, stream);
    ASK(aclrtSynchronizeStream, stream);
    CALL(aclrtDestroyStream, stream);
}

QUESTION(many_streams, "aclrtCreateStream") {
    static aclrtStream streams[200];
    int made = 0;
    while (made < 200 && CALL(aclrtCreateStream, &streams[made]) == 0) made++;
    SAY("made", made);
    for (int i = 0; i < made; i++) MUST(aclrtDestroyStream, streams[i]);
}

// ---- functions of the host

static void set_seven(void *value) { *(int *)value = 7; }

QUESTION(functions, "aclrtLaunchHostFunc") {
    aclrtStream stream = make_stream();
    int value = 0;
    ASK(aclrtLaunchHostFunc, stream, set_seven, &value);
    MUST(aclrtSynchronizeStream, stream);
    SAY("value", value);
    ASK(aclrtLaunchHostFunc, stream, NULL, &value);
    ASK(aclrtLaunchHostFunc, NULL, set_seven, &value);
    MUST(aclrtSynchronizeStream, NULL);
    MUST(aclrtDestroyStream, stream);
}

QUESTION(callbacks_without_a_subscriber, "aclrtLaunchCallback") {
    aclrtStream stream = make_stream();
    int value = 0;
    ASK(aclrtLaunchCallback, set_seven, &value, ACL_CALLBACK_NO_BLOCK, stream);
    ASK(aclrtLaunchCallback, NULL, &value, ACL_CALLBACK_NO_BLOCK, stream);
    ASK(aclrtLaunchCallback, set_seven, &value, (aclrtCallbackBlockType)9, stream);
    MUST(aclrtDestroyStream, stream);
}

QUESTION(subscriptions, "aclrtSubscribeReport") {
    aclrtStream stream = make_stream();
    uint64_t thread = (uint64_t)pthread_self();
    int value = 0;
    ASK(aclrtSubscribeReport, thread, stream);
    ASK(aclrtSubscribeReport, thread, stream);
    ASK(aclrtLaunchCallback, set_seven, &value, ACL_CALLBACK_NO_BLOCK, stream);
    ASK(aclrtProcessReport, 1000);
    SAY("value", value);
    ASK(aclrtProcessReport, 1);
    ASK(aclrtProcessReport, -2);
    ASK(aclrtUnSubscribeReport, thread, stream);
    ASK(aclrtUnSubscribeReport, thread, stream);
    ASK(aclrtProcessReport, 1);
    MUST(aclrtDestroyStream, stream);
}

// ---- events

// The states of an event of each of the three queries.
static void state_event(aclrtEvent event) {
    aclrtEventStatus old = (aclrtEventStatus)77;
    aclrtEventRecordedStatus recorded = (aclrtEventRecordedStatus)77;
    aclrtEventWaitStatus waited = (aclrtEventWaitStatus)77;
    ASK(aclrtQueryEvent, event, &old);
    SAY("old", old);
    ASK(aclrtQueryEventStatus, event, &recorded);
    SAY("recorded", recorded);
    ASK(aclrtQueryEventWaitStatus, event, &waited);
    SAY("waited", waited);
}

#define EVENT_KIND(name, create)                                                                   \
    QUESTION(name##_never_recorded, "aclrtQueryEventStatus") {                                     \
        aclrtEvent event = NULL;                                                                   \
        MUST(create, &event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);                                \
        state_event(event);                                                                        \
        ASK(aclrtSynchronizeEvent, event);                                                         \
        ASK(aclrtSynchronizeEventWithTimeout, event, 20);                                          \
        MUST(aclrtDestroyEvent, event);                                                            \
    }                                                                                              \
    QUESTION(name##_recorded, "aclrtRecordEvent") {                                                \
        aclrtEvent event = NULL;                                                                   \
        aclrtStream stream = make_stream();                                                        \
        int gate;                                                                                  \
        MUST(create, &event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);                                \
        close_gate(stream, &gate);                                                                 \
        ASK(aclrtRecordEvent, event, stream);                                                      \
        state_event(event);                                                                        \
        ASK(aclrtSynchronizeEventWithTimeout, event, 20);                                          \
        open_gate(&gate);                                                                          \
        ASK(aclrtSynchronizeEvent, event);                                                         \
        state_event(event);                                                                        \
        ASK(aclrtResetEvent, event, stream);                                                       \
        MUST(aclrtSynchronizeStream, stream);                                                      \
        state_event(event);                                                                        \
        MUST(aclrtDestroyEvent, event);                                                            \
        MUST(aclrtDestroyStream, stream);                                                          \
    }                                                                                              \
    QUESTION(name##_awaited, "aclrtStreamWaitEvent") {                                             \
        aclrtEvent event = NULL;                                                                   \
        aclrtStream a = make_stream(), b = make_stream();                                          \
        int gate;                                                                                  \
        MUST(create, &event, ACL_EVENT_SYNC);                                                      \
        close_gate(a, &gate);                                                                      \
        MUST(aclrtRecordEvent, event, a);                                                          \
        ASK(aclrtStreamWaitEvent, b, event);                                                       \
        SAY("status", status_of(b));                                                               \
        open_gate(&gate);                                                                          \
        ASK(aclrtSynchronizeStream, b);                                                            \
        MUST(aclrtDestroyEvent, event);                                                            \
        MUST(aclrtDestroyStream, a);                                                               \
        MUST(aclrtDestroyStream, b);                                                               \
    }                                                                                              \
    QUESTION(name##_times, "aclrtEventElapsedTime") {                                              \
        aclrtEvent a = NULL, b = NULL, sync = NULL;                                                \
        uint64_t us = 0;                                                                           \
        float ms = -1;                                                                             \
        MUST(create, &a, ACL_EVENT_TIME_LINE);                                                     \
        MUST(create, &b, ACL_EVENT_TIME_LINE);                                                     \
        MUST(create, &sync, ACL_EVENT_SYNC);                                                       \
        ASK(aclrtEventElapsedTime, &ms, a, b);                                                     \
        ASK(aclrtEventGetTimestamp, a, &us);                                                       \
        MUST(aclrtRecordEvent, a, NULL);                                                           \
        MUST(aclrtRecordEvent, sync, NULL);                                                        \
        MUST(aclrtSynchronizeStream, NULL);                                                        \
        ASK(aclrtEventElapsedTime, &ms, a, b);                                                     \
        ASK(aclrtEventElapsedTime, &ms, a, sync);                                                  \
        ASK(aclrtEventElapsedTime, &ms, a, a);                                                     \
        SAY("zero", ms == 0);                                                                      \
        ASK(aclrtEventGetTimestamp, a, &us);                                                       \
        ASK(aclrtEventGetTimestamp, sync, &us);                                                    \
        MUST(aclrtDestroyEvent, a);                                                                \
        MUST(aclrtDestroyEvent, b);                                                                \
        MUST(aclrtDestroyEvent, sync);                                                             \
    }                                                                                              \
    QUESTION(name##_flags, #create) {                                                              \
        static const uint32_t flags[] = {0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 9};                \
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {                                \
            aclrtEvent event = NULL;                                                               \
            if (ASK(create, &event, flags[i]) == 0) MUST(aclrtDestroyEvent, event);                \
        }                                                                                          \
        ASK(create, NULL, 1);                                                                      \
    }
EVENT_KIND(event, aclrtCreateEventWithFlag)
EVENT_KIND(event_ex, aclrtCreateEventExWithFlag)

QUESTION(events_that_are_null, "aclrtRecordEvent: 100000") {
    aclrtEventStatus status;
    aclrtEvent event = NULL;
    float ms;
    MUST(aclrtCreateEvent, &event);
    ASK(aclrtCreateEvent, NULL);
    ASK(aclrtDestroyEvent, NULL);
    ASK(aclrtRecordEvent, NULL, NULL);
    ASK(aclrtResetEvent, NULL, NULL);
    ASK(aclrtStreamWaitEvent, NULL, NULL);
    ASK(aclrtQueryEvent, NULL, &status);
    ASK(aclrtQueryEvent, event, NULL);
    ASK(aclrtSynchronizeEvent, NULL);
    ASK(aclrtSynchronizeEventWithTimeout, event, -2);
    ASK(aclrtEventElapsedTime, NULL, event, event);
    ASK(aclrtEventElapsedTime, &ms, NULL, event);
    ASK(aclrtEventGetTimestamp, event, NULL);
    MUST(aclrtDestroyEvent, event);
}

QUESTION(events_destroyed_twice, "aclrtDestroyEvent") {
    aclrtEvent event = NULL;
    MUST(aclrtCreateEvent, &event);
    ASK(aclrtDestroyEvent, event);
    ASK(aclrtDestroyEvent, event);
    ASK(aclrtRecordEvent, event, NULL);
}

// ---- notifies

QUESTION(notifies, "aclrtCreateNotify") {
    aclrtNotify notify = NULL;
    uint32_t id = 77;
    ASK(aclrtCreateNotify, &notify, ACL_NOTIFY_DEFAULT);
    ASK(aclrtGetNotifyId, notify, &id);
    ASK(aclrtGetNotifyId, notify, NULL);
    ASK(aclrtCreateNotify, NULL, 0);
    ASK(aclrtDestroyNotify, NULL);
    ASK(aclrtDestroyNotify, notify);
    ASK(aclrtDestroyNotify, notify);
    if (ASK(aclrtCreateNotify, &notify, 0x100) == 0) MUST(aclrtDestroyNotify, notify);
    if (ASK(aclrtCreateNotify, &notify, 1) == 0) MUST(aclrtDestroyNotify, notify);
}

QUESTION(a_record_lets_one_wait_pass, "aclrtWaitAndResetNotify") {
    aclrtStream recorder = make_stream(), waiter = make_stream();
    aclrtNotify notify = NULL;
    MUST(aclrtCreateNotify, &notify, 0);
    ASK(aclrtWaitAndResetNotify, notify, waiter, 0);
    ASK(aclrtSynchronizeStreamWithTimeout, waiter, 20);
    ASK(aclrtRecordNotify, notify, recorder);
    ASK(aclrtSynchronizeStream, waiter);
    ASK(aclrtRecordNotify, notify, recorder);
    ASK(aclrtRecordNotify, notify, recorder);
    MUST(aclrtSynchronizeStream, recorder);
    ASK(aclrtWaitAndResetNotify, notify, waiter, 0);
    ASK(aclrtSynchronizeStream, waiter);
    ASK(aclrtWaitAndResetNotify, notify, waiter, 0);
    ASK(aclrtSynchronizeStreamWithTimeout, waiter, 20);
    ASK(aclrtRecordNotify, notify, recorder);
    ASK(aclrtSynchronizeStream, waiter);
    MUST(aclrtDestroyNotify, notify);
    MUST(aclrtDestroyStream, recorder);
    MUST(aclrtDestroyStream, waiter);
}

QUESTION(notifies_are_reset, "aclrtNotifyBatchReset") {
    aclrtStream waiter = make_stream();
    aclrtNotify notify = NULL;
    MUST(aclrtCreateNotify, &notify, 0);
    MUST(aclrtRecordNotify, notify, NULL);
    MUST(aclrtSynchronizeStream, NULL);
    ASK(aclrtNotifyBatchReset, &notify, 1);
    ASK(aclrtNotifyBatchReset, &notify, 0);
    ASK(aclrtNotifyBatchReset, NULL, 1);
    MUST(aclrtWaitAndResetNotify, notify, waiter, 0);
    ASK(aclrtSynchronizeStreamWithTimeout, waiter, 20);
    MUST(aclrtRecordNotify, notify, NULL);
    ASK(aclrtSynchronizeStream, waiter);
    MUST(aclrtDestroyNotify, notify);
    MUST(aclrtDestroyStream, waiter);
}

QUESTION(notifies_that_are_null, "aclrtRecordNotify") {
    aclrtNotify notify = NULL;
    MUST(aclrtCreateNotify, &notify, 0);
    ASK(aclrtRecordNotify, NULL, NULL);
    ASK(aclrtWaitAndResetNotify, NULL, NULL, 0);
    ASK(aclrtRecordNotify, notify, (aclrtStream)&notify);
    MUST(aclrtDestroyNotify, notify);
    ASK(aclrtRecordNotify, notify, NULL);
}

QUESTION(keys_of_notifies, "aclrtNotifyGetExportKey") {
    aclrtNotify notify = NULL;
    char key[65] = "", again[65] = "";
    MUST(aclrtCreateNotify, &notify, 0);
    ASK(aclrtNotifyGetExportKey, notify, key, 64, 0);
    ASK(aclrtNotifyGetExportKey, notify, NULL, 65, 0);
    ASK(aclrtNotifyGetExportKey, NULL, key, 65, 0);
    ASK(aclrtNotifyGetExportKey, notify, key, 65, 1);
    ASK(aclrtNotifyGetExportKey, notify, key, 65, 0);
    ASK(aclrtNotifyGetExportKey, notify, again, 65, 2);
    SAY("same", strcmp(key, again) == 0);
    MUST(aclrtDestroyNotify, notify);
}

// ---- values in memory

QUESTION(values, "aclrtValueWait") {
    aclrtStream waits = make_stream(), writes = make_stream();
    char *word = make_memory(64);
    MUST(aclrtMemset, word, 64, 0, 64);
    if (ASK(aclrtValueWait, word, 5, 0, waits) == 0) {
        ASK(aclrtSynchronizeStreamWithTimeout, waits, 20);
        ASK(aclrtValueWrite, word, 6, 0, writes);
        ASK(aclrtSynchronizeStream, waits);
    }
    MUST(aclrtSynchronizeStream, writes);
    MUST(aclrtDestroyStream, waits);
    MUST(aclrtDestroyStream, writes);
    MUST(aclrtFree, word);
}

QUESTION(bad_values, "aclrtValueWrite") {
    char *word = make_memory(64);
    ASK(aclrtValueWrite, NULL, 5, 0, NULL);
    ASK(aclrtValueWait, NULL, 5, 0, NULL);
    ASK(aclrtValueWrite, word, 5, 99, NULL);
    ASK(aclrtValueWait, word, 5, 99, NULL);
    ASK(aclrtValueWrite, word + 1, 5, 0, NULL);
    ASK(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, word);
}
