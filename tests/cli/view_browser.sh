#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In Chromium the page shows the numbers of the recording, takes hostile texts as text, reacts to its
# controls, and opens a recording of a million events.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work; scripts are for the browser
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/browser.sh"

hostile='</script><img src=x onerror=alert(1)>'
cat >"$work/story.trace" <<END
a 0 0 2097152
a 10 1 2097152
m 20 $hostile
f 30 0
a 40 2 1572864
a 50 3 4194304
f 70 2
f 80 3
END
expect 0 view "$work/story.trace" -o "$work/page.html"
browse "$work/page.html" <<'END'
const text = (id) => document.getElementById(id).textContent;
const cells = (id, row) => [...document.querySelectorAll(`#${id} tbody tr`)][row].cells;
const { device } = window.tarnView.view;
const { replays } = window.tarnView;
const highest = ({ bytes }) => Math.max(...bytes);
const values = { title: text("title"), images: document.querySelectorAll("img").length,
  pools: document.querySelectorAll("#replays tbody tr").length,
  lines: replays.lines.length,
  curves: replays.lines.every((line) => highest(line) === line.row.reserved),
  ends: replays.ends.join(" "), curve: replays.lines[0].bytes.join(" "),
  lower: cells("replays", 0)[1].textContent, phase: cells("phases", 0)[0].textContent,
  phase_time: cells("phases", 0)[2].textContent, phase_end: cells("phases", 0)[5].textContent,
  held: cells("holders", 0)[1].textContent.replaceAll(",", ""), blocks: cells("holders", 0)[4].textContent,
  peak: device.live[device.peak], position: device.peak, end: device.live[device.count] };
window.tarnView.setMoment(8);
window.tarnView.drawPending();
values.afterwards = cells("holders", 0)[1].textContent.replaceAll(",", "");
document.getElementById("search").value = "STREAM 0";
window.tarnView.search();
values.found = text("found").split(",")[0];
for (const key of ["+", "-", "0", "p", "f", "ArrowLeft", "ArrowRight", "Escape"])
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
window.tarnView.drawPending();
const box = document.getElementById("timeline").getBoundingClientRect();
const found = window.tarnView.timeline.find(box.right - 3, box.bottom - 30);
values.last = found.block;
return values;
END
shows title story.trace
shows images 0
shows phase "$hostile"
shows phase_time '60 us'
shows phase_end '2.00 MiB'
shows peak 7864320
shows position 6
shows held 7864320
shows blocks 3
shows lower '7.50 MiB'
shows lines 8
shows curves true
shows ends '0 1 2 3 4 5 6 7 8'
shows curve '0 2097152 4194304 4194304 4194304 3670016 7864320 7864320 6291456'
shows pools 8
shows end 2097152
shows afterwards 2097152
shows found '4 blocks'
shows last 1

# A million events of random sizes and lives, and their peak.
awk -v peak="$work/peak" -f "$SRC/tests/support/million_events.awk" >"$work/million.trace"
read -r most events <"$work/peak"
expect 0 view "$work/million.trace" -o "$work/million.html" --no-replay
echo "the page of a million events has $(wc -c <"$work/million.html") bytes"
holds "$(wc -c <"$work/million.html") < 60e6"
browse "$work/million.html" <<'END'
const { tarnView: page, browser } = window;
const { device } = page.view;
const largest = document.querySelectorAll("#holders tbody tr")[0].cells;
const values = { events: device.count, peak: device.live[device.peak], peak_event: device.eventText(device.peak).replace(/\D/g, ""),
  end: device.live[device.count], blocks: largest[4].textContent.replaceAll(",", ""),
  opened: Math.round(page.opened) };

// In each column of pixels the bands reach the live bytes of its moment.
values.wrong = 0;
for (const order of ["group", "block"]) {
  for (const [from, to] of [[0, device.count], [300000, 310000], [5e5, 5e5 + 90]]) {
    page.view.order = order;
    page.setRange(from, to);
    page.timeline.setBytes(1e6, 3e7); // so that most blocks have a band
    page.drawPending();
    const { best, sums, parts } = page.timeline;
    values.wrong += best.filter((at, x) => sums[(x + 1) * parts - 1] !== device.live[at]).length;
  }
}
page.view.order = "group";
await browser.key("0");

// The mouse zooms from a million events and all bytes to single blocks, and shows one.
const box = page.timeline.canvas.getBoundingClientRect();
const point = [box.left + 500, box.bottom - 150];
for (let i = 0; i < 45; i++) await browser.wheel(point, -100);
for (let i = 0; i < 32; i++) await browser.wheel(point, -100, browser.SHIFT);
await browser.move([point[0] + 1, point[1]]);
values.seen = Math.round(page.view.to - page.view.from);
values.limit = page.timeline.limit;
const hint = document.getElementById("hint").textContent.replaceAll(",", "");
[, values.at] = /^event (\d+)/.exec(hint);
[, values.size] = /\((\d+) bytes\)/.exec(hint);
[, values.birth] = /allocated at event (\d+)/.exec(hint);
[, values.death] = /freed at event (\d+)/.exec(hint);
return values;
END
shows wrong 0
holds "$(json seen) < 100 && $(json limit) < 512"
holds "$(json birth) <= $(json at) && $(json at) < $(json death)"
shown="$(json size) 1"
[ "$(awk -v birth="$(json birth)" -v death="$(json death)" 'NR == birth && $1 == "a" { id = $3; size = $4 }
    NR == death { print size, $1 == "f" && $3 == id }' "$work/million.trace")" = "$shown" ] || fail "the block is not the one of the trace"
shows events "$events"
shows peak "$most"
cp "$work/out" "$work/page.json"
expect 0 explain "$work/million.trace" --json --no-replay
explained="$(json events) $(json peak_live_bytes) $(json peak_event) $(json live_at_end_bytes) $(json live_blocks)"
cp "$work/page.json" "$work/out"
[ "$(json events) $(json peak) $(json peak_event) $(json end) $(json blocks)" = "$explained" ] ||
    fail "explain says: $explained"
echo "it shows them after $(json opened) ms; $(cat "$work/err")"

# A recording of sums is stacked by category.
echo '[[10, 20, 30], [[0, 4096, 0, 0, 0, 512, 0, 0, 0], [0, 4096, 0, 0, 0, 8192, 0, 0, 0], [0, 4096, 0, 0, 0, 0, 0, 0, 0]]]' \
    >"$work/timeline.json"
expect 0 view "$work/timeline.json" -o "$work/sums.html"
browse "$work/sums.html" <<'END'
const cell = (row, column) => document.querySelectorAll("#holders tbody tr")[row].cells[column].textContent;
const { device } = window.tarnView.view;
return { peak: device.live[device.peak], first: cell(0, 0), bytes: cell(0, 1).replaceAll(",", ""), second: cell(1, 0),
  map: document.getElementById("map-section").hidden };
END
shows peak 12288
shows first activation
shows bytes 8192
shows second parameter
shows map true
