/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/fail.h
 * Failures on request, for libraries that have public functions of their own over Tarn.
 *
 * A user names calls in the environment variable TARN_FAIL, such as "hipMemMap:3", and these calls
 * fail; docs/failures.md describes the specs. Tarn's own functions and back-ends need nothing from
 * here. A library that begins its functions with tarn_fail_point() lets users name them as well.
 * Any thread may call these functions.
 */
#ifndef TARN_FAIL_H
#define TARN_FAIL_H

#include <tarn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns false if no call of this process can be made to fail. The result does not change while
 * the process lives, so a caller may keep it.
 */
TARN_API bool tarn_fail_asked(void);

/**
 * Counts a call and decides whether it fails. Call it before the function has done anything.
 *
 * @param name the function's name, as users write it
 * @param as   receives the text behind "as=" if that is not the name of a status; without "as=" the
 *             error that the manual of a function of HIP, CUDA, AscendCL or HiAI lists; else NULL.
 *             It stays valid until the process ends; may be NULL; written on failure only
 * @retval TARN_OK the call goes on
 * @retval TARN_BAD_CONFIG TARN_FAIL cannot be understood; every call fails
 * @return otherwise the status that the user chose, or TARN_NO_DEVICE_MEMORY: the call is to fail
 *         with it, or with the caller's own code for it. tarn_last_error() has the text.
 */
TARN_API tarn_status tarn_fail_point(const char *name, const char **as);

#ifdef __cplusplus
}
#endif
#endif
