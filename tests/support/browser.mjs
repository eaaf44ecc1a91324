// SPDX-License-Identifier: Apache-2.0
// Drives Chromium without a package: opens a page, waits until it has drawn, evaluates a script in
// it and prints the value as JSON. node browser.mjs CHROMIUM PAGE SCRIPT [PICTURE [WIDTH HEIGHT]]
// SCRIPT is a file with the body of an async function. It moves the mouse and presses keys by the
// object `browser` of browser_input.js. PICTURE is a PNG file to write afterwards. Exits with 1 if
// the page throws, logs an error or asks for anything but its own file.
// node browser.mjs CHROMIUM serve does the same for each line "PAGE<tab>SCRIPT<tab>OUT<tab>ERR" of
// standard input, in a page of its own in one browser, and answers each with a line: the exit code.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const [program, page, script, picture, width = "1400", height = "1800"] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "tarn-browser-"));
const child = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
  "--remote-debugging-pipe", `--user-data-dir=${profile}`, `--window-size=${width},${height}`, "about:blank"],
{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const problems = [];
const answers = new Map();
let url = "";
const input = join(dirname(fileURLToPath(import.meta.url)), "browser_input.js");

// Processes of the browser may write to the profile for a moment after the first one has ended. A
// folder that stays behind is no fault of the page.
function end(code) {
  child.once("exit", () => {
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch (error) {
      console.error(`the profile stays: ${error.message}`);
    }
    process.exit(code);
  });
  child.kill();
}

let last = 0;
function send(method, params, sessionId) {
  const id = ++last;
  child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((done, fail) => answers.set(id, { done, fail }));
}

function receive(message) {
  if (message.id !== undefined) {
    const { done, fail } = answers.get(message.id);
    if (message.error) fail(new Error(message.error.message));
    else done(message.result);
  } else if (message.method === "Runtime.bindingCalled") {
    obey(JSON.parse(message.params.payload), message.sessionId);
  } else if (message.method === "Runtime.exceptionThrown") {
    const { exceptionDetails: details } = message.params;
    problems.push(details.exception?.description ?? details.text);
  } else if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
    problems.push(message.params.entry.text);
  } else if (message.method === "Network.requestWillBeSent" && message.params.request.url !== url) {
    problems.push(`the page asks for ${message.params.request.url}`);
  }
}

async function takePicture(path, sessionId, clip) {
  const { data } = await send("Page.captureScreenshot", { format: "png", clip }, sessionId);
  writeFileSync(path, Buffer.from(data, "base64"));
}

// Does what the script asks of the browser, and answers it in the page.
async function obey({ id, method, params }, sessionId) {
  let error = null;
  try {
    if (method === "picture") await takePicture(params.path, sessionId, params.clip);
    else await send(method, params, sessionId);
  } catch (refusal) {
    error = refusal.message;
  }
  await send("Runtime.evaluate", { expression: `browser.answer(${id}, ${JSON.stringify(error)})` }, sessionId);
}

let rest = "";
child.stdio[4].setEncoding("utf8");
child.stdio[4].on("data", (text) => {
  const parts = (rest + text).split("\0");
  rest = parts.pop();
  parts.forEach((part) => receive(JSON.parse(part)));
});

const DRAWN = 'document.documentElement?.dataset.drawn === "yes"';
const PATIENCE_MS = 120_000; // on a loaded machine, and less than the limit of a test

// Asks again and again: the first question may meet the page before, whose context then ends.
async function waitUntilDrawn(evaluate) {
  const end = performance.now() + PATIENCE_MS;
  let refusal = "nothing was drawn";
  while (performance.now() < end) {
    try {
      if (await evaluate(DRAWN)) return;
    } catch (error) {
      refusal = error.message;
    }
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error(`the page did not open: ${refusal}`);
}

// Runs a script in a page of its own. Returns its value and the time that the page took to open.
async function drive(page, script, picture) {
  url = pathToFileURL(resolve(page)).href;
  problems.length = 0;
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(`${domain}.enable`, {}, sessionId);
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate",
      { expression, awaitPromise: true, returnByValue: true }, sessionId);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const began = performance.now();
  await send("Page.navigate", { url }, sessionId);
  await waitUntilDrawn(evaluate);
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  await send("Runtime.addBinding", { name: "askBrowser" }, sessionId);
  await evaluate(readFileSync(input, "utf8"));
  const value = await evaluate(`(async () => {${readFileSync(script, "utf8")}})()`);
  if (picture !== undefined) await takePicture(picture, sessionId);
  await send("Target.closeTarget", { targetId });
  return { value: JSON.stringify(value, null, 2), notes: [`the page opened in ${seconds} s`] };
}

// Runs a script. Returns what to print, and the exit code.
async function judge(...job) {
  try {
    const { value, notes } = await drive(...job);
    return { out: `${value}\n`, err: `${[...notes, ...problems].join("\n")}\n`, code: problems.length > 0 ? 1 : 0 };
  } catch (error) {
    return { out: "", err: `${[error.message, ...problems].join("\n")}\n`, code: 1 };
  }
}

if (page === "serve") {
  for await (const line of createInterface({ input: process.stdin })) {
    const [path, script, out, err] = line.split("\t");
    const result = await judge(path, script);
    writeFileSync(out, result.out);
    writeFileSync(err, result.err);
    process.stdout.write(`${result.code}\n`);
  }
  end(0);
} else {
  const result = await judge(page, script, picture);
  process.stdout.write(result.out);
  process.stderr.write(result.err);
  end(result.code);
}
