/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_dump.h - dumps of the data of operators. Tarn has no operators. Every function here returns
 * 207000, or NULL where it returns a text, and aclGetRecentErrMsg() then names it.
 */
#ifndef ACL_ACL_DUMP_H
#define ACL_ACL_DUMP_H

#include <acl/acl_base.h>

#define ACL_DUMP_API  __attribute__((visibility("default")))
#define ACL_DUMP_WEAK __attribute__((weak))

ACL_EXTERN_C_BEGIN

#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_DUMP_MAX_SHAPE_NUM        25
#define ACL_OP_DUMP_OP_AICORE_ARGS    0x1U

/* A part of a file, with its bytes behind it. */
typedef struct acldumpChunk {
    char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
    uint32_t bufLen;
    uint32_t isLastChunk;
    int64_t offset;
    int32_t flag;
    __extension__ uint8_t dataBuf[0];
} acldumpChunk;

typedef enum acldumpType {
    AIC_ERR_BRIEF_DUMP = 1,
    AIC_ERR_NORM_DUMP = 2,
    AIC_ERR_DETAIL_DUMP = 3,
    DATA_DUMP = 4,
    OVERFLOW_DUMP = 5
} acldumpType;

typedef enum acldumpTensorType {
    ACL_DUMP_TENSOR_INPUT = 0,
    ACL_DUMP_TENSOR_OUTPUT = 1,
    ACL_DUMP_TENSOR_WORKSPACE = 2
} acldumpTensorType;

typedef enum acldumpTensorAddressType {
    ACL_DUMP_ADDR_PTR = 0,
    ACL_DUMP_ADDR_PTR_PTR = 1,
    ACL_DUMP_ADDR_RAW = 2
} acldumpTensorAddressType;

typedef enum acldumpTensorPlacement {
    ACL_DUMP_PLACEMENT_DEVICE = 0,
    ACL_DUMP_PLACEMENT_HOST = 1,
    ACL_DUMP_PLACEMENT_END = 2
} acldumpTensorPlacement;

typedef struct acldumpTensorInfo {
    acldumpTensorType type;
    size_t tensorSize;
    int32_t format;
    int32_t dataType;
    int64_t *tensorAddr;
    acldumpTensorAddressType addrType;
    acldumpTensorPlacement placement;
    uint32_t argsOffset;
    uint32_t shapeNum;
    uint32_t originShapeNum;
    uint64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
    uint64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;

aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk *, int32_t),
                            int32_t flag);
void acldumpUnregCallback(void);
aclError aclopStartDumpArgs(uint32_t dumpType, const char *path);
aclError aclopStopDumpArgs(uint32_t dumpType);
const char *acldumpGetPath(acldumpType dumpType);
aclError acldumpSaveExceptionInfo(const char *fileName, const char *userTag,
                                  const acldumpTensorInfo *tensors, size_t tensorCount);
aclError acldumpGetExceptionInfoPath(char *path, size_t maxLen);

ACL_EXTERN_C_END
#endif
