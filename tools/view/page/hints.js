// SPDX-License-Identifier: Apache-2.0
// The box beside the pointer, about what lies under it in each drawing.
"use strict";

class Hints {
  constructor(page, box) {
    this.page = page;
    this.box = box;
  }

  hide() { this.box.hidden = true; }

  // Shows lists of lines and elements. Without any the box is hidden.
  show(event, ...content) {
    const { box } = this;
    box.hidden = content.length === 0;
    if (box.hidden) return;
    box.replaceChildren(...content.map((part) => (Array.isArray(part) ? linesElement(part) : part)));
    const left = Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8);
    const isBelow = event.clientY + 14 + box.offsetHeight + 8 <= window.innerHeight;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${isBelow ? event.clientY + 14 : Math.max(4, event.clientY - 14 - box.offsetHeight)}px`;
  }

  blockParts(block) {
    const { recording, view } = this.page;
    return [blockLines(recording, view.device, block),
      stackElement(recording, recording.block.stack[block], true)];
  }

  overTimeline(event, found) {
    const { view, timeline } = this.page;
    if (found === null) return this.hide();
    const { device, groups } = view;
    const phase = device.phaseName(found.at);
    const lines = [`${device.eventText(found.at)}: live ${bytesText(device.live[found.at])}`];
    if (phase !== "") lines[0] += `; phase ${phase}`;
    if (found.part >= 0 && view.order === "group")
      lines.push(`${briefText(groups.bands[found.part].name)}: ${bytesText(found.bytes)}`);
    if (found.block >= 0) return this.show(event, lines, ...this.blockParts(found.block));
    if (found.part >= 0 && !device.isSampled)
      lines.push(`blocks below ${bytesText(Math.ceil(timeline.limit))}, summed`);
    return this.show(event, lines);
  }

  overSegments(event, found) {
    const { view, segments, recording } = this.page;
    if (found === null) return this.hide();
    const { device } = view;
    const lines = [`${device.eventText(found.at)}: reserved ${bytesText(device.reserved[found.at])}`,
      `live ${bytesText(device.live[found.at])}`];
    if (found.band === null) return this.show(event, lines);
    const stack = found.band < 0 ? 0 : recording.segment.stack[segments.history.first[found.band].segment];
    return this.show(event, lines, segments.linesOf(found), stackElement(recording, stack, true));
  }

  overReplays(event, found) { return found === null ? this.hide() : this.show(event, found.lines); }

  overMap(event) {
    const found = this.page.map.find(this.page.recording, event.clientX, event.clientY);
    if (found === null) return this.hide();
    const range = [`range 0x${found.range.from.toString(16)}, ${bytesText(found.range.to - found.range.from)}`];
    return found.block < 0 ? this.show(event, ["free", ...range])
      : this.show(event, range, ...this.blockParts(found.block));
  }

  overFlame(event) {
    const { flame, recording } = this.page;
    const call = flame.find(event.clientX, event.clientY);
    if (call < 0) return this.hide();
    const bytes = flame.bytes[call];
    return this.show(event, [flame.label(recording, call),
      `${bytesText(bytes)}, ${(100 * bytes / flame.bytes[0]).toFixed(1)} %`]);
  }
}
