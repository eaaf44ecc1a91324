// SPDX-License-Identifier: Apache-2.0
// The page: its state, its controls and its keys. Each change of the state draws again what it concerns,
// at most once a frame.
"use strict";

const FRAME_MS = 12; // after which a frame draws nothing more

const byId = (id) => document.getElementById(id);

class Page {
  constructor(recording) {
    this.recording = recording;
    this.timeline = new Timeline(byId("timeline"));
    this.map = new SegmentMap(byId("map"));
    this.flame = new FlameGraph(byId("flame"));
    this.replays = new Replays(byId("replay-curves"), recording);
    this.hints = new Hints(this, byId("hint"));
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
    view.selected = -1;
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

  setMoment(at) {
    this.view.moment = Math.max(0, Math.min(this.view.device.count, at));
    byId("moment").value = String(this.view.moment);
    this.draw("timeline", "map", "holders", "flame", "replays");
  }

  select(block) {
    this.view.selected = block;
    byId("block-section").hidden = block < 0;
    if (block >= 0)
      showBlock(byId("block"), this.recording, this.view.device, block, (at) => this.setMoment(at));
    this.draw("timeline", "map");
  }

  extent() {
    const { device, axis } = this.view;
    const last = device.count;
    return axis === "time" ? [device.time[0], Math.max(device.time[0] + 1, device.time[last])] : [0, last + 1];
  }

  zoomAll() {
    [this.view.from, this.view.to] = this.extent();
    this.draw("timeline", "replays");
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
    this.draw("timeline", "replays");
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
        break;
      case "replays":
        if (!this.replays.isEmpty) this.replays.show(view);
        break;
      case "map": this.showMap(); break;
      case "flame":
        byId("flame-section").hidden = recording.call.caller.length < 2 || isSampled;
        if (!byId("flame-section").hidden) this.flame.show(recording, view);
        break;
      case "holders":
        showHolders(byId("holders"), recording, view, (block) => this.select(block));
        this.showState();
        break;
    }
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

  // A drag moves the view, or chooses a range with Shift; without a movement it is a click.
  listenTimeline() {
    const canvas = byId("timeline");
    let start = null;
    canvas.addEventListener("pointerdown", (event) => {
      const found = this.timeline.find(event.clientX, event.clientY);
      if (found === null) return;
      canvas.setPointerCapture(event.pointerId);
      start = { x: event.clientX, found, from: this.view.from, to: this.view.to, moved: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (start === null)
        return this.hints.overTimeline(event, this.timeline.find(event.clientX, event.clientY));
      const step = (event.clientX - start.x) * this.timeline.ratio / this.timeline.width * (start.to - start.from);
      start.moved ||= Math.abs(event.clientX - start.x) > 3;
      if (start.moved && !event.shiftKey) this.setRange(start.from - step, start.to - step);
      return undefined;
    });
    canvas.addEventListener("pointerup", (event) => {
      const { found, moved } = start ?? { found: null };
      const end = this.timeline.find(event.clientX, event.clientY);
      start = null;
      if (found === null) return;
      if (moved && event.shiftKey && end !== null)
        this.setRange(Math.min(found.value, end.value), Math.max(found.value, end.value));
      else if (!moved) {
        this.setMoment(found.at);
        this.select(found.block);
      }
    });
    canvas.addEventListener("wheel", (event) => {
      const found = this.timeline.find(event.clientX, event.clientY);
      if (found === null) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, found.value);
    }, { passive: false });
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
    byId("zoom-in").addEventListener("click", () => this.key("+"));
    byId("zoom-out").addEventListener("click", () => this.key("-"));
    byId("zoom-all").addEventListener("click", () => this.key("0"));
    byId("to-peak").addEventListener("click", () => this.key("p"));
    byId("all-calls").addEventListener("change", (event) => {
      this.view.allCalls = event.target.checked;
      this.draw("flame");
    });
    this.listenTimeline();
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
    byId("replay-curves").addEventListener("pointermove",
      (event) => this.hints.overReplays(event, this.replays.find(event.clientX, event.clientY)));
    for (const id of ["timeline", "map", "flame", "replay-curves"])
      byId(id).addEventListener("pointerleave", () => this.hints.hide());
    const all = () => this.draw("timeline", "map", "flame", "replays");
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
      if (this.key(event.key, event.shiftKey)) event.preventDefault();
    });
  }

  // Returns true if the key has a meaning.
  key(name, shift) {
    const { view } = this;
    const { device } = view;
    const [first, last] = this.extent();
    const shown = device.count * (view.to - view.from) / (last - first);
    const step = shift ? Math.max(1, Math.round(shown / 10)) : 1;
    const middle = (view.from + view.to) / 2;
    const keys = {
      "+": () => this.zoom(0.5, middle),
      "-": () => this.zoom(2, middle),
      "0": () => this.zoomAll(),
      "p": () => this.setMoment(device.peak),
      "f": () => {
        const next = device.failures.find(({ at }) => at > view.moment) ?? device.failures[0];
        if (next !== undefined) this.setMoment(next.at);
      },
      "/": () => byId("search").focus(),
      ArrowLeft: () => this.setMoment(view.moment - step),
      ArrowRight: () => this.setMoment(view.moment + step),
      Escape: () => this.select(-1),
    };
    if (keys[name] === undefined) return false;
    keys[name]();
    return true;
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
