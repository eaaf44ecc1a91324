// SPDX-License-Identifier: Apache-2.0
// A program makes a mistake before and after it has closed all descriptors and opened a file of its own
// in their place. The file stays as it is, and both reports arrive.
// EXPECT: ERROR bad-argument: ...
// EXPECT: ERROR bad-argument: ...
// EXPECT: SUMMARY: 2 error(s), ...

#include <fcntl.h>
#include <unistd.h>

#include "check/support/mstx.h"

int main(void) {
    char path[] = "/tmp/tarn-daemon-XXXXXX";
    (void)mstxMemHeapRegister(globalDomain, NULL);
    for (int file = 0; file < 1024; file++) (void)close(file);
    int own = mkstemp(path);
    while (own >= 0 && own < 64) own = dup(own);
    (void)unlink(path);
    (void)mstxMemHeapRegister(globalDomain, NULL);
    return lseek(own, 0, SEEK_END) == 0 ? 0 : 2;
}
