// SPDX-License-Identifier: Apache-2.0
// A canvas that writes SVG. The text is built in memory, so that a picture is written whole. One
// thread.
#include <stdlib.h>

#include "canvas.h"

struct svg {
    FILE *stream; // over `text`
    char *text;
    size_t size;
};

static FILE *stream_of(const struct tn_canvas *canvas) {
    return ((const struct svg *)canvas->state)->stream;
}

static void draw_svg_rect(struct tn_canvas *canvas, double x, double y, double width, double height,
                          uint32_t colour) {
    fprintf(stream_of(canvas),
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, y,
            width, height, colour);
}

// Continues a path along a step curve, from the left or from the right.
static void follow_steps(FILE *stream, double x, double step, const double *y, size_t count,
                         bool from_right) {
    for (size_t i = 0; i < count; i++) {
        size_t at = from_right ? count - 1 - i : i;
        double begin = x + step * (double)(from_right ? at + 1 : at);
        if (i == 0 || y[at] != y[from_right ? at + 1 : at - 1])
            fprintf(stream, "H%.1fV%.1f", begin, y[at]);
    }
    fprintf(stream, "H%.1f", from_right ? x : x + step * (double)count);
}

static void draw_svg_area(struct tn_canvas *canvas, double x, double step, const double *low,
                          const double *high, size_t count, uint32_t colour) {
    FILE *stream = stream_of(canvas);
    fprintf(stream, "<path fill=\"#%06x\" d=\"M%.1f %.1f", colour, x, high[0]);
    follow_steps(stream, x, step, high, count, false);
    follow_steps(stream, x, step, low, count, true);
    fprintf(stream, "Z\"/>\n");
}

static void draw_svg_steps(struct tn_canvas *canvas, double x, double step, const double *y,
                           size_t count, uint32_t colour) {
    FILE *stream = stream_of(canvas);
    fprintf(stream, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.3\" d=\"M%.1f %.1f",
            colour, x, y[0]);
    follow_steps(stream, x, step, y, count, false);
    fprintf(stream, "\"/>\n");
}

static void draw_svg_text(struct tn_canvas *canvas, double x, double y, enum tn_align align,
                          double size, uint32_t colour, const char *text) {
    FILE *stream = stream_of(canvas);
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" fill=\"#%06x\"%s>", x, y, size,
            colour, align == TN_ALIGN_RIGHT ? " text-anchor=\"end\"" : "");
    for (; *text != '\0'; text++) {
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(stream, "&#%d;", *text);
        else
            (void)fputc(*text < 0x20 || *text > 0x7e ? '?' : *text, stream);
    }
    fprintf(stream, "</text>\n");
}

static bool end_svg(struct tn_canvas *canvas, FILE *file) {
    struct svg *svg = (struct svg *)canvas->state;
    fprintf(svg->stream, "</svg>\n");
    bool done = fclose(svg->stream) == 0;
    if (done)
        (void)fwrite(svg->text, 1, svg->size, file);
    free(svg->text);
    free(svg);
    if (!done)
        fprintf(stderr, "tarn view: out of memory for the SVG\n");
    return done;
}

bool tn_canvas_svg(unsigned width, unsigned height, struct tn_canvas *canvas) {
    struct svg *svg = (struct svg *)calloc(1, sizeof *svg);
    if (svg != NULL)
        svg->stream = open_memstream(&svg->text, &svg->size);
    if (svg == NULL || svg->stream == NULL) {
        free(svg);
        fprintf(stderr, "tarn view: out of memory for the SVG\n");
        return false;
    }
    *canvas = (struct tn_canvas){.state = svg,
                                 .rect = draw_svg_rect,
                                 .area = draw_svg_area,
                                 .steps = draw_svg_steps,
                                 .text = draw_svg_text,
                                 .end = end_svg};
    fprintf(svg->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\">\n",
            width, height, width, height);
    draw_svg_rect(canvas, 0, 0, width, height, 0xffffff);
    return true;
}
