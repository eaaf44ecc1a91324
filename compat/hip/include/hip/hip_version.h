/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_version.h - the version of HIP whose ABI these headers describe: that of ROCm 6.3.4.
 * hipRuntimeGetVersion() of libamdhip64.so.6 returns it; that of libamdhip64.so.7 returns a 7.2.
 */
#ifndef HIP_HIP_VERSION_H
#define HIP_HIP_VERSION_H

#define HIP_VERSION_MAJOR    6
#define HIP_VERSION_MINOR    3
#define HIP_VERSION_PATCH    42134
#define HIP_VERSION_GITHASH  "tarn"
#define HIP_VERSION_BUILD_ID 0

#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

/* Defined by the headers of Tarn: code that sees it may use the functions named hipExt... that the
 * headers describe as extensions of Tarn. */
#define HIP_TARN 1

#endif
