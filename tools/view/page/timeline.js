// SPDX-License-Identifier: Apache-2.0
// The timeline: for each column of pixels the moment in it at which most is live, with a band for
// each block of a pixel or more. The other blocks of a group are summed on top of them.
"use strict";

const PHASE_ROW = 15;
const PHASE_ROWS = 4;

class Timeline extends Axes {
  // `view`: device, groups, order, from and to (of the axis), axis, moment, matches, selected.
  show(recording, view) {
    this.recording = recording;
    const { device } = view;
    const rows = device.phases.reduce((most, phase) => Math.max(most, phase.depth + 1), 0);
    this.layOut(view, 6 + Math.min(rows, PHASE_ROWS) * PHASE_ROW);
    this.best = this.moments(device.maxima);
    let most = 1;
    for (const at of this.best) most = Math.max(most, device.live[at], device.saysReserved ? device.reserved[at] : 0);
    this.setMost(most, Math.max(device.live[device.peak], device.reservedPeak));
    this.showBands();
    if (device.saysReserved) this.drawSteps(device.reserved, this.best, this.style("--text"), []);
    this.drawAxes();
    this.drawPhases();
    this.drawFailures();
    this.drawMoment();
  }

  // Paints the bands only if they changed: a step of the moment is cheap.
  showBands() {
    const { view } = this;
    const state = [view.device, view.groups, view.order, view.from, view.to, view.axis, view.matches, view.selected,
      this.width, this.height, this.low, this.high, this.style("--text")];
    if (this.painted === undefined || state.some((value, i) => value !== this.painted[i])) {
      this.painted = state;
      this.raster = new Raster(this);
      if (view.device.isSampled) this.paintSums();
      else this.paintBlocks();
    }
    this.raster.show();
  }

  choosePalette() {
    const { groups } = this.view;
    const shades = (factor) => Uint32Array.from(groups.bands, (band) => pack(band.colour, factor));
    this.colours = { even: shades(1), odd: shades(0.86), edge: shades(0.7) };
    this.rest = pack(REST_COLOUR, 1);
    this.dim = pack(this.style("--dim"), 1);
    this.ink = pack(this.style("--text"), 1);
  }

  paintBlocks() {
    const { view, recording, best } = this;
    const { device, groups, order } = view;
    const key = [device, groups, order];
    if (this.stack === undefined || key.some((value, i) => value !== this.stackKey[i]))
      this.stack = new BlockStack(recording, device, groups, order);
    this.stackKey = key;
    this.limit = 1 / this.scale; // the size of a block that has a pixel
    this.parts = this.stack.parts;
    this.sums = new Float64Array(this.width * this.parts); // the height of the top of each part
    this.choosePalette();
    this.stack.begin(best[0], this.limit, view.matches);
    for (let x = 0; x < this.width; x++) {
      this.stack.advance(best[x]);
      this.paintColumn(x);
    }
  }

  paintColumn(x) {
    const { stack, low, high, dim, ink, raster } = this;
    const { matches, selected, order } = this.view;
    const { band } = this.view.groups;
    const { even, odd, edge } = this.colours;
    const { place } = stack;
    let base = 0;
    const paint = (b, from, to) => {
      const shade = matches !== null && !matches[b] ? dim : (place[b] & 1 ? odd : even)[band[b]];
      raster.paint(x, base + from, base + to, b === selected ? ink : shade, edge[band[b]]);
    };
    for (let part = 0; part < this.parts; part++) {
      const plain = order === "block" ? this.rest : even[part];
      const shade = matches !== null ? dim : plain;
      stack.visit(part, low - base, high - base, paint);
      base += stack.large[part];
      raster.paint(x, base, base + stack.smallMatches[part], plain, plain);
      base += stack.smallMatches[part];
      raster.paint(x, base, base + stack.small[part], shade, shade);
      base += stack.small[part];
      this.sums[x * this.parts + part] = base;
    }
  }

  // A recording of sums has a part for each category and no blocks.
  paintSums() {
    const { groups, device } = this.view;
    this.parts = groups.bands.length;
    this.sums = new Float64Array(this.width * this.parts);
    this.limit = Infinity;
    this.choosePalette();
    for (let x = 0; x < this.width; x++) {
      const bytes = new Float64Array(this.parts);
      device.sums.forEach((sum, group) => { bytes[groups.bandOf[group]] += sum.bytes[this.best[x]]; });
      let base = 0;
      bytes.forEach((height, part) => {
        const shade = this.colours.even[part];
        this.raster.paint(x, base, base + height, shade, shade);
        base += height;
        this.sums[x * this.parts + part] = base;
      });
    }
  }

  drawPhases() {
    const { context, ratio } = this;
    const { device } = this.view;
    context.textAlign = "left";
    context.textBaseline = "middle";
    let previous = -1; // phases narrower than a pixel are drawn once a pixel
    device.phases.forEach((phase, index) => {
      if (phase.depth >= PHASE_ROWS) return;
      const from = Math.max(0, this.columnOf(this.valueOf(phase.from)));
      const to = Math.min(this.width, this.columnOf(this.valueOf(phase.to)));
      if (to <= 0 || from >= this.width) return;
      const place = Math.floor(from) * PHASE_ROWS + phase.depth;
      if (to - from < 1 && place === previous) return;
      previous = place;
      const y = phase.depth * PHASE_ROW * ratio;
      context.fillStyle = index % 2 === 0 ? "#8aa4bf66" : "#8aa4bf33";
      context.fillRect(this.left + from, y, Math.max(1, to - from), (PHASE_ROW - 1) * ratio);
      const label = fitText(context, this.recording.texts[phase.text], to - from - 6 * ratio);
      context.fillStyle = this.style("--text");
      context.fillText(label, this.left + from + 3 * ratio, y + PHASE_ROW * ratio / 2);
    });
  }

  drawFailures() {
    let previous = -1;
    for (const { at } of this.view.device.failures) {
      const x = Math.floor(this.columnOf(this.valueOf(at)));
      if (x < 0 || x >= this.width || x === previous) continue;
      previous = x;
      this.drawVertical(x, this.style("--accent"), []);
    }
  }

  // Finds the position, the part and the block under a point of the page; null outside.
  find(clientX, clientY) {
    const point = this.pointAt(clientX, clientY);
    if (point === null) return null;
    const found = { at: this.best[point.x], value: point.value, part: -1, block: -1 };
    const bytes = this.bytesAt(clientY);
    let below = 0;
    for (let part = 0; part < this.parts && bytes >= 0; part++) {
      const top = this.sums[point.x * this.parts + part];
      if (bytes < top) {
        found.part = part;
        found.bytes = top - below;
        found.block = this.findBlock(part, found.at, bytes - below);
        break;
      }
      below = top;
    }
    return found;
  }

  findBlock(part, at, height) {
    const { device } = this.view;
    const { size } = this.recording.block;
    let top = 0;
    if (device.isSampled) return -1;
    for (const b of device.liveBlocks(at)) {
      if (size[b] < this.limit || this.stack.part[b] !== part) continue;
      top += size[b];
      if (height < top) return b;
    }
    return -1;
  }

  // The heights between which a block lies at a position, if blocks from `limit` bytes have a band.
  heightsOf(block, at, limit) {
    const { size } = this.recording.block;
    const { part, place } = this.stack;
    const isBelow = (b) => (part[b] === part[block] ? size[b] >= limit && place[b] < place[block]
      : part[b] < part[block]);
    let low = 0;
    for (const b of this.view.device.liveBlocks(at)) if (isBelow(b)) low += size[b];
    return { low, high: low + size[block] };
  }

  // Blocks that get a band of their own move those above them. The block `found` stays where it is.
  zoomBytes(factor, around, found) {
    const before = this.limit;
    super.zoomBytes(factor, around);
    if (this.range === null || found === undefined || found.block < 0) return;
    const { low, high } = this.range;
    const limit = (high - low) / this.height;
    const { block, at } = found;
    if (this.recording.block.size[block] < limit) return;
    const shift = this.heightsOf(block, at, limit).low - this.heightsOf(block, at, before).low;
    this.setBytes(low + shift, high + shift);
  }

  // Shows a block and as much below and above it.
  fitBlock(block, at) {
    const size = this.recording.block.size[block];
    const { low, high } = this.heightsOf(block, at, 3 * size / this.height);
    this.setBytes(low - size, high + size);
  }
}
