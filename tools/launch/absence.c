// SPDX-License-Identifier: Apache-2.0
// Explains programs that never loaded Tarn; see absence.h. The reasons are read from the file of the program,
// as far as they show there: a library that its libraries or dlopen() would load does not.
#include "tools/launch/absence.h"

#include <stdio.h>
#include <unistd.h>

#include "tools/launch/image.h"
#include "tools/launch/messages.h"
#include "tools/launch/program.h"

enum { REASON = PATH_MAX + 512 };

// A program links a library of a name that the face has, with another number.
static void explain_number(const struct tn_face *face, const char *program, const char *needed,
                           char *reason) {
    int length = snprintf(reason, REASON, "%s links %s, and the face replaces", program, needed);
    const char *before = "";
    for (const char *library = face->library; *library != '\0';
         library = tn_face_next_library(library)) {
        if (strncmp(library, needed, tn_face_library_stem(library)) != 0) continue;
        length += snprintf(reason + length, REASON - (size_t)length, "%s %s", before, library);
        before = " and";
    }
    (void)snprintf(reason + length, REASON - (size_t)length, ". Link it again");
}

// A program links the library that the face replaces, and did not get that of the face.
static void explain_face(const struct tn_launch *launch, const struct tn_face *face,
                         const char *program, const char *needed, char *reason) {
    bool served = tn_face_has_library(face, needed), is_selected = false;
    for (size_t i = 0; i < launch->face_count; i++)
        is_selected = is_selected || launch->faces[i] == face;
    if (!is_selected)
        (void)snprintf(reason, REASON, "%s links %s, %s. Start it with --as %s", program, needed,
                       launch->face_count > 0 ? "which another face than the chosen one replaces"
                                              : "and no face was chosen that replaces it",
                       face->name);
    else if (!served)
        explain_number(face, program, needed, reason);
    else if (face->preloaded)
        (void)snprintf(reason, REASON, "%s links %s and made no call of it that needs a device",
                       program, needed);
    else
        (void)snprintf(reason, REASON,
                       "%s links %s and loads it from another folder. `LD_DEBUG=libs` shows the "
                       "folder; remove the RPATH that leads there",
                       program, needed);
}

// Returns false if the file links no library that a face replaces.
static bool explain_image(const struct tn_launch *launch, const char *program, char *reason) {
    struct tn_image image;
    const struct tn_face *face = NULL;
    const char *needed = NULL;
    if (!tn_image_open(&image, program)) return false;
    for (unsigned nth = 0; face == NULL && (needed = tn_image_text(&image, DT_NEEDED, nth)) != NULL;
         nth++)
        face = tn_face_of_library(needed);
    if (face != NULL) explain_face(launch, face, program, needed, reason);
    tn_image_close(&image);
    return face != NULL;
}

bool tn_absence_list_calls(const struct tn_launch *launch, const char *word) {
    const struct tn_messages *messages = tn_messages();
    if (messages->count == 0) return false;
    (void)tn_complain("%s: %s opened no device, and calls of it failed:", word, *launch->command);
    for (unsigned i = 0; i < messages->count; i++) (void)tn_complain("  %s", messages->calls[i]);
    return true;
}

void tn_absence_explain(const struct tn_launch *launch, const char *nothing) {
    const char *program = *launch->command;
    char path[PATH_MAX], reason[REASON];
    if (!tn_program_locate(program, path) || access(path, X_OK) != 0) return;
    if (!tn_messages()->opened && tn_absence_list_calls(launch, nothing)) return;
    if (tn_messages()->loaded && !tn_messages()->alone)
        (void)snprintf(reason, REASON,
                       "%s loads Tarn and made no call that uses memory. Start it so that it does",
                       program);
    else if (!tn_program_is_closed(path, reason, REASON) && !explain_image(launch, path, reason))
        (void)snprintf(reason, REASON,
                       "no process of %s loaded Tarn. Start a program for HIP, CUDA, AscendCL or "
                       "HiAI with --as hip, cuda, acl or hiai; link any other with libtarn",
                       program);
    (void)tn_complain("%s: %s", nothing, reason);
}
