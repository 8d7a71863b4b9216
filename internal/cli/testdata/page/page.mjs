// What a person does on the page, in a browser: each check that does not hold ends the script with an error.
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import assert from "node:assert/strict";

const { PACKAGES, BROWSER, URL: link, FOLDER, SOCKET, LANGUAGE, CUT } = process.env;
const require = createRequire(PACKAGES + "/");
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const words = {
  en: { begin: "New session", allow: "Allow once", refuse: "Refuse", send: "Send" },
  ja: { begin: "新しいセッション", allow: "今回だけ許可する", refuse: "拒否", send: "送信" },
}[LANGUAGE];

const began = Date.now();
const note = (text) => console.log(((Date.now() - began) / 1000).toFixed(1) + "s " + text);
const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"] });
const desktop = { width: 1280, height: 800 }, telephone = { width: 390, height: 844 };
const context = await browser.newContext({ viewport: desktop, colorScheme: "light" });
context.setDefaultTimeout(60_000);
const problems = [], outside = [];
let ran = 0, wire = 0;
await context.exposeFunction("pwned", () => { ran++; });
context.on("weberror", (e) => problems.push(String(e.error())));
context.on("dialog", (d) => { ran++; d.dismiss(); });
context.on("request", (r) => { if (new URL(r.url()).hostname !== "127.0.0.1") outside.push(r.url()); });

// A command at the socket, as any other client sends it.
const ask = (method, path, body) => new Promise((done, failed) => {
  const r = request({ socketPath: SOCKET, method, path, headers: { "Content-Type": "application/json" } }, (back) => {
    let text = "";
    back.on("data", (d) => { text += d; }).on("end", () => done({ status: back.statusCode, text }));
  });
  r.on("error", failed).end(body ? JSON.stringify(body) : undefined);
});

async function accessible(page, what) {
  const bad = await page.evaluate(async (source) => {
    // The page lets nothing run but its own script: the checker is put in by the debugger, which may.
    return (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map((v) => v.impact + " " + v.id + ": " + v.nodes.map((n) => n.html.slice(0, 120)).join(" | "));
  });
  assert.deepEqual(bad, [], "accessibility of " + what);
}
await context.addInitScript({ content: axe });

const page = await context.newPage();
await page.goto(link);
await page.waitForURL(/\/\?dir=/);
await page.getByRole("heading", { level: 1 }).waitFor();
await accessible(page, "the list");
note("the link opened the list");
const again = await context.newPage();
assert.equal((await again.goto(link)).status(), 401, "a link opens twice");
await again.close();

const sizes = [];
page.on("response", async (r) => { if (!r.url().includes("/live/")) sizes.push((await r.body().catch(() => "")).length); });
await page.getByRole("button", { name: words.begin }).first().click();
await page.waitForURL(/\/session\//);
await page.locator("#state strong").waitFor();
wire = sizes.reduce((a, b) => a + b, 0);
assert.ok(wire > 1000 && wire < 80_000, "the first view takes " + wire + " bytes");
const id = await page.locator("body").getAttribute("data-session");
const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint").map((e) => Math.round(e.startTime))[0]);
note("a session is open; its first view took " + wire + " bytes and was painted after " + painted + " ms");

const say = async (where, text) => { await where.locator("#say").fill(text); await where.keyboard.press("Enter"); };
const gate = (where) => where.locator(".ask").first();
const says = (where, text) => where.locator("#rows").getByText(text).last().waitFor();
const ready = (where) => where.locator('#state strong[data-busy="false"]').waitFor();
const gone = (where) => where.locator(".ask").waitFor({ state: "detached" });

// One language is tried on a desktop and in all that follows, the other one on a telephone.
for (const [name, size] of LANGUAGE === "en" ? [["desktop", desktop]] : [["telephone", telephone]]) {
  await page.setViewportSize(size);
  await say(page, "TASK:write please");
  await gate(page).waitFor();
  await gate(page).locator("dl dt").first().waitFor();
  await gate(page).locator(".new").first().waitFor();
  assert.ok(!existsSync(FOLDER + "/notes.md"), "it was written before it was allowed");
  await accessible(page, "the gate on a " + name);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(width, 0, "the page is wider than a " + name);
  await gate(page).getByRole("button", { name: words.allow }).click();
  await says(page, "notes.md");
  await ready(page);
  assert.equal(readFileSync(FOLDER + "/notes.md", "utf8"), "# Notes\n\n- one\n");
  await page.locator("#rows .say pre", { hasText: "code" }).last().waitFor();
  await say(page, "/undo");
  await page.waitForFunction(() => document.querySelectorAll("#rows .note").length > 0);
  for (let i = 0; existsSync(FOLDER + "/notes.md"); i++) { assert.ok(i < 600, "undo does not end"); await page.waitForTimeout(100); }
  note("written, allowed and taken back on a " + name);

  await say(page, "TASK:refuse please");
  await gate(page).waitFor();
  await gate(page).locator('[data-field="why"]').fill("keep the folder");
  await page.keyboard.press("Enter");
  await gone(page);
  await says(page, "keep the folder");
  await says(page, "As you say.");
  assert.ok(!existsSync(FOLDER + "/refused.txt"), "what was refused is there");
  await ready(page);

  await say(page, "TASK:ask please");
  await gate(page).getByRole("button", { name: "blue" }).click();
  await says(page, "Painted.");
  await ready(page);

  await say(page, "TASK:slow please");
  await page.locator("#live", { hasText: "still at it" }).waitFor();
  await accessible(page, "what is being said on a " + name);
  await page.locator("#say").fill("");
  await page.keyboard.press("Escape");
  await ready(page);
  note("refused, answered and stopped on a " + name);
}

if (LANGUAGE !== "en") {
  assert.deepEqual(problems, [], "the script failed");
  await browser.close();
  process.exit(0);
}

// What was on no screen is not allowed, or only by a button that stands by the rows' names: the same answer again is no other one.
await page.setViewportSize({ width: 1280, height: 500 });
await say(page, "TASK:long please");
await gate(page).waitFor();
const notice = page.locator("#notice"), yes = gate(page).locator('button[data-answer="yes"]').first();
const holds = async (what) => {
  await yes.evaluate((b) => b.click());
  await notice.locator("p", { hasText: /\d+ \/ \d+/ }).waitFor();
  const at = await notice.boundingBox();
  assert.ok(at.y >= 0 && at.y + at.height <= 500, what + ": what holds it is said off the screen");
  await page.waitForTimeout(50);
  assert.ok(!existsSync(FOLDER + "/long.txt"), what);
};
for (let i = 0; i < 40; i++) { // what flies past was not seen
  await page.evaluate((i) => { const m = document.querySelector("main"); m.scrollTop = i * m.scrollHeight / 39; }, i);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
await holds("what flew past was allowed");
const held = await notice.locator("p").textContent();
await holds("the same answer once more allowed it");
await accessible(page, "what holds an answer");
await notice.locator('[data-notice="do"]').click();
await says(page, "The long file is there.");
assert.ok(await notice.isHidden(), "what was answered is still held");
await ready(page);
await say(page, "/undo");
for (let i = 0; existsSync(FOLDER + "/long.txt"); i++) { assert.ok(i < 600, "undo does not end"); await page.waitForTimeout(100); }
await say(page, "TASK:long please");
await gate(page).waitFor();
for (let again = 0; again < 10 && await gate(page).isVisible(); again++) { // a person who reads it to its end is not held; a slow machine may not have shown a row for long enough
  await page.evaluate(() => document.querySelector(".ask")?.scrollIntoView());
  for (let i = 0; i < 200; i++) {
    await page.waitForTimeout(600);
    const end = await page.evaluate(() => { const m = document.querySelector("main"); m.scrollTop += m.clientHeight - 60; return m.scrollTop + m.clientHeight >= m.scrollHeight - 2; });
    if (end) break;
  }
  await yes.click({ timeout: 1000 }).catch(() => {});
  await page.waitForTimeout(1000);
}
await gone(page);
await ready(page);
assert.ok(existsSync(FOLDER + "/long.txt"));
note("what was on no screen was held: " + held);

// A message is no answer, and is not taken for one; a row that a yes needs names itself as long as it was not seen.
await page.setViewportSize(desktop);
await say(page, "TASK:refuse please");
await gate(page).waitFor();
await say(page, "yes");
await notice.getByRole("button", { name: "Send it as a message" }).waitFor();
assert.equal(await page.locator("#rows .person", { hasText: /^yes$/ }).count(), 0, "a yes became a message");
assert.ok(!existsSync(FOLDER + "/refused.txt"));
await notice.getByRole("button", { name: "Close" }).click();
await page.locator("#say").fill("");
await gate(page).getByRole("button", { name: words.refuse, exact: true }).click();
await gone(page);
await ready(page);
await say(page, "TASK:slow please");
await page.locator("#live", { hasText: "still at it" }).waitFor();
await page.keyboard.press("Escape");
await ready(page);
await page.reload();
await says(page, "still at it");
await page.locator("#state .policy", { hasText: "asks before it acts" }).waitFor();
await say(page, "TASK:table please");
await page.locator("#rows table td", { hasText: "two" }).last().waitFor();
await ready(page);
note("a yes in the box was no message, what was stopped is there after a reload");

// The person's own command runs in the place of the model's.
await say(page, "TASK:own please");
await gate(page).locator("summary").click();
await gate(page).locator('[data-field="command"]').fill("echo from the person > own.txt");
await gate(page).locator("button[data-own]").click();
for (let i = 0; !existsSync(FOLDER + "/own.txt"); i++) {
  assert.ok(i < 600, "the person's command did not run");
  const yes = page.locator('.ask button[data-answer="yes"]:not([data-own])').first(); // what it did is asked about for itself
  if (await yes.isVisible().catch(() => false) && await yes.isEnabled().catch(() => false)) await yes.click({ timeout: 1000 }).catch(() => {});
  await page.waitForTimeout(100);
}
await ready(page);
note("the person's own command ran");

// Two pages and another client on one session: the first answer counts, and all are told.
const other = await context.newPage();
await other.setViewportSize(telephone);
await other.emulateMedia({ colorScheme: "dark" });
await other.goto(page.url());
await other.locator("#rows .row").first().waitFor();
await say(other, "TASK:write please");
await gate(page).waitFor();
await gate(other).waitFor();
await accessible(other, "the gate in the dark");
await other.locator('[data-field="why"]').fill("not now");
await other.keyboard.press("Enter");
await gone(other);
await gone(page);
await says(page, "not now");
await ready(page);
assert.equal((await ask("POST", "/v1/sessions/" + id + "/commands", { v: 1, type: "submit", text: "TASK:write please" })).status, 200);
await gate(page).waitFor();
const key = await gate(page).getAttribute("data-ask");
assert.equal((await ask("POST", "/v1/sessions/" + id + "/commands", { v: 1, type: "answer", ask: key, answer: "no", text: "by the other client" })).status, 200);
await says(page, "by the other client");
await says(other, "by the other client");
await ready(page);
note("two pages and a client steered one session");

// A connection that is cut is taken up again, and nothing is lost or there twice.
for (let i = 0; i < 3; i++) {
  await fetch(CUT);
  assert.equal((await ask("POST", "/v1/sessions/" + id + "/commands", { v: 1, type: "submit", text: "TASK:ask once more" })).status, 200);
  await gate(page).getByRole("button", { name: "green" }).click();
  await gone(page);
  await ready(page);
}
const all = await page.locator("#rows > *").evaluateAll((list) => list.map((e) => e.id));
assert.deepEqual(all, [...new Set(all)].sort((a, b) => a.slice(1) - b.slice(1)), "rows are there twice or not in order");
const shown = await page.locator("#rows > *:not([hidden])").evaluateAll((list) => list.map((e) => e.id + " " + e.textContent));
await other.reload();
await says(other, "Painted.");
await ready(other);
const anew = await other.locator("#rows > *:not([hidden])").evaluateAll((list) => list.map((e) => e.id + " " + e.textContent));
assert.deepEqual(shown.slice(-anew.length), anew.slice(-shown.length), "who was cut off sees something else");
await other.close();
note("taken up again after the connection was cut three times");

// Nothing of a session becomes more than a text.
await say(page, 'TASK:pwn <img src=x onerror=pwned()>');
for (let i = 0; i < 3; i++) {
  await gate(page).waitFor();
  await accessible(page, "hostile texts");
  const before = await gate(page).getAttribute("id");
  const option = gate(page).locator("button[data-text]").first();
  if (await option.count()) await option.click();
  else await gate(page).getByRole("button", { name: words.refuse, exact: true }).click();
  await page.waitForFunction((id) => !document.getElementById(id), before);
}
await says(page, "The payloads are through.");
await ready(page);
for (const d of await page.locator("#rows details").all()) await d.evaluate((e) => { e.open = true; });
await page.reload();
await says(page, "The payloads are through.");
await page.goto(page.url().replace(/session\/[^?]*/, "")); // the list, with the session's title
await page.locator("main li").first().waitFor();
assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main iframe, main svg, main script, main style, main form:not(.begin):not(.look)").length), 0, "a text became an element");
assert.equal(ran, 0, "a script ran");
await page.goBack();

// What was said is found in all sessions, what was done stands in the audit with its verification, and what it took in plots.
const session = page.url();
await page.locator("header a", { hasText: "Audit" }).click();
await page.locator("#verified.good").waitFor();
const entries = page.locator("#entries > li"), everything = await entries.count();
assert.ok(everything > 10, "the audit has " + everything + " entries");
await page.locator("#filter").fill("OWN.TXT");
const fits = await page.locator("#entries > li:not([hidden])").count();
assert.ok(fits > 0 && fits < everything, fits + " of " + everything + " entries are left");
await accessible(page, "the audit");
await page.locator(".home").click();
await page.locator("#words").fill("never said 日本語");
await page.keyboard.press("Enter");
await page.getByText("Nothing was found.").waitFor();
await page.locator("#words").fill("payloads THROUGH");
await page.keyboard.press("Enter");
await page.locator("main section h2 a").first().waitFor();
await accessible(page, "what was found");
assert.equal(new URL(await page.locator("main section h2 a").first().evaluate((a) => a.href)).pathname, new URL(session).pathname, "the search leads elsewhere");
await page.locator(".home").click();
await page.getByRole("link", { name: /Tokens and costs/ }).click();
await page.locator("svg.plot rect").first().waitFor();
await accessible(page, "costs");
assert.equal(ran, 0, "a script ran");
await page.goto(session);
note("audit, search and costs");

// A page whose server has ended says so, and nothing on it can be answered.
await page.locator("#state strong").waitFor();
await say(page, "TASK:refuse please");
await gate(page).waitFor();
const heard = (is) => page.waitForFunction((is) => document.getElementById("asks").inert !== is && document.querySelector(".ask"), is);
await fetch(CUT + "/down");
await page.locator("#said", { hasText: "The connection was cut" }).waitFor();
await heard(false);
await fetch(CUT + "/up");
await heard(true);
await gate(page).getByRole("button", { name: words.refuse, exact: true }).click();
await gone(page);
await ready(page);
// A plan begins when its steps were on the screen and the person says so, and is watched while its steps run.
await say(page, "TASK:plan please");
const draft = page.locator(".ask[data-plan]").first(), steps = page.locator(".plan li");
await draft.waitFor();
await says(page, "Shall I begin?");
await accessible(page, "a plan that waits");
await page.waitForTimeout(1000);
assert.ok(!existsSync(FOLDER + "/first.txt"), "a draft was carried out");
for (let i = 0; i < 60 && await draft.isVisible(); i++) { // a slow machine may not have shown its rows for long enough
  await draft.getByRole("button", { name: "Begin" }).click({ timeout: 1000 }).catch(() => {});
  await page.waitForTimeout(500);
}
const stages = new Set();
for (let i = 0; ; i++) {
  assert.ok(i < 1200, "the plan does not end: " + [...stages].join(" | "));
  const now = (await steps.evaluateAll((list) => list.map((e) => e.dataset.status))).join(" ");
  stages.add(now);
  if (now === "completed completed") break;
  await page.waitForTimeout(50);
}
assert.ok([...stages].some((s) => s.startsWith("in_progress ")) && [...stages].includes("completed in_progress"), "its steps were seen as " + [...stages].join(" | "));
assert.equal(readFileSync(FOLDER + "/first.txt", "utf8") + readFileSync(FOLDER + "/second.txt", "utf8"), "1\n2\n");
await ready(page);
await accessible(page, "a plan that is done");
note("a plan was approved and watched: " + [...stages].join(", "));

await ask("POST", "/v1/stop");
await page.locator("#said", { hasText: "The connection was cut" }).waitFor();
await say(page, "is anybody there?");
await page.locator("#said", { hasText: "The connection was cut" }).waitFor();
assert.equal(await page.locator("#say").inputValue(), "is anybody there?", "what nobody heard is gone");
note("a gate that nobody hears cannot be answered, an ended server is told");

assert.deepEqual(outside, [], "something was loaded from elsewhere");
assert.deepEqual(problems, [], "the script failed");
note("no payload ran");
await browser.close();
