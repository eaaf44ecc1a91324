/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/tarn.h
 * The complete public API, except tarn/backend.h, which is for authors of backends.
 */
#ifndef TARN_TARN_H
#define TARN_TARN_H

#include <tarn/address.h>
#include <tarn/annotate.h>
#include <tarn/array.h>
#include <tarn/base.h>
#include <tarn/channel.h>
#include <tarn/copy.h>
#include <tarn/device.h>
#include <tarn/fail.h>
#include <tarn/fault.h>
#include <tarn/host.h>
#include <tarn/map.h>
#include <tarn/memory.h>
#include <tarn/phys.h>
#include <tarn/plan.h>
#include <tarn/pool.h>
#include <tarn/rule.h>
#include <tarn/snapshot.h>
#include <tarn/space.h>
#include <tarn/stats.h>
#include <tarn/stream.h>

#endif
