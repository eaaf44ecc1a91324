// SPDX-License-Identifier: Apache-2.0
// The keys of the page. They act at the marked moment.
"use strict";

// The actions by key. `shift` reverses the search for events and enlarges the step of the arrows.
function keyActions(page, shift) {
  const { view } = page;
  const { device, moment } = view;
  const [first, last] = page.extent();
  const shown = device.count * (view.to - view.from) / (last - first);
  const step = shift ? Math.max(1, Math.round(shown / 10)) : 1;
  const goTo = (at) => { if (at >= 0) page.setMoment(at); };
  const next = (...kinds) => {
    const [direction, end] = shift ? [-1, device.count + 1] : [1, 0]; // from the end on if none follows
    const at = findEvent(device, kinds, moment, direction);
    goTo(at >= 0 ? at : findEvent(device, kinds, end, direction));
  };
  return {
    "+": () => zoomAtMoment(page, 0.5),
    "=": () => zoomAtMoment(page, 0.5),
    "-": () => zoomAtMoment(page, 2),
    "v": () => zoomBytesAtMoment(page, shift ? 2 : 0.5),
    "b": () => zoomToBlock(page),
    "0": () => page.zoomAll(),
    "p": () => page.setMoment(device.peak),
    "f": () => next(EVENT.FAILURE),
    "s": () => next(EVENT.SEGMENT, EVENT.RETURN),
    "m": () => next(EVENT.MARK, EVENT.MARK_END),
    "/": () => byId("search").focus(),
    "arrowleft": () => page.setMoment(moment - step),
    "arrowright": () => page.setMoment(moment + step),
    "escape": () => page.select(-1),
  };
}

// The next position of an event of some kinds behind a position, or the previous one; -1 if there
// is none.
function findEvent(device, kinds, from, step) {
  for (let at = from + step; at >= 1 && at <= device.count; at += step)
    if (kinds.includes(device.eventAt(at).kind)) return at;
  return -1;
}

// The keys of the list of events, while it has the focus.
function listActions(page) {
  const { moment, device } = page.view;
  return {
    "arrowup": () => page.setMoment(moment - 1),
    "arrowdown": () => page.setMoment(moment + 1),
    "pageup": () => page.setMoment(moment - EVENTS_AROUND),
    "pagedown": () => page.setMoment(moment + EVENTS_AROUND),
    "home": () => page.setMoment(0),
    "end": () => page.setMoment(device.count),
    "enter": () => page.select(page.events.blockAt(device, moment)),
  };
}
