// SPDX-License-Identifier: Apache-2.0
// The picture of `tarn view --svg` and `--png`: the device with the highest peak, its live bytes
// over its events by function, the reserved bytes, phases, failures and a legend. One thread.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bytes.h"
#include "tools/progress.h"
#include "tools/terminal.h"
#include "tools/view/canvas.h"
#include "tools/view/view.h"
#include "trace/study/bands.h"
#include "trace/study/name.h"

enum {
    WIDTH = 1200,
    LEFT = 90,
    TOP = 62,
    PLOT_WIDTH = TN_BAND_COLUMNS,
    PLOT_HEIGHT = 360,
    BOTTOM = TOP + PLOT_HEIGHT,
    LEGEND = BOTTOM + 46,
    LEGEND_ROW = 19
};

#define INK       0x1c2024u
#define FAINT     0x667078u
#define LINE      0xd5dadeu
#define PHASE     0xdfe6eeu
#define FAILURE   0xb3261eu
#define OF_OTHERS 0x9498a0u

static const uint32_t band_colours[TN_BANDS] = {0x4269d0, 0xefb118, 0xff725c, 0x6cc5b0, 0x3ca951,
                                                0xff8ab7, 0xa463f2, 0x97bbf5, 0x9c6b4e, 0xd8b13c};

static uint64_t highest_bytes(const struct tn_bands *bands) {
    uint64_t most = 1;
    for (size_t i = 0; i < bands->levels.count; i++) {
        if (bands->levels.live[i] > most) most = bands->levels.live[i];
        if (bands->levels.reserved != NULL && bands->levels.reserved[i] > most)
            most = bands->levels.reserved[i];
    }
    return most;
}

static double x_of(const struct tn_bands *bands, size_t moment) {
    return LEFT + (double)moment / (double)bands->levels.count * PLOT_WIDTH;
}

static void draw_axes(struct tn_canvas *canvas, const struct tn_bands *bands, uint64_t most) {
    uint64_t step = 1;
    while (most / step > 8) step *= 2;
    for (uint64_t tick = 0; tick <= most / step; tick++) {
        double y = BOTTOM - (double)(tick * step) / (double)most * PLOT_HEIGHT;
        canvas->rect(canvas, LEFT - 4, y, PLOT_WIDTH + 4, 0.5, LINE);
        canvas->text(canvas, LEFT - 8, y + 4, TN_ALIGN_RIGHT, 11, FAINT, tn_bytes(tick * step));
    }
    canvas->text(canvas, LEFT, BOTTOM + 16, TN_ALIGN_LEFT, 11, FAINT, "0");
    canvas->text(canvas, LEFT + PLOT_WIDTH, BOTTOM + 16, TN_ALIGN_RIGHT, 11, FAINT,
                 tn_count(bands->device->event_count));
    canvas->text(canvas, LEFT + PLOT_WIDTH / 2, BOTTOM + 16, TN_ALIGN_LEFT, 11, FAINT, "events");
}

static void draw_bands(struct tn_canvas *canvas, const struct tn_bands *bands, double scale) {
    double low[TN_BAND_COLUMNS], high[TN_BAND_COLUMNS];
    for (size_t i = 0; i < TN_BAND_COLUMNS; i++) high[i] = BOTTOM;
    for (size_t band = 0; band < bands->count; band++) {
        for (size_t i = 0; i < TN_BAND_COLUMNS; i++) {
            low[i] = high[i];
            high[i] -= (double)bands->bytes[band][i] * scale;
        }
        canvas->area(canvas, LEFT, 1, low, high, TN_BAND_COLUMNS,
                     band + 1 < bands->count ? band_colours[band] : OF_OTHERS);
    }
    if (bands->levels.reserved == NULL) return;
    for (size_t i = 0; i < TN_BAND_COLUMNS; i++)
        high[i] = BOTTOM - (double)bands->levels.reserved[bands->moments[i]] * scale;
    canvas->steps(canvas, LEFT, 1, high, TN_BAND_COLUMNS, INK);
}

// Phases and failures that fall on one pixel are drawn once.
static void draw_marks(struct tn_canvas *canvas, const struct tn_bands *bands) {
    const struct tn_trace *trace = bands->trace;
    double previous = 0;
    for (size_t i = 0; i < bands->phases.count; i++) {
        const struct tn_phase_span *span = &bands->phases.spans[i];
        double from = x_of(bands, span->begin), width = x_of(bands, span->end) - from;
        if (span->parent != 0 || from + width < previous + 1) continue;
        previous = from + width;
        canvas->rect(canvas, from, TOP - 20, width > 1 ? width : 1, 15, PHASE);
        if (6 * (double)strlen(trace->texts[span->name]) < width)
            canvas->text(canvas, from + 3, TOP - 9, TN_ALIGN_LEFT, 11, INK,
                         trace->texts[span->name]);
    }
    previous = 0;
    for (size_t i = 0; i < bands->device->event_count; i++) {
        double x = x_of(bands, i + 1);
        if (trace->events[bands->device->first_event + i].kind != TN_EVENT_FAILURE ||
            x < previous + 1)
            continue;
        previous = x;
        canvas->rect(canvas, x, TOP, 1.5, PLOT_HEIGHT, FAILURE);
    }
}

static void draw_legend_row(struct tn_canvas *canvas, size_t row, uint32_t colour, uint64_t bytes,
                            const char *name) {
    double y = LEGEND + (double)row * LEGEND_ROW;
    canvas->rect(canvas, LEFT, y - 10, 11, 11, colour);
    canvas->text(canvas, LEFT + 90, y, TN_ALIGN_RIGHT, 12, INK, tn_bytes(bytes));
    canvas->text(canvas, LEFT + 102, y, TN_ALIGN_LEFT, 12, INK, name);
}

static void draw_legend(struct tn_canvas *canvas, const struct tn_bands *bands) {
    uint64_t rest = bands->holders.bytes;
    char name[TN_NAME_CALL];
    for (size_t i = 0; i + 1 < bands->count; i++) {
        const struct tn_holder *holder = &bands->holders.list[i];
        if (holder->key == 0)
            (void)snprintf(name, sizeof name, "no stack recorded");
        else
            (void)tn_name_call(bands->trace, bands->owners.detail, holder->key, false, name);
        draw_legend_row(canvas, i, band_colours[i], holder->bytes, name);
        rest -= holder->bytes;
    }
    if (bands->holders.count + 1 > bands->count) {
        size_t others = bands->holders.count + 1 - bands->count;
        (void)snprintf(name, sizeof name, "%zu other%s", others, others == 1 ? "" : "s");
        draw_legend_row(canvas, bands->count - 1, OF_OTHERS, rest, name);
    }
}

static void draw_title(struct tn_canvas *canvas, const struct tn_bands *bands, const char *path) {
    char text[256];
    const struct tn_trace_device *device = bands->device;
    canvas->text(canvas, LEFT, 20, TN_ALIGN_LEFT, 15, INK, tn_name_base(path));
    (void)snprintf(text, sizeof text, "device %" PRIu32 ": peak of live bytes %s%s%s",
                   device->number, tn_bytes(bands->levels.live[bands->levels.peak]),
                   device->says_reserved ? ", of reserved bytes (the line) " : "",
                   device->says_reserved ? tn_bytes(device->reserved_peak) : "");
    canvas->text(canvas, LEFT, 37, TN_ALIGN_LEFT, 12, FAINT, text);
}

static bool draw_picture(const struct tn_bands *bands, const char *path, bool is_png,
                         struct tn_view_data *out) {
    struct tn_canvas canvas;
    unsigned height = LEGEND + (unsigned)bands->count * LEGEND_ROW;
    if (!(is_png ? tn_canvas_png : tn_canvas_svg)(WIDTH, height, out, &canvas)) return false;
    uint64_t most = highest_bytes(bands);
    draw_title(&canvas, bands, path);
    draw_axes(&canvas, bands, most);
    draw_bands(&canvas, bands, PLOT_HEIGHT / (double)most);
    draw_marks(&canvas, bands);
    draw_legend(&canvas, bands);
    canvas.end(&canvas);
    return true;
}

// Returns the device with the highest peak, or NULL if none has events or blocks.
static const struct tn_trace_device *choose_device(const struct tn_trace *trace,
                                                   tarn_status *status) {
    const struct tn_trace_device *chosen = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < trace->device_count && *status == TARN_OK; i++) {
        const struct tn_trace_device *device = &trace->devices[i];
        struct tn_levels levels = {.count = 0};
        *status = tn_levels_make(trace, device, &levels);
        if (*status == TARN_OK && levels.live[levels.peak] > most) {
            most = levels.live[levels.peak];
            chosen = device;
        }
        tn_levels_release(&levels);
    }
    return chosen;
}

enum tn_exit tn_view_picture_write(const struct tn_trace *trace, const char *path, bool is_png,
                                   bool innermost, struct tn_view_data *out) {
    enum tn_exit exit_code = TN_EXIT_FAILED;
    tarn_status status = TARN_OK;
    tn_progress_phase("drawing", 1, 3);
    const struct tn_trace_device *device = choose_device(trace, &status);
    tn_progress_step(1);
    if (status == TARN_OK && device == NULL)
        return tn_exit_with(TN_EXIT_BAD_INPUT, "%s: the recording has no blocks to draw",
                            tn_shown(path));
    struct tn_bands *bands = (struct tn_bands *)calloc(1, sizeof *bands);
    if (status == TARN_OK && bands != NULL) status = tn_bands_make(trace, device, innermost, bands);
    tn_progress_step(1);
    if (status != TARN_OK || bands == NULL)
        exit_code = tn_exit_with(TN_EXIT_NO_MEMORY, "out of memory for the picture");
    else if (draw_picture(bands, path, is_png, out))
        exit_code = TN_EXIT_OK;
    if (bands != NULL) tn_bands_release(bands);
    free(bands);
    return exit_code;
}
