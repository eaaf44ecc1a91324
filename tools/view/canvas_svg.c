// SPDX-License-Identifier: Apache-2.0
// A canvas that writes SVG. One thread.
#include <stdarg.h>
#include <stdio.h>

#include "tools/view/canvas.h"
#include "tools/view/view.h"

// No call writes more than 255 characters.
static void TARN_PRINTF(2, 3) write_svg(struct tn_canvas *canvas, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tn_view_data_put((struct tn_view_data *)canvas->state, text, (size_t)length);
}

static void draw_svg_rect(struct tn_canvas *canvas, double x, double y, double width, double height,
                          uint32_t colour) {
    write_svg(canvas,
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, y,
              width, height, colour);
}

// Continues a path along a step curve, from the left or from the right.
static void follow_steps(struct tn_canvas *canvas, double x, double step, const double *y,
                         size_t count, bool from_right) {
    for (size_t i = 0; i < count; i++) {
        size_t at = from_right ? count - 1 - i : i;
        double begin = x + step * (double)(from_right ? at + 1 : at);
        if (i == 0 || y[at] != y[from_right ? at + 1 : at - 1])
            write_svg(canvas, "H%.1fV%.1f", begin, y[at]);
    }
    write_svg(canvas, "H%.1f", from_right ? x : x + step * (double)count);
}

static void draw_svg_area(struct tn_canvas *canvas, double x, double step, const double *low,
                          const double *high, size_t count, uint32_t colour) {
    write_svg(canvas, "<path fill=\"#%06x\" d=\"M%.1f %.1f", colour, x, high[0]);
    follow_steps(canvas, x, step, high, count, false);
    follow_steps(canvas, x, step, low, count, true);
    write_svg(canvas, "Z\"/>\n");
}

static void draw_svg_steps(struct tn_canvas *canvas, double x, double step, const double *y,
                           size_t count, uint32_t colour) {
    write_svg(canvas, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.3\" d=\"M%.1f %.1f",
              colour, x, y[0]);
    follow_steps(canvas, x, step, y, count, false);
    write_svg(canvas, "\"/>\n");
}

static void draw_svg_text(struct tn_canvas *canvas, double x, double y, enum tn_align align,
                          double size, uint32_t colour, const char *text) {
    write_svg(canvas, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" fill=\"#%06x\"%s>", x, y,
              size, colour, align == TN_ALIGN_RIGHT ? " text-anchor=\"end\"" : "");
    for (; *text != '\0'; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            write_svg(canvas, "&#%d;", *text);
        else
            write_svg(canvas, "%c", *text < 0x20 || *text > 0x7e ? '?' : *text);
    write_svg(canvas, "</text>\n");
}

static void end_svg(struct tn_canvas *canvas) { write_svg(canvas, "</svg>\n"); }

bool tn_canvas_svg(unsigned width, unsigned height, struct tn_view_data *out,
                   struct tn_canvas *canvas) {
    *canvas = (struct tn_canvas){.state = out,
                                 .rect = draw_svg_rect,
                                 .area = draw_svg_area,
                                 .steps = draw_svg_steps,
                                 .text = draw_svg_text,
                                 .end = end_svg};
    write_svg(canvas,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
              "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\">\n",
              width, height, width, height);
    draw_svg_rect(canvas, 0, 0, width, height, 0xffffff);
    return true;
}
