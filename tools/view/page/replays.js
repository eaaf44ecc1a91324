// SPDX-License-Identifier: Apache-2.0
// The replays under each pool beside what the program had: a line for each over the events, and the
// table of their results. The command divides the events into equal parts and has the peak of each.
"use strict";

const CURVE_PARTS = 1000; // TN_CURVE_PARTS

class Replays extends Axes {
  constructor(canvas, recording) {
    super(canvas);
    this.recording = recording;
    this.hidden = new Set(); // names of lines
    this.rows = this.makeRows();
  }

  get isEmpty() { return this.rows.length === 0; }

  // The rows of the table: live memory, the recorded allocator, and each pool.
  makeRows() {
    const { replays } = this.recording.head;
    const first = replays.find((replay) => replay.error === undefined);
    const rows = replays.map((replay, kind) => ({ name: replay.pool, kind, colour: COLOURS[kind],
      reserved: replay.peak_reserved_bytes, used: replay.utilisation, nanoseconds: replay.device_ns,
      moved: replay.moved_bytes, error: replay.error && replay.error.message }));
    if (first !== undefined && first.recorded_peak_reserved_bytes !== undefined)
      rows.unshift({ name: "the recorded allocator", colour: "var(--text)",
        reserved: first.recorded_peak_reserved_bytes,
        used: first.peak_live_bytes / first.recorded_peak_reserved_bytes, nanoseconds: first.recorded_virtual_ns,
        moved: 0, series: "reserved" });
    if (first !== undefined)
      rows.unshift({ name: "live memory (the lower bound)", colour: REST_COLOUR, reserved: first.peak_live_bytes,
        used: 1, series: "live" });
    return rows;
  }

  // ---- the lines

  // The last position of each part; part 0 is the state before the first event.
  chooseDevice(device) {
    const parts = Math.min(device.count, CURVE_PARTS);
    this.ends = Array.from({ length: parts + 1 },
      (_, part) => (part === 0 ? 0 : Math.floor(part * device.count / parts)));
    const series = { live: () => this.peaks(device.maxima),
      reserved: () => (device.saysReserved ? this.peaks(device.reservedMaxima) : []) };
    this.lines = this.rows.map((row) => ({ row,
      bytes: row.series === undefined ? this.pool(row.kind, device) : series[row.series]() }))
      .filter(({ bytes }) => bytes.length > 0);
  }

  pool(kind, device) { return this.recording.sections.get(`replays[${kind}].held[${device.index}]`) ?? []; }

  // The highest value of each part, that at its begin included.
  peaks(maxima) {
    return this.ends.map((end, part) => maxima.values[maxima.find(part === 0 ? 0 : this.ends[part - 1], end + 1)]);
  }

  // Calls visit(from, to, bytes) for each part, with its columns of pixels.
  eachPart(bytes, visit) {
    for (let part = 1; part < bytes.length; part++) {
      const from = this.columnOf(this.valueOf(this.ends[part - 1]));
      const to = this.columnOf(this.valueOf(this.ends[part]));
      if (to >= 0 && from <= this.width)
        visit(this.left + Math.max(0, from), this.left + Math.min(this.width, to), bytes[part]);
    }
  }

  show(view) {
    if (view.device !== this.device) this.chooseDevice(view.device);
    this.device = view.device;
    this.layOut(view, 6);
    const shown = this.lines.filter(({ row }) => !this.hidden.has(row.name));
    let most = 1;
    for (const { bytes } of shown)
      this.eachPart(bytes, (from, to, value) => { most = Math.max(most, value); });
    this.setMost(most, shown.reduce((whole, { bytes }) => bytes.reduce((a, b) => Math.max(a, b), whole), 1));
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.left, this.top, this.width, this.height);
    this.context.clip();
    for (const line of shown) this.drawLine(line);
    this.context.restore();
    this.drawAxes();
    this.drawMoment();
  }

  drawLine({ row, bytes }) {
    const { context } = this;
    const bottom = this.rowOf(0);
    const colour = row.series === "reserved" ? this.style("--text") : row.colour;
    context.beginPath();
    this.eachPart(bytes, (from, to, value) => {
      const y = this.rowOf(value);
      if (row.series === "live") {
        context.rect(from, y, Math.max(1, to - from), bottom - y);
      } else {
        context.lineTo(from, y);
        context.lineTo(to, y);
      }
    });
    context.fillStyle = context.strokeStyle = colour;
    context.lineWidth = (row.series === "reserved" ? 2 : 1.5) * this.ratio;
    if (row.series === "live") context.fill();
    else context.stroke();
  }

  // Finds the last position of the part under a point of the page, and lines about it; null
  // outside.
  find(clientX, clientY) {
    const point = this.pointAt(clientX, clientY);
    if (point === null) return null;
    const part = Math.max(1, this.ends.findIndex((end) => this.valueOf(end) >= point.value));
    if (part >= this.ends.length) return null;
    const at = this.ends[part];
    const lines = this.lines.filter(({ bytes }) => part < bytes.length)
      .map(({ row, bytes }) => [row.name, bytes[part]]).sort((a, b) => b[1] - a[1])
      .map(([name, bytes]) => `${bytesText(bytes).padStart(11)}  ${name}`);
    return { at, value: point.value, lines: [`highest up to ${this.device.eventText(at)}:`, ...lines] };
  }

  // ---- the table

  // A click on a row hides or shows its line.
  fillTable(table, onChange) {
    const most = this.rows.reduce((value, row) => (row.error ? value : Math.max(value, row.reserved)), 1);
    const bar = (row) => {
      const made = element("span", "", { className: "bar" });
      made.style.width = `calc(${(row.reserved / most).toFixed(4)} * min(16em, 16vw))`;
      return made;
    };
    fillTable(table, [
      { title: "pool", kind: "name", cell: (row) => swatch(this.hidden.has(row.name) ? "none" : row.colour, row.name) },
      { title: "peak reserved", kind: "number", cell: (row) => (row.error ? "" : bytesText(row.reserved)) },
      { title: "", cell: (row) => (row.error ? row.error : bar(row)) },
      { title: "utilisation", kind: "number", cell: (row) => (row.error ? "" : `${(100 * row.used).toFixed(1)} %`) },
      { title: "device time", kind: "number",
        cell: (row) => (row.error || row.nanoseconds === undefined ? "" : timeText(row.nanoseconds / 1000)) },
      { title: "moved", kind: "number", cell: (row) => (row.error || !row.moved ? "" : bytesText(row.moved)) },
    ], this.rows, (row) => {
      if (!this.hidden.delete(row.name)) this.hidden.add(row.name);
      this.fillTable(table, onChange);
      onChange();
    });
  }
}
