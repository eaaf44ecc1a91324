// SPDX-License-Identifier: Apache-2.0
// The timeline: for each column of pixels the moment in it at which most is live, as bands stacked by
// group. Blocks of a pixel or more are drawn each; the others of a group are summed on top of them.
"use strict";

const PHASE_ROW = 15;
const PHASE_ROWS = 4;

function pack(colour, factor) {
  const part = (at) => Math.min(255, Math.round(parseInt(colour.slice(at, at + 2), 16) * factor));
  return (255 << 24 | part(5) << 16 | part(3) << 8 | part(1)) >>> 0;
}

class Timeline extends Axes {
  // `view`: device, groups, from and to (of the axis), axis, moment, matches, selected.
  show(recording, view) {
    this.recording = recording;
    const rows = view.device.phases.reduce((most, phase) => Math.max(most, phase.depth + 1), 0);
    this.layOut(view, 6 + Math.min(rows, PHASE_ROWS) * PHASE_ROW);
    this.chooseMoments();
    this.drawBands();
    this.drawReserved();
    this.drawAxes();
    this.drawPhases();
    this.drawFailures();
    this.drawMoment();
  }

  // For each column the position whose state it shows, and the scale of the bytes.
  chooseMoments() {
    const { device } = this.view;
    const { live, reserved } = device;
    this.best = new Int32Array(this.width).fill(-1);
    let carried = 0; // the state when the column begins
    let column = 0;
    for (let at = 0; at <= device.count; at++) {
      const x = Math.floor(this.columnOf(this.valueOf(at)));
      if (x >= this.width) break;
      if (x >= 0) {
        for (; column < x; column++) if (this.best[column] < 0) this.best[column] = carried;
        if (this.best[x] < 0) this.best[x] = live[carried] >= live[at] && at > 0 ? carried : at;
        else if (live[at] > live[this.best[x]]) this.best[x] = at;
      }
      carried = at;
    }
    for (; column < this.width; column++) if (this.best[column] < 0) this.best[column] = carried;
    let most = 1;
    for (const at of this.best) most = Math.max(most, live[at], device.saysReserved ? reserved[at] : 0);
    this.setMost(most);
  }

  // Walks the events, with a list of the large live blocks of each band and sums of the small ones.
  drawBands() {
    const { device, groups, matches } = this.view;
    const { event, block } = this.recording;
    const image = this.context.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(image.data.buffer);
    this.bandCount = groups.bands.length;
    this.limit = 1 / this.scale; // the size of a block that has a pixel
    this.sums = new Float64Array(this.width * this.bandCount);
    this.small = new Float64Array(this.bandCount);
    this.smallMatches = new Float64Array(this.bandCount);
    this.colours = groups.bands.map((band) => [1, 0.86, 0.7].map((factor) => pack(band.colour, factor)));
    this.dim = pack(window.matchMedia("(prefers-color-scheme: dark)").matches ? "#3a4046" : "#d9dde0", 1);
    const blocks = block.size.length;
    this.next = new Int32Array(blocks + this.bandCount);
    this.previous = new Int32Array(blocks + this.bandCount);
    for (let band = 0; band < this.bandCount; band++)
      this.next[blocks + band] = this.previous[blocks + band] = blocks + band; // the ends of the lists
    const change = (b, isBirth) => {
      const band = groups.bandOf[groups.of[b]];
      const size = block.size[b];
      if (size < this.limit) {
        const sums = matches !== null && matches[b] ? this.smallMatches : this.small;
        sums[band] += isBirth ? size : -size;
      } else if (isBirth) {
        const end = blocks + band;
        const last = this.previous[end];
        this.next[last] = this.previous[end] = b;
        this.previous[b] = last;
        this.next[b] = end;
      } else {
        this.next[this.previous[b]] = this.next[b];
        this.previous[this.next[b]] = this.previous[b];
      }
    };
    for (let i = 0; i < device.startingCount; i++) change(device.firstStarting + i, true);
    let column = 0;
    for (let at = 0; at <= device.count && column < this.width; at++) {
      if (at > 0 && !device.isSampled) {
        const kind = event.kind[device.firstEvent + at - 1];
        if (kind === EVENT.ALLOC || kind === EVENT.FREE)
          change(event.item[device.firstEvent + at - 1], kind === EVENT.ALLOC);
      }
      if (this.best[column] === at && device.isSampled)
        device.sums.forEach((sum, group) => { this.small[groups.bandOf[group]] = sum.bytes[at]; });
      for (; column < this.width && this.best[column] === at; column++) this.paintColumn(column);
    }
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.context.putImageData(image, this.left, this.top);
  }

  paintColumn(x) {
    const { size } = this.recording.block;
    const { matches, selected } = this.view;
    const blocks = size.length;
    let bytes = 0;
    for (let band = 0; band < this.bandCount; band++) {
      const [plain, other, edge] = this.colours[band];
      for (let b = this.next[blocks + band]; b < blocks; b = this.next[b]) {
        const shade = matches !== null && !matches[b] ? this.dim : b & 1 ? other : plain;
        this.paintRun(x, bytes, bytes + size[b], b === selected ? 0xff000000 : shade, edge);
        bytes += size[b];
      }
      this.paintRun(x, bytes, bytes + this.smallMatches[band], plain, plain);
      bytes += this.smallMatches[band];
      const shade = matches !== null ? this.dim : plain;
      this.paintRun(x, bytes, bytes + this.small[band], shade, shade);
      bytes += this.small[band];
      this.sums[x * this.bandCount + band] = bytes;
    }
  }

  // Paints from one number of bytes up to another. Runs of four pixels and more have an edge.
  paintRun(x, from, to, colour, edge) {
    const low = Math.max(0, this.height - Math.round(to * this.scale));
    const high = this.height - Math.round(from * this.scale);
    for (let y = low; y < high; y++) this.pixels[y * this.width + x] = colour;
    if (high - low >= 4) this.pixels[low * this.width + x] = edge;
  }

  drawReserved() {
    const { device } = this.view;
    if (!device.saysReserved) return;
    const { context } = this;
    context.strokeStyle = this.style("--text");
    context.lineWidth = 1.2 * this.ratio;
    context.beginPath();
    for (let x = 0; x < this.width; x++) {
      const y = this.top + this.height - device.reserved[this.best[x]] * this.scale;
      context.lineTo(this.left + x, y);
      context.lineTo(this.left + x + 1, y);
    }
    context.stroke();
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
      if (to - from < 24 * ratio) return;
      context.save();
      context.beginPath();
      context.rect(this.left + from, y, to - from - 2, PHASE_ROW * ratio);
      context.clip();
      context.fillStyle = this.style("--text");
      context.fillText(this.recording.texts[phase.text], this.left + from + 3 * ratio, y + PHASE_ROW * ratio / 2);
      context.restore();
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

  // Finds the position, the band and the block under a point of the page; null outside.
  find(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor((clientX - box.left) * this.ratio) - this.left;
    const y = (clientY - box.top) * this.ratio - this.top;
    if (x < 0 || x >= this.width || y < -this.top || y > this.height) return null;
    const found = { at: this.best[x], value: this.view.from + (x + 0.5) / this.width * (this.view.to - this.view.from),
      band: -1, block: -1 };
    const bytes = (this.height - y) / this.scale;
    let below = 0;
    for (let band = 0; band < this.bandCount && bytes >= 0; band++) {
      const top = this.sums[x * this.bandCount + band];
      if (bytes < top) {
        found.band = band;
        found.bytes = top - below;
        found.block = this.findBlock(band, found.at, bytes - below);
        break;
      }
      below = top;
    }
    return found;
  }

  findBlock(band, at, height) {
    const { device, groups } = this.view;
    const { size } = this.recording.block;
    let top = 0;
    for (const b of device.own) {
      if (size[b] < this.limit || groups.bandOf[groups.of[b]] !== band || !device.isLive(b, at)) continue;
      top += size[b];
      if (height < top) return b;
    }
    return -1;
  }
}
