/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_prof.h - marks and ranges for a profiler. Tarn has no AscendCL profiler, so they have no
 * effect. The functions that start one, and that read its results, return 207000. (For marks that
 * `tarn check` shows, see mstx.)
 *
 * 100000 for a stamp that does not exist, and for a NULL argument other than a stream.
 */
#ifndef ACL_ACL_PROF_H
#define ACL_ACL_PROF_H

#include <acl/acl_base.h>

ACL_EXTERN_C_BEGIN

/* Creates a stamp, or returns NULL without host memory. Destroys it. */
void *aclprofCreateStamp(void);
void aclprofDestroyStamp(void *stamp);

/* Describe a category, or a stamp. Lengths are in bytes. */
aclError aclprofSetCategoryName(uint32_t category, const char *categoryName);
aclError aclprofSetStampCategory(void *stamp, uint32_t category);
aclError aclprofSetStampPayload(void *stamp, int32_t type, void *value);
aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen);
aclError aclprofSetStampTagName(void *stamp, const char *tagName, uint16_t len);
aclError aclprofSetStampCallStack(void *stamp, const char *callStack, uint32_t len);

/* Mark a point in time, of the calling thread or of a stream. */
aclError aclprofMark(void *stamp);
aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

/* The attributes of a range. */
typedef struct aclprofEventAttributes {
    uint16_t version;
    uint16_t size;
    uint32_t messageType;
    const char *message;
} aclprofEventAttributes;

/* Begin and end ranges that nest within a thread. 100000 for an end without a begin. */
aclError aclprofPush(void *stamp);
aclError aclprofPop(void);
aclError aclprofRangePushEx(aclprofEventAttributes *attr);
aclError aclprofRangePop(void);

/* Begin and end a range of any threads. 100000 for a range that was not started. */
aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);
aclError aclprofRangeStop(uint32_t rangeId);

/*
 * ---- not supported. These functions return 207000; those that return an object or a number return
 * NULL or 0. aclGetRecentErrMsg() then names them.
 */
typedef struct aclprofConfig aclprofConfig;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;
typedef struct aclprofStepInfo aclprofStepInfo;
typedef struct aclprofAicoreEvents aclprofAicoreEvents;

typedef enum aclprofAicoreMetrics {
    ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
    ACL_AICORE_PIPE_UTILIZATION = 1,
    ACL_AICORE_MEMORY_BANDWIDTH = 2,
    ACL_AICORE_L0B_AND_WIDTH = 3,
    ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
    ACL_AICORE_MEMORY_UB = 5,
    ACL_AICORE_L2_CACHE = 6,
    ACL_AICORE_NONE = 0xFF
} aclprofAicoreMetrics;

typedef enum aclprofStepTag { ACL_STEP_START = 0, ACL_STEP_END = 1 } aclprofStepTag;

aclError aclprofInit(const char *profilerResultPath, size_t length);
aclError aclprofFinalize(void);
aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents *aicoreEvents,
                                   uint64_t dataTypeConfig);
aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);
aclError aclprofSetConfig(int configType, const char *config, size_t configLength);
aclError aclprofStart(const aclprofConfig *profilerConfig);
aclError aclprofStop(const aclprofConfig *profilerConfig);

aclprofStepInfo *aclprofCreateStepInfo(void);
void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo);
aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream);
uint64_t aclprofStr2Id(const char *message);

aclprofSubscribeConfig *aclprofCreateSubscribeConfig(int8_t timeInfoSwitch,
                                                     aclprofAicoreMetrics aicoreMetrics, void *fd);
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig);
aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig);
aclError aclprofModelUnSubscribe(uint32_t modelId);

/* Readers of the operator with that index among `opInfoLen` bytes of a subscription. */
aclError aclprofGetOpDescSize(size_t *opDescSize);
aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen, uint32_t *opNumber);
aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen, uint32_t index,
                             size_t *opTypeLen);
aclError aclprofGetOpType(const void *opInfo, size_t opInfoLen, uint32_t index, char *opType,
                          size_t opTypeLen);
aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen, uint32_t index,
                             size_t *opNameLen);
aclError aclprofGetOpName(const void *opInfo, size_t opInfoLen, uint32_t index, char *opName,
                          size_t opNameLen);
uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen, uint32_t index);
uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index);
uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen, uint32_t index);
size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index);
int aclprofGetOpFlag(const void *opInfo, size_t opInfoLen, uint32_t index);
const char *aclprofGetOpAttriValue(const void *opInfo, size_t opInfoLen, uint32_t index, int attri);

ACL_EXTERN_C_END
#endif
