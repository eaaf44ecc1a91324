// SPDX-License-Identifier: Apache-2.0
// Reads a pickle that holds plain data only: dict, list, tuple, int, float, bool, None, str and
// bytes, with shared references. Every opcode that would name, build or run anything is refused by
// its name.
#ifndef TARN_TRACE_PICKLE_H
#define TARN_TRACE_PICKLE_H

#include "trace/source.h"
#include "trace/value.h"

// Reads from the source's beginning to its end. TARN_UNSUPPORTED for a refused opcode, TARN_CORRUPT
// for damage, TARN_NO_HOST_MEMORY at the limit of the values; the last error names file and byte.
tarn_status tn_pickle_read(struct tn_source *source, struct tn_values *values, tn_value *root);

#endif
