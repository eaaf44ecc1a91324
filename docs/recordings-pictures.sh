#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Takes the pictures of docs/recordings.md: makes a recording, opens its page in Chromium, moves the mouse and writes
# recordings-*.png. The recording is the same each time. FOLDER, the first argument, is docs by default; BUILD says where the
# programs are (default build).
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
set -eu
SRC=${SRC:-$(dirname "$0")/..}
TARN=${TARN:-${BUILD:-$SRC/build}/bin/tarn}
export SRC TARN
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/browser.sh"
folder=$(cd "${1:-$SRC/docs}" && pwd)

python3 "$SRC/tests/support/deep_stacks.py" "$work/training.pickle"
expect 0 view "$work/training.pickle" -o "$work/page.html"
{
    printf 'const folder = "%s";\n' "$folder"
    cat <<'END'
const { tarnView: page, browser } = window;
const { timeline, segments, view } = page;
await browser.ask("Emulation.setScrollbarsHidden", { hidden: true });
await browser.resize(1150, 4500);
const boxOf = (id) => document.getElementById(id).getBoundingClientRect();

// Takes what lies between the top of one element and the bottom of another.
const take = (name, first, last) => browser.picture(`${folder}/recordings-${name}.png`,
  { x: 0, y: Math.max(0, boxOf(first).top - 4), width: 1150, height: boxOf(last).bottom - boxOf(first).top + 10, scale: 1 });
const pointIn = (chart, at, bytes) => [boxOf(chart.canvas.id).left + (chart.left + chart.columnOf(at + 0.5)) / chart.ratio,
  boxOf(chart.canvas.id).top + chart.rowOf(bytes) / chart.ratio];
END
} >"$work/take.js"
{
    cat "$work/take.js"
    cat <<'END'
const byName = (name) => view.device.liveBlocks(view.moment)
  .filter((b) => page.recording.callText(page.recording.owner.calls[page.recording.block.stack[b]]).startsWith(name));
const middleOf = (block) => {
  const { low, high } = timeline.heightsOf(block, view.moment, timeline.limit);
  return (low + high) / 2;
};

// The whole of the timeline, the box about a block, and the list of events.
const block = byName("attention")[8];
page.select(block);
await browser.settle();
await browser.move(pointIn(timeline, view.moment, middleOf(block)));
await take("view", "title", "event-box");

// By block, down to one of them.
document.getElementById("order").value = "block";
document.getElementById("order").dispatchEvent(new Event("change"));
await browser.key("b");
for (let i = 0; i < 3; i++) await browser.wheel(pointIn(timeline, view.moment, middleOf(block)), 100);
for (let i = 0; i < 7; i++) await browser.wheel(pointIn(timeline, view.moment, middleOf(block)), 100, browser.SHIFT);
await browser.move(pointIn(timeline, view.moment, middleOf(block)));
await take("zoom", "timeline", "zoom");

// The segments over time, with the box about one, and those of the moment.
await browser.key("0");
page.setMoment(Math.round(view.device.count * 0.62));
await browser.settle();
await browser.move(pointIn(segments, view.moment, segments.high * 0.55));
await take("segments", "segment-section", "map");

await browser.key("p");
await browser.move([5, 5]);
await take("pools", "replay-section", "replays");
return { done: 1 };
END
} | browse "$work/page.html"

# A million events, coloured by size, and 150 of them.
awk -v peak="$work/peak" -f "$SRC/tests/support/million_events.awk" >"$work/million.trace"
expect 0 view "$work/million.trace" -o "$work/page.html" --no-replay
{
    cat "$work/take.js"
    cat <<'END'
document.getElementById("group").value = "size";
document.getElementById("group").dispatchEvent(new Event("change"));
await browser.settle();
await take("million", "timeline", "legend");
document.getElementById("order").value = "block";
document.getElementById("order").dispatchEvent(new Event("change"));
page.setMoment(500000);
page.setRange(499925, 500075);
await browser.settle();
const live = view.device.live[view.moment];
await browser.drag(pointIn(timeline, 499930, live * 0.99), pointIn(timeline, 500070, live * 0.95), browser.SHIFT);
await browser.move(pointIn(timeline, 500020, live * 0.965));
await take("million-zoom", "timeline", "zoom");
return { done: 1 };
END
} | browse "$work/page.html"
