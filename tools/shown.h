// SPDX-License-Identifier: Apache-2.0
// Names of files for messages. One thread.
#ifndef TARN_TOOLS_SHOWN_H
#define TARN_TOOLS_SHOWN_H

// Returns the text with \xNN for each byte that is not printable, so that a name neither commands a
// terminal nor looks like another line. The result is valid until the eighth next call; a long name
// that is not printable is cut.
const char *tn_shown(const char *text);

#endif
