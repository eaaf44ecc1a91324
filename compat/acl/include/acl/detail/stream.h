/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/stream.h - streams. Work runs in the order in which a stream receives it, and
 * concurrently with other streams.
 *
 * A stream belongs to the context that is current when it is created, and ends with it. A NULL
 * stream means the default stream of the current context. All functions with a stream return
 * 107002 without a current context, 107003 for a stream of another context, 107000 if the stream
 * does not exist, and 507899 if work of the stream has failed and the stream stops at failures.
 */
#ifndef ACL_DETAIL_STREAM_H
#define ACL_DETAIL_STREAM_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* Creates a stream. 100000 if stream is NULL; 107002; 207008 if streams are exhausted. */
aclError aclrtCreateStream(aclrtStream *stream);

/*
 * Same as aclrtCreateStream(). `priority` (0, the highest, to 7) and the flags
 * ACL_STREAM_FAST_LAUNCH, ACL_STREAM_FAST_SYNC and ACL_STREAM_HUGE are hints without effect.
 * A greater priority becomes 7, and 0xffffffff becomes 0. Unknown flags alone become 0.
 * 107000 for unknown flags beside known ones; 207000 for the other flags of streams, which serve
 * models.
 */
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag);

/* Kinds of attributes of a stream, and their values. */
typedef enum aclrtStreamAttr {
    ACL_STREAM_ATTR_FAILURE_MODE = 1,
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
    ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
    ACL_STREAM_ATTR_PRIORITY = 5
} aclrtStreamAttr;

typedef union aclrtStreamAttrValue {
    uint64_t failureMode;
    uint32_t overflowSwitch;
    uint32_t userCustomTag;
    uint32_t cacheOpInfoSwitch;
    uint32_t streamPriority;
    uint32_t reserve[4];
} aclrtStreamAttrValue;

/*
 * Write properties of a stream: the priority and the flags that it was created with (0 for the
 * default stream), and a small number that no other stream has at the same time. 100000 if the
 * output is NULL. These functions also work on a stream whose work has failed.
 */
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority);
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags);
aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId);

/*
 * Store and return an attribute. The failure mode is that of aclrtSetStreamFailureMode(), with its
 * codes. The other attributes have no effect: the two switches are 0 (initially) or 1, the tag is
 * any number (initially UINT32_MAX), the priority is 0 to 7. The getter writes all 16 bytes of
 * *value. 100000 if value is NULL; 107000 for an unknown kind or a value outside its range.
 */
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue *value);
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue *value);

/* Modes of aclrtSetStreamFailureMode(): 0 and 1 below. */
#define ACL_CONTINUE_ON_FAILURE 0x0U
#define ACL_STOP_ON_FAILURE     0x1U

/*
 * Selects what a failure does while work of the stream runs. In mode 0 (initially) the stream
 * continues, and the next wait for it, or query, returns 507899 once. In mode 1 it stops: work
 * behind the failure does not run, and all later calls on the stream return 507899. The other
 * streams of its context stop too, in whichever mode they are: their work that has not begun is
 * dropped. Only bit 0 of `mode` counts. 207000 from mode 1 back to 0. Streams of platforms other
 * than the software devices always stop, each alone.
 */
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/*
 * Drops the work of a stream that has not begun. Work that runs ends normally. Threads that wait
 * for the stream return with 107023. The stream takes new work. Streams that wait for its events
 * continue. 207000 on a platform that cannot drop work; only the software devices can.
 */
aclError aclrtStreamAbort(aclrtStream stream);

/*
 * Stops the task that the stream is at, and keeps the work behind it, which then runs. Stopped are
 * waits of aclrtValueWait() and aclrtWaitAndResetNotify(), and the wait of a stream for a callback
 * of ACL_CALLBACK_BLOCK. A copy, fill or function that runs ends normally, and a wait for an event
 * continues. Does not wait. 100000 if stream is NULL.
 */
aclError aclrtStreamStop(aclrtStream stream);

/*
 * Does the same as aclrtStreamAbort() to all streams of a device, and waits until the work that
 * runs has ended, for up to `timeout` milliseconds (0: no limit). 107001 if the device does not
 * exist; 507046.
 */
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/*
 * Destroys a stream after its work. ...Force() does not wait: the stream ends for the program, and
 * its work continues. 100000 if stream is NULL; 107000 also in a function of the program that
 * would have to wait.
 */
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtDestroyStreamForce(aclrtStream stream);

/*
 * Waits for the work that the stream has received so far. `timeout` is in milliseconds, and -1
 * means no limit. 107000 if it is less than -1; 507046 if the work is not done by then; the work
 * continues.
 */
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/*
 * Waits in the same way for all streams of the current context's device. Failed work is reported
 * by calls on its stream, not here.
 */
aclError aclrtSynchronizeDevice(void);
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/* Writes whether the work received so far is done. Never waits. 100000 if status is NULL. */
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/* Not supported: returns 207000. The function would be called before and after aborts of tasks. */
typedef enum aclrtDeviceTaskAbortStage {
    ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
    ACL_RT_DEVICE_TASK_ABORT_POST = 1
} aclrtDeviceTaskAbortStage;
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage,
                                                uint32_t timeout, void *args);
aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback,
                                         void *args);

/* Configuration of a stream: numbers for models, which have no effect, its flags and its priority. */
typedef struct aclrtStreamConfigHandle {
    void *workptr;
    size_t workSize;
    size_t flag;
    uint32_t priority;
} aclrtStreamConfigHandle;

typedef enum aclrtStreamConfigAttr {
    ACL_RT_STREAM_WORK_ADDR_PTR = 0, /* a pointer */
    ACL_RT_STREAM_WORK_SIZE = 1,     /* a size_t, as FLAG */
    ACL_RT_STREAM_FLAG = 2,
    ACL_RT_STREAM_PRIORITY = 3 /* a uint32_t */
} aclrtStreamConfigAttr;

aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void);
aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle);
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle, aclrtStreamConfigAttr attr,
                                 const void *attrValue, size_t valueSize);
aclError aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle);

/* The default stream of the current context, and the streams that can still be created. */
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);
aclError aclrtGetStreamAvailableNum(uint32_t *streamCount);
aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority);

aclError aclrtPersistentTaskClean(aclrtStream stream);

ACL_EXTERN_C_END
#endif
