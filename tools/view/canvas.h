// SPDX-License-Identifier: Apache-2.0
// A canvas: a picture under construction, as SVG or as PNG. Lengths are pixels, from the top left
// corner. Colours are 0xRRGGBB. One thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tn_align { TN_ALIGN_LEFT, TN_ALIGN_RIGHT };

struct tn_canvas {
    void *state;
    void (*rect)(struct tn_canvas *canvas, double x, double y, double width, double height,
                 uint32_t colour);
    // Fills the space between two step curves: the column i has the width `step`, and reaches from
    // low[i] up to high[i].
    void (*area)(struct tn_canvas *canvas, double x, double step, const double *low,
                 const double *high, size_t count, uint32_t colour);
    // Draws a step curve.
    void (*steps)(struct tn_canvas *canvas, double x, double step, const double *y, size_t count,
                  uint32_t colour);
    // `y` is the base line. The text may contain any bytes; those that are not ASCII, and control
    // characters, appear as "?".
    void (*text)(struct tn_canvas *canvas, double x, double y, enum tn_align align, double size,
                 uint32_t colour, const char *text);
    // Completes the output and releases the canvas.
    void (*end)(struct tn_canvas *canvas);
};

struct tn_view_data;

// Begin a white picture that is appended to `out`. Sets `failed` there if out of memory. PNG
// returns false, with a line on standard error, if the library Cairo is not installed.
bool tn_canvas_svg(unsigned width, unsigned height, struct tn_view_data *out,
                   struct tn_canvas *canvas);
bool tn_canvas_png(unsigned width, unsigned height, struct tn_view_data *out,
                   struct tn_canvas *canvas);
