// SPDX-License-Identifier: Apache-2.0
// The log of calls for users: TARN_LOG, and the variable of a face, which overrides it. Failing calls are
// lines of the level `error`; configuration and initialisation are of the level `info`. Each line is one
// write, without control characters except its line end. Any thread may call; a call keeps errno.
//
// A call that succeeds does nothing for the log. A failing one pays one load and one branch while the log
// is off and no command of Tarn started the process.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <tarn/base.h>

enum tn_log_level { TN_LOG_OFF, TN_LOG_ERROR, TN_LOG_INFO, TN_LOG_DEBUG };

// Selects the variable of a face instead of TARN_LOG. Functions of Tarn that the face calls are then not
// logged themselves.
void tn_log_use(const char *variable);

// Returns the highest level of which lines are written.
enum tn_log_level tn_log_level(void);

// Writes a line, whatever the level.
void tn_log_write(const char *text);

// A call failed: its function, the name of its error, and the reason. Writes a line of the level `error`,
// and reports the first failures of a process to the command that started it (launcher.h).
__attribute__((cold)) void tn_log_failure(const char *function, const char *error,
                                          const char *reason);

// The configuration is wrong. Writes the reason once in a process, also while the log is off: the error of
// a vendor's interface cannot name the variable.
void tn_log_refusal(const char *reason);

// Reports to the command that started the process that a call has opened devices.
void tn_log_opened(void);

// Writes the variables of an owner that are set (variable.h), once in a process, at the level `info`.
void tn_log_variables(const char *owner);

// Writes a line of this level.
__attribute__((cold)) void tn_log_line(enum tn_log_level level, const char *format, ...)
    TARN_PRINTF(2, 3);
