// SPDX-License-Identifier: Apache-2.0
// The faces that `tarn run` can put in front of a program and `tarn info` can look at: what each is
// called, where its library lies, which settings it reads. A new face is a line in the list and a
// file face_NAME.c. Constant; any thread.
#ifndef TARN_TOOLS_FACES_H
#define TARN_TOOLS_FACES_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

// X(name, library, prefix of its environment variables, levels of compatibility, the setting that
// takes one, sparse, platform, what it is) The levels are digits, "" when there are none. `sparse`:
// it has sparse arrays that can be asked for. `platform`: it shows the devices of a platform.
#define TN_FACE_LIST(X)                                                                            \
    X(hip, "libamdhip64.so.6", "TARN_HIP", "67", "COMPAT", true, true, "HIP's runtime API")        \
    X(acl, "libascendcl.so", "TARN_ACL", "12", "GENERATION", false, true, "AscendCL's runtime")    \
    X(hiai, "libhiai_matrix.so", "TARN_HIAI", "", "", false, false, "HiAI's Matrix")

struct tn_face {
    const char *name;
    const char *library;
    const char *prefix;
    const char *levels;
    const char *level_setting;
    bool sparse;
    bool platform;
    const char *text;
    // What the opened library says of itself: an object with "devices" among others, NULL when
    // memory is out.
    json_t *(*describe)(void *library);
};

// Names of the list in a string literal, for texts.
#define TN_FACE_NAME(name, ...) " " #name
#define TN_FACE_NAMES           TN_FACE_LIST(TN_FACE_NAME)

// NULL when there is none of that name. `length` bytes of `name` count.
const struct tn_face *tn_face_find(const char *name, size_t length);

// Is this one of the face's levels? NULL is none.
bool tn_face_has_level(const struct tn_face *face, const char *level);

// The folder that holds the face's library, found from where this command lies. False: it is not
// there, and `folder` is where it should have been.
bool tn_face_folder(const struct tn_face *face, char folder[PATH_MAX]);

// The same for any library that lies in lib/tarn/PART.
bool tn_library_folder(const char *part, const char *library, char folder[PATH_MAX]);

// "TARN_HIP" and "DEVICE" give "TARN_HIP_DEVICE", in a buffer that the next call uses again.
const char *tn_face_variable(const struct tn_face *face, const char *setting);

// False, with a complaint on standard error, when no backend answers to a device name, so that a
// slip is told before the program starts. "none" is a name too: that of no device.
bool tn_face_device_known(const char *command, const char *uri);

#define TN_FACE_DESCRIBE(name, ...) json_t *tn_face_describe_##name(void *library);
TN_FACE_LIST(TN_FACE_DESCRIBE)
#undef TN_FACE_DESCRIBE

#endif
