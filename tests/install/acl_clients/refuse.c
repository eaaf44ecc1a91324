// SPDX-License-Identifier: Apache-2.0
// Reads names of functions and calls each. Succeeds if each fails with 207000, names itself, and
// returns that code, or no object: 0, or -1 for a type.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOT_SUPPORTED 207000

typedef intptr_t refused(void);

int main(void) {
    void *library = dlopen("libascendcl.so", RTLD_NOW);
    const char *(*message)(void);
    int (*last_error)(int);
    char name[128];
    int wrong = 0, calls = 0;
    if (library == NULL) return 1;
    *(void **)&message = dlsym(library, "aclGetRecentErrMsg");
    *(void **)&last_error = dlsym(library, "aclrtGetLastError");
    for (; scanf("%127s", name) == 1; calls++) {
        refused *function = NULL;
        *(void **)&function = dlsym(library, name);
        intptr_t result = function != NULL ? function() : 1;
        const char *text = message();
        int code = (int)result;
        if ((result != 0 && code != -1 && code != NOT_SUPPORTED) ||
            last_error(0) != NOT_SUPPORTED || text == NULL || strstr(text, name) == NULL) {
            fprintf(stderr, "%s returned %ld: %s\n", name, (long)result, text != NULL ? text : "");
            wrong = 1;
        }
    }
    return wrong != 0 || calls == 0;
}
