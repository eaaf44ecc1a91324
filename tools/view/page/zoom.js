// SPDX-License-Identifier: Apache-2.0
// Zooms that start from the moment or from a block, and the text about the zoom.
"use strict";

// The moment keeps its place, or comes to the middle if it was not in view.
function zoomAtMoment(page, factor) {
  const { from, to } = page.view;
  const value = page.momentValue();
  const half = (to - from) / 2 * factor;
  if (from <= value && value < to) page.zoom(factor, value);
  else page.setRange(value - half, value + half);
}

// Zooms the bytes around the selected block if it is live, or else around the middle of the live
// bytes that are in view.
function zoomBytesAtMoment(page, factor) {
  const { view, timeline } = page;
  const { selected, moment, device } = view;
  if (selected >= 0 && device.isLive(selected, moment)) {
    const { low, high } = timeline.heightsOf(selected, moment, timeline.limit);
    timeline.zoomBytes(factor, (low + high) / 2, { block: selected, at: moment });
  } else {
    const top = Math.max(timeline.low, Math.min(timeline.high, device.live[moment]));
    timeline.zoomBytes(factor, (timeline.low + top) / 2);
  }
  page.draw("timeline");
}

// Shows the selected block, or the largest of the moment, over its life.
function zoomToBlock(page) {
  const { view, timeline } = page;
  const { device } = view;
  if (view.selected < 0) page.select(largestBlock(page.recording, device, view.moment));
  const block = view.selected;
  if (block < 0) return;
  if (!device.isLive(block, view.moment)) page.setMoment(device.birth[block]);
  const [from, to] = [device.birth[block], Math.min(device.count, device.death[block])]
    .map((at) => timeline.valueOf(at));
  page.setRange(from - (to - from) / 8, to + (to - from) / 8);
  timeline.fitBlock(block, view.moment);
}

function largestBlock(recording, device, at) {
  const { size } = recording.block;
  if (device.isSampled) return -1;
  return device.liveBlocks(at).reduce((a, b) => (a < 0 || size[b] > size[a] ? b : a), -1);
}

// Describes the events and bytes that are shown, and the blocks that have a band.
function zoomText(page) {
  const { view, timeline } = page;
  const { device, axis, from, to } = view;
  const [first, last] = page.extent();
  const textOf = (value) => (axis === "time" ? timeText(value - device.time[0])
    : device.eventText(Math.min(device.count, Math.floor(value))));
  const times = (whole, part) => `${(whole / part).toFixed(whole < 10 * part ? 1 : 0)}x`;
  const parts = [to - from >= last - first ? "all events"
    : `${textOf(from)} to ${textOf(to)} (${times(last - first, to - from)})`];
  const [low, high] = [timeline.low, timeline.high].map((bytes) => bytesText(Math.round(bytes)));
  parts.push(timeline.range === null ? "all bytes"
    : `${low} to ${high} (${times(timeline.whole, timeline.high - timeline.low)})`);
  if (!device.isSampled)
    parts.push(`blocks from ${bytesText(Math.ceil(timeline.limit))} have a band, smaller ones are summed`);
  return `Shown: ${parts.join("; ")}.`;
}
