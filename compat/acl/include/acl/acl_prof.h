/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_prof.h - marks and ranges for a profiler. Tarn has no AscendCL profiler, so they have no
 * effect. The functions that start one, and that read its results, return 207000 and are not
 * declared here. (For marks that `tarn check` shows, see mstx.)
 *
 * 100000 for a stamp that does not exist, and for a NULL argument other than a stream.
 */
#ifndef ACL_ACL_PROF_H
#define ACL_ACL_PROF_H

#include <acl/acl_base.h>

ACL_EXTERN_C_BEGIN

/* Creates a stamp, or returns NULL without host memory. Destroys it. */
ACL_FUNC_VISIBILITY void *aclprofCreateStamp(void);
ACL_FUNC_VISIBILITY void aclprofDestroyStamp(void *stamp);

/* Describe a category, or a stamp. Lengths are in bytes. */
ACL_FUNC_VISIBILITY aclError aclprofSetCategoryName(uint32_t category, const char *categoryName);
ACL_FUNC_VISIBILITY aclError aclprofSetStampCategory(void *stamp, uint32_t category);
ACL_FUNC_VISIBILITY aclError aclprofSetStampPayload(void *stamp, int32_t type, void *value);
ACL_FUNC_VISIBILITY aclError aclprofSetStampTraceMessage(void *stamp, const char *msg,
                                                         uint32_t msgLen);
ACL_FUNC_VISIBILITY aclError aclprofSetStampTagName(void *stamp, const char *tagName, uint16_t len);
ACL_FUNC_VISIBILITY aclError aclprofSetStampCallStack(void *stamp, const char *callStack,
                                                      uint32_t len);

/* Mark a point in time, of the calling thread or of a stream. */
ACL_FUNC_VISIBILITY aclError aclprofMark(void *stamp);
ACL_FUNC_VISIBILITY aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

/* The attributes of a range. */
typedef struct aclprofEventAttributes {
    uint16_t version;
    uint16_t size;
    uint32_t messageType;
    const char *message;
} aclprofEventAttributes;

/* Begin and end ranges that nest within a thread. 100000 for an end without a begin. */
ACL_FUNC_VISIBILITY aclError aclprofPush(void *stamp);
ACL_FUNC_VISIBILITY aclError aclprofPop(void);
ACL_FUNC_VISIBILITY aclError aclprofRangePushEx(aclprofEventAttributes *attr);
ACL_FUNC_VISIBILITY aclError aclprofRangePop(void);

/* Begin and end a range of any threads. 100000 for a range that was not started. */
ACL_FUNC_VISIBILITY aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);
ACL_FUNC_VISIBILITY aclError aclprofRangeStop(uint32_t rangeId);

ACL_EXTERN_C_END
#endif
