// SPDX-License-Identifier: Apache-2.0
// Frames of an interpreter, which the recorder cannot see on the stack of the machine. The interpreter's
// package (python/tarn/frames.py) finds the two functions by name, defines each stack once, and enters
// it around the calls of native code. Any thread may call.
#pragma once

#include <stdint.h>

enum { TN_RECORD_FRAMES = 1 << 18 };

// Keeps a stack of the interpreter: three lines for each frame, innermost first: the function, the file
// and the number of the line. Returns its number, or 0 if there is no room.
uint32_t tarn_record_frames_define(const char *text);

// Makes a stack that of the calling thread; 0 is none. Returns the one before, to be entered again.
uint32_t tarn_record_frames_enter(uint32_t number);

// Returns the number of the calling thread's stack, or 0.
uint32_t tn_record_frames_current(void);

// Returns the text of a stack.
const char *tn_record_frames_text(uint32_t number);
