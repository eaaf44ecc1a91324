#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In Chromium the mouse shows the stack of a block with its owner first, however the blocks are stacked.
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

# --- the section about a selected block folds the calls inside the owner
{
    cat "$work/points.js"
    cat <<'END'
page.setRange(0, 60);
await browser.settle();
await browser.click(pointOf(view.device.live.indexOf(below(12)), below(5) + weight(5) / 2));
const lines = [...document.querySelectorAll("#block .stack > *")].map((line) => line.textContent);
return { owner: lines[0], caller: lines[1], folded: !document.querySelector("#block details").open,
  inside: document.querySelectorAll("#block details > div").length };
END
} | browse "$work/page.html"
shows owner 'build (model.py:25)'
shows caller 'main (train.py:88)'
shows folded true
shows inside 95
