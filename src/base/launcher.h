// SPDX-License-Identifier: Apache-2.0
// Messages to the command that started this process, such as `tarn run`: Tarn is loaded, or a
// library that the command injected cannot do its work. The command must know both to choose its
// exit status. Any thread, without a lock. A message keeps errno.
#pragma once

#include <stdbool.h>

// The environment variable NAME/TOKEN: the name of an abstract Unix socket for datagrams, and a
// random text that a message must contain. Any user can see the name and send to it. Only processes
// that may read the environment of the program know the token.
#define TN_LAUNCHER_VARIABLE "TARN_LOADED_SOCKET"

// The environment variable that is set if the command preloads a library that contains Tarn into
// every process. Then not the loading but the first call is the message.
#define TN_LAUNCHER_PRELOADED "TARN_PRELOADED"

enum { TN_LAUNCHER_TOKEN = 32 }; // bytes of the token

// A message is the token and one of these bytes. The text of a failure follows, without a zero byte.
enum {
    TN_LAUNCHER_LOADED = 'L', // Tarn is in the process
    TN_LAUNCHER_ALONE = 'A',  // Tarn is used, and has found none of its own tools
    TN_LAUNCHER_FAILED = 'F',
    TN_LAUNCHER_REFUSED = 'R', // a call of the program failed; a text follows
    TN_LAUNCHER_OPENED = 'O',  // the program has opened a device
    TN_LAUNCHER_MESSAGE = 1024 // the most bytes, without the token
};

// Sends a message without a text. Never waits. Does nothing if the value of the variable is NULL or wrong.
// Failures are ignored: the command may have ended.
void tn_launcher_report(const char *variable, char message);

// Reports why an injected library fails, in one line. Waits for at most a second. Returns false if
// no command received the text.
bool tn_launcher_failed(const char *variable, const char *text);

// Reports a call of the program that failed, in one line. Never waits.
void tn_launcher_refused(const char *variable, const char *text);
