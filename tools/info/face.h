// SPDX-License-Identifier: Apache-2.0
// The part of `tarn info` that describes a face instead of the back-ends. One thread.
#pragma once

#include <jansson.h>

struct tn_face;

// Describes the face's library with the settings of the environment, or with `device` and the level
// of compatibility `level` if they are not NULL. The object has an "error" if the library or its
// devices cannot be used.
json_t *tn_info_face(const struct tn_face *face, const char *device, const char *level);

void tn_info_print_face(const json_t *face);
