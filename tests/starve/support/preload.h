// SPDX-License-Identifier: Apache-2.0
// The marks of preload.c. A program that was started without it has none of these functions.
#pragma once

// Counts calls from 1; the one at `point` fails. Zero: none fails.
void starve_begin(long point);

// Stops. Returns the number of calls since starve_begin().
long starve_end(void);

// The name of the call that has failed, or NULL.
const char *starve_failed(void);

// Blocks of malloc() and its relatives that are allocated now.
long starve_live_blocks(void);
