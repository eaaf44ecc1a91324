// SPDX-License-Identifier: Apache-2.0
// Numbers as text, and elements of the page. Data enters the page as text only, never as markup.
"use strict";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

function bytesText(bytes) {
  let unit = 0;
  let value = Math.abs(bytes);
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024;
  const sign = bytes < 0 ? "-" : "";
  return unit === 0 ? `${sign}${value} B` : `${sign}${value.toFixed(2)} ${UNITS[unit]}`;
}

function streamNumber(native) { return native === 0 ? "0" : `0x${native.toString(16)}`; }

function countText(count) { return count.toLocaleString("en"); }

function countOthers(count) { return count === 1 ? "1 other" : `${countText(count)} others`; }

function timeText(us) {
  if (us < 1000) return `${us.toFixed(0)} us`;
  return us < 1e6 ? `${(us / 1000).toFixed(2)} ms` : `${(us / 1e6).toFixed(3)} s`;
}

// Round numbers of bytes in a range, at most nine, as {bytes, text}. Where their texts would be
// equal, the first has all digits that fit and the others are what they exceed it by.
function byteTicks(low, high) {
  let step = 1;
  while ((high - low) / step > 8) step *= 2;
  const first = Math.ceil(low / step) * step;
  const ticks = Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, i) => first + i * step);
  const texts = ticks.map(bytesText);
  const isDistinct = new Set(texts).size === texts.length;
  return ticks.map((bytes, i) => ({ bytes,
    text: isDistinct || i === 0 ? texts[i] : `+${bytesText(bytes - first)}` }));
}

// The text, or as much of it as fits with an ellipsis; empty if no three letters do.
function fitText(context, text, width) {
  if (width < 8 || context.measureText(text).width <= width) return width < 8 ? "" : text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}\u2026`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low < 3 ? "" : `${text.slice(0, low)}\u2026`;
}

// element("td", "text", {className: "number"}); children in place of the text are elements.
function element(name, content, properties = {}) {
  const made = Object.assign(document.createElement(name), properties);
  if (Array.isArray(content)) made.append(...content);
  else made.textContent = content;
  return made;
}

// Fills a table. A column is {title, kind, cell: row => text or element}. The kind is "number",
// "name" for texts that may be long, or absent.
function fillTable(table, columns, rows, onRow) {
  const heading = element("tr", columns.map((column) => element("th", column.title,
    { className: column.kind ?? "" })));
  const body = rows.map((row) => {
    const line = element("tr", columns.map((column) => {
      const content = column.cell(row);
      const cell = element("td", typeof content === "object" ? [content] : String(content),
        { className: column.kind ?? "" });
      cell.dataset.title = column.title; // for narrow windows, where the heading is not shown
      return cell;
    }));
    if (onRow !== undefined) {
      line.className = "link";
      line.addEventListener("click", () => onRow(row));
    }
    return line;
  });
  table.replaceChildren(element("thead", [heading]), element("tbody", body));
}
