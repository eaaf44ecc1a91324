// SPDX-License-Identifier: Apache-2.0
// The tables of the page.
"use strict";

const HOLDER_ROWS = 30;
const PHASE_TABLE_ROWS = 500;

function swatch(colour, text) {
  const mark = element("i", "");
  mark.style.cssText = `background:${colour};display:inline-block;width:0.8em;height:0.8em;margin-right:0.5em`;
  return element("span", [mark, text]);
}

function showHolders(table, recording, view, onRow) {
  const { device, groups } = view;
  const all = groups.sumsAt(recording, view.moment).filter((sum) => sum.bytes > 0);
  all.sort((a, b) => b.bytes - a.bytes || a.group - b.group);
  const live = device.live[view.moment];
  const rows = all.slice(0, HOLDER_ROWS);
  const rest = all.slice(HOLDER_ROWS);
  if (rest.length > 0)
    rows.push({ name: countOthers(rest.length), group: -1, largest: -1,
      bytes: rest.reduce((sum, each) => sum + each.bytes, 0),
      blocks: rest.reduce((sum, each) => sum + each.blocks, 0) });
  const colour = (row) => (row.group < 0 ? REST_COLOUR : groups.colourOf(row.group));
  fillTable(table, [
    { title: GROUPINGS[view.group].text, kind: "name", cell: (row) => swatch(colour(row), row.name) },
    { title: "bytes", kind: "number", cell: (row) => countText(row.bytes) },
    { title: "", kind: "number", cell: (row) => bytesText(row.bytes) },
    { title: "share", kind: "number", cell: (row) => `${(100 * row.bytes / Math.max(1, live)).toFixed(1)} %` },
    { title: "blocks", kind: "number", cell: (row) => (device.isSampled ? "" : countText(row.blocks)) },
    { title: "largest block", kind: "number",
      cell: (row) => (row.largest < 0 ? "" : bytesText(recording.block.size[row.largest])) },
  ], rows, (row) => onRow(row.largest));
}

// A phase that is open to the end ends with the last event.
function showPhases(section, table, recording, device, onRow) {
  const rows = device.phases.slice(0, PHASE_TABLE_ROWS).map(({ text, depth, from, to }) => ({ at: from,
    to: Math.min(device.count, to), live: device.live[from], end: device.live[Math.min(device.count, to)],
    name: `${"\u00a0\u00a0".repeat(Math.min(depth, PHASE_ROWS))}${recording.texts[text]}`,
    peak: device.live[device.maxima.find(from, Math.max(from + 1, to))] }));
  for (const { failure, at } of device.failures.slice(0, PHASE_TABLE_ROWS)) {
    const free = recording.failure.device_free[failure];
    const freeText = free < NOT_RECORDED ? `, ${bytesText(free)} free on the device` : "";
    rows.push({ at, to: at, name: `out of memory: ${bytesText(recording.failure.size[failure])} requested${freeText}`,
      live: device.live[at] });
  }
  rows.sort((a, b) => a.at - b.at);
  section.hidden = rows.length === 0;
  const bytes = (value) => (value === undefined ? "" : bytesText(value));
  fillTable(table, [
    { title: "name", kind: "name", cell: (row) => row.name },
    { title: "from", kind: "number", cell: (row) => device.eventText(row.at) },
    { title: "time", kind: "number", cell: (row) => (recording.lacks & LACKS.TIMES ? ""
      : timeText(device.time[row.to] - device.time[row.at])) },
    { title: "live at its begin", kind: "number", cell: (row) => bytes(row.live) },
    { title: "peak", kind: "number", cell: (row) => bytes(row.peak) },
    { title: "live at its end", kind: "number", cell: (row) => bytes(row.end) },
  ], rows, (row) => onRow(row.at));
}

function showSettings(table, recording) {
  const rows = Array.from(recording.setting.name, (name, i) => [recording.texts[name],
    recording.texts[recording.setting.value[i]]]);
  fillTable(table, [{ title: "setting of the recorded allocator", kind: "name", cell: (row) => row[0] },
    { title: "value", kind: "name", cell: (row) => row[1] }], rows);
}
