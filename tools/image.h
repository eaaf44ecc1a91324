// SPDX-License-Identifier: Apache-2.0
// A program or library as the dynamic linker will see it: what it needs, where it looks, what it
// exports. Read from the file, which may be anything at all; nothing is run. One thread.
#ifndef TARN_TOOLS_IMAGE_H
#define TARN_TOOLS_IMAGE_H

#include <elf.h> // DT_NEEDED and its like
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_image {
    const unsigned char *bytes;
    size_t size;
};

// False: it cannot be read, or is no ELF file of this machine's word size and byte order.
bool tn_image_open(struct tn_image *image, const char *path);
void tn_image_close(struct tn_image *image);

// Is there no dynamic linker in it? Then nothing can be put in front of its libraries.
bool tn_image_is_static(const struct tn_image *image);

// Text of the nth entry (from 0) with this tag, as DT_NEEDED or DT_RPATH; NULL when there is none.
const char *tn_image_text(const struct tn_image *image, int64_t tag, unsigned nth);

// Functions and objects that it exports.
uint64_t tn_image_exports(const struct tn_image *image);

#endif
