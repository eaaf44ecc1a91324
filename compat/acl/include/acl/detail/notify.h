/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/notify.h - notifies: one bit that streams set and wait for, also those of other
 * processes.
 *
 * All functions return 107002 without a current context, 107000 for a notify that does not exist,
 * and 100000 for a NULL argument other than a stream. Those with a stream return the codes of
 * detail/stream.h, and 207000 on a platform without conditions in streams.
 */
#ifndef ACL_DETAIL_NOTIFY_H
#define ACL_DETAIL_NOTIFY_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

#define ACL_NOTIFY_DEFAULT         0x00000000U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U

#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT                0x0UL
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x2UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT                0x0UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS     0x2UL

/*
 * Creates a notify on the current device, not set. The flag ACL_NOTIFY_DEVICE_USE_ONLY has no
 * effect. 107000 for another flag; 207009 if the device has 8192 of this process; 200000.
 */
aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag);

/* Destroys a notify. Work that uses it continues. The bit lives until each process has done so. */
aclError aclrtDestroyNotify(aclrtNotify notify);

/* Sets the bit when the stream reaches this point. */
aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

/*
 * Makes later work of the stream wait until the bit is set, and clears it then: one record lets one
 * wait pass. `timeout` is in seconds, and 0 means no limit. When it expires, the stream fails, and
 * waits for the stream return 107019. 107000 for a stream of another device than the notify's.
 */
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);

/* Writes a small number that no other notify of the process has at the same time. */
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId);

/*
 * Clears the bits of `num` notifies, in order, up to the first that does not exist. 107000 if num is
 * 0 or an entry is NULL; then no bit is cleared.
 */
aclError aclrtNotifyBatchReset(aclrtNotify *notifies, size_t num);

/*
 * Writes a key of a notify, a text of up to 64 bytes and its zero, that other processes can import.
 * Only processes of aclrtNotifySetImportPid() may, unless the flag
 * ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION is given. Every export gives the same key.
 * 107000 if len is less than 65, for an unknown flag, and for an imported notify; 207005 if no file
 * descriptors are left: an exported notify keeps one.
 */
aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len, uint64_t flags);

/* Lets `num` processes import. 107000 if the notify was not exported, or num is 0, or a pid is not
 * positive. */
aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num);

/*
 * Makes a notify for the bit of a key, on the current device. In the exporting process it is a
 * second notify for the same bit. A wait must be on the device where the bit was made. The flag
 * ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS has no effect, because access is granted with and
 * without it. 107000 if `flags` is greater than 3, or for an unknown key; 207006 if this process
 * may not import it.
 */
aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags);

/*
 * ---- not supported: notifies between machines, and counters in place of bits, which only
 * Ascend950 has. These functions return 207000.
 */
typedef struct aclrtServerPid {
    uint32_t sdid;
    int32_t *pid;
    size_t num;
} aclrtServerPid;

typedef enum aclrtCntNotifyRecordMode {
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
    ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4
} aclrtCntNotifyRecordMode;

typedef struct aclrtCntNotifyRecordInfo {
    aclrtCntNotifyRecordMode mode;
    uint32_t value;
} aclrtCntNotifyRecordInfo;

typedef enum aclrtCntNotifyWaitMode {
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4
} aclrtCntNotifyWaitMode;

typedef struct aclrtCntNotifyWaitInfo {
    aclrtCntNotifyWaitMode mode;
    uint32_t value;
    uint32_t timeout;
    uint8_t isClear;
    uint8_t rsv[3];
} aclrtCntNotifyWaitInfo;

aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids,
                                            size_t num);
aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag);
aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);
aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
                              aclrtCntNotifyRecordInfo *info);
aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
                                       aclrtCntNotifyWaitInfo *info);
aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);
aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId);

ACL_EXTERN_C_END
#endif
