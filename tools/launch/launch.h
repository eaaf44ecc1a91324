// SPDX-License-Identifier: Apache-2.0
// Prepares the start of a program with faces in place of vendors' libraries, for all commands that
// start one. Only the program's environment changes. One thread.
#pragma once

#include "tools/arguments.h"
#include "tools/command.h"
#include "tools/launch/faces.h"

enum { TN_LAUNCH_FACES = 8 };

// The exit codes of commands that start a program: those of shells and env(1), which programs avoid,
// and one that no common program has, if no process of the program did what the command is for.
enum {
    TN_LAUNCH_NOTHING = 122,
    TN_LAUNCH_FAILED = 125,
    TN_LAUNCH_NOT_RUNNABLE = 126,
    TN_LAUNCH_NOT_FOUND = 127
};

// The exit status of a command whose program ran, for its help.
#define TN_LAUNCH_EXIT_HELP                                                                        \
    "that of PROGRAM, or 128 and the number of the signal that ended it; 121 if host memory is "   \
    "exhausted; 122 if PROGRAM succeeded and used nothing of Tarn, so that this command did "      \
    "nothing; 125 for invalid input, or if tarn itself failed; 126 if PROGRAM cannot be "          \
    "executed; 127 if it is not found."

struct tn_launch {
    const struct tn_face *faces[TN_LAUNCH_FACES];
    size_t face_count;
    const char *device;
    const char *level;
    const char *machine;
    bool sparse;
    bool log;
    char fail[2048];  // as in TARN_FAIL
    char quirks[512]; // as in TARN_QUIRK
    char delays[512]; // as in TARN_DELAY
    char **command;   // the program and its arguments
};

// The options that select and configure faces, as the shared options of a command line: `launch` is a
// field of the command's input.
extern const struct tn_arg_table tn_launch_options;
#define TN_STARTS(type, launch)                                                                    \
    &tn_launch_options, offsetof(type, launch), "A face, as for `tarn run`:", 2,                   \
        TN_REST(type, launch.command, "a program")

// Reports NAME or NAME:VALUE, at most `room` bytes of it, if no quirk has that name.
void tn_launch_check_quirk(const char *quirk, size_t room, struct argp_state *state);

// Sets the environment for the faces. Returns false, with a message, if a library or a
// device does not exist.
bool tn_launch_prepare(const struct tn_launch *launch);

// Gives the next program a machine of its own, unless the user named one. Returns false with errno.
bool tn_launch_renew_machine(void);

// Prints why the system failed the command before its program runs, as errno tells. Ends the process
// if host memory is exhausted, else returns false.
bool tn_launch_refuse(void);

// Warns of reasons why a face has no effect, then replaces this process by the program. Returns an
// exit code if that fails.
int tn_launch_exec(const struct tn_launch *launch);
