// SPDX-License-Identifier: Apache-2.0
// A drawing of bytes over the events or the time of a device, with its axes. All drawings share the
// range of events; each has a range of bytes of its own.
"use strict";

const AXIS_LEFT = 80;
const AXIS_BOTTOM = 20;
const LEAST_BYTES = 64; // the shortest range of bytes that a drawing shows
const LEAST_PART = 2 ** -40; // the same as a part of all bytes, which doubles still tell apart

class Axes {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.range = null; // the bytes that are shown, {low, high}; null: from 0 to the highest in view
  }

  // Takes the size of the element. `view` has device, from and to (of the axis), axis and moment;
  // `top` is the room above the drawing.
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
    this.context.font = `${11 * ratio}px system-ui, sans-serif`;
  }

  // ---- the bytes

  // Sets the highest bytes in view, and those of the whole device.
  setMost(shown, whole) {
    this.whole = Math.max(shown, whole) * 1.04;
    this.low = this.range === null ? 0 : this.range.low;
    this.high = this.range === null ? shown * 1.04 : this.range.high;
    this.scale = this.height / (this.high - this.low);
  }

  setBytes(low, high) {
    const length = Math.max(LEAST_BYTES, this.whole * LEAST_PART, high - low);
    const from = Math.max(0, Math.min(this.whole - length, low));
    this.range = length >= this.whole ? null : { low: from, high: from + length };
  }

  // Multiplies the length of the range of bytes, around one of them.
  zoomBytes(factor, around) {
    this.setBytes(around - (around - this.low) * factor, around + (this.high - around) * factor);
  }

  // The row of pixels of a number of bytes, and the bytes of a row of the page.
  rowOf(bytes) { return this.top + this.height - (bytes - this.low) * this.scale; }
  bytesAt(clientY) {
    const y = (clientY - this.canvas.getBoundingClientRect().top) * this.ratio - this.top;
    return this.low + (this.height - y) / this.scale;
  }

  // ---- the events or the time

  // The value of a position on the axis, and the column of pixels of a value.
  valueOf(at) { return this.view.axis === "time" ? this.view.device.time[at] : at; }
  columnOf(value) { return (value - this.view.from) / (this.view.to - this.view.from) * this.width; }

  // The number of positions whose value is below a value, or equal to it too.
  countBelow(value, orEqual) {
    const { device, axis } = this.view;
    let low = 0;
    let high = device.count + 1;
    if (axis !== "time") return Math.max(low, Math.min(high, orEqual ? Math.floor(value) + 1 : Math.ceil(value)));
    while (low < high) {
      const middle = (low + high) >> 1;
      if (device.time[middle] < value || (orEqual && device.time[middle] === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // For each column of pixels the position of the highest value among the states in it.
  moments(maxima) {
    const { from, to } = this.view;
    const step = (to - from) / this.width;
    return Int32Array.from({ length: this.width }, (_, x) => {
      const begin = Math.max(1, this.countBelow(from + x * step, true)); // the state before it still holds
      return maxima.find(begin - 1, Math.max(begin, this.countBelow(from + (x + 1) * step, false)));
    });
  }

  // The column of pixels of a point of the page and its value on the axis; null outside of the
  // drawing.
  pointAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor((clientX - box.left) * this.ratio) - this.left;
    const y = (clientY - box.top) * this.ratio - this.top;
    if (x < 0 || x >= this.width || y < -this.top || y > this.height) return null;
    return { x, value: this.view.from + (x + 0.5) / this.width * (this.view.to - this.view.from) };
  }

  // ---- drawing

  style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

  drawAxes() {
    const { context } = this;
    context.fillStyle = this.style("--faint");
    context.strokeStyle = this.style("--line");
    context.lineWidth = this.ratio;
    this.drawBytes();
    this.drawPositions();
  }

  drawBytes() {
    const { context, ratio } = this;
    context.textAlign = "right";
    context.textBaseline = "middle";
    byteTicks(this.low, this.high).forEach(({ bytes, text }) => {
      const y = Math.round(this.rowOf(bytes)) + 0.5;
      context.fillText(text, this.left - 6 * ratio, y, this.left - 8 * ratio);
      context.beginPath();
      context.moveTo(this.left - 4 * ratio, y);
      context.lineTo(this.left, y);
      context.stroke();
    });
  }

  // As many labels as have room, none of them cut by an edge.
  drawPositions() {
    const { context, ratio } = this;
    const { from, to, axis, device } = this.view;
    const text = (value) => (axis === "time" ? timeText(value - device.time[0])
      : device.eventText(Math.min(device.count, Math.floor(value))));
    const widest = Math.max(...[from, (from + to) / 2, to].map((value) => context.measureText(text(value)).width));
    const room = Math.floor(this.width / (1.5 * (widest + 8 * ratio)));
    const parts = Math.max(1, Math.min(6, room, axis === "time" ? 6 : Math.floor(to - from) - 1));
    context.textAlign = "center";
    context.textBaseline = "top";
    for (let i = 0; i <= parts; i++) {
      const label = text(from + (to - from) * i / parts);
      const half = context.measureText(label).width / 2 + 1;
      const x = Math.max(half, Math.min(this.canvas.width - half, this.left + this.width * i / parts));
      context.fillText(label, x, this.top + this.height + 5 * ratio);
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

  // Draws a line through the values at the position of each column.
  drawSteps(values, positions, colour, dash) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(this.left, this.top, this.width, this.height);
    context.clip();
    context.strokeStyle = colour;
    context.lineWidth = 1.2 * this.ratio;
    context.setLineDash(dash.map((length) => length * this.ratio));
    context.beginPath();
    for (let x = 0; x < this.width; x++) {
      const y = this.rowOf(values[positions[x]]);
      context.lineTo(this.left + x, y);
      context.lineTo(this.left + x + 1, y);
    }
    context.stroke();
    context.restore();
  }
}

// An image of a drawing, painted by columns of pixels.
class Raster {
  constructor(axes) {
    this.axes = axes;
    for (const name of ["width", "height", "low", "scale"]) this[name] = axes[name];
    this.image = axes.context.createImageData(axes.width, axes.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // Paints a column from one number of bytes up to another. Runs of four pixels and more have an
  // edge.
  paint(x, from, to, colour, edge) {
    const { width, height, low, scale, pixels } = this;
    const top = Math.max(0, height - Math.round((to - low) * scale));
    const bottom = Math.min(height, height - Math.round((from - low) * scale));
    for (let y = top; y < bottom; y++) pixels[y * width + x] = colour;
    if (bottom - top >= 4) pixels[top * width + x] = edge;
  }

  show() {
    const { context, canvas, left, top } = this.axes;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.putImageData(this.image, left, top);
  }
}

// A colour "#rrggbb" as the pixels of an image have it, brighter or darker by a factor.
function pack(colour, factor) {
  const part = (at) => Math.min(255, Math.round(parseInt(colour.slice(at, at + 2), 16) * factor));
  return (255 << 24 | part(5) << 16 | part(3) << 8 | part(1)) >>> 0;
}

// A mix of two colours: a part of the first, the rest of the second.
function mix(colour, other, part) {
  const channel = (from, at) => parseInt(from.slice(at, at + 2), 16);
  return `#${[1, 3, 5].map((at) => Math.round(channel(colour, at) * part + channel(other, at) * (1 - part))
    .toString(16).padStart(2, "0")).join("")}`;
}
