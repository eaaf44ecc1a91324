// SPDX-License-Identifier: Apache-2.0
// A launch: a program that is started with faces in front of the libraries they stand for. Only the
// program's environment changes. What `tarn run` and `tarn check` share. One thread.
#ifndef TARN_TOOLS_LAUNCH_H
#define TARN_TOOLS_LAUNCH_H

#include <argp.h>

#include "faces.h"

enum { TN_LAUNCH_FACES = 8 };

// The codes that shells and env(1) use, so that they are not mistaken for the program's own.
enum { TN_LAUNCH_FAILED = 125, TN_LAUNCH_NOT_RUNNABLE = 126, TN_LAUNCH_NOT_FOUND = 127 };

struct tn_launch {
    const struct tn_face *faces[TN_LAUNCH_FACES];
    size_t face_count;
    const char *device;
    const char *level;
    bool sparse;
    bool log;
    char **command; // the program and its arguments
};

// The options that choose and set up faces, for the children of a command's parser; its input is a
// struct tn_launch.
extern const struct argp tn_launch_argp;

// What the command's own parser does with the program and its arguments. False: the key is another.
bool tn_launch_parse_program(struct tn_launch *launch, int key, struct argp_state *state);

// Puts the faces into the environment. False, with a complaint in the name of `command`: a library
// or a device is not there.
bool tn_launch_prepare(const struct tn_launch *launch, const char *command);

// Becomes the program, after warnings of what would keep a face from taking effect. Returns an exit
// code when it cannot.
int tn_launch_exec(const struct tn_launch *launch, const char *command);

#endif
