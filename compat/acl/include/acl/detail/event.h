/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/event.h - events: points in streams, to wait for, to ask about, to measure between.
 *
 * All fail with 107002 without a current context, 107000 for what is no event (any more), 107003
 * for a stream of another context, and 507899 once the work that an event stands for has failed.
 * NULL for an event or an output is 100000, NULL for a stream the default stream.
 *
 * There are two kinds. Before its first record, and again when a reset has taken place, an event of
 * the old kind is not ready, one of the new kind is complete; a wait for either does not wait.
 */
#ifndef ACL_DETAIL_EVENT_H
#define ACL_DETAIL_EVENT_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Creates an event: the first two of the old kind, the last one of the new kind. aclrtCreateEvent()
 * means ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE. Of the flags only ACL_EVENT_TIME_LINE matters: time
 * can be measured. 107000: an unknown flag; 207000: ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_IPC;
 * 207007: no more of them.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent *event);
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);

/* Destroys an event at once; streams that wait for it still do. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/* Marks the current end of the stream, in the place of an earlier record: waits that were given
 * before keep that one. */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/* Makes the event as if never recorded when the stream comes to it, unless it is recorded again
 * meanwhile. */
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/* Work given to the stream from now on waits for the last record so far. */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/* Whether the recorded point has passed; never waits. The two enumerations are the inverse of each
 * other. */
ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event,
                                                   aclrtEventRecordedStatus *status);

/* Whether all streams that were told to wait for the event have got past that; true when none
 * was. */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event,
                                                       aclrtEventWaitStatus *status);

/*
 * Waits for the recorded point; at once done when there is none. `timeout` is in milliseconds, -1
 * without limit. 107000 also: less than -1; 507047: not passed by then.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/*
 * Milliseconds from one recorded point to another, in any streams. 507000: one is not recorded;
 * 107006: one was made without ACL_EVENT_TIME_LINE; 507006: one has not passed.
 */
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent,
                                                   aclrtEvent endEvent);

/* When the recorded point passed, in microseconds since the machine started. Codes as above. */
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp_us);

ACL_EXTERN_C_END
#endif
