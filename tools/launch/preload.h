// SPDX-License-Identifier: Apache-2.0
// Libraries that are preloaded into a program. Those of a face are if programs would find the
// vendor's in other folders: in an RPATH, or by a path. One thread.
#pragma once

#include "tools/launch/faces.h"

// Adds a library in front of LD_PRELOAD. Returns false if out of memory.
bool tn_preload_library(const char *library);

// Returns false, with a message, if the program or a library that it links contains the vendor's own
// runtime, which cannot work with the face. Prints a warning instead for libraries of the vendor.
bool tn_preload_allows(const char *program);

// Adds the face's libraries in `folder` to LD_PRELOAD. Of libraries that differ in their number, it
// adds that of the level, else that which the program's file links, else all. Returns false if out of
// memory.
bool tn_preload_face(const struct tn_face *face, const char *folder, const char *level,
                     const char *program);
