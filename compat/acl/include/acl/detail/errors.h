/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/errors.h - the error codes of AscendCL. Two layers share one number space. The acl
 * layer checks arguments and returns 100000 and similar codes. The runtime below it returns 107xxx
 * for a rejected value, 207xxx for a resource or feature, and 507xxx for everything else. Both
 * kinds reach the caller unchanged.
 */
#ifndef ACL_DETAIL_ERRORS_H
#define ACL_DETAIL_ERRORS_H

typedef int aclError;

/* The closed set: X(name without ACL_ERROR_, value, "text"). */
#define ACL_ERROR_LIST(X)                                                                          \
    X(INVALID_PARAM, 100000, "an argument is NULL, zero or outside its range")                     \
    X(UNINITIALIZE, 100001, "aclInit() has not been called")                                       \
    X(REPEAT_INITIALIZE, 100002, "aclInit() has been called before")                               \
    X(INVALID_FILE, 100003, "the configuration file cannot be read")                               \
    X(PARSE_FILE, 100006, "the configuration file is not JSON")                                    \
    X(REPEAT_FINALIZE, 100037, "aclFinalize() has been called before")                             \
    X(BAD_ALLOC, 200000, "host memory exhausted in the acl layer")                                 \
    X(API_NOT_SUPPORT, 200001, "the function is not supported")                                    \
    X(INVALID_DEVICE, 200002, "invalid device")                                                    \
    X(MEMORY_ADDRESS_UNALIGNED, 200003, "memory address not aligned")                              \
    X(RESOURCE_NOT_MATCH, 200004, "resources do not belong together")                              \
    X(INVALID_RESOURCE_HANDLE, 200005, "invalid resource handle")                                  \
    X(FEATURE_UNSUPPORTED, 200006, "the feature is not supported")                                 \
    X(STORAGE_OVER_LIMIT, 300000, "storage limit exceeded")                                        \
    X(INTERNAL_ERROR, 500000, "internal error")                                                    \
    X(FAILURE, 500001, "internal failure")                                                         \
    X(RT_FAILURE, 500003, "failure of the runtime")                                                \
    X(DRV_FAILURE, 500004, "failure of the driver")                                                \
    X(RT_PARAM_INVALID, 107000, "the runtime rejected a value")                                    \
    X(RT_INVALID_DEVICEID, 107001, "no such device")                                               \
    X(RT_CONTEXT_NULL, 107002, "the thread has no current context")                                \
    X(RT_STREAM_CONTEXT, 107003, "the stream belongs to another context")                          \
    X(RT_EVENT_TIMESTAMP_INVALID, 107006, "the event has no time stamp")                           \
    X(RT_ADDR_UNALIGNED, 107008, "address not aligned")                                            \
    X(RT_STREAM_SUBSCRIBE, 107011, "the stream serves callbacks in another way")                   \
    X(RT_THREAD_SUBSCRIBE, 107012, "the thread is not subscribed, or otherwise")                   \
    X(RT_STREAM_NO_CB_REG, 107015, "no thread is subscribed to the stream")                        \
    X(RT_INVALID_MEMORY_TYPE, 107016, "no such kind of memory")                                    \
    X(RT_INVALID_HANDLE, 107017, "invalid handle")                                                 \
    X(RT_INVALID_MALLOC_TYPE, 107018, "no such kind of allocation")                                \
    X(RT_WAIT_TIMEOUT, 107019, "the wait timed out")                                               \
    X(RT_DEVICE_TASK_ABORT, 107022, "the device aborts its tasks")                                 \
    X(RT_STREAM_ABORT, 107023, "the stream was aborted")                                           \
    X(RT_STREAM_CAPTURED, 107027, "the stream is being captured")                                  \
    X(RT_CAPTURE_MODE_NOT_SUPPORT, 107030, "not while a stream is being captured")                 \
    X(RT_CAPTURE_MODE_BLOCK_ASYNC, 107041, "an asynchronous call that would block in a capture")   \
    X(RT_FEATURE_NOT_SUPPORT, 207000, "not available on this chip or in this mode")                \
    X(RT_MEMORY_ALLOCATION, 207001, "out of memory")                                               \
    X(RT_MEMORY_FREE, 207002, "memory could not be freed")                                         \
    X(RT_NO_DEVICE, 207004, "there is no device")                                                  \
    X(RT_RESOURCE_ALLOC_FAIL, 207005, "a resource could not be allocated")                         \
    X(RT_NO_PERMISSION, 207006, "no permission")                                                   \
    X(RT_NO_EVENT_RESOURCE, 207007, "out of events")                                               \
    X(RT_NO_STREAM_RESOURCE, 207008, "out of streams")                                             \
    X(RT_NO_NOTIFY_RESOURCE, 207009, "out of notifies")                                            \
    X(RT_OVER_LIMIT, 207012, "a limit is exceeded")                                                \
    X(RT_DEVICE_OOM, 207018, "the device ran out of memory while it worked")                       \
    X(RT_TIMEOUT, 207020, "timed out")                                                             \
    X(RT_INTERNAL_ERROR, 507000, "internal error of the runtime")                                  \
    X(RT_STREAM_NOT_COMPLETE, 507004, "the stream is not done")                                    \
    X(RT_EVENT_NOT_COMPLETE, 507006, "the event has not passed")                                   \
    X(RT_REPORT_TIMEOUT, 507012, "no callback came in time")                                       \
    X(RT_DEV_SETUP_ERROR, 507033, "the device could not be set up")                                \
    X(RT_STREAM_SYNC_TIMEOUT, 507046, "the wait for a stream timed out")                           \
    X(RT_EVENT_SYNC_TIMEOUT, 507047, "the wait for an event timed out")                            \
    X(RT_COPY_DATA, 507052, "data could not be copied")                                            \
    X(RT_DRV_INTERNAL_ERROR, 507899, "the driver refused, with no code of its own")                \
    X(HOST_MEMORY_ALREADY_REGISTERED, 507910, "the host memory is registered already")             \
    X(HOST_MEMORY_NOT_REGISTERED, 507911, "the host memory is not registered")

static const int ACL_SUCCESS = 0;
static const int ACL_ERROR_NONE = 0;
#define ACL_ERROR_CONSTANT(name, value, text) static const int ACL_ERROR_##name = value;
ACL_ERROR_LIST(ACL_ERROR_CONSTANT)
#undef ACL_ERROR_CONSTANT

#endif
