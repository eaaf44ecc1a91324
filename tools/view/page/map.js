// SPDX-License-Identifier: Apache-2.0
// The segment map: what the allocator has from the device at one position, in order of address, and
// the live blocks in it. The rows continue each other like lines of a text.
"use strict";

const MAP_ROWS = 12;

// The segments with their blocks, and what is free between them.
class SegmentState {
  constructor(recording, device, at) {
    const { id, occupied } = recording.block;
    this.ranges = device.ranges(at);
    this.reserved = 0;
    for (const range of this.ranges) {
      range.offset = this.reserved;
      range.blocks = [];
      this.reserved += range.to - range.from;
    }
    this.outside = 0;
    this.used = 0;
    for (const b of device.liveBlocks(at)) {
      const range = this.rangeOf(id[b]);
      if (range === null) this.outside++;
      else range.blocks.push(b);
    }
    this.largestFree = 0;
    this.pieces = 0;
    for (const range of this.ranges) {
      range.blocks.sort((a, b) => id[a] - id[b]);
      let end = range.from;
      const free = (to) => {
        if (to <= end) return;
        this.pieces++;
        this.largestFree = Math.max(this.largestFree, to - end);
      };
      for (const b of range.blocks) {
        free(id[b]);
        const bytes = occupied[b];
        end = Math.max(end, id[b] + bytes);
        this.used += bytes;
      }
      free(range.to);
    }
    this.free = Math.max(0, this.reserved - this.used);
  }

  // The range that has an address, or null.
  rangeOf(address) {
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ranges[middle].to <= address) low = middle + 1;
      else high = middle;
    }
    return low < this.ranges.length && this.ranges[low].from <= address ? this.ranges[low] : null;
  }
}

class SegmentMap {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  show(recording, view) {
    const { id, occupied } = recording.block;
    const { device, groups, matches, selected } = view;
    this.state = new SegmentState(recording, device, view.moment);
    this.ratio = window.devicePixelRatio || 1;
    const box = this.canvas.getBoundingClientRect();
    this.canvas.width = Math.max(200, Math.round(box.width * this.ratio));
    this.canvas.height = Math.max(100, Math.round(box.height * this.ratio));
    this.rowBytes = Math.max(1, this.state.reserved / MAP_ROWS);
    this.rowHeight = this.canvas.height / MAP_ROWS;
    const style = getComputedStyle(document.documentElement);
    const empty = style.getPropertyValue("--line").trim();
    const ink = style.getPropertyValue("--text").trim();
    this.boxes = []; // of the blocks, for find()
    for (const range of this.state.ranges) {
      this.fill(range.offset, range.to - range.from, empty);
      for (const b of range.blocks) {
        const dimmed = matches !== null && !matches[b];
        const shade = b === selected ? ink : dimmed ? "#80868c" : groups.colourOf(groups.of[b]);
        this.fill(range.offset + id[b] - range.from, occupied[b], shade);
      }
      this.fill(range.offset, 0, ink);
    }
    return this.state;
  }

  // Fills bytes from an offset on, over as many rows as it takes.
  fill(offset, bytes, colour) {
    const { context, canvas, rowBytes, rowHeight } = this;
    context.fillStyle = colour;
    let row = Math.floor(offset / rowBytes);
    let from = offset - row * rowBytes;
    for (let left = bytes; row < MAP_ROWS; row++, from = 0) {
      const part = Math.min(left, rowBytes - from);
      const x = from / rowBytes * canvas.width;
      const width = Math.max(1, part / rowBytes * canvas.width - 0.5);
      context.fillRect(x, row * rowHeight + 1, width, rowHeight - 3);
      left -= part;
      if (left <= 0) break;
    }
  }

  // The block under a point of the page, or -1, and the address there.
  find(recording, clientX, clientY) {
    const { id, occupied } = recording.block;
    const box = this.canvas.getBoundingClientRect();
    const row = Math.floor((clientY - box.top) / box.height * MAP_ROWS);
    const offset = (row + (clientX - box.left) / box.width) * this.rowBytes;
    const range = this.state.ranges.findLast((candidate) => candidate.offset <= offset);
    if (range === undefined || offset >= this.state.reserved) return null;
    const address = range.from + offset - range.offset;
    const block = range.blocks.find((b) => id[b] <= address && address < id[b] + occupied[b]) ?? -1;
    return { block, address: Math.floor(address), range };
  }
}
