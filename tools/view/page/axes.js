// SPDX-License-Identifier: Apache-2.0
// A drawing of bytes over the events or the time of a device, with its axes.
"use strict";

const AXIS_LEFT = 74;
const AXIS_BOTTOM = 20;

class Axes {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  // Takes the size of the element. `view` has device, from and to (of the axis), axis and moment; `top` is
  // the room above the drawing.
  layOut(view, top) {
    const ratio = window.devicePixelRatio || 1;
    const box = this.canvas.getBoundingClientRect();
    this.view = view;
    this.canvas.width = Math.max(200, Math.round(box.width * ratio));
    this.canvas.height = Math.max(150, Math.round(box.height * ratio));
    this.ratio = ratio;
    this.left = Math.round(AXIS_LEFT * ratio);
    this.top = Math.round(top * ratio);
    this.width = this.canvas.width - this.left;
    this.height = this.canvas.height - this.top - Math.round(AXIS_BOTTOM * ratio);
  }

  // Sets the bytes that the drawing must have room for.
  setMost(bytes) {
    this.most = bytes * 1.04;
    this.scale = this.height / this.most;
  }

  // The value of a position on the axis, and the column of pixels of a value.
  valueOf(at) { return this.view.axis === "time" ? this.view.device.time[at] : at; }
  columnOf(value) { return (value - this.view.from) / (this.view.to - this.view.from) * this.width; }

  style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

  drawAxes() {
    const { context, ratio } = this;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.fillStyle = this.style("--faint");
    context.strokeStyle = this.style("--line");
    context.lineWidth = ratio;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const bytes of byteTicks(this.most)) {
      const y = Math.round(this.top + this.height - bytes * this.scale) + 0.5;
      context.fillText(bytesText(bytes), this.left - 6 * ratio, y);
      context.beginPath();
      context.moveTo(this.left - 4 * ratio, y);
      context.lineTo(this.left, y);
      context.stroke();
    }
    context.textAlign = "center";
    context.textBaseline = "top";
    const { from, to, axis, device } = this.view;
    for (let i = 0; i <= 6; i++) {
      const value = from + (to - from) * i / 6;
      const x = this.left + Math.min(this.width - 34 * ratio, Math.max(34 * ratio, this.width * i / 6));
      const text = axis === "time" ? timeText(value - device.time[0])
        : device.eventText(Math.min(device.count, Math.floor(value)));
      context.fillText(text, x, this.top + this.height + 5 * ratio);
    }
  }

  drawVertical(x, colour, dash) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = 1.5 * this.ratio;
    context.setLineDash(dash.map((length) => length * this.ratio));
    context.beginPath();
    context.moveTo(this.left + x, this.top);
    context.lineTo(this.left + x, this.top + this.height);
    context.stroke();
    context.setLineDash([]);
  }

  drawMoment() {
    const x = this.columnOf(this.valueOf(this.view.moment));
    if (x >= 0 && x <= this.width) this.drawVertical(x, this.style("--text"), [4, 3]);
  }
}
