// SPDX-License-Identifier: Apache-2.0
// The list of the events around the moment. A click goes to an event, and the keys step in the
// list.
"use strict";

const EVENTS_AROUND = 12; // rows on each side of the moment
const EVENT_TEXTS = ["alloc", "free", "free requested", "begin", "end", "out of memory", "segment taken",
  "segment returned"];

class EventList {
  // `onRow` gets a position and its block, or -1.
  constructor(table, recording, onRow) {
    this.table = table;
    this.recording = recording;
    this.onRow = onRow;
  }

  show(view) {
    const { device, moment } = view;
    const first = Math.max(0, Math.min(moment - EVENTS_AROUND, device.count - 2 * EVENTS_AROUND));
    const last = Math.min(device.count, first + 2 * EVENTS_AROUND);
    const rows = Array.from({ length: last - first + 1 }, (_, i) => this.rowOf(device, first + i));
    const { lacks } = this.recording;
    fillTable(this.table, [
      { title: "event", kind: "number", cell: (row) => row.number },
      { title: "time", kind: "number", lacks: LACKS.TIMES,
        cell: (row) => timeText(device.time[row.at] - device.time[0]) },
      { title: "", cell: (row) => row.kind },
      { title: "size", kind: "number", cell: (row) => (row.size === undefined ? "" : bytesText(row.size)) },
      { title: "live after it", kind: "number", cell: (row) => bytesText(device.live[row.at]) },
      { title: "address", lacks: LACKS.ADDRESSES, cell: (row) => row.address ?? "" },
      { title: "stream", lacks: LACKS.STREAMS, cell: (row) => row.stream ?? "" },
      { title: "owner or name", kind: "name", cell: (row) => row.owner ?? "" },
    ].filter((column) => !(lacks & column.lacks)), rows, (row) => this.onRow(row.at, row.block ?? -1));
    const current = this.table.tBodies[0].rows[moment - first];
    current.setAttribute("aria-current", "true");
    const box = this.table.parentElement;
    box.scrollTop = current.offsetTop - (box.clientHeight - current.offsetHeight) / 2;
  }

  // The block of the event that led to a position, or -1.
  blockAt(device, at) { return this.rowOf(device, at).block ?? -1; }

  rowOf(device, at) {
    if (at === 0) return { at, number: "", kind: "the start" };
    const { recording } = this;
    const { kind, item } = device.eventAt(at);
    const row = { at, number: device.numberText(at), kind: EVENT_TEXTS[kind] };
    const describe = (table, address) => {
      if (address !== undefined) row.address = `0x${address.toString(16)}`;
      row.stream = streamNumber(recording.stream.native[table.stream[item]]);
      if (table.stack[item] > 0) row.owner = briefText(recording.callText(recording.owner.calls[table.stack[item]]));
    };
    if (kind === EVENT.MARK || kind === EVENT.MARK_END) {
      row.owner = recording.texts[item];
    } else if (kind === EVENT.FAILURE) {
      row.size = recording.failure.size[item];
      describe(recording.failure);
    } else if (kind === EVENT.SEGMENT || kind === EVENT.RETURN) {
      const isMapped = recording.segment.mapped[item] !== 0;
      row.kind = isMapped ? (kind === EVENT.SEGMENT ? "segment mapped" : "segment unmapped") : row.kind;
      row.size = recording.segment.bytes[item];
      describe(recording.segment, recording.segment.address[item]);
    } else {
      row.block = item;
      row.size = recording.block.size[item];
      describe(recording.block, recording.block.id[item]);
    }
    return row;
  }
}
