#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In Chromium no text of the page is cut by an edge and no labels of a drawing overlap, in narrow and wide windows, on
# fine screens, in every zoom, and with long names of templates.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work; scripts are for the browser
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/browser.sh"
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
python3 "$SRC/tests/support/deep_stacks.py" "$work/python.pickle"
python3 "$SRC/tests/support/deep_stacks.py" "$work/cpp.pickle" 1200 cpp
expect 0 view "$work/python.pickle" -o "$work/python.html"
expect 0 view "$work/cpp.pickle" -o "$work/cpp.html"

cat >"$work/labels.js" <<'END'
const { tarnView: page, browser } = window;
const problems = new Set();
let texts = 0;

// Each text that a drawing writes, with its box in pixels of the canvas.
const written = new Map();
const { fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillText = function write(text, x, y, most) {
  const width = Math.min(this.measureText(text).width, most ?? Infinity);
  const left = x - { left: 0, start: 0, center: width / 2, right: width }[this.textAlign];
  const size = parseFloat(this.font);
  const top = y - { top: 0, middle: size / 2 }[this.textBaseline];
  if (!written.has(this.canvas)) written.set(this.canvas, []);
  if (text !== "") written.get(this.canvas).push({ text, left, top, right: left + width, bottom: top + size });
  fillText.call(this, text, x, y, most);
};

function checkDrawings(state) {
  for (const [canvas, boxes] of written) {
    boxes.forEach((box, i) => {
      texts++;
      if (box.left < 0 || box.top < 0 || box.right > canvas.width + 0.5 || box.bottom > canvas.height + 0.5)
        problems.add(`${state}: ${canvas.id} cuts "${box.text}"`);
      for (const other of boxes.slice(0, i))
        if (box.left < other.right && other.left < box.right && box.top + 2 < other.bottom && other.top + 2 < box.bottom)
          problems.add(`${state}: ${canvas.id} writes "${box.text}" over "${other.text}"`);
    });
  }
}

// Each text of an element lies in the window and in all boxes around it that hide what leaves them.
function checkElements(state) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.textContent.trim() === "" || node.parentElement.closest("script, option, select") !== null) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue; // not shown
    texts++;
    if (box.left < 0 || box.right > document.documentElement.clientWidth + 0.5)
      problems.add(`${state}: the window cuts "${node.textContent.slice(0, 80)}"`);
    for (let around = node.parentElement; around !== document.body; around = around.parentElement) {
      const edges = around.getBoundingClientRect();
      if (getComputedStyle(around).overflowX !== "visible" && (box.right > edges.right + 0.5 || box.left < edges.left - 0.5))
        problems.add(`${state}: #${around.id} cuts "${node.textContent.slice(0, 80)}"`);
    }
  }
}

async function check(state) {
  written.clear();
  page.draw("timeline", "segments", "map", "flame", "replays", "events", "holders");
  await browser.settle();
  checkDrawings(state);
  checkElements(state);
}

page.select(page.view.device.own[0]);
document.querySelectorAll("details").forEach((each) => { each.open = true; });
for (const [width, ratio] of widths) {
  await browser.resize(width, 900, ratio);
  await check(`${width} wide`);
  for (let i = 0; i < 24; i++) await browser.key("v");
  for (let i = 0; i < 12; i++) await browser.key("+");
  await check(`${width} wide, zoomed`);
  document.getElementById("axis").value = "time";
  document.getElementById("axis").dispatchEvent(new Event("change"));
  await check(`${width} wide, time`);
  document.getElementById("axis").value = "event";
  document.getElementById("axis").dispatchEvent(new Event("change"));
  page.view.allCalls = true;
  await check(`${width} wide, all calls`);
  page.view.allCalls = false;
  const timeline = page.timeline.canvas.getBoundingClientRect();
  for (const part of [0.02, 0.5, 0.98]) {
    await browser.move([timeline.left + page.timeline.left / ratio + (timeline.width - 90) * part, timeline.bottom - 40]);
    const box = document.getElementById("hint").getBoundingClientRect();
    if (!document.getElementById("hint").hidden && (box.left < 0 || box.right > width || box.top < 0 || box.bottom > 900))
      problems.add(`${width} wide: the box beside the pointer leaves the window at ${part}`);
  }
}
END
{
    echo 'const widths = [[420, 1], [801, 1], [1000, 2], [1500, 1], [2200, 1]];'
    cat "$work/labels.js"
    cat <<'END'
const inside = [...document.querySelectorAll("#block details > div")].map((line) => line.textContent);
return { texts, problems: problems.size, list: [...problems], calls: inside.length,
  longest: Math.max(...inside.map((line) => line.length)),
  complete: inside.filter((line) => /, true>::operator(?:\(\))? \(wrapped_\d\.hpp\)$/.test(line)).length };
END
} | browse "$work/python.html"
shows problems 0
shows calls 60
shows complete 60
holds "$(json longest) > 255"
holds "$(json texts) > 5000"

# In a program in C++ alone every name is long. The box beside the pointer has room for the owner and twelve callers.
{
    echo 'const widths = [[420, 1], [1300, 1]];'
    cat "$work/labels.js"
    cat <<'END'
page.recording.owner.calls = page.recording.owner.calls.map((_, stack) => stack); // the innermost calls
await browser.resize(1000, 900);
page.zoomAll();
await browser.settle();
const drawn = page.timeline.canvas.getBoundingClientRect();
await browser.move([drawn.left + 500, drawn.bottom - 30]);
const box = document.getElementById("hint");
const callers = box.querySelectorAll(".stack > *").length;
const { top, bottom } = box.getBoundingClientRect();
return { texts, problems: problems.size, list: [...problems], callers,
  fits: top >= 0 && bottom <= 900 && box.scrollHeight <= box.clientHeight };
END
} | browse "$work/cpp.html"
shows problems 0
shows callers 14
shows fits true
