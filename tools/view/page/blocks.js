// SPDX-License-Identifier: Apache-2.0
// The facts about a block, and stacks: the call that owns a block comes first, its callers follow,
// and the calls inside it are folded.
"use strict";

const BRIEF_LETTERS = 80;
const CALLERS = 12; // of a stack that are shown at once

function blockLines(recording, device, b) {
  const { block } = recording;
  const birth = device.birth[b];
  const death = device.death[b];
  const when = (at) => {
    const order = device.eventText(at);
    return recording.lacks & LACKS.TIMES ? order : `${order}, ${timeText(device.time[at] - device.time[0])}`;
  };
  const lines = [`${bytesText(block.size[b])} (${countText(block.size[b])} bytes)`];
  if (block.occupied[b] > block.size[b]) lines[0] += `, rounded up to ${countText(block.occupied[b])}`;
  lines.push(birth === 0 ? "live before the recording" : `allocated at ${when(birth)}`);
  lines.push(death > device.count ? "live to the end" : `freed at ${when(death)}`);
  if (!(recording.lacks & LACKS.ADDRESSES)) lines.push(`address 0x${block.id[b].toString(16)}`);
  lines.push(recording.streamText(block.stream[b]));
  const phase = device.phaseName(birth);
  if (phase !== "") lines.push(`phase ${phase}`);
  if (block.tag[b] !== 0) lines.push(`tag ${recording.texts[block.tag[b]]}`);
  if (block.category[b] !== 0) lines.push(`category ${CATEGORIES[block.category[b]]}`);
  return lines;
}

function linesElement(lines) { return element("div", lines.join("\n"), { className: "lines" }); }

// Leaves out the arguments of templates: "Caller<int, true>::run" becomes "Caller<...>::run".
function withoutArguments(text) {
  let depth = 0;
  let short = "";
  for (let i = 0; i < text.length; i++) {
    const isArrow = text[i] === ">" && text[i - 1] === "-";
    const isOperator = i === 0 || /operator[<>]?$/.test(text.slice(Math.max(0, i - 9), i)); // or "<module>"
    if (text[i] === "<" && !isOperator && depth++ === 0) short += "<...>";
    else if (text[i] === ">" && !isArrow && !isOperator && depth > 0) depth--;
    else if (depth === 0) short += text[i];
  }
  return short;
}

// A name that is longer than a line of the page, without the arguments of its templates.
function briefText(text) { return text.length > BRIEF_LETTERS ? withoutArguments(text) : text; }

// The stack, with CALLERS callers. `isBrief` shortens long names, and counts the other calls
// instead of folding them.
function stackElement(recording, stack, isBrief) {
  const made = element("div", "", { className: "stack" });
  if (stack === 0) return made;
  const line = (call, kind) => {
    const text = recording.callText(call);
    return element(kind, isBrief ? briefText(text) : text);
  };
  const fold = (calls, place) => {
    if (calls.length === 0) return;
    const title = `${countCalls(calls.length)} ${place}`;
    made.append(isBrief ? element("div", `(${title})`) : element("details",
      [element("summary", title), ...calls.map((call) => line(call, "div"))]));
  };
  const owner = recording.owner.calls[stack];
  const callers = recording.stackCalls(owner).slice(1);
  const calls = recording.stackCalls(stack);
  made.append(line(owner, "strong"), ...callers.slice(0, CALLERS).map((call) => line(call, "div")));
  fold(callers.slice(CALLERS), "outside these");
  fold(calls.slice(0, calls.indexOf(owner)), "inside the first");
  return made;
}

function countCalls(count) { return count === 1 ? "1 call" : `${countText(count)} calls`; }

// Fills the section about the selected block.
function showBlock(box, recording, device, b, goTo) {
  const button = (text, at) => {
    const made = element("button", text);
    made.addEventListener("click", () => goTo(at));
    return made;
  };
  box.replaceChildren(linesElement(blockLines(recording, device, b)), element("p", [
    ...(device.birth[b] > 0 ? [button("to its allocation", device.birth[b])] : []),
    ...(device.death[b] <= device.count ? [button("to its free", device.death[b])] : [])]),
  stackElement(recording, recording.block.stack[b], false));
}
