/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/device_types.h - the ways to round a number.
 */
#ifndef HIP_DEVICE_TYPES_H
#define HIP_DEVICE_TYPES_H

enum hipRoundMode { hipRoundNearest, hipRoundZero, hipRoundPosInf, hipRoundMinInf };
typedef enum hipRoundMode hipRoundMode;

#endif
