// SPDX-License-Identifier: Apache-2.0
// The checker's end, once: what is left is told, and the summary. Gives the exit code that the
// program must have, or 0.
#ifndef TARN_CHECK_INJECT_H
#define TARN_CHECK_INJECT_H

int tn_check_finish(void);

#endif
