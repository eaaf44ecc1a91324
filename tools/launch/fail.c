// SPDX-License-Identifier: Apache-2.0
// See fail.h. Names of faces are looked up in the faces' libraries, so that a typing error is found
// before the program starts.
#include <stdio.h>
#include <string.h>

#include "fail/spec.h"
#include "tools/launch/faces.h"
#include "tools/launch/fail.h"

static bool check_face_spec(const struct tn_fail_spec *spec, char *why, size_t room) {
    const struct tn_face *face = tn_face_of_function(spec->name);
    bool known = face != NULL && (spec->as[0] == '\0' || face->has_error(spec->as));
    if (face == NULL)
        (void)snprintf(why, room, "fail: \"%s\": \"%s\": no face has this function", spec->text,
                       spec->name);
    else if (!known)
        (void)snprintf(why, room, "fail: \"%s\": \"as=%s\": %s has no such error", spec->text,
                       spec->as, face->text);
    return known;
}

bool tn_fail_check(const char *specs, char *why, size_t room) {
    static struct tn_fail_set set;
    tarn_error error;
    if (tn_fail_parse(specs, &tn_fail_process, &set) != TARN_OK) {
        (void)tarn_last_error(&error);
        (void)snprintf(why, room, "%s", error.message);
        return false;
    }
    for (unsigned i = 0; i < set.count; i++)
        if (set.specs[i].face && !check_face_spec(&set.specs[i], why, room)) return false;
    return true;
}
