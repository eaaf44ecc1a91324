/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/system.h - versions of installed packages, the numbers of devices, and the errors of a
 * device.
 */
#ifndef ACL_DETAIL_SYSTEM_H
#define ACL_DETAIL_SYSTEM_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

#define ACL_PKG_VERSION_MAX_SIZE       128
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64

typedef enum aclCANNPackageName {
    ACL_PKG_NAME_CANN = 0,
    ACL_PKG_NAME_RUNTIME = 1,
    ACL_PKG_NAME_COMPILER = 2,
    ACL_PKG_NAME_HCCL = 3,
    ACL_PKG_NAME_TOOLKIT = 4,
    ACL_PKG_NAME_OPP = 5,
    ACL_PKG_NAME_OPP_KERNEL = 6,
    ACL_PKG_NAME_DRIVER = 7
} aclCANNPackageName;

typedef struct aclCANNPackageVersion {
    char version[ACL_PKG_VERSION_MAX_SIZE];
    char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char reserved[ACL_PKG_VERSION_MAX_SIZE];
} aclCANNPackageVersion;

/*
 * Writes the version of a package, such as "8.5.0", from the line `version` or `Version` of
 * $ASCEND_HOME_PATH/share/info/PACKAGE/version.info; of a name with `-` or `_`, the other one is
 * tried too. Without that variable or that file, the packages "CANN", "runtime", "compiler",
 * "hccl", "toolkit", "opp", "opp-kernel", "driver" and "firmware", in any case of the letters, have
 * the version that this library stands for: 8.5.0, or 8.1.0 in generation 1. versionStr has room
 * for ACL_PKG_VERSION_MAX_SIZE bytes. 100000 if an argument is NULL; 100003 for another package;
 * 500000 if the file has no version of less than 128 bytes.
 */
aclError aclsysGetVersionStr(char *pkgName, char *versionStr);

/*
 * Writes the same version as a number: major x 10000000 + minor x 100000 + patch x 1000, minus 300
 * with a suffix alpha, 200 with beta, or 100 with rc, plus the number behind the suffix. Codes as
 * above; 500000 also for a version of another form.
 */
aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum);

/* Writes the same version with its parts. 100000 if version is NULL or `name` is unknown. */
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version);

/*
 * Translate numbers of devices. The user's number is that of aclrtSetDevice(); it counts the
 * devices that ASCEND_RT_VISIBLE_DEVICES lists. Logical and physical numbers count all devices of
 * the platform and are equal. For the first two functions "logic" means the user's number, as in
 * CANN. 100000 if the output is NULL; 107001 if there is no such device, or the program does not
 * see it.
 */
aclError aclrtGetPhyDevIdByLogicDevId(int32_t logicDevId, int32_t *phyDevId);
aclError aclrtGetLogicDevIdByPhyDevId(int32_t phyDevId, int32_t *logicDevId);
aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevId, int32_t *logicDevId);
aclError aclrtGetUserDevIdByLogicDevId(int32_t logicDevId, int32_t *userDevId);
aclError aclrtGetPhyDevIdByUserDevId(int32_t userDevId, int32_t *phyDevId);
aclError aclrtGetUserDevIdByPhyDevId(int32_t phyDevId, int32_t *userDevId);

typedef enum aclrtErrorType {
    ACL_RT_NO_ERROR = 0,
    ACL_RT_ERROR_MEMORY = 1,
    ACL_RT_ERROR_L2 = 2,
    ACL_RT_ERROR_AICORE = 3,
    ACL_RT_ERROR_LINK = 4,
    ACL_RT_ERROR_L3_PORT = 5,
    ACL_RT_ERROR_OTHERS = 0xFFFF
} aclrtErrorType;

typedef enum aclrtAicoreErrorType {
    ACL_RT_AICORE_ERROR_UNKNOWN = 0,
    ACL_RT_AICORE_ERROR_SW = 1,
    ACL_RT_AICORE_ERROR_HW_LOCAL = 2
} aclrtAicoreErrorType;

#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20

typedef struct aclrtMemUceInfoArray {
    size_t arraySize;
    aclrtMemUceInfo memUceInfoArray[ACL_RT_MEM_UCE_INFO_MAX_NUM];
} aclrtMemUceInfoArray;

typedef union aclrtErrorInfoDetail {
    aclrtMemUceInfoArray uceInfo;
    aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;

typedef struct aclrtErrorInfo {
    uint8_t tryRepair;
    uint8_t hasDetail;
    aclrtErrorType errorType;
    aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

/*
 * Writes the error of a device's hardware: none, with all bytes 0, because Tarn's devices have no
 * such errors. 100000 if errorInfo is NULL; 107001.
 */
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo);

/*
 * Repairs such an error. 100000 if errorInfo is NULL; 107001; 207000 if errorType is not
 * ACL_RT_NO_ERROR.
 */
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo);

ACL_EXTERN_C_END
#endif
