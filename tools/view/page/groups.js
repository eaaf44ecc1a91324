// SPDX-License-Identifier: Apache-2.0
// Groups of blocks: by the function or line that owns them, by stream, phase of birth, category,
// size or tag. Those that hold most at the peak have a colour each; the others share one.
"use strict";

const COLOURS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e",
  "#d8b13c", "#2f8f9d", "#c44e8a", "#7f9c3b", "#e07b39", "#5561a8", "#48b4e0"];
const REST_COLOUR = "#9498a0";

const GROUPINGS = {
  function: { text: "function", key: (recording, device, b) => recording.owner.functions[recording.block.stack[b]],
    name: (recording, key) => recording.callText(key, true) },
  line: { text: "line", key: (recording, device, b) => recording.owner.lines[recording.block.stack[b]],
    name: (recording, key) => recording.callText(key) },
  stream: { text: "stream", key: (recording, device, b) => recording.block.stream[b],
    name: (recording, key) => recording.streamText(key) },
  phase: { text: "phase of birth", key: (recording, device, b) => device.phaseText(recording.birth[b]),
    name: (recording, key) => recording.texts[key] || "outside every phase" },
  category: { text: "category", key: (recording, device, b) => recording.block.category[b],
    name: (recording, key) => CATEGORIES[key] },
  size: { text: "size", key: (recording, device, b) => 2 ** Math.floor(Math.log2(recording.block.size[b] + 0.5)),
    name: (recording, key) => `from ${bytesText(key)}, below ${bytesText(2 * key)}` },
  tag: { text: "tag", key: (recording, device, b) => recording.block.tag[b],
    name: (recording, key) => recording.texts[key] || "no tag" },
};

class Groups {
  constructor(recording, device, grouping) {
    this.device = device;
    this.names = []; // of all groups
    this.of = new Uint32Array(recording.block.size.length); // the group of each block
    if (device.isSampled) this.takeCategories(device);
    else this.collect(recording, device, GROUPINGS[grouping]);
    this.rank(recording, device);
  }

  collect(recording, device, grouping) {
    const byKey = new Map();
    for (const b of device.own) {
      const key = grouping.key(recording, device, b);
      let group = byKey.get(key);
      if (group === undefined) {
        group = this.names.push(grouping.name(recording, key)) - 1;
        byKey.set(key, group);
      }
      this.of[b] = group;
    }
  }

  takeCategories(device) {
    this.names = device.sums.map((sum) => sum.name);
  }

  // Orders the groups by their bytes at the peak. Band 0 is the largest.
  rank(recording, device) {
    const sums = this.sumsAt(recording, device.peak);
    const order = this.names.map((_, group) => group).sort((a, b) => sums[b].bytes - sums[a].bytes || a - b);
    this.bandOf = new Uint8Array(this.names.length); // the band of each group
    order.forEach((group, i) => { this.bandOf[group] = Math.min(i, COLOURS.length); });
    this.bands = order.slice(0, COLOURS.length).map((group, i) => ({ name: this.names[group], colour: COLOURS[i] }));
    if (order.length > COLOURS.length)
      this.bands.push({ name: countOthers(order.length - COLOURS.length), colour: REST_COLOUR });
    this.band = new Uint8Array(this.of.length); // of each block
    for (const b of device.own) this.band[b] = this.bandOf[this.of[b]];
  }

  colourOf(group) { return this.bands[this.bandOf[group]].colour; }

  // For each group the bytes, the number of blocks and the largest block at a position.
  sumsAt(recording, at) {
    const sums = this.names.map((name, group) => ({ name, group, bytes: 0, blocks: 0, largest: -1 }));
    if (this.device.isSampled) {
      sums.forEach((sum, i) => { sum.bytes = this.device.sums[i].bytes[at]; });
      return sums;
    }
    const { size } = recording.block;
    for (const b of this.device.liveBlocks(at)) {
      const sum = sums[this.of[b]];
      sum.bytes += size[b];
      sum.blocks++;
      if (sum.largest < 0 || size[b] > size[sum.largest]) sum.largest = b;
    }
    return sums;
  }
}

// Finds the blocks whose stack, tag or stream contains a text. Each call and each text is compared
// once.
function searchBlocks(recording, device, query) {
  const wanted = query.toLowerCase();
  const matches = new Uint8Array(recording.block.size.length);
  if (wanted === "") return { matches: null, count: 0, bytesAtPeak: 0 };
  const has = (text) => text.toLowerCase().includes(wanted);
  const texts = recording.texts.map(has);
  const streams = Array.from(recording.stream.native, (_, i) => has(recording.streamText(i)));
  const calls = new Uint8Array(recording.call.caller.length);
  for (let c = 1; c < calls.length; c++) // callers come first
    calls[c] = calls[recording.call.caller[c]] || texts[recording.call.function[c]]
      || texts[recording.call.file[c]] || has(recording.callText(c)) ? 1 : 0;
  let count = 0;
  let bytesAtPeak = 0;
  for (const b of device.own) {
    const { stack, tag, stream, size } = recording.block;
    if (!calls[stack[b]] && !texts[tag[b]] && !streams[stream[b]]) continue;
    matches[b] = 1;
    count++;
    if (device.isLive(b, device.peak)) bytesAtPeak += size[b];
  }
  return { matches, count, bytesAtPeak };
}
