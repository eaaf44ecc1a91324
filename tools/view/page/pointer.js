// SPDX-License-Identifier: Apache-2.0
// The pointer over a drawing with axes: the wheel zooms, a drag moves, a drag with Shift zooms to a
// box.
"use strict";

const DRAG_PIXELS = 3; // a shorter drag is a click
const BOX_PIXELS = 8; // a lower box chooses events only

class ChartPointer {
  // `page` changes the range of events. `actions`: hint(event, found) about what chart.find()
  // returns, click(found, event) and draw().
  constructor(page, chart, actions) {
    this.page = page;
    this.chart = chart;
    this.actions = actions;
    this.start = null;
    const listen = (name, act) => chart.canvas.addEventListener(name, act, { passive: false });
    listen("pointerdown", (event) => this.press(event));
    listen("pointermove", (event) => this.move(event));
    listen("pointerup", (event) => this.release(event));
    listen("wheel", (event) => this.turn(event));
  }

  find(event) { return this.chart.find(event.clientX, event.clientY); }

  press(event) {
    const found = this.find(event);
    if (found === null || event.button !== 0) return;
    const { chart, page } = this;
    chart.canvas.setPointerCapture(event.pointerId);
    this.start = { x: event.clientX, y: event.clientY, found, from: page.view.from, to: page.view.to,
      low: chart.low, high: chart.high, moved: false };
  }

  move(event) {
    const { start, chart, page } = this;
    if (start === null) {
      this.actions.hint(event, this.find(event));
      return;
    }
    const [across, down] = [event.clientX - start.x, event.clientY - start.y];
    start.moved ||= Math.abs(across) > DRAG_PIXELS || Math.abs(down) > DRAG_PIXELS;
    page.showBox(start.moved && event.shiftKey ? [start.x, start.y, event.clientX, event.clientY] : null);
    if (!start.moved || event.shiftKey) return;
    const step = across * chart.ratio / chart.width * (start.to - start.from);
    page.setRange(start.from - step, start.to - step);
    if (chart.range !== null) {
      const bytes = down * chart.ratio / chart.scale;
      chart.setBytes(start.low + bytes, start.high + bytes);
    }
  }

  release(event) {
    const { start, chart, page } = this;
    this.start = null;
    page.showBox(null);
    if (start === null) return;
    if (!start.moved) {
      this.actions.click(start.found, event);
      return;
    }
    const end = chart.pointAt(Math.max(chart.canvas.getBoundingClientRect().left + chart.left / chart.ratio,
      event.clientX), start.y);
    if (!event.shiftKey || end === null) return;
    const [one, other] = [chart.bytesAt(start.y), chart.bytesAt(event.clientY)];
    page.setRange(Math.min(start.found.value, end.value), Math.max(start.found.value, end.value));
    if (Math.abs(event.clientY - start.y) > BOX_PIXELS)
      chart.setBytes(Math.max(0, Math.min(one, other)), Math.max(one, other));
    this.actions.draw();
  }

  // The wheel zooms the events, with Shift the bytes, and with Ctrl, as a pinch does, both.
  turn(event) {
    const found = this.find(event);
    if (found === null) return;
    event.preventDefault();
    const factor = (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8;
    if (!event.shiftKey) this.page.zoom(factor, found.value);
    if (event.shiftKey || event.ctrlKey) {
      this.chart.zoomBytes(factor, this.chart.bytesAt(event.clientY), found);
      this.actions.draw();
    }
  }
}
