// SPDX-License-Identifier: Apache-2.0
// Ends the checker, once: reports leaks and prints the summary. Returns the exit code that the
// program must have, or 0.
#ifndef TARN_CHECK_INJECT_H
#define TARN_CHECK_INJECT_H

int tn_check_finish(void);

#endif
