/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/dvpp/hi_mpi_sys.h - the media system of the second generation, and its memory. The functions
 * that process images are absent.
 */
#ifndef ACL_DVPP_HI_MPI_SYS_H
#define ACL_DVPP_HI_MPI_SYS_H

#include <acl/dvpp/hi_media_common.h>

ACL_EXTERN_C_BEGIN

/* Starts the media system of the process. Starting it again succeeds. Always returns HI_SUCCESS. */
hi_s32 hi_mpi_sys_init(hi_void);

/*
 * Stops the media system. Its memory stays until it is freed. HI_ERR_SYS_NOT_READY if it is not
 * started.
 */
hi_s32 hi_mpi_sys_exit(hi_void);

/* Writes the version of these functions, 1.0.0. HI_ERR_SYS_NULL_PTR if an argument is NULL. */
hi_s32 hi_mpi_dvpp_get_version(hi_s32 *major_version, hi_s32 *minor_version, hi_s32 *patch_version);

/*
 * Allocates media memory of the current context's device, as acldvppMalloc() does. `dev_id` is
 * ignored. The media system need not be started. HI_ERR_SYS_NULL_PTR; HI_ERR_SYS_ILLEGAL_PARAM if
 * size is 0 or too large; HI_ERR_SYS_NOT_READY if there is no current context; HI_ERR_SYS_NO_MEM
 * if no huge pages are left. aclGetRecentErrMsg() returns the reason.
 */
hi_s32 hi_mpi_dvpp_malloc(hi_u32 dev_id, hi_void **dev_ptr, hi_u64 size);

/*
 * Frees memory of hi_mpi_dvpp_malloc() without waiting for streams. HI_ERR_SYS_NULL_PTR;
 * HI_ERR_SYS_ILLEGAL_PARAM if it is not the start of such memory or is freed already.
 */
hi_s32 hi_mpi_dvpp_free(hi_void *dev_ptr);

ACL_EXTERN_C_END
#endif
