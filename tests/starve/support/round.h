// SPDX-License-Identifier: Apache-2.0
// A program of the sweep is a round: it opens, uses and closes everything of one interface. The
// harness runs it in a child for each point: once with the call at that point failing, then twice
// without. The first round succeeds or returns a shortage; the others succeed; and afterwards
// everything is back: descriptors, mappings of Tarn's files, and blocks of libc.
#pragma once

#include <stdbool.h>

// The result of a step: success, a shortage, or any other failure.
enum starve_kind { STARVE_DONE, STARVE_SHORT, STARVE_WRONG };

// Implemented by the program. Returns STARVE_WRONG at once if a step fails in a wrong way or leaves
// something behind, with a line on standard error; else undoes everything.
enum starve_kind starve_round(void);

// Makes a call that fails, so that the buffers of error texts exist whether or not the first round
// failed.
void starve_provoke(void);

// Returns true if a call has failed in this round, so that nothing need come of a wait.
bool starve_has_failed(void);

// Classifies a failed step, and prints it if it is no shortage.
enum starve_kind starve_classify(bool is_shortage, const char *step, const char *name);
