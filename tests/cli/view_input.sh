#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In Chromium the mouse and the keys zoom the page down to one block and back, and show the stack of a block with its
# owner first; the list of events leads to each event.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work; scripts are for the browser
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/browser.sh"
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}

# The recording begins with twelve weights, each allocated by a line of its own inside 60 and more calls.
python3 "$SRC/tests/support/deep_stacks.py" "$work/training.pickle"
expect 0 view "$work/training.pickle" -o "$work/page.html" --no-replay

# --- a block has its band and its stack, wherever it lies
cat >"$work/points.js" <<'END'
const { tarnView: page, browser } = window;
const { timeline, view } = page;
await browser.resize(1200, 900);
const weight = (k) => (6 + k % 3) * 2 ** 20 + 8192;
const below = (k) => Array.from({ length: k }, (_, i) => weight(i)).reduce((sum, bytes) => sum + bytes, 0);
const box = () => timeline.canvas.getBoundingClientRect();
const pointOf = (at, bytes) => [box().left + (timeline.left + timeline.columnOf(at + 0.5)) / timeline.ratio,
  box().top + timeline.rowOf(bytes) / timeline.ratio];
const choose = async (id, value) => {
  document.getElementById(id).value = value;
  document.getElementById(id).dispatchEvent(new Event("change"));
  await browser.settle();
};
const hint = () => document.getElementById("hint");
const shown = () => [...document.querySelectorAll("#hint .stack > *")].map((line) => line.textContent);
const length = () => [view.to - view.from, timeline.high - timeline.low];
const text = (id) => document.getElementById(id).textContent;
END
{
    cat "$work/points.js"
    cat <<'END'
const values = { wrong: 0 };
await choose("order", "block");
page.setRange(0, 60);
await browser.settle();
const last = 24; // the position after the weights: each has a segment and an allocation at most
const held = view.device.live.indexOf(below(12));
values.held = held > 0 && held <= last;
for (let k = 0; k < 12; k++) {
  await browser.move(pointOf(held, below(k) + weight(k) / 2));
  const lines = shown();
  const wanted = [`build (model.py:${20 + k})`, "main (train.py:88)", "<module> (train.py:120)",
    `(${60 + 7 * k % 57} calls inside the first)`];
  if (lines.join("|") !== wanted.join("|") || !hint().textContent.includes(`${weight(k).toLocaleString("en")} bytes`)) {
    values.wrong++;
    values.first ??= lines.join("|");
  }
}
values.strong = document.querySelector("#hint .stack").firstChild.tagName;
await browser.move([5, 5]);
values.gone = hint().hidden;
return values;
END
} | browse "$work/page.html"
shows held true
shows wrong 0
shows strong STRONG
shows gone true

# --- the wheel with Shift zooms the bytes around the block under the pointer, until it alone is seen; a key resets
{
    cat "$work/points.js"
    cat <<'END'
const values = {};
await choose("order", "block");
const held = view.device.live.indexOf(below(12));
page.setRange(0, 60);
await browser.settle();
const point = pointOf(held, below(7) + weight(7) / 2);
const before = length();
for (let i = 0; i < 30; i++) await browser.wheel(point, -100, browser.SHIFT);
values.same_events = length()[0] === before[0];
values.one = timeline.low > below(7) && timeline.high < below(8);
await browser.move([point[0] + 1, point[1]]);
values.block = shown()[0];
values.told = /bytes?|[KMG]iB to /.test(text("zoom")) && !text("zoom").includes("all bytes");
await browser.wheel(point, 100, browser.SHIFT);
values.wider = length()[1] > before[1] * 0.8 ** 30 * 1.2;
await browser.wheel(point, -100, 0);
values.events_only = length()[0] < before[0];
await browser.key("0");
values.all = text("zoom").startsWith("Shown: all events; all bytes;");
return values;
END
} | browse "$work/page.html"
shows same_events true
shows one true
shows block 'build (model.py:27)'
shows told true
shows wider true
shows events_only true
shows all true

# --- a drag moves, a drag with Shift zooms to its box, a double click zooms to a block
{
    cat "$work/points.js"
    cat <<'END'
const values = {};
await choose("order", "block");
const held = view.device.live.indexOf(below(12));
await browser.drag(pointOf(0, below(6)), pointOf(200, below(3)), browser.SHIFT);
const near = (value, wanted, room) => Math.abs(value - wanted) <= room;
values.box = near(view.from, 0, 5) && near(view.to, 200, 5) && near(timeline.low, below(3), 2 ** 21) && near(timeline.high, below(6), 2 ** 21);
const { from, low } = { from: view.from, low: timeline.low };
const center = pointOf(view.from + 100, (timeline.low + timeline.high) / 2);
await browser.drag(center, [center[0] - 100, center[1] + 50]);
values.moved = view.from > from && timeline.low > low;
values.box_gone = document.getElementById("box").hidden;
await browser.key("0");
page.setRange(0, 60);
await browser.settle();
await browser.click(pointOf(held, below(5) + weight(5) / 2), 2);
values.selected = text("block").includes("build (model.py:25)");
values.fits = near(timeline.low, below(5) - weight(5), 1) && near(timeline.high, below(6) + weight(5), 1);
values.life = view.to >= view.device.count;
values.folded = document.querySelector("#block details").open === false;
values.inside = document.querySelectorAll("#block details > div").length;
return values;
END
} | browse "$work/page.html"
for key in box moved box_gone selected fits life folded; do shows $key true; done
shows inside 95

# --- keys act at the moment
{
    cat "$work/points.js"
    cat <<'END'
const values = {};
const peak = view.device.peak;
page.setMoment(1700);
await browser.settle();
const column = () => timeline.columnOf(view.moment) / timeline.width;
const place = column();
for (let i = 0; i < 4; i++) await browser.key("+");
values.centred = Math.abs(column() - place) < 0.01 && length()[0] < (view.device.count + 1) / 15;
await browser.key("v");
values.bytes = timeline.range !== null;
await browser.key("V", browser.SHIFT);
await browser.key("ArrowRight");
await browser.key("ArrowRight");
await browser.key("ArrowLeft");
values.stepped = view.moment;
await browser.key("p");
values.peak = view.moment === peak && view.from <= peak && peak < view.to;
await browser.key("s");
values.segment = view.moment > peak && /segment/.test(document.querySelector("#events [aria-current]").textContent);
await browser.key("S", browser.SHIFT);
values.back = view.moment < peak && /segment/.test(document.querySelector("#events [aria-current]").textContent);
await browser.key("m");
values.mark = /begin|end/.test(document.querySelector("#events [aria-current]").textContent);
page.setMoment(peak);
page.setRange(0, 60);
await browser.key("-");
values.returns = view.from <= peak && peak < view.to;
await browser.key("b");
values.block = view.selected >= 0 && timeline.high - timeline.low < 3.2 * page.recording.block.size[view.selected];
await browser.key("Escape");
values.none = view.selected === -1 && document.getElementById("block-section").hidden;
return values;
END
} | browse "$work/page.html"
for key in centred bytes peak segment back mark returns block none; do shows $key true; done
shows stepped 1701

# --- the list of events
{
    cat "$work/points.js"
    cat <<'END'
const values = {};
const rows = () => [...document.querySelectorAll("#events tbody tr")];
const current = () => rows().findIndex((row) => row.hasAttribute("aria-current"));
const pointIn = (row) => { const cell = row.getBoundingClientRect(); return [cell.left + 20, cell.top + cell.height / 2]; };
await browser.resize(1200, 1600);
const { event } = page.recording;
page.setMoment(700);
await browser.settle();
values.rows = rows().length;
const kinds = ["alloc", "free", "free requested", "begin", "end", "out of memory", "segment taken", "segment returned"];
values.right = rows().every((row, i) => row.cells[2].textContent === kinds[event.kind[700 - 12 + i - 1]]);
const chosen = current() + 2;
await browser.click(pointIn(rows()[chosen]));
values.moment = view.moment;
values.marked = rows()[current()].cells[0].textContent === "702";
document.getElementById("event-box").focus();
await browser.key("ArrowDown");
await browser.key("ArrowDown");
await browser.key("ArrowUp");
values.stepped = view.moment;
await browser.key("Home");
values.start = `${view.moment} ${rows()[current()].cells[2].textContent}`;
await browser.key("End");
values.end = view.moment === view.device.count && current() === rows().length - 1;
return values;
END
} | browse "$work/page.html"
shows rows 25
shows right true
shows moment 702
shows marked true
shows stepped 703
shows start '0 the start'
shows end true

# --- segments over time: what they hold adds up to what is reserved, at every moment
{
    cat "$work/points.js"
    cat <<'END'
const values = { wrong: 0 };
const { segments } = page;
document.getElementById("segments").scrollIntoView();
await browser.settle();
const history = segments.historyOf(page.recording, view.device);
history.begin(0);
for (let at = 0; at <= view.device.count; at++) {
  history.advance(at);
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const used = view.device.liveBlocks(at).reduce((a, b) => a + page.recording.block.occupied[b], 0);
  if (sum(history.total) !== view.device.reserved[at] || sum(history.used) !== used
    || history.bands.some((band) => history.used[band] > history.total[band])) values.wrong++;
}
const canvas = segments.canvas.getBoundingClientRect();
await browser.move([canvas.left + 300, canvas.top + segments.rowOf(2 ** 20) / segments.ratio]);
values.hint = document.querySelector("#hint .lines:nth-child(2)").textContent.split(" at ")[0];
values.owner = shown()[0];
for (let i = 0; i < 20; i++)
  await browser.wheel([canvas.left + 300, canvas.top + segments.rowOf(2 ** 20) / segments.ratio], -100, browser.SHIFT);
values.zoomed = segments.range !== null && timeline.range === null;
return values;
END
} | browse "$work/page.html"
shows wrong 0
shows hint 'segment of 20.00 MiB'
shows owner 'build (model.py:20)'
shows zoomed true

# --- mapped parts that adjoin are one segment, which a partial return divides
python3 - "$work/mapped.pickle" <<'END'
import pickle, sys
MIB = 1 << 20
base = 0x7f0000000000
events = []
def note(action, at, size):
    events.append({"action": action, "addr": base + at * MIB, "size": size * MIB, "stream": 0, "frames": [], "time_us": len(events)})
note("segment_map", 0, 20)
note("segment_map", 20, 20)
note("alloc", 0, 30)
note("free_requested", 0, 30)
note("free_completed", 0, 30)
note("segment_unmap", 8, 16)
note("segment_map", 8, 2)
note("segment_map", 60, 20)
def segment(at, size):
    return {"device": 0, "address": base + at * MIB, "total_size": size * MIB, "stream": 0, "segment_type": "large",
            "segment_pool_id": (0, 0), "is_expandable": True, "frames": [], "allocated_size": 0, "active_size": 0,
            "requested_size": 0, "blocks": [{"address": base + at * MIB, "size": size * MIB, "requested_size": 0,
                                             "state": "inactive", "frames": []}]}
pickle.dump({"segments": [segment(0, 10), segment(24, 16), segment(60, 20)], "device_traces": [events],
             "allocator_settings": {}, "external_annotations": []}, open(sys.argv[1], "wb"))
END
expect 0 view "$work/mapped.pickle" -o "$work/mapped.html" --no-replay
browse "$work/mapped.html" <<'END'
const { device } = window.tarnView.view;
const history = window.tarnView.segments.historyOf(window.tarnView.recording, device);
history.begin(0);
const states = [];
for (let at = 0; at <= device.count; at++) {
  history.advance(at);
  states.push(history.bands.map((band) => `${history.used[band] / 2 ** 20}/${history.total[band] / 2 ** 20}`).join("+"));
}
return { states: states.join(" ") };
END
shows states ' 0/20 0/40 30/40 30/40 0/40 0/24 0/26 0/26+0/20'
