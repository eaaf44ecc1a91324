// SPDX-License-Identifier: Apache-2.0
// A canvas that writes PNG by the library Cairo, which is opened when the first picture begins: few
// uses of the command need it and the libraries below it. One thread.
#include <dlfcn.h>
#include <stdlib.h>

#include "tools/view/canvas.h"
#include "tools/view/view.h"

#define CAIRO_LIBRARY "libcairo.so.2"

enum { CAIRO_RGB24 = 1, SCALE = 2 }; // pixels of the PNG for one of the canvas

struct cairo;
struct cairo_surface;
typedef int (*cairo_write)(void *closure, const unsigned char *bytes, unsigned count);
struct cairo_extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
};

// X(result, name without "cairo_", arguments)
#define CAIRO_LIST(X)                                                                              \
    X(struct cairo_surface *, image_surface_create, (int format, int width, int height))           \
    X(int, surface_write_to_png_stream,                                                            \
      (struct cairo_surface * surface, cairo_write write, void *closure))                          \
    X(void, surface_destroy, (struct cairo_surface * surface))                                     \
    X(struct cairo *, create, (struct cairo_surface * surface))                                    \
    X(void, destroy, (struct cairo * cairo))                                                       \
    X(void, scale, (struct cairo * cairo, double x, double y))                                     \
    X(void, set_source_rgb, (struct cairo * cairo, double red, double green, double blue))         \
    X(void, set_line_width, (struct cairo * cairo, double width))                                  \
    X(void, rectangle, (struct cairo * cairo, double x, double y, double width, double height))    \
    X(void, line_to, (struct cairo * cairo, double x, double y))                                   \
    X(void, move_to, (struct cairo * cairo, double x, double y))                                   \
    X(void, close_path, (struct cairo * cairo))                                                    \
    X(void, fill, (struct cairo * cairo))                                                          \
    X(void, stroke, (struct cairo * cairo))                                                        \
    X(void, select_font_face, (struct cairo * cairo, const char *family, int slant, int weight))   \
    X(void, set_font_size, (struct cairo * cairo, double size))                                    \
    X(void, text_extents, (struct cairo * cairo, const char *text, struct cairo_extents *extents)) \
    X(void, show_text, (struct cairo * cairo, const char *text))

struct png {
#define CAIRO_MEMBER(result, name, arguments) result(*name) arguments;
    CAIRO_LIST(CAIRO_MEMBER)
    void *library;
    struct tn_view_data *out;
    struct cairo_surface *surface;
    struct cairo *cairo;
};

static struct png *png_of(struct tn_canvas *canvas) { return (struct png *)canvas->state; }

static void set_png_colour(struct png *png, uint32_t colour) {
    png->set_source_rgb(png->cairo, (colour >> 16) / 255.0, (colour >> 8 & 255) / 255.0,
                        (colour & 255) / 255.0);
}

static void draw_png_rect(struct tn_canvas *canvas, double x, double y, double width, double height,
                          uint32_t colour) {
    struct png *png = png_of(canvas);
    set_png_colour(png, colour);
    png->rectangle(png->cairo, x, y, width, height);
    png->fill(png->cairo);
}

static void draw_png_area(struct tn_canvas *canvas, double x, double step, const double *low,
                          const double *high, size_t count, uint32_t colour) {
    struct png *png = png_of(canvas);
    set_png_colour(png, colour);
    for (size_t i = 0; i < count; i++) {
        png->line_to(png->cairo, x + step * (double)i, high[i]);
        png->line_to(png->cairo, x + step * (double)(i + 1), high[i]);
    }
    for (size_t i = count; i-- > 0;) {
        png->line_to(png->cairo, x + step * (double)(i + 1), low[i]);
        png->line_to(png->cairo, x + step * (double)i, low[i]);
    }
    png->close_path(png->cairo);
    png->fill(png->cairo);
}

static void draw_png_steps(struct tn_canvas *canvas, double x, double step, const double *y,
                           size_t count, uint32_t colour) {
    struct png *png = png_of(canvas);
    set_png_colour(png, colour);
    png->set_line_width(png->cairo, 1.3);
    for (size_t i = 0; i < count; i++) {
        png->line_to(png->cairo, x + step * (double)i, y[i]);
        png->line_to(png->cairo, x + step * (double)(i + 1), y[i]);
    }
    png->stroke(png->cairo);
}

static void draw_png_text(struct tn_canvas *canvas, double x, double y, enum tn_align align,
                          double size, uint32_t colour, const char *text) {
    struct png *png = png_of(canvas);
    struct cairo_extents extents = {.x_advance = 0};
    char plain[256];
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < sizeof plain; length++)
        plain[length] = text[length] < 0x20 || text[length] > 0x7e ? '?' : text[length];
    plain[length] = '\0';
    set_png_colour(png, colour);
    png->set_font_size(png->cairo, size);
    if (align == TN_ALIGN_RIGHT) png->text_extents(png->cairo, plain, &extents);
    png->move_to(png->cairo, x - extents.x_advance, y);
    png->show_text(png->cairo, plain);
}

static int write_png(void *closure, const unsigned char *bytes, unsigned count) {
    tn_view_data_put((struct tn_view_data *)closure, bytes, count);
    return 0;
}

static void end_png(struct tn_canvas *canvas) {
    struct png *png = png_of(canvas);
    png->out->failed |= png->surface_write_to_png_stream(png->surface, write_png, png->out) != 0;
    png->destroy(png->cairo);
    png->surface_destroy(png->surface);
    // The library stays open: its fonts stay in memory, and only its variables refer to them.
    free(png);
}

// Returns false if the library or a function of it is missing.
static bool load_cairo(struct png *png) {
    png->library = dlopen(CAIRO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (png->library == NULL) return false;
#define CAIRO_LOAD(result, name, arguments)                                                        \
    *(void **)&png->name = dlsym(png->library, "cairo_" #name);                                    \
    if (png->name == NULL) return false;
    CAIRO_LIST(CAIRO_LOAD)
    return true;
}

bool tn_canvas_png(unsigned width, unsigned height, struct tn_view_data *out,
                   struct tn_canvas *canvas) {
    struct png *png = (struct png *)calloc(1, sizeof *png);
    if (png == NULL || !load_cairo(png)) {
        (void)tn_complain("--png needs Cairo: %s", png == NULL ? "out of memory" : dlerror());
        if (png != NULL && png->library != NULL) (void)dlclose(png->library);
        free(png);
        return false;
    }
    png->out = out;
    png->surface =
        png->image_surface_create(CAIRO_RGB24, (int)(width * SCALE), (int)(height * SCALE));
    png->cairo = png->create(png->surface);
    *canvas = (struct tn_canvas){.state = png,
                                 .rect = draw_png_rect,
                                 .area = draw_png_area,
                                 .steps = draw_png_steps,
                                 .text = draw_png_text,
                                 .end = end_png};
    png->scale(png->cairo, SCALE, SCALE);
    // Cairo's own font: those of the system may be absent, and their libraries never free memory.
    png->select_font_face(png->cairo, "@cairo:sans-serif", 0, 0);
    draw_png_rect(canvas, 0, 0, width, height, 0xffffff);
    return true;
}
