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

/*
 * The closed set: X(name without ACL_ERROR_, value, "text"). Tarn returns few of them; programs name the
 * others. The values 107042 to 107045, 207021, 507915 and 507916 follow from the order of CANN 9.1's list.
 */
#define ACL_ERROR_LIST(X)                                                                          \
    X(INVALID_PARAM, 100000, "an argument is NULL, zero or outside its range")                     \
    X(UNINITIALIZE, 100001, "aclInit() has not been called")                                       \
    X(REPEAT_INITIALIZE, 100002, "aclInit() has been called before")                               \
    X(INVALID_FILE, 100003, "the configuration file cannot be read")                               \
    X(WRITE_FILE, 100004, "write file")                                                            \
    X(INVALID_FILE_SIZE, 100005, "invalid file size")                                              \
    X(PARSE_FILE, 100006, "the configuration file is not JSON")                                    \
    X(FILE_MISSING_ATTR, 100007, "file missing attr")                                              \
    X(FILE_ATTR_INVALID, 100008, "file attr invalid")                                              \
    X(INVALID_DUMP_CONFIG, 100009, "invalid dump config")                                          \
    X(INVALID_PROFILING_CONFIG, 100010, "invalid profiling config")                                \
    X(INVALID_MODEL_ID, 100011, "invalid model id")                                                \
    X(DESERIALIZE_MODEL, 100012, "deserialize model")                                              \
    X(PARSE_MODEL, 100013, "parse model")                                                          \
    X(READ_MODEL_FAILURE, 100014, "read model failure")                                            \
    X(MODEL_SIZE_INVALID, 100015, "model size invalid")                                            \
    X(MODEL_MISSING_ATTR, 100016, "model missing attr")                                            \
    X(MODEL_INPUT_NOT_MATCH, 100017, "model input not match")                                      \
    X(MODEL_OUTPUT_NOT_MATCH, 100018, "model output not match")                                    \
    X(MODEL_NOT_DYNAMIC, 100019, "model not dynamic")                                              \
    X(OP_TYPE_NOT_MATCH, 100020, "op type not match")                                              \
    X(OP_INPUT_NOT_MATCH, 100021, "op input not match")                                            \
    X(OP_OUTPUT_NOT_MATCH, 100022, "op output not match")                                          \
    X(OP_ATTR_NOT_MATCH, 100023, "op attr not match")                                              \
    X(OP_NOT_FOUND, 100024, "op not found")                                                        \
    X(OP_LOAD_FAILED, 100025, "op load failed")                                                    \
    X(UNSUPPORTED_DATA_TYPE, 100026, "unsupported data type")                                      \
    X(FORMAT_NOT_MATCH, 100027, "format not match")                                                \
    X(BIN_SELECTOR_NOT_REGISTERED, 100028, "bin selector not registered")                          \
    X(KERNEL_NOT_FOUND, 100029, "kernel not found")                                                \
    X(BIN_SELECTOR_ALREADY_REGISTERED, 100030, "bin selector already registered")                  \
    X(KERNEL_ALREADY_REGISTERED, 100031, "kernel already registered")                              \
    X(INVALID_QUEUE_ID, 100032, "invalid queue id")                                                \
    X(REPEAT_SUBSCRIBE, 100033, "repeat subscribe")                                                \
    X(STREAM_NOT_SUBSCRIBE, 100034, "stream not subscribe")                                        \
    X(THREAD_NOT_SUBSCRIBE, 100035, "thread not subscribe")                                        \
    X(WAIT_CALLBACK_TIMEOUT, 100036, "wait callback timeout")                                      \
    X(REPEAT_FINALIZE, 100037, "aclFinalize() has been called before")                             \
    X(NOT_STATIC_AIPP, 100038, "not static aipp")                                                  \
    X(COMPILING_STUB_MODE, 100039, "compiling stub mode")                                          \
    X(GROUP_NOT_SET, 100040, "group not set")                                                      \
    X(GROUP_NOT_CREATE, 100041, "group not create")                                                \
    X(PROF_ALREADY_RUN, 100042, "prof already run")                                                \
    X(PROF_NOT_RUN, 100043, "prof not run")                                                        \
    X(DUMP_ALREADY_RUN, 100044, "dump already run")                                                \
    X(DUMP_NOT_RUN, 100045, "dump not run")                                                        \
    X(RT_PARAM_INVALID, 107000, "the runtime rejected a value")                                    \
    X(RT_INVALID_DEVICEID, 107001, "no such device")                                               \
    X(RT_CONTEXT_NULL, 107002, "the thread has no current context")                                \
    X(RT_STREAM_CONTEXT, 107003, "the stream belongs to another context")                          \
    X(RT_MODEL_CONTEXT, 107004, "model context")                                                   \
    X(RT_STREAM_MODEL, 107005, "stream model")                                                     \
    X(RT_EVENT_TIMESTAMP_INVALID, 107006, "the event has no time stamp")                           \
    X(RT_EVENT_TIMESTAMP_REVERSAL, 107007, "event timestamp reversal")                             \
    X(RT_ADDR_UNALIGNED, 107008, "address not aligned")                                            \
    X(RT_FILE_OPEN, 107009, "file open")                                                           \
    X(RT_FILE_WRITE, 107010, "file write")                                                         \
    X(RT_STREAM_SUBSCRIBE, 107011, "the stream serves callbacks in another way")                   \
    X(RT_THREAD_SUBSCRIBE, 107012, "the thread is not subscribed, or otherwise")                   \
    X(RT_GROUP_NOT_SET, 107013, "group not set")                                                   \
    X(RT_GROUP_NOT_CREATE, 107014, "group not create")                                             \
    X(RT_STREAM_NO_CB_REG, 107015, "no thread is subscribed to the stream")                        \
    X(RT_INVALID_MEMORY_TYPE, 107016, "no such kind of memory")                                    \
    X(RT_INVALID_HANDLE, 107017, "invalid handle")                                                 \
    X(RT_INVALID_MALLOC_TYPE, 107018, "no such kind of allocation")                                \
    X(RT_WAIT_TIMEOUT, 107019, "the wait timed out")                                               \
    X(RT_TASK_TIMEOUT, 107020, "task timeout")                                                     \
    X(RT_SYSPARAMOPT_NOT_SET, 107021, "sysparamopt not set")                                       \
    X(RT_DEVICE_TASK_ABORT, 107022, "the device aborts its tasks")                                 \
    X(RT_STREAM_ABORT, 107023, "the stream was aborted")                                           \
    X(RT_CAPTURE_DEPENDENCY, 107024, "a capture depends on work outside of it")                    \
    X(RT_STREAM_UNJOINED, 107025, "a captured stream was not joined to the first one")             \
    X(RT_MODEL_CAPTURED, 107026, "the graph is being captured")                                    \
    X(RT_STREAM_CAPTURED, 107027, "the stream is being captured")                                  \
    X(RT_EVENT_CAPTURED, 107028, "the event belongs to a capture")                                 \
    X(RT_STREAM_NOT_CAPTURED, 107029, "the stream is not being captured")                          \
    X(RT_CAPTURE_MODE_NOT_SUPPORT, 107030, "not while a stream is being captured")                 \
    X(RT_STREAM_CAPTURE_IMPLICIT, 107031, "the default stream cannot take part in a capture")      \
    X(STREAM_CAPTURE_CONFLICT, 107032, "two captures would depend on each other")                  \
    X(STREAM_TASK_GROUP_STATUS, 107033, "a group of tasks is in the wrong state")                  \
    X(STREAM_TASK_GROUP_INTR, 107034, "a group of tasks was interrupted")                          \
    X(RT_TASK_ABORT_STOP, 107035, "task abort stop")                                               \
    X(RT_STREAM_CAPTURE_UNMATCHED, 107036, "the capture was begun on another stream")              \
    X(RT_MODEL_RUNNING, 107037, "the graph is running")                                            \
    X(RT_STREAM_CAPTURE_WRONG_THREAD, 107038, "another thread began the capture")                  \
    X(RT_INSUFFICIENT_INPUT_ARRAY, 107039, "the array of the caller is too short")                 \
    X(RT_MODEL_UPDATE_FAILED, 107040, "the graph could not be updated")                            \
    X(RT_CAPTURE_MODE_BLOCK_ASYNC, 107041, "an asynchronous call that would block in a capture")   \
    X(RT_SYMBOL_NOT_FOUND, 107042, "symbol not found")                                             \
    X(RT_INVALID_SYMBOL, 107043, "invalid symbol")                                                 \
    X(RT_INVALID_DEVICE_FUNCTION, 107044, "invalid device function")                               \
    X(RT_SUB_ACLGRAPH_IS_CAPTURING, 107045, "a graph within the graph is still being captured")    \
    X(PROF_REPEAT_SUBSCRIBE, 148046, "prof repeat subscribe")                                      \
    X(PROF_API_CONFLICT, 148047, "prof api conflict")                                              \
    X(INVALID_MAX_OPQUEUE_NUM_CONFIG, 148048, "invalid max opqueue num config")                    \
    X(INVALID_OPP_PATH, 148049, "invalid opp path")                                                \
    X(OP_UNSUPPORTED_DYNAMIC, 148050, "op unsupported dynamic")                                    \
    X(RELATIVE_RESOURCE_NOT_CLEARED, 148051, "relative resource not cleared")                      \
    X(UNSUPPORTED_JPEG, 148052, "unsupported jpeg")                                                \
    X(INVALID_BUNDLE_MODEL_ID, 148053, "invalid bundle model id")                                  \
    X(BAD_ALLOC, 200000, "host memory exhausted in the acl layer")                                 \
    X(API_NOT_SUPPORT, 200001, "the function is not supported")                                    \
    X(INVALID_DEVICE, 200002, "invalid device")                                                    \
    X(MEMORY_ADDRESS_UNALIGNED, 200003, "memory address not aligned")                              \
    X(RESOURCE_NOT_MATCH, 200004, "resources do not belong together")                              \
    X(INVALID_RESOURCE_HANDLE, 200005, "invalid resource handle")                                  \
    X(FEATURE_UNSUPPORTED, 200006, "the feature is not supported")                                 \
    X(PROF_MODULES_UNSUPPORTED, 200007, "prof modules unsupported")                                \
    X(RT_FEATURE_NOT_SUPPORT, 207000, "not available on this chip or in this mode")                \
    X(RT_MEMORY_ALLOCATION, 207001, "out of memory")                                               \
    X(RT_MEMORY_FREE, 207002, "memory could not be freed")                                         \
    X(RT_AICORE_OVER_FLOW, 207003, "aicore over flow")                                             \
    X(RT_NO_DEVICE, 207004, "there is no device")                                                  \
    X(RT_RESOURCE_ALLOC_FAIL, 207005, "a resource could not be allocated")                         \
    X(RT_NO_PERMISSION, 207006, "no permission")                                                   \
    X(RT_NO_EVENT_RESOURCE, 207007, "out of events")                                               \
    X(RT_NO_STREAM_RESOURCE, 207008, "out of streams")                                             \
    X(RT_NO_NOTIFY_RESOURCE, 207009, "out of notifies")                                            \
    X(RT_NO_MODEL_RESOURCE, 207010, "no model resource")                                           \
    X(RT_NO_CDQ_RESOURCE, 207011, "no cdq resource")                                               \
    X(RT_OVER_LIMIT, 207012, "a limit is exceeded")                                                \
    X(RT_QUEUE_EMPTY, 207013, "queue empty")                                                       \
    X(RT_QUEUE_FULL, 207014, "queue full")                                                         \
    X(RT_REPEATED_INIT, 207015, "repeated init")                                                   \
    X(RT_AIVEC_OVER_FLOW, 207016, "aivec over flow")                                               \
    X(RT_OVER_FLOW, 207017, "over flow")                                                           \
    X(RT_DEVICE_OOM, 207018, "the device ran out of memory while it worked")                       \
    X(RT_FEATURE_NOT_SUPPORT_UPDATE_OP, 207019, "feature not support update op")                   \
    X(RT_TIMEOUT, 207020, "timed out")                                                             \
    X(RT_LINK_TYPE_NOT_SUPPORTED, 207021, "link type not supported")                               \
    X(STORAGE_OVER_LIMIT, 300000, "storage limit exceeded")                                        \
    X(INTERNAL_ERROR, 500000, "internal error")                                                    \
    X(FAILURE, 500001, "internal failure")                                                         \
    X(GE_FAILURE, 500002, "ge failure")                                                            \
    X(RT_FAILURE, 500003, "failure of the runtime")                                                \
    X(DRV_FAILURE, 500004, "failure of the driver")                                                \
    X(PROFILING_FAILURE, 500005, "profiling failure")                                              \
    X(RT_INTERNAL_ERROR, 507000, "internal error of the runtime")                                  \
    X(RT_TS_ERROR, 507001, "ts error")                                                             \
    X(RT_STREAM_TASK_FULL, 507002, "stream task full")                                             \
    X(RT_STREAM_TASK_EMPTY, 507003, "stream task empty")                                           \
    X(RT_STREAM_NOT_COMPLETE, 507004, "the stream is not done")                                    \
    X(RT_END_OF_SEQUENCE, 507005, "end of sequence")                                               \
    X(RT_EVENT_NOT_COMPLETE, 507006, "the event has not passed")                                   \
    X(RT_CONTEXT_RELEASE_ERROR, 507007, "the context could not be released")                       \
    X(RT_SOC_VERSION, 507008, "soc version")                                                       \
    X(RT_TASK_TYPE_NOT_SUPPORT, 507009, "task type not support")                                   \
    X(RT_LOST_HEARTBEAT, 507010, "lost heartbeat")                                                 \
    X(RT_MODEL_EXECUTE, 507011, "model execute")                                                   \
    X(RT_REPORT_TIMEOUT, 507012, "no callback came in time")                                       \
    X(RT_SYS_DMA, 507013, "sys dma")                                                               \
    X(RT_AICORE_TIMEOUT, 507014, "aicore timeout")                                                 \
    X(RT_AICORE_EXCEPTION, 507015, "aicore exception")                                             \
    X(RT_AICORE_TRAP_EXCEPTION, 507016, "aicore trap exception")                                   \
    X(RT_AICPU_TIMEOUT, 507017, "aicpu timeout")                                                   \
    X(RT_AICPU_EXCEPTION, 507018, "aicpu exception")                                               \
    X(RT_AICPU_DATADUMP_RSP_ERR, 507019, "aicpu datadump rsp err")                                 \
    X(RT_AICPU_MODEL_RSP_ERR, 507020, "aicpu model rsp err")                                       \
    X(RT_PROFILING_ERROR, 507021, "profiling error")                                               \
    X(RT_IPC_ERROR, 507022, "ipc error")                                                           \
    X(RT_MODEL_ABORT_NORMAL, 507023, "model abort normal")                                         \
    X(RT_KERNEL_UNREGISTERING, 507024, "kernel unregistering")                                     \
    X(RT_RINGBUFFER_NOT_INIT, 507025, "ringbuffer not init")                                       \
    X(RT_RINGBUFFER_NO_DATA, 507026, "ringbuffer no data")                                         \
    X(RT_KERNEL_LOOKUP, 507027, "kernel lookup")                                                   \
    X(RT_KERNEL_DUPLICATE, 507028, "kernel duplicate")                                             \
    X(RT_DEBUG_REGISTER_FAIL, 507029, "debug register fail")                                       \
    X(RT_DEBUG_UNREGISTER_FAIL, 507030, "debug unregister fail")                                   \
    X(RT_LABEL_CONTEXT, 507031, "label context")                                                   \
    X(RT_PROGRAM_USE_OUT, 507032, "program use out")                                               \
    X(RT_DEV_SETUP_ERROR, 507033, "the device could not be set up")                                \
    X(RT_VECTOR_CORE_TIMEOUT, 507034, "vector core timeout")                                       \
    X(RT_VECTOR_CORE_EXCEPTION, 507035, "vector core exception")                                   \
    X(RT_VECTOR_CORE_TRAP_EXCEPTION, 507036, "vector core trap exception")                         \
    X(RT_CDQ_BATCH_ABNORMAL, 507037, "cdq batch abnormal")                                         \
    X(RT_DIE_MODE_CHANGE_ERROR, 507038, "die mode change error")                                   \
    X(RT_DIE_SET_ERROR, 507039, "die set error")                                                   \
    X(RT_INVALID_DIEID, 507040, "invalid dieid")                                                   \
    X(RT_DIE_MODE_NOT_SET, 507041, "die mode not set")                                             \
    X(RT_AICORE_TRAP_READ_OVERFLOW, 507042, "aicore trap read overflow")                           \
    X(RT_AICORE_TRAP_WRITE_OVERFLOW, 507043, "aicore trap write overflow")                         \
    X(RT_VECTOR_CORE_TRAP_READ_OVERFLOW, 507044, "vector core trap read overflow")                 \
    X(RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW, 507045, "vector core trap write overflow")               \
    X(RT_STREAM_SYNC_TIMEOUT, 507046, "the wait for a stream timed out")                           \
    X(RT_EVENT_SYNC_TIMEOUT, 507047, "the wait for an event timed out")                            \
    X(RT_FFTS_PLUS_TIMEOUT, 507048, "ffts plus timeout")                                           \
    X(RT_FFTS_PLUS_EXCEPTION, 507049, "ffts plus exception")                                       \
    X(RT_FFTS_PLUS_TRAP_EXCEPTION, 507050, "ffts plus trap exception")                             \
    X(RT_SEND_MSG, 507051, "send msg")                                                             \
    X(RT_COPY_DATA, 507052, "data could not be copied")                                            \
    X(RT_DEVICE_MEM_ERROR, 507053, "device mem error")                                             \
    X(RT_HBM_MULTI_BIT_ECC_ERROR, 507054, "hbm multi bit ecc error")                               \
    X(RT_SUSPECT_DEVICE_MEM_ERROR, 507055, "suspect device mem error")                             \
    X(RT_LINK_ERROR, 507056, "link error")                                                         \
    X(RT_SUSPECT_REMOTE_ERROR, 507057, "suspect remote error")                                     \
    X(RT_DRV_INTERNAL_ERROR, 507899, "the driver refused, with no code of its own")                \
    X(RT_AICPU_INTERNAL_ERROR, 507900, "aicpu internal error")                                     \
    X(RT_SOCKET_CLOSE, 507901, "socket close")                                                     \
    X(RT_AICPU_INFO_LOAD_RSP_ERR, 507902, "aicpu info load rsp err")                               \
    X(RT_STREAM_CAPTURE_INVALIDATED, 507903, "an error has invalidated the capture")               \
    X(RT_COMM_OP_RETRY_FAIL, 507904, "comm op retry fail")                                         \
    X(SNAPSHOT_LOCK_TIMEOUT, 507905, "snapshot lock timeout")                                      \
    X(SNAPSHOT_LOCK_FAILED, 507906, "snapshot lock failed")                                        \
    X(SNAPSHOT_UNLOCK_FAILED, 507907, "snapshot unlock failed")                                    \
    X(SNAPSHOT_BACKUP_FAILED, 507908, "snapshot backup failed")                                    \
    X(SNAPSHOT_RESTORE_FAILED, 507909, "snapshot restore failed")                                  \
    X(HOST_MEMORY_ALREADY_REGISTERED, 507910, "the host memory is registered already")             \
    X(HOST_MEMORY_NOT_REGISTERED, 507911, "the host memory is not registered")                     \
    X(SNAPSHOT_CALLBACK_FAILED, 507912, "snapshot callback failed")                                \
    X(SNAPSHOT_REGISTER_CALLBACK_FAILED, 507913, "snapshot register callback failed")              \
    X(RT_L3_PORT_ERROR, 507914, "l3 port error")                                                   \
    X(RT_CCU_TIMEOUT, 507915, "ccu timeout")                                                       \
    X(RT_CCU_EXCEPTION, 507916, "ccu exception")

static const int ACL_SUCCESS = 0;
static const int ACL_ERROR_NONE = 0;
#define ACL_RT_SUCCESS                        0
#define ACL_ERROR_CONSTANT(name, value, text) static const int ACL_ERROR_##name = value;
ACL_ERROR_LIST(ACL_ERROR_CONSTANT)
#undef ACL_ERROR_CONSTANT

#endif
