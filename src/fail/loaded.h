// SPDX-License-Identifier: Apache-2.0
// The report of a process that Tarn is loaded, for commands such as `tarn run`: they start a program
// and must know whether any process of it can see their faults, quirks and devices. The constructor
// in point.c calls this, before any other thread can.
#ifndef TARN_FAIL_LOADED_H
#define TARN_FAIL_LOADED_H

// The environment variable: the name of an abstract Unix socket for datagrams.
#define TN_FAIL_LOADED_VARIABLE "TARN_LOADED_SOCKET"

// Sends one byte to the socket. Does nothing if `name` is NULL. Failures are ignored: the command
// may have ended.
void tn_fail_loaded_report(const char *name);

#endif
