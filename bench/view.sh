#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the page of `tarn view` for two recordings of a million events, and prints the table of docs/performance.md: sizes, how
# long the page takes to open, and how long it draws while the real mouse and keys move and zoom. BUILD says where the
# programs are (default build).
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
set -eu
SRC=$(dirname "$0")/..
TARN=${BUILD:-$SRC/build}/bin/tarn
export SRC TARN
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/browser.sh"

awk -v peak="$work/peak" -f "$SRC/tests/support/million_events.awk" >"$work/random"
python3 "$SRC/tests/support/deep_stacks.py" "$work/deep" 1000000

# The script times the work of each frame and of each movement of the mouse.
cat >"$work/measure.js" <<'END'
const { tarnView: page, browser } = window;
const { timeline, view } = page;
await browser.resize(1400, 1000);
let spent = [];
const timed = (act) => (...all) => {
  const began = performance.now();
  act(...all);
  spent.push(performance.now() - began);
};
page.drawFrame = timed(page.drawFrame.bind(page));
const { move } = ChartPointer.prototype;
ChartPointer.prototype.move = function measured(event) { timed(move.bind(this))(event); };
const box = timeline.canvas.getBoundingClientRect();
const result = { opened: `${Math.round(page.opened)} ms` };
async function measure(name, act, count) {
  await act(0);
  spent = [];
  for (let i = 0; i < count; i++) await act(i);
  spent.sort((a, b) => a - b);
  const at = (part) => spent[Math.min(spent.length - 1, Math.floor(part * spent.length))].toFixed(0);
  result[name] = `${at(0.5)} ms; ${at(0.95)} ms`;
}
const point = (i) => [box.left + 300 + 37 * i % 900, box.top + 250 + 11 * i % 120];
await measure("hover", (i) => browser.move(point(i)), 60);
await measure("events", (i) => browser.wheel([box.left + 700, box.top + 300], i % 16 < 8 ? -100 : 100), 48);
await measure("bytes", (i) => browser.wheel([box.left + 700, box.bottom - 80], i % 24 < 12 ? -100 : 100, browser.SHIFT), 48);
await browser.key("0");
document.getElementById("order").value = "block";
document.getElementById("order").dispatchEvent(new Event("change"));
await browser.settle();
await measure("block", (i) => browser.wheel([box.left + 700, box.bottom - 80], i % 24 < 12 ? -100 : 100, browser.SHIFT), 48);
await measure("step", () => browser.key("ArrowRight"), 40);
return result;
END

for name in random deep; do
    expect 0 view "$work/$name" -o "$work/$name.html" --no-replay
    browse "$work/$name.html" <"$work/measure.js"
    cp "$work/out" "$work/$name.json"
done

row() {
    printf '| %s |' "$1"
    for name in random deep; do
        cp "$work/$name.json" "$work/out"
        printf ' %s |' "$(json "$2")"
    done
    echo
}
size() { awk -v bytes="$(wc -c <"$1")" 'BEGIN { printf "%.1f MB", bytes / 1e6 }'; }
echo '| a million events | random sizes and lives | stacks of 60 to 120 calls, segments, phases |'
echo '|---|---|---|'
printf '| the recording, the page | %s, %s | %s, %s |\n' "$(size "$work/random")" "$(size "$work/random.html")" \
    "$(size "$work/deep")" "$(size "$work/deep.html")"
row 'from its bytes to the first drawing' opened
row 'the pointer over the timeline, a movement' hover
row 'zoom of the events, a frame' events
row 'zoom of the bytes, a frame' bytes
row 'the same, stacked by block' block
row 'a step of the moment, a frame' step
