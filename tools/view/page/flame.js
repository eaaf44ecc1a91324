// SPDX-License-Identifier: Apache-2.0
// The flame graph of the live memory at one position: the outermost calls are on top, the width is
// the bytes. A click on a call shows it alone; a click on the first row shows everything again.
"use strict";

const FLAME_ROW = 18;
const FLAME_DEPTH = 512;

class FlameGraph {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.focus = 0;
  }

  // Sums the bytes of each call and of what it calls. Callers have lower indexes. The calls inside
  // the owner of a block are left out unless they are wanted.
  sum(recording, { device, moment, allCalls }) {
    const { caller } = recording.call;
    const { stack, size } = recording.block;
    const last = (call) => (allCalls ? call : recording.owner.calls[call]);
    this.bytes = new Float64Array(caller.length);
    for (const b of device.liveBlocks(moment)) this.bytes[last(stack[b])] += size[b];
    this.children = new Map();
    for (let call = caller.length - 1; call > 0; call--) {
      if (this.bytes[call] === 0) continue;
      this.bytes[caller[call]] += this.bytes[call];
      if (!this.children.has(caller[call])) this.children.set(caller[call], []);
      this.children.get(caller[call]).push(call);
    }
    for (const list of this.children.values()) list.sort((a, b) => this.bytes[b] - this.bytes[a]);
    if (this.bytes[this.focus] === 0) this.focus = 0;
  }

  // Places the calls that have a pixel: [call, depth, from, width], parts of the whole.
  place() {
    this.boxes = [];
    this.depth = 1;
    const least = 1 / this.canvas.width;
    const waiting = [[this.focus, 0, 0, 1]];
    while (waiting.length > 0) {
      const [call, depth, from, width] = waiting.pop();
      this.boxes.push({ call, depth, from, width });
      this.depth = Math.max(this.depth, depth + 1);
      if (depth + 1 >= FLAME_DEPTH) continue;
      let at = from;
      for (const child of this.children.get(call) ?? []) {
        const part = width * this.bytes[child] / this.bytes[call];
        if (part < least) break; // the others are narrower
        waiting.push([child, depth + 1, at, part]);
        at += part;
      }
    }
  }

  show(recording, view) {
    this.sum(recording, view);
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(200, Math.round(this.canvas.getBoundingClientRect().width * ratio));
    this.place();
    this.canvas.style.height = `${this.depth * FLAME_ROW}px`;
    this.canvas.height = this.depth * FLAME_ROW * ratio;
    const { context, canvas } = this;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    for (const box of this.boxes) {
      const x = box.from * canvas.width;
      const y = box.depth * FLAME_ROW * ratio;
      const width = box.width * canvas.width;
      context.fillStyle = box.call === 0 ? "#9498a0"
        : `hsl(${20 + box.call * 47 % 40} 75% ${62 + box.call * 13 % 12}%)`;
      context.fillRect(x, y, Math.max(1, width - 1), FLAME_ROW * ratio - 1);
      context.fillStyle = "#1c2024";
      context.fillText(fitText(context, this.label(recording, box.call), width - 6 * ratio), x + 3 * ratio,
        y + FLAME_ROW * ratio / 2);
    }
  }

  label(recording, call) {
    return call === 0 ? `all: ${bytesText(this.bytes[0])}` : recording.callText(call);
  }

  // The call under a point of the page, or -1.
  find(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const depth = Math.floor((clientY - box.top) / FLAME_ROW);
    const x = (clientX - box.left) / box.width;
    const found = this.boxes.find((each) => each.depth === depth && each.from <= x && x < each.from + each.width);
    return found === undefined ? -1 : found.call;
  }
}
