// SPDX-License-Identifier: Apache-2.0
// The recording as the page has it: columns of numbers that tools/view/data.c wrote, and what
// follows from them for each device: when a block is born and dies, the phases, the peak, the
// reserved bytes.
"use strict";

const EVENT = { ALLOC: 0, FREE: 1, REQUEST: 2, MARK: 3, MARK_END: 4, FAILURE: 5, SEGMENT: 6, RETURN: 7 };
const CATEGORIES = ["none", "parameter", "optimizer state", "input", "temporary", "activation", "gradient",
  "autograd detail", "unknown"];
const LACKS = { TIMES: 1, STREAMS: 2, STACKS: 4, ADDRESSES: 8, EVENTS: 16, BLOCKS: 32 };
const SECTION_NUMBERS = 1;
const NOT_RECORDED = 2 ** 52; // the value of a number that is absent or too large

async function inflate(text) {
  const packed = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text)
    : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads the sections: a map from names to arrays of numbers or bytes.
function readSections(bytes) {
  const sections = new Map();
  let at = 0;
  function number() {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }
  function numbers(count) {
    const column = new Float64Array(count);
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[at];
      if (byte < 128) { // the usual case: a small difference
        at++;
        value += byte & 1 ? -(byte >> 1) : byte >> 1;
      } else {
        const step = number();
        value += step % 2 === 1 ? -(step - 1) / 2 : step / 2;
      }
      column[i] = value;
    }
    return column;
  }
  while (at < bytes.length) {
    const length = number();
    const name = new TextDecoder().decode(bytes.subarray(at, at += length));
    const kind = number();
    const count = number();
    sections.set(name, kind === SECTION_NUMBERS ? numbers(count) : bytes.subarray(at, at += count));
  }
  return sections;
}

class Recording {
  constructor(bytes) {
    const decoder = new TextDecoder();
    this.sections = readSections(bytes);
    this.head = JSON.parse(decoder.decode(this.sections.get("head")));
    this.path = decoder.decode(this.sections.get("path"));
    const texts = (name) => decoder.decode(this.sections.get(name)).split("\0");
    this.texts = texts("texts");
    this.functions = texts("functions"); // short names, by text; empty if the text is short
    this.files = texts("files"); // names without folders, by text; empty if not known
    this.lacks = this.head.lacks;
    this.event = this.columns("events", ["time_us", "where", "kind", "item"]);
    this.event.kind = Uint8Array.from(this.event.kind);
    this.event.item = Uint32Array.from(this.event.item);
    this.block = this.columns("blocks", ["id", "size", "occupied", "stream", "stack", "tag", "category"]);
    this.segment = this.columns("segments", ["address", "bytes", "stream", "stack", "mapped",
      "is_private"]);
    this.failure = this.columns("failures", ["size", "device_free", "stream", "stack"]);
    this.call = this.columns("calls", ["caller", "function", "file", "line"]);
    this.setting = this.columns("settings", ["name", "value"]);
    this.stream = this.columns("streams", ["native", "device"]);
    this.owner = this.columns("owners", ["calls", "functions", "lines"]); // of each stack
    const blocks = this.block.size.length;
    this.birth = new Int32Array(blocks).fill(-1); // the position from which a block is live
    this.death = new Int32Array(blocks).fill(-1); // the position from which it is not
    const device = this.columns("devices", ["number", "kind", "memory_bytes", "first_event", "event_count",
      "first_starting", "starting_count", "first_starting_segment", "starting_segment_count", "first_sample",
      "sample_count", "says_reserved", "reserved_at_start", "reserved_peak"]);
    this.devices = Array.from(device.number, (_, i) => new Device(this, device, i));
  }

  columns(array, fields) {
    return Object.fromEntries(fields.map((field) => [field, this.sections.get(`${array}.${field}`)]));
  }

  // "function (file:line)" of a call, or "function (file)".
  callText(call, hidesLine) {
    if (call === 0) return "no stack recorded";
    const text = this.call.function[call];
    const name = this.functions[text] || this.texts[text];
    const file = this.files[this.call.file[call]];
    const line = this.call.line[call];
    return file === "" ? name : `${name} (${file}${line > 0 && !hidesLine ? `:${line}` : ""})`;
  }

  // The calls of a stack, the innermost first.
  stackCalls(stack) {
    const calls = [];
    for (let call = stack; call !== 0; call = this.call.caller[call]) calls.push(call);
    return calls;
  }

  streamText(stream) {
    const native = this.stream.native[stream];
    return native === 0 ? "stream 0 (default)" : `stream ${streamNumber(native)}`;
  }
}

// One device of the recording. Positions are those of its events: 0 is the state before the first
// event, and N the state after N events.
class Device {
  constructor(recording, table, index) {
    this.recording = recording;
    this.index = index;
    this.birth = recording.birth;
    this.death = recording.death;
    this.number = table.number[index];
    this.isHost = table.kind[index] === 1;
    this.memory = table.memory_bytes[index];
    this.firstEvent = table.first_event[index];
    this.count = table.event_count[index];
    this.firstStarting = table.first_starting[index];
    this.startingCount = table.starting_count[index];
    this.firstStartingSegment = table.first_starting_segment[index];
    this.startingSegmentCount = table.starting_segment_count[index];
    const saysReserved = table.says_reserved[index] !== 0;
    this.saysReserved = saysReserved || this.startingSegmentCount > 0;
    this.reservedAtStart = saysReserved ? table.reserved_at_start[index] : this.sumStartingSegments();
    this.firstSample = table.first_sample[index];
    this.sampleCount = table.sample_count[index];
    this.isSampled = this.sampleCount > 0 && this.count === 0;
    if (this.isSampled) this.walkSamples();
    else this.walkEvents();
  }

  get name() { return this.isHost ? `host memory pinned for ${this.number}` : `device ${this.number}`; }

  sumStartingSegments() {
    const from = this.firstStartingSegment;
    return this.recording.segment.bytes.subarray(from, from + this.startingSegmentCount)
      .reduce((sum, bytes) => sum + bytes, 0);
  }

  // One pass over the events, which fills everything that later questions need.
  walkEvents() {
    const { event, block, segment } = this.recording;
    const { birth, death, firstEvent, count } = this;
    const times = this.time = new Float64Array(count + 1);
    const lives = this.live = new Float64Array(count + 1);
    const reserves = this.reserved = new Float64Array(count + 1);
    const own = new Int32Array(block.size.length);
    let owned = 0;
    this.failures = [];
    this.segmentEvents = []; // their positions
    this.peak = 0;
    let live = 0;
    let reserved = this.reservedAtStart;
    for (let b = this.firstStarting; b < this.firstStarting + this.startingCount; b++) {
      birth[b] = 0;
      own[owned++] = b;
      live += block.size[b];
    }
    lives[0] = live;
    reserves[0] = reserved;
    for (let i = 0; i < count; i++) {
      const item = event.item[firstEvent + i];
      const at = i + 1;
      switch (event.kind[firstEvent + i]) {
        case EVENT.ALLOC:
          birth[item] = at;
          own[owned++] = item;
          live += block.size[item];
          break;
        case EVENT.FREE:
          death[item] = at;
          live -= block.size[item];
          break;
        case EVENT.FAILURE: this.failures.push({ failure: item, at }); break;
        case EVENT.SEGMENT:
        case EVENT.RETURN:
          reserved += event.kind[firstEvent + i] === EVENT.SEGMENT ? segment.bytes[item] : -segment.bytes[item];
          this.segmentEvents.push(at);
          break;
      }
      times[at] = Math.max(times[i], event.time_us[firstEvent + i]);
      lives[at] = live;
      reserves[at] = reserved;
      if (live > lives[this.peak]) this.peak = at;
    }
    times[0] = count > 0 ? times[1] : 0;
    this.own = own.slice(0, owned); // blocks of this device in order of birth
    this.readPhases();
    for (const b of this.own) if (death[b] < 0) death[b] = count + 1;
  }

  // The phases that the command found; see tn_phases_make().
  readPhases() {
    const { sections } = this.recording;
    const section = (name) => sections.get(`devices[${this.index}].phases.${name}`);
    const parents = section("parent");
    const [begins, ends] = [section("begin"), section("end")];
    this.phases = Array.from(section("name"), (text, i) => ({ text, from: begins[i], to: ends[i] }));
    this.phases.forEach((phase, i) => { phase.depth = parents[i] > 0 ? this.phases[parents[i] - 1].depth + 1 : 0; });
    this.phaseAt = section("at").map((number) => number - 1); // the innermost phase at each position, or -1
  }

  // A recording of sums: each sample is a position, and each category a block that nothing else
  // says.
  walkSamples() {
    const sections = this.recording.sections;
    const slice = (name) => sections.get(`samples.${name}`).subarray(this.firstSample,
      this.firstSample + this.sampleCount);
    this.count = this.sampleCount - 1;
    this.time = slice("time_us");
    this.live = slice("live");
    this.reserved = slice("reserved");
    this.saysReserved = this.reserved.some((bytes) => bytes > 0);
    this.sums = CATEGORIES.slice(1).map((name) => ({ name,
      bytes: slice(`by_category[TN_CATEGORY_${name.toUpperCase().replace(" ", "_")}]`) }));
    this.phases = [];
    this.phaseAt = new Int32Array(this.count + 1).fill(-1);
    this.failures = [];
    this.segmentEvents = [];
    this.own = new Int32Array(0);
    this.peak = this.live.reduce((best, value, at) => (value > this.live[best] ? at : best), 0);
  }

  isLive(b, at) { return this.birth[b] <= at && at < this.death[b]; }

  // The live blocks by age. Several drawings of one moment ask for the same ones.
  liveBlocks(at) {
    if (this.listedAt !== at) this.listed = this.own.filter((b) => this.birth[b] <= at && at < this.death[b]);
    this.listedAt = at;
    return this.listed;
  }

  // Calls change(block, 1 or -1) for each block that is live at only one of two positions. Blocks that
  // live between them alone are passed over.
  eachChange(from, to, change) {
    const { kind, item } = this.recording.event;
    for (let i = this.firstEvent + from; i < this.firstEvent + to; i++) {
      const b = item[i];
      if (kind[i] === EVENT.ALLOC) {
        if (this.death[b] > to) change(b, 1);
      } else if (kind[i] === EVENT.FREE && this.birth[b] <= from) {
        change(b, -1);
      }
    }
  }

  get maxima() { return this.liveMaxima ??= new Maxima(this.live); }
  get reservedMaxima() { return this.reserveMaxima ??= new Maxima(this.reserved); }
  get reservedPeak() { return this.saysReserved ? this.reserved[this.reservedMaxima.find(0, this.count + 1)] : 0; }

  // The kind of the event that led to a position, and its item.
  eventAt(at) {
    const { kind, item } = this.recording.event;
    return { kind: kind[this.firstEvent + at - 1], item: item[this.firstEvent + at - 1] };
  }

  // The text of the phase at a position, or 0, and its name.
  phaseText(at) { return this.phaseAt[at] < 0 ? 0 : this.phases[this.phaseAt[at]].text; }
  phaseName(at) { return this.recording.texts[this.phaseText(at)]; }

  // The event that led to a position, by its number: see docs/recordings.md.
  eventText(at) {
    if (at === 0 || this.isSampled) return at === 0 ? "the start" : `sample ${countText(at + 1)}`;
    return `event ${this.numberText(at)}`;
  }

  numberText(at) { return countText(at); }

  // The reserved ranges at a position, in order of address. Neighbours that came from one
  // reservation of addresses are joined.
  ranges(at) {
    const { segment } = this.recording;
    const steps = new Map(); // address: the change of the number of segments that cover it
    const starts = new Map(); // address: the number of device allocations that begin there
    const add = (map, key, change) => map.set(key, (map.get(key) ?? 0) + change);
    const apply = (s, change) => {
      add(steps, segment.address[s], change);
      add(steps, segment.address[s] + segment.bytes[s], -change);
      if (segment.mapped[s] === 0) add(starts, segment.address[s], change);
    };
    for (let i = 0; i < this.startingSegmentCount; i++) apply(this.firstStartingSegment + i, 1);
    for (const position of this.segmentEvents) {
      if (position > at) break;
      const { kind, item } = this.eventAt(position);
      apply(item, kind === EVENT.SEGMENT ? 1 : -1);
    }
    const ranges = [];
    let depth = 0;
    let from = 0;
    for (const address of [...steps.keys()].sort((a, b) => a - b)) {
      const before = depth;
      depth += steps.get(address);
      const splits = depth <= 0 || (starts.get(address) ?? 0) > 0;
      if (before > 0 && splits) ranges.push({ from, to: address });
      if (depth > 0 && (before <= 0 || splits)) from = address;
    }
    return ranges;
  }
}
