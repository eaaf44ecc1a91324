/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/callback.h - functions of the program in streams: on a thread of Tarn, or on a thread
 * of the program that asks for them (reports).
 *
 * A thread of the program subscribes to streams of one device, and calls aclrtProcessReport() in a
 * loop. A stream has at most one such thread, and serves either such a thread or
 * aclrtLaunchHostFunc(), not both. All functions with a stream return the codes of detail/stream.h.
 */
#ifndef ACL_DETAIL_CALLBACK_H
#define ACL_DETAIL_CALLBACK_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* A function of the program. */
typedef void (*aclrtHostFunc)(void *args);

/*
 * Calls fn(args) on another thread when the work received before is done. Later work of the stream
 * waits for it. The function must not wait for work of devices: such calls are refused (107000),
 * and it has no current context. It is called even if the stream is destroyed before, but not if
 * work before it fails. 107000 if fn is NULL; 107011 if a thread is subscribed to the stream.
 */
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);

typedef void (*aclrtCallback)(void *userData);

typedef enum aclrtCallbackBlockType {
    ACL_CALLBACK_NO_BLOCK = 0,
    ACL_CALLBACK_BLOCK = 1
} aclrtCallbackBlockType;

/*
 * Subscribes a thread, by its pthread_self(), to the callbacks of a stream. 107011 if a thread is
 * subscribed to the stream or the stream has served aclrtLaunchHostFunc(); 107012 if the thread is
 * subscribed to streams of another device; 507000 if 1024 threads are subscribed; 200000. The
 * subscription also ends with the stream.
 */
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/*
 * Ends a subscription, after a callback that the thread is running. Callbacks that it has not begun
 * are dropped if the thread has no other subscription. 107011 if the stream has none; 107012 if it
 * is of another thread.
 */
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/*
 * Makes the subscribed thread call fn(userData) when the work received before is done. With
 * ACL_CALLBACK_BLOCK later work of the stream waits for the return of the function. The function
 * must not wait for this stream. 100000 for another block type; 107000 if fn is NULL; 107015 if no
 * thread is subscribed; 107011 if the stream has served aclrtLaunchHostFunc(); 200000.
 */
aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream);

/*
 * Calls the callbacks that wait for the calling thread. If there is none, waits for one for up to
 * `timeout` milliseconds; -1 means no limit. Needs no context. 100000 if timeout is 0 or less than
 * -1; 107012, at once, if the thread is not subscribed or ceases to be; 507012 if no callback came.
 */
aclError aclrtProcessReport(int32_t timeout);

/* The same for functions of a graph. */
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);
aclError aclrtProcessHostFunc(int32_t timeout);
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

ACL_EXTERN_C_END
#endif
