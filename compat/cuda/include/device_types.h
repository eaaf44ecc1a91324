/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_types.h - the ways to round a number.
 */
#ifndef DEVICE_TYPES_H
#define DEVICE_TYPES_H

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
