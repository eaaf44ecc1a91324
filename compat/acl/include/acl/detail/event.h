/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/event.h - events: points in streams, for waits, queries and measurements of time.
 *
 * All functions return 107002 without a current context, 107000 if the event does not exist,
 * 107003 for a stream of another context, and 507899 once the work before the event has failed. A
 * NULL event or output is 100000. A NULL stream means the default stream.
 *
 * There are two kinds of events. Before its first record, and after a reset, an event of the old
 * kind is not ready and an event of the new kind is complete. A wait for either returns at once.
 */
#ifndef ACL_DETAIL_EVENT_H
#define ACL_DETAIL_EVENT_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Creates an event: the first two functions of the old kind, the last one of the new kind.
 * aclrtCreateEvent() uses ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE. Of the flags only
 * ACL_EVENT_TIME_LINE has an effect: it allows measurements of time. 107000 if a flag is unknown;
 * 207000 for ACL_EVENT_DEVICE_USE_ONLY; 207007 if events are exhausted. ACL_EVENT_IPC, for the new
 * kind only (else 207000), makes an event for aclrtIpcGetEventHandle(): 207000 on a platform without
 * events between processes.
 */
aclError aclrtCreateEvent(aclrtEvent *event);
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);
aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);

/* Destroys an event at once. Streams that wait for it continue to wait. */
aclError aclrtDestroyEvent(aclrtEvent event);

/*
 * Records the current end of the stream in place of an earlier record. Waits that were enqueued
 * before keep the earlier record.
 */
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/*
 * Makes the event count as not recorded once the stream reaches this point, unless it is recorded
 * again before.
 */
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/* Makes work that the stream receives later wait for the last record so far. */
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/*
 * Writes whether the recorded point has passed. Never waits. The two enumerations have opposite
 * values.
 */
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);

/*
 * Writes whether all streams that wait for the event have passed that wait; also true if none
 * waits.
 */
aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status);

/*
 * Waits for the recorded point; returns at once if there is none. `timeout` is in milliseconds,
 * and -1 means no limit. 107000 if it is less than -1; 507047 if the point has not passed by then.
 */
aclError aclrtSynchronizeEvent(aclrtEvent event);
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/*
 * Writes the milliseconds from one recorded point to another, in any streams. 507000 if one event
 * is not recorded; 107006 if one was created without ACL_EVENT_TIME_LINE; 507006 if one has not
 * passed.
 */
aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent);

/*
 * Writes when the recorded point passed, in microseconds since the machine started. Codes as
 * above.
 */
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp_us);

/*
 * Makes a handle, 64 bytes for any process of the same user, from an event that
 * aclrtCreateEventExWithFlag() created with ACL_EVENT_IPC. 107000 for another event.
 */
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle);

/*
 * Makes an event from such a handle of another process. Both processes see the latest record of
 * either. Each destroys its own event. It has no time. 107000 for a handle of this process, of an
 * event that was destroyed, or of a process that has ended.
 */
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event);

/* Flags of the next two functions. */
#define ACL_EVENT_RECORD_DEFAULT  0x0U
#define ACL_EVENT_RECORD_EXTERNAL 0x1U
#define ACL_EVENT_WAIT_DEFAULT    0x0U
#define ACL_EVENT_WAIT_EXTERNAL   0x1U

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag);
aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                      uint32_t flag);
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);
aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId);
aclError aclrtGetEventAvailNum(uint32_t *eventCount);

ACL_EXTERN_C_END
#endif
