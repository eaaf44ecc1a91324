// SPDX-License-Identifier: Apache-2.0
// Opens a library by name, as programs do that also start without it. Looks up the names on its
// standard input, one on each line, and prints those that are missing.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char name[128];
    int wanted = 0, missing = 0;
    void *library = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "which library?");
        return 2;
    }
    while (scanf("%127s", name) == 1) {
        wanted++;
        if (dlsym(library, name) == NULL) {
            fprintf(stderr, "%s: no %s\n", argv[1], name);
            missing++;
        }
    }
    return wanted > 0 && missing == 0 ? 0 : 1;
}
