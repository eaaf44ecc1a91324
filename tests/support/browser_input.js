// SPDX-License-Identifier: Apache-2.0
// The browser as the script of a test has it: real movements of the mouse and keys, which
// browser.mjs passes on. Each call waits until the page has drawn what followed from it. Points are
// [x, y] of the window.
"use strict";

window.browser = {
  ALT: 1, CTRL: 2, SHIFT: 8,
  waiting: [],

  ask(method, params) {
    return new Promise((done, fail) => {
      const id = this.waiting.push({ done, fail }) - 1;
      window.askBrowser(JSON.stringify({ id, method, params }));
    });
  },

  answer(id, error) {
    const { done, fail } = this.waiting[id];
    if (error === null) done();
    else fail(new Error(error));
  },

  async settle() {
    do await new Promise((done) => { requestAnimationFrame(done); });
    while (window.tarnView.pending.size > 0);
  },

  async mouse(type, [x, y], more = {}) {
    await this.ask("Input.dispatchMouseEvent", { type, x, y, modifiers: 0, ...more });
    await this.settle();
  },

  move(point) { return this.mouse("mouseMoved", point); },

  async click(point, clickCount = 1) {
    await this.move(point);
    for (let count = 1; count <= clickCount; count++)
      for (const type of ["mousePressed", "mouseReleased"])
        await this.mouse(type, point, { button: "left", clickCount: count });
  },

  async drag(from, to, modifiers = 0) {
    await this.move(from);
    await this.mouse("mousePressed", from, { button: "left", clickCount: 1, modifiers });
    for (const part of [0.25, 0.5, 0.75, 1])
      await this.mouse("mouseMoved", [0, 1].map((i) => from[i] + (to[i] - from[i]) * part),
        { button: "left", buttons: 1, modifiers });
    await this.mouse("mouseReleased", to, { button: "left", clickCount: 1, modifiers });
  },

  // A positive `down` turns the wheel towards the user.
  async wheel(point, down, modifiers = 0) {
    await this.move(point);
    await this.mouse("mouseWheel", point, { deltaX: 0, deltaY: down, modifiers });
  },

  async key(key, modifiers = 0) {
    for (const type of ["keyDown", "keyUp"]) await this.ask("Input.dispatchKeyEvent", { type, key, modifiers });
    await this.settle();
  },

  async resize(width, height, ratio = 1) {
    await this.ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
    await this.settle();
    await this.settle();
  },

  async darken(isDark) {
    await this.ask("Emulation.setEmulatedMedia",
      { features: [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }] });
    await this.settle();
  },

  // Writes what the window shows, or a part of it, to a PNG file.
  picture(path, clip) { return this.ask("picture", { path, clip }); },
};
