/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_version.h - the version of HIP whose ABI this library answers: 6.3. What
 * hipRuntimeGetVersion() returns.
 */
#ifndef HIP_HIP_VERSION_H
#define HIP_HIP_VERSION_H

#define HIP_VERSION_MAJOR    6
#define HIP_VERSION_MINOR    3
#define HIP_VERSION_PATCH    0
#define HIP_VERSION_GITHASH  "tarn"
#define HIP_VERSION_BUILD_ID 0

#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

/* Says that these headers and this library are Tarn's: code built against them may use what is
 * named hipExt...  in the headers and marked as Tarn's. */
#define HIP_TARN 1

#endif
