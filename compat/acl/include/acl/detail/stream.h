/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/stream.h - streams: work in the order given, beside other streams.
 *
 * A stream belongs to the context that is current when it is created, and ends with it. Where a
 * function takes a stream, NULL is the default stream of the current context. They all fail with
 * 107002 without a current context, 107003 for a stream of another one, 107000 for what is no
 * stream (any more), and 507899 once work of the stream has failed.
 */
#ifndef ACL_DETAIL_STREAM_H
#define ACL_DETAIL_STREAM_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* Creates a stream. 100000: NULL; 107002; 207008: no more of them. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream *stream);

/*
 * The same; `priority` (0 the highest, to 7) and ACL_STREAM_FAST_LAUNCH, ACL_STREAM_FAST_SYNC,
 * ACL_STREAM_HUGE are hints without effect. 107000: another priority or flag; 207000: the other
 * flags of streams, which serve models.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority,
                                                         uint32_t flag);

/*
 * Destroys a stream after its work. ...Force() does not wait: the stream is gone for the program,
 * its work goes on by itself. 100000: NULL; 107000 also: inside a function of the program, where it
 * would wait.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/*
 * Waits for the work given to the stream so far. `timeout` is in milliseconds, -1 without limit.
 * 107000: less than -1; 507046: not done by then, the work goes on.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/* The same for all streams of the device of the current context. What failed is told by its
 * stream, not here. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/* Whether the work given so far is done; never waits. 100000: NULL. */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/* A function of the program. */
typedef void (*aclrtHostFunc)(void *args);

/*
 * Calls fn(args) on another thread when the work given before it is done; later work of the stream
 * waits for it. It must not wait for work of devices: such calls are refused there (107000), and no
 * context is current. It is called even if the stream is destroyed meanwhile, not if work before it
 * fails. 100000: fn NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);

ACL_EXTERN_C_END
#endif
