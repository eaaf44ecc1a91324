// SPDX-License-Identifier: Apache-2.0
// Reads a pickle that contains plain data only: dict, list, tuple, int, float, bool, None, str and
// bytes, with shared references. Every opcode that would name, build or run code is refused by
// name.
#pragma once

#include "trace/parse/source.h"
#include "trace/parse/value.h"

// Reads the source from beginning to end. Returns TARN_UNSUPPORTED for a refused opcode,
// TARN_CORRUPT for damage, or TARN_NO_HOST_MEMORY at the limit of the values. The last error names
// file and byte.
tarn_status tn_pickle_read(struct tn_source *source, struct tn_values *values, tn_value *root);
