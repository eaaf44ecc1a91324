// SPDX-License-Identifier: Apache-2.0
// See preload.h. NVIDIA's runtime in a program is recognised by a name of shared memory that its data
// contains. The libraries that a program links are those that its dynamic linker lists.
#include "tools/launch/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/launcher.h"
#include "tools/command.h"
#include "tools/launch/image.h"
#include "tools/launch/program.h"

extern char **environ;

// A space ends a path in LD_PRELOAD, but not in LD_LIBRARY_PATH, where a name without a folder is looked up.
bool tn_preload_library(const char *library) {
    const char *name = strrchr(library, '/');
    if (name == NULL || strchr(library, ' ') == NULL)
        return tn_library_prepend("LD_PRELOAD", library, strlen(library));
    return tn_library_prepend("LD_LIBRARY_PATH", library, (size_t)(name - library)) &&
           tn_library_prepend("LD_PRELOAD", name + 1, strlen(name + 1));
}

// Returns true if the file contains the runtime. The name is put together here, so that this command
// does not contain it.
static bool contains_runtime(const char *path) {
    struct tn_image image;
    char name[32];
    if (!tn_image_open(&image, path)) return false;
    (void)snprintf(name, sizeof name, "/%s.%s.", "cudart", "shm");
    bool contains = tn_image_contains(&image, name);
    tn_image_close(&image);
    return contains;
}

// Starts the program's dynamic linker, which lists the libraries and runs nothing of them. Returns a
// stream of its output, or NULL.
static FILE *list_libraries(const char *program, pid_t *lister) {
    struct tn_image image;
    posix_spawn_file_actions_t actions;
    char linker[PATH_MAX] = "";
    int ends[2];
    if (tn_image_open(&image, program)) {
        const char *path = tn_image_interpreter(&image);
        (void)snprintf(linker, sizeof linker, "%s", path != NULL ? path : "");
        tn_image_close(&image);
    }
    if (*linker == '\0' || pipe2(ends, O_CLOEXEC) != 0) return NULL;
    const char *const words[] = {linker, "--list", program, NULL};
    bool started = posix_spawn_file_actions_init(&actions) == 0;
    if (started) {
        started = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) == 0 &&
                  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
                                                   0) == 0 &&
                  posix_spawn(lister, linker, &actions, NULL, (char *const *)words, environ) == 0;
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)close(ends[1]);
    FILE *stream = started ? fdopen(ends[0], "r") : NULL;
    if (stream == NULL) (void)close(ends[0]);
    return stream;
}

// Returns the path of the linked library in this line, such as "libm.so.6 => /lib/libm.so.6 (0x7f)", if it
// contains the runtime and is not the runtime's own library, else NULL.
static const char *runtime_of(char *line) {
    char *path = strchr(line, '/');
    if (path == NULL) return NULL;
    path[strcspn(path, " \n")] = '\0';
    bool own = strncmp(strrchr(path, '/') + 1, "libcudart.so", 12) == 0;
    return !own && contains_runtime(path) ? path : NULL;
}

// Returns true if NVIDIA made the library. Its calls fail, and a program can go on without them.
static bool is_of_nvidia(const char *library) {
    static const char *const stems[] = {
        "libcublas",   "libcudnn",  "libcufft", "libcurand",  "libcusolver", "libcusparse",
        "libcutensor", "libnvblas", "libnccl.", "libnvjpeg.", "libnvshmem",  "libnpp",
    };
    const char *name = strrchr(library, '/') + 1;
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (strncmp(name, stems[i], strlen(stems[i])) == 0) return true;
    return false;
}

bool tn_preload_allows(const char *program) {
    static const char advice[] = "NVIDIA's own runtime, which works with NVIDIA's driver only";
    static const char remedy[] = "Link with `nvcc -cudart shared`";
    char path[PATH_MAX], *line = NULL;
    size_t room = 0;
    pid_t lister = 0;
    bool refused = false;
    if (!tn_program_locate(program, path)) return true;
    if (contains_runtime(path)) return tn_complain("%s contains %s. %s", path, advice, remedy);
    FILE *stream = list_libraries(path, &lister);
    if (stream == NULL) return true;
    while (!refused && getline(&line, &room, stream) >= 0) {
        const char *library = runtime_of(line);
        if (library == NULL) continue;
        refused = !is_of_nvidia(library);
        if (refused)
            (void)tn_complain("%s links %s, which contains %s. %s", path, library, advice, remedy);
        else
            (void)tn_complain("warning: %s contains %s: calls of this library fail", library,
                              advice);
    }
    (void)fclose(stream);
    while (waitpid(lister, NULL, 0) < 0 && errno == EINTR) {
    }
    free(line);
    return !refused;
}

// ---- the libraries

static bool has_level(const char *library, const char *level) {
    const char *number = library + tn_face_library_stem(library);
    return *number == '.' && strcmp(number + 1, level) == 0;
}

static bool is_linked(const struct tn_image *image, const char *library) {
    const char *needed;
    for (unsigned nth = 0; (needed = tn_image_text(image, DT_NEEDED, nth)) != NULL; nth++)
        if (strcmp(needed, library) == 0) return true;
    return false;
}

// Returns true if another library of that name has the number that is asked for.
static bool is_replaced(const struct tn_face *face, const char *library, const char *level,
                        const struct tn_image *image) {
    size_t stem = tn_face_library_stem(library);
    for (const char *other = face->library; *other != '\0'; other = tn_face_next_library(other)) {
        if (other == library || strncmp(other, library, stem) != 0) continue;
        if (level != NULL ? has_level(other, level)
                          : is_linked(image, other) && !is_linked(image, library))
            return true;
    }
    return false;
}

bool tn_preload_face(const struct tn_face *face, const char *folder, const char *level,
                     const char *program) {
    struct tn_image image = {NULL, 0};
    char path[PATH_MAX], library_path[PATH_MAX];
    const char *chosen[8];
    unsigned count = 0;
    bool good = setenv(TN_LAUNCHER_PRELOADED, "1", 1) == 0;
    bool has_image = tn_program_locate(program, path) && tn_image_open(&image, path);
    for (const char *library = face->library; *library != '\0';
         library = tn_face_next_library(library))
        if (level == NULL && !has_image ? true : !is_replaced(face, library, level, &image))
            chosen[count++] = library;
    while (good && count > 0) {
        const char *library = chosen[--count];
        int length = snprintf(library_path, sizeof library_path, "%s/%s/%s", folder,
                              level != NULL ? level : "", library);
        if (level == NULL || length >= (int)sizeof library_path || access(library_path, F_OK) != 0)
            length = snprintf(library_path, sizeof library_path, "%s/%s", folder, library);
        good = length < (int)sizeof library_path && tn_preload_library(library_path);
    }
    if (has_image) tn_image_close(&image);
    return good;
}
