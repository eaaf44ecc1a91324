// SPDX-License-Identifier: Apache-2.0
// The page: its state and its controls. Each change of the state draws again what it concerns, at
// most once a frame.
"use strict";

const FRAME_MS = 12; // after which a frame draws nothing more

const byId = (id) => document.getElementById(id);

class Page {
  constructor(recording) {
    this.recording = recording;
    this.timeline = new Timeline(byId("timeline"));
    this.segments = new SegmentTimeline(byId("segments"));
    this.map = new SegmentMap(byId("map"));
    this.flame = new FlameGraph(byId("flame"));
    this.replays = new Replays(byId("replay-curves"), recording);
    this.hints = new Hints(this, byId("hint"));
    this.events = new EventList(byId("events"), recording, (at, block) => {
      this.setMoment(at);
      this.select(block);
    });
    this.view = { group: "function", order: "group", axis: "event", matches: null, selected: -1, allCalls: false };
    this.pending = new Set();
    this.showFacts();
    this.fillControls();
    this.listen();
    const peaks = recording.devices.map((device) => device.live[device.peak]);
    this.chooseDevice(peaks.indexOf(Math.max(...peaks)));
  }

  // ---- the fixed part

  showFacts() {
    const { recording } = this;
    const name = recording.path.split("/").pop();
    document.title = `${name} - tarn view`;
    byId("title").textContent = name;
    const count = recording.devices.reduce((sum, device) => sum + device.count, 0);
    const lacks = [[LACKS.TIMES, "times"], [LACKS.STACKS, "stacks"], [LACKS.ADDRESSES, "addresses"],
      [LACKS.STREAMS, "streams"],
      recording.lacks & LACKS.BLOCKS ? [LACKS.BLOCKS, "blocks, only sums"] : [LACKS.EVENTS, "history: it is a state"]]
      .filter(([bit]) => recording.lacks & bit).map(([, text]) => text);
    byId("facts").textContent = `${recording.head.format}: ${countText(count)} events, `
      + `${countText(recording.block.size.length)} blocks`
      + `${lacks.length > 0 ? `; it has no ${lacks.join(", no ")}` : ""}`;
    byId("notes").replaceChildren(...recording.head.notes.map((note) => element("li", note)));
    byId("replay-section").hidden = this.replays.isEmpty;
    byId("replayed").textContent = recording.head.replayed === undefined ? "" : `Replayed ${recording.head.replayed}.`;
    this.replays.fillTable(byId("replays"), () => this.draw("replays"));
    showSettings(byId("settings"), recording);
  }

  fillControls() {
    const { recording } = this;
    byId("device").replaceChildren(...recording.devices.map((device, i) => element("option",
      `${device.name}: peak ${bytesText(device.live[device.peak])}`, { value: String(i) })));
    const has = { category: recording.block.category.some((category) => category > 0),
      tag: recording.block.tag.some((tag) => tag > 0) };
    byId("group").replaceChildren(...Object.keys(GROUPINGS).filter((key) => has[key] !== false)
      .map((key) => element("option", GROUPINGS[key].text, { value: key })));
    byId("axis").disabled = (recording.lacks & LACKS.TIMES) !== 0;
  }

  // ---- changes of the state

  chooseDevice(index) {
    const { view } = this;
    view.device = this.recording.devices[index];
    byId("device").value = String(index);
    byId("moment").max = String(view.device.count);
    this.select(-1);
    for (const id of ["group", "order"]) byId(id).disabled = view.device.isSampled;
    if (view.device.isSampled) view.group = "category"; // samples have sums of nothing else
    this.chooseGroup(view.group);
    this.search();
    showPhases(byId("phase-section"), byId("phases"), this.recording, view.device, (at) => this.setMoment(at));
    this.zoomAll();
    this.setMoment(view.device.peak);
  }

  chooseGroup(group) {
    const { view, recording } = this;
    view.group = group;
    view.groups = new Groups(recording, view.device, group);
    byId("legend").replaceChildren(...view.groups.bands.map((band) => swatch(band.colour, band.name)));
    this.draw("timeline", "map", "holders");
  }

  search() {
    const found = searchBlocks(this.recording, this.view.device, byId("search").value);
    this.view.matches = found.matches;
    byId("found").textContent = found.matches === null ? ""
      : `${countText(found.count)} blocks, ${bytesText(found.bytesAtPeak)} at the peak`;
    this.draw("timeline", "map");
  }

  // Goes to a position, and shows it if it is not in view.
  setMoment(at) {
    const { view } = this;
    view.moment = Math.max(0, Math.min(view.device.count, at));
    byId("moment").value = String(view.moment);
    const [value, half] = [this.momentValue(), (view.to - view.from) / 2];
    if (value < view.from || value >= view.to) this.setRange(value - half, value + half);
    this.draw("timeline", "events", "segments", "map", "holders", "flame", "replays");
  }

  momentValue() {
    const { axis, device, moment } = this.view;
    return axis === "time" ? device.time[moment] : moment;
  }

  select(block) {
    const { view } = this;
    view.selected = block;
    byId("block-section").hidden = block < 0;
    if (block >= 0) showBlock(byId("block"), this.recording, view.device, block, (at) => this.setMoment(at));
    this.draw("timeline", "map");
  }

  extent() {
    const { device, axis } = this.view;
    const last = device.count;
    return axis === "time" ? [device.time[0], Math.max(device.time[0] + 1, device.time[last])] : [0, last + 1];
  }

  zoomAll() {
    [this.view.from, this.view.to] = this.extent();
    for (const chart of [this.timeline, this.segments, this.replays]) chart.range = null;
    this.draw("timeline", "segments", "replays");
  }

  // Multiplies the length of the view, around a value of the axis.
  zoom(factor, around) {
    const { view } = this;
    this.setRange(around - (around - view.from) * factor, around + (view.to - around) * factor);
  }

  setRange(from, to) {
    const [first, last] = this.extent();
    const length = Math.min(last - first, Math.max(4, to - from));
    this.view.from = Math.max(first, Math.min(last - length, from));
    this.view.to = this.view.from + length;
    this.draw("timeline", "segments", "replays");
  }

  // ---- drawing

  draw(...parts) {
    if (this.pending.size === 0) requestAnimationFrame(() => this.drawFrame());
    parts.forEach((part) => this.pending.add(part));
  }

  // Draws what was asked for first, and leaves the rest to the next frame if it has taken long.
  drawFrame() {
    const end = performance.now() + FRAME_MS;
    while (this.pending.size > 0 && performance.now() < end) this.drawNext();
    if (this.pending.size > 0) requestAnimationFrame(() => this.drawFrame());
  }

  drawPending() {
    while (this.pending.size > 0) this.drawNext();
    document.documentElement.dataset.drawn = "yes"; // for a program that drives the page
  }

  drawNext() {
    const [part] = this.pending;
    this.pending.delete(part);
    const { recording, view } = this;
    const { isSampled } = view.device;
    switch (part) {
      case "timeline":
        this.timeline.show(recording, view);
        byId("zoom").textContent = zoomText(this);
        break;
      case "replays":
        if (!this.replays.isEmpty) this.replays.show(view);
        break;
      case "segments": this.showSegments(); break;
      case "map": this.showMap(); break;
      case "flame":
        byId("flame-section").hidden = recording.call.caller.length < 2 || isSampled;
        if (!byId("flame-section").hidden) this.flame.show(recording, view);
        break;
      case "events":
        byId("details").hidden = isSampled;
        if (!isSampled) this.events.show(view);
        break;
      case "holders":
        showHolders(byId("holders"), recording, view, (block) => this.select(block));
        this.showState();
        break;
    }
  }

  showSegments() {
    const { recording, view } = this;
    const { device } = view;
    const section = byId("segment-section");
    section.hidden = device.isSampled || (recording.lacks & LACKS.ADDRESSES) !== 0
      || device.startingSegmentCount + device.segmentEvents.length === 0;
    if (section.hidden) return;
    this.segments.show(recording, view);
    byId("segment-state").textContent = this.segments.textAt(view.moment);
  }

  showState() {
    const { device, moment } = this.view;
    const phase = device.phaseName(moment);
    const parts = [`${device.eventText(moment)} (position ${countText(moment)} of ${countText(device.count)})`];
    if (!(this.recording.lacks & LACKS.TIMES)) parts.push(timeText(device.time[moment] - device.time[0]));
    parts.push(`live ${bytesText(device.live[moment])}`);
    if (device.saysReserved) parts.push(`reserved ${bytesText(device.reserved[moment])}`);
    if (phase !== "") parts.push(`phase ${phase}`);
    parts.push(moment === device.peak ? "the peak"
      : `peak ${bytesText(device.live[device.peak])} at ${device.eventText(device.peak)}`);
    byId("state").textContent = parts.join("; ");
  }

  showMap() {
    const { device } = this.view;
    const section = byId("map-section");
    section.hidden = device.isSampled || !device.saysReserved
      || (this.recording.lacks & LACKS.ADDRESSES) !== 0;
    if (section.hidden) return;
    const state = this.map.show(this.recording, this.view);
    byId("map").hidden = state.reserved !== this.view.device.reserved[this.view.moment];
    if (byId("map").hidden) {
      byId("map-state").textContent = "The recording does not have the places of the segments.";
      return;
    }
    byId("map-state").textContent = `${countText(state.ranges.length)} ranges, `
      + `${bytesText(state.reserved)} reserved; ${bytesText(state.free)} free in ${countText(state.pieces)} pieces, `
      + `the largest ${bytesText(state.largestFree)}`
      + `${state.outside > 0 ? `; ${countText(state.outside)} blocks lie in no range` : ""}`;
  }

  // ---- the pointer

  // Shows the box that a drag chooses, [x, y, x, y] of the window, or hides it.
  showBox(corners) {
    const box = byId("box");
    box.hidden = corners === null;
    if (box.hidden) return;
    const [x, y, right, bottom] = corners;
    Object.assign(box.style, { left: `${Math.min(x, right)}px`, top: `${Math.min(y, bottom)}px`,
      width: `${Math.abs(right - x)}px`, height: `${Math.abs(bottom - y)}px` });
  }

  listenCharts() {
    const { hints, timeline, segments, replays } = this;
    const goTo = (found) => this.setMoment(found.at);
    const select = (found) => {
      goTo(found);
      this.select(found.block);
    };
    for (const [chart, part, hint, click] of [[timeline, "timeline", "overTimeline", select],
      [segments, "segments", "overSegments", goTo], [replays, "replays", "overReplays", goTo]])
      new ChartPointer(this, chart, { hint: (event, found) => hints[hint](event, found), click,
        draw: () => this.draw(part) });
    byId("timeline").addEventListener("dblclick", () => { if (this.view.selected >= 0) zoomToBlock(this); });
  }

  listen() {
    byId("device").addEventListener("change", (event) => this.chooseDevice(Number(event.target.value)));
    byId("group").addEventListener("change", (event) => this.chooseGroup(event.target.value));
    byId("order").addEventListener("change", (event) => {
      this.view.order = event.target.value;
      this.draw("timeline");
    });
    byId("axis").addEventListener("change", (event) => { this.view.axis = event.target.value; this.zoomAll(); });
    byId("search").addEventListener("input", () => this.search());
    byId("moment").addEventListener("input", (event) => this.setMoment(Number(event.target.value)));
    for (const [id, key, shift] of [["zoom-in", "+"], ["zoom-out", "-"], ["bytes-in", "v"], ["bytes-out", "v", true],
      ["zoom-block", "b"], ["zoom-all", "0"], ["to-peak", "p"]])
      byId(id).addEventListener("click", () => this.key(key, shift));
    byId("all-calls").addEventListener("change", (event) => {
      this.view.allCalls = event.target.checked;
      this.draw("flame");
    });
    this.listenCharts();
    byId("map").addEventListener("pointermove", (event) => this.hints.overMap(event));
    byId("map").addEventListener("click", (event) => {
      const found = this.map.find(this.recording, event.clientX, event.clientY);
      this.select(found === null ? -1 : found.block);
    });
    byId("flame").addEventListener("pointermove", (event) => this.hints.overFlame(event));
    byId("flame").addEventListener("click", (event) => {
      const call = this.flame.find(event.clientX, event.clientY);
      this.flame.focus = call < 0 || call === this.flame.focus ? 0 : call;
      this.draw("flame");
    });
    for (const id of ["timeline", "segments", "map", "flame", "replay-curves"])
      byId(id).addEventListener("pointerleave", () => this.hints.hide());
    const all = () => this.draw("timeline", "segments", "map", "flame", "replays");
    window.addEventListener("resize", all);
    const prepare = (isPaper) => {
      document.documentElement.classList.toggle("paper", isPaper);
      all();
      this.drawPending();
    };
    window.addEventListener("beforeprint", () => prepare(true));
    window.addEventListener("afterprint", () => prepare(false));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, button") || event.ctrlKey || event.metaKey || event.altKey) return;
      const isInList = event.target.closest("#event-box") !== null;
      if (this.key(event.key, event.shiftKey, isInList)) event.preventDefault();
    });
  }

  // Returns true if the key has a meaning.
  key(name, shift, isInList) {
    const action = (isInList ? listActions(this)[name.toLowerCase()] : undefined)
      ?? keyActions(this, shift)[name.toLowerCase()];
    if (action !== undefined) action();
    return action !== undefined;
  }
}

document.addEventListener("DOMContentLoaded", async () => {
  try {
    const began = performance.now();
    const recording = new Recording(await inflate(byId("data").textContent));
    byId("data").remove();
    byId("main").hidden = false;
    const page = new Page(recording);
    page.drawPending();
    page.opened = performance.now() - began;
    window.tarnView = page;
  } catch (error) {
    byId("title").textContent = `The page cannot show its recording: ${error.message}`;
    throw error;
  }
});
