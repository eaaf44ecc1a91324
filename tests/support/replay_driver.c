// SPDX-License-Identifier: Apache-2.0
// Replays saved inputs through a fuzz target without libFuzzer, so that any compiler can do it.
// Each argument is a file, or a directory whose files are taken. Finding nothing to replay is an
// error: a corpus that went missing must not look like a test that passed. One thread.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_stream(const char *path, FILE *file, size_t size) {
    // An exact malloc, so that a read past the end is one the address sanitizer sees.
    uint8_t *data = (uint8_t *)malloc(size > 0 ? size : 1);
    if (data == NULL || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s: cannot read %zu bytes\n", path, size);
        free(data);
        return -1;
    }
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

static int replay_file(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return -1;
    }
    int result = replay_stream(path, file, size);
    (void)fclose(file);
    return result;
}

static long replay_path(const char *path);

static long replay_entry(const char *directory, const char *name) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        fprintf(stderr, "%s/%s: the path is too long\n", directory, name);
        return -1;
    }
    return replay_path(path);
}

// Returns how many inputs were replayed, or -1 after saying what went wrong.
static long replay_directory(const char *path) {
    DIR *directory = opendir(path);
    if (directory == NULL) {
        perror(path);
        return -1;
    }
    long count = 0;
    const struct dirent *entry;
    while (count >= 0 && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        long more = replay_entry(path, entry->d_name);
        count = more < 0 ? -1 : count + more;
    }
    (void)closedir(directory);
    return count;
}

static long replay_path(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) {
        perror(path);
        return -1;
    }
    if (S_ISDIR(about.st_mode)) return replay_directory(path);
    return replay_file(path, (size_t)about.st_size) == 0 ? 1 : -1;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE-OR-DIRECTORY...\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        long count = replay_path(argv[i]);
        if (count < 0) return 1;
        if (count == 0) {
            fprintf(stderr, "%s: no inputs to replay\n", argv[i]);
            return 1;
        }
        printf("%s: %ld inputs replayed\n", argv[i], count);
    }
    return 0;
}
