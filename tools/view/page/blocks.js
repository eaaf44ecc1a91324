// SPDX-License-Identifier: Apache-2.0
// The facts about a block, and stacks: the call that owns a block comes first, its callers follow,
// and the calls inside it are folded.
"use strict";

const BRIEF_LETTERS = 80;

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
    const isOperator = /operator[<>]*$/.test(text.slice(0, i));
    if (text[i] === "<" && !isOperator && depth++ === 0) short += "<...>";
    else if (text[i] === ">" && !isArrow && !isOperator && depth > 0) depth--;
    else if (depth === 0) short += text[i];
  }
  return short;
}

// The stack with at most `most` callers. `isBrief` counts the calls inside the owner and does not
// list them.
function stackElement(recording, stack, most, isBrief) {
  const made = element("div", "", { className: "stack" });
  if (stack === 0) return made;
  const line = (call, kind) => {
    const text = recording.callText(call);
    return element(kind, isBrief && text.length > BRIEF_LETTERS ? withoutArguments(text) : text);
  };
  const owner = recording.owner.calls[stack];
  const callers = recording.stackCalls(owner).slice(1);
  made.append(line(owner, "strong"), ...callers.slice(0, most).map((call) => line(call, "div")));
  if (callers.length > most) made.append(element("div", `... ${countCalls(callers.length - most)} outside these`));
  const calls = recording.stackCalls(stack);
  const inside = calls.slice(0, calls.indexOf(owner));
  if (inside.length === 0) return made;
  const title = `${countCalls(inside.length)} inside the first`;
  made.append(isBrief ? element("div", `(${title})`)
    : element("details", [element("summary", title), ...inside.map((call) => line(call, "div"))]));
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
  stackElement(recording, recording.block.stack[b], Infinity, false));
}
