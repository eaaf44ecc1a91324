// SPDX-License-Identifier: Apache-2.0
// A program or library, as the dynamic linker sees it: its dependencies, its search paths and its
// exports. They are read from the file, which may have any content. Nothing is run. One thread.
#pragma once

#include <elf.h> // DT_NEEDED and similar tags
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_image {
    const unsigned char *bytes;
    size_t size;
};

// Returns false if the file cannot be read or is not an ELF file for this machine.
bool tn_image_open(struct tn_image *image, const char *path);
void tn_image_close(struct tn_image *image);

// Returns true for a program that names no dynamic linker, position-independent or not. Then it
// loads no library. The dynamic linker itself, which can be run as a program, is a shared library.
bool tn_image_is_static(const struct tn_image *image);

// Returns the text of the nth entry (from 0) with a tag such as DT_NEEDED or DT_RPATH, or NULL.
const char *tn_image_text(const struct tn_image *image, int64_t tag, unsigned nth);

// Returns the path of the dynamic linker, or NULL for a file that names none.
const char *tn_image_interpreter(const struct tn_image *image);

// Returns true if the section .rodata contains the text.
bool tn_image_contains(const struct tn_image *image, const char *text);

// Returns the number of exported functions and objects.
uint64_t tn_image_exports(const struct tn_image *image);
