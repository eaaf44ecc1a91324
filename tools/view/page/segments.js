// SPDX-License-Identifier: Apache-2.0
// The memory that the allocator has from the device over time: a band for each segment over its
// life. What blocks use of it is dark; the light rest is cached, that is reserved and unused.
"use strict";

// The lives of the segments. Mapped parts that adjoin are one segment, which grows and shrinks.
class SegmentHistory {
  constructor(recording, device) {
    this.recording = recording;
    this.device = device;
    this.pieces = []; // {from, to, birth, death, segment, band}: addresses and positions
    this.joined = []; // for each band a band that it belongs to, or itself
    this.live = []; // live pieces by address
    this.home = new Int32Array(recording.block.size.length).fill(-1); // the band in which a block lies
    for (let i = 0; i < device.startingSegmentCount; i++) this.take(device.firstStartingSegment + i, 0);
    for (let i = 0; i < device.startingCount; i++) this.place(device.firstStarting + i);
    for (let at = 1; at <= device.count; at++) {
      const { kind, item } = device.eventAt(at);
      if (kind === EVENT.ALLOC) this.place(item);
      else if (kind === EVENT.SEGMENT) this.take(item, at);
      else if (kind === EVENT.RETURN) this.giveBack(item, at);
    }
    this.numberBands();
  }

  // The index of the first live piece that ends behind an address.
  search(address) {
    let low = 0;
    let high = this.live.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.live[middle].to <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  rootOf(band) {
    while (this.joined[band] !== band) band = this.joined[band];
    return band;
  }

  add(piece) {
    this.pieces.push(piece);
    return piece;
  }

  take(s, at) {
    const { address, bytes, stream, mapped } = this.recording.segment;
    const piece = this.add({ from: address[s], to: address[s] + bytes[s], birth: at, death: this.device.count + 1,
      segment: s, band: this.joined.length });
    const index = this.search(piece.from);
    this.joined.push(piece.band);
    const joins = (other) => other !== undefined && mapped[s] !== 0 && mapped[other.segment] !== 0
      && stream[s] === stream[other.segment] && (other.to === piece.from || other.from === piece.to);
    for (const other of [this.live[index - 1], this.live[index]]) {
      if (!joins(other)) continue;
      const [a, b] = [this.rootOf(piece.band), this.rootOf(other.band)];
      this.joined[Math.max(a, b)] = Math.min(a, b); // the older one keeps its place
    }
    this.live.splice(index, 0, piece);
  }

  // A part of a segment may be given back, or several at once.
  giveBack(s, at) {
    const { address, bytes } = this.recording.segment;
    const [from, to] = [address[s], address[s] + bytes[s]];
    for (let index = this.search(from); index < this.live.length && this.live[index].from < to;) {
      const piece = this.live[index];
      const rest = [];
      piece.death = at;
      if (piece.from < from) rest.push(this.add({ ...piece, to: from, birth: at, death: this.device.count + 1 }));
      if (piece.to > to) rest.push(this.add({ ...piece, from: to, birth: at, death: this.device.count + 1 }));
      this.live.splice(index, 1, ...rest);
      if (piece.from < from) index++;
      if (piece.to > to) break;
    }
  }

  place(b) {
    const address = this.recording.block.id[b];
    const piece = this.live[this.search(address)];
    if (piece !== undefined && piece.from <= address) this.home[b] = piece.band;
  }

  // Numbers the bands by their births, and lists the changes of their bytes by position.
  numberBands() {
    const numbers = new Map();
    const numberOf = (band) => {
      const root = this.rootOf(band);
      if (!numbers.has(root)) numbers.set(root, numbers.size);
      return numbers.get(root);
    };
    this.changes = []; // {at, band, bytes}
    this.first = []; // the first piece of each band
    for (const piece of this.pieces) {
      piece.band = numberOf(piece.band);
      this.first[piece.band] ??= piece;
      const bytes = piece.to - piece.from;
      this.changes.push({ at: piece.birth, band: piece.band, bytes });
      if (piece.death <= this.device.count) this.changes.push({ at: piece.death, band: piece.band, bytes: -bytes });
    }
    this.changes.sort((a, b) => a.at - b.at || b.bytes - a.bytes);
    this.home = this.home.map((band) => (band < 0 ? -1 : numberOf(band)));
    this.total = new Float64Array(numbers.size);
    this.used = new Float64Array(numbers.size);
  }

  // ---- the state at a position

  begin(at) {
    this.total.fill(0);
    this.used.fill(0);
    this.bands = []; // those that have memory, by birth
    this.position = at;
    this.change = 0;
    this.applyChanges(at);
    for (const b of this.device.liveBlocks(at)) this.use(b, 1);
  }

  advance(at) {
    this.device.eachChange(this.position, at, (b, sign) => this.use(b, sign));
    this.position = at;
    this.applyChanges(at);
  }

  use(b, sign) {
    if (this.home[b] >= 0) this.used[this.home[b]] += sign * this.recording.block.occupied[b];
  }

  applyChanges(at) {
    for (; this.change < this.changes.length && this.changes[this.change].at <= at; this.change++) {
      const { band, bytes } = this.changes[this.change];
      const before = this.total[band];
      this.total[band] += bytes;
      if (before === 0 && this.total[band] > 0) {
        let index = this.bands.length;
        while (index > 0 && this.bands[index - 1] > band) index--;
        this.bands.splice(index, 0, band);
      } else if (before > 0 && this.total[band] === 0) {
        this.bands.splice(this.bands.indexOf(band), 1);
      }
    }
  }
}

class SegmentTimeline extends Axes {
  constructor(canvas) {
    super(canvas);
    this.histories = new Map(); // by device, made when first shown
  }

  historyOf(recording, device) {
    if (!this.histories.has(device)) this.histories.set(device, new SegmentHistory(recording, device));
    return this.histories.get(device);
  }

  show(recording, view) {
    this.recording = recording;
    const { device } = view;
    this.layOut(view, 6);
    this.history = this.historyOf(recording, device);
    this.best = this.moments(device.reservedMaxima);
    this.setMost(this.best.reduce((most, at) => Math.max(most, device.reserved[at], device.live[at]), 1),
      device.reservedPeak);
    const state = [device, view.from, view.to, view.axis, this.width, this.height, this.low, this.high,
      this.style("--text")];
    if (this.painted === undefined || state.some((value, i) => value !== this.painted[i])) this.paintBands();
    this.painted = state;
    this.raster.show();
    this.drawSteps(device.live, this.best, this.style("--text"), [3, 2]);
    this.drawAxes();
    this.drawMoment();
  }

  // Used and cached memory of a band have the colour of its stream.
  coloursOf(band) {
    const { stream } = this.recording.segment;
    const index = stream[this.history.first[band].segment];
    if (!this.streams.has(index)) {
      const colour = COLOURS[this.streams.size % COLOURS.length];
      const back = this.style("--back");
      this.streams.set(index, [colour, mix(colour, "#000000", 0.86)].map((shade) => ({ used: pack(shade, 1),
        cached: pack(mix(shade, back, 0.3), 1), edge: pack(mix(shade, back, 0.6), 1) })));
    }
    return this.streams.get(index)[band & 1];
  }

  paintBands() {
    const { history, best } = this;
    this.raster = new Raster(this);
    this.streams = new Map();
    this.limit = 1 / this.scale;
    const rest = { used: pack(REST_COLOUR, 1), cached: pack(mix(REST_COLOUR, this.style("--back"), 0.3), 1) };
    history.begin(best[0]);
    for (let x = 0; x < this.width; x++) {
      history.advance(best[x]);
      this.eachBand((band, low, used, high) => {
        const colours = band < 0 ? rest : this.coloursOf(band);
        this.raster.paint(x, low, low + used, colours.used, colours.used);
        this.raster.paint(x, low + used, high, colours.cached, band < 0 ? colours.cached : colours.edge);
      });
    }
  }

  // Calls visit(band, low, used bytes, high) for the bands from the lowest; -1 is the sum of the
  // small ones.
  eachBand(visit) {
    const { bands, total, used } = this.history;
    let base = 0;
    let small = 0;
    let smallUsed = 0;
    for (const band of bands) {
      const inside = Math.min(used[band], total[band]);
      if (total[band] < this.limit) {
        small += total[band];
        smallUsed += inside;
      } else {
        visit(band, base, inside, base + total[band]);
        base += total[band];
      }
    }
    if (small > 0) visit(-1, base, smallUsed, base + small);
  }

  // Finds the position and the band under a point of the page; null outside.
  find(clientX, clientY) {
    const point = this.pointAt(clientX, clientY);
    if (point === null) return null;
    const found = { at: this.best[point.x], value: point.value, band: null };
    const bytes = this.bytesAt(clientY);
    this.history.begin(found.at);
    this.eachBand((band, low, used, high) => {
      if (low <= bytes && bytes < high) Object.assign(found, { band, used, bytes: high - low });
    });
    return found;
  }

  // The sums at a position, as text.
  textAt(at) {
    this.history.begin(at);
    const { bands, total, used } = this.history;
    const sum = (list, values) => list.reduce((bytes, band) => bytes + values[band], 0);
    const empty = bands.filter((band) => used[band] === 0);
    const [held, inUse] = [sum(bands, total), sum(bands, used)];
    return `At the moment ${bytesText(held)} in ${countText(bands.length)} segments: ${bytesText(inUse)} used, `
      + `${bytesText(Math.max(0, held - inUse))} cached, of these ${bytesText(sum(empty, total))} in `
      + `${countText(empty.length)} empty segments.`;
  }

  // The lines about a band that find() found.
  linesOf({ band, at, used, bytes }) {
    const { segment } = this.recording;
    const { device } = this.view;
    const usage = `${bytesText(used)} used, ${bytesText(bytes - used)} cached`;
    if (band < 0) return [`segments below ${bytesText(Math.ceil(this.limit))}, summed: ${bytesText(bytes)}`, usage];
    const pieces = this.history.pieces.filter((piece) => piece.band === band);
    const live = pieces.filter((piece) => piece.birth <= at && at < piece.death);
    const from = live.reduce((least, piece) => Math.min(least, piece.from), Infinity);
    const first = this.history.first[band];
    const end = pieces.reduce((last, piece) => Math.max(last, piece.death), 0);
    const parts = live.length > 1 ? `, ${live.length} parts` : "";
    return [`segment of ${bytesText(bytes)} at 0x${from.toString(16)}${parts}`, usage,
      this.recording.streamText(segment.stream[first.segment]),
      `${first.birth === 0 ? "taken before the recording" : `taken at ${device.eventText(first.birth)}`}, ${
        end > device.count ? "held to the end" : `returned at ${device.eventText(end)}`}`,
      ...(segment.is_private[first.segment] ? ["of a private pool"] : [])];
  }
}
