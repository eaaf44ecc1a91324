/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/tarn.h
 * The API for programs. It will be frozen; docs/versions.md says when.
 *
 * Headers that may change in every release are not included: tarn/channel.h (memory between
 * processes), tarn/snapshot.h (snapshots of pools), tarn/fault.h (stray accesses of the CPU),
 * tarn/software.h and tarn/array.h (functions that only software devices have), tarn/face.h (for
 * libraries in front of Tarn, and for tools) and tarn/backend.h (for authors of back-ends).
 */
#ifndef TARN_TARN_H
#define TARN_TARN_H

#include <tarn/address.h>
#include <tarn/annotate.h>
#include <tarn/base.h>
#include <tarn/copy.h>
#include <tarn/device.h>
#include <tarn/host.h>
#include <tarn/map.h>
#include <tarn/memory.h>
#include <tarn/phys.h>
#include <tarn/plan.h>
#include <tarn/pool.h>
#include <tarn/rule.h>
#include <tarn/space.h>
#include <tarn/stats.h>
#include <tarn/stream.h>

#endif
