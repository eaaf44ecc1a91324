// SPDX-License-Identifier: Apache-2.0
// The part of `tarn info` that looks at a face instead of the backends. One thread.
#ifndef TARN_TOOLS_INFO_H
#define TARN_TOOLS_INFO_H

#include <jansson.h>

struct tn_face;

// The face's library and what it shows with the environment's settings, or with `device` when that
// is not NULL: an object, with "error" when the library or its devices cannot be used.
json_t *tn_info_face(const struct tn_face *face, const char *device);

void tn_info_print_face(const json_t *face);

#endif
