"use strict";
// The page's script. What comes from the server becomes elements and texts, never markup; what is done is asked of the server.
(() => {
  const body = document.body, $ = (id) => document.getElementById(id);
  const main = document.querySelector("main");
  const base = (main.dataset.base || body.dataset.base);

  const allowed = new Set(["a", "button", "code", "dd", "details", "div", "dl", "dt", "h2", "input", "li", "ol", "p", "pre", "section", "small", "span", "strong", "summary", "textarea"]);
  function make(n) {
    if (typeof n === "string") return document.createTextNode(n);
    const [tag, attributes, ...kids] = n;
    if (!allowed.has(tag)) return document.createTextNode("");
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on") || name === "style" || (name === "href" && !/^(https?:\/\/|\/)/.test(value))) continue;
      e.setAttribute(name, value);
    }
    e.append(...kids.map(make));
    return e;
  }

  const say = (text) => { $("said").textContent = text || ""; };

  async function post(path, data) {
    const back = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data || {}) });
    const said = await back.json().catch(() => ({ error: back.statusText }));
    return { ok: back.ok, status: back.status, said };
  }

  for (const form of document.querySelectorAll("form.begin")) {
    form.addEventListener("submit", async (e) => {
      e.preventDefault();
      const dir = form.elements.dir.value.trim();
      const { ok, said } = await post("/begin", { dir });
      if (ok) location.href = base + "/session/" + encodeURIComponent(said.id) + "?dir=" + encodeURIComponent(dir);
      else say(said.error);
    });
  }
  if (!body.dataset.session) return;

  // The conversation.
  const rows = $("rows"), live = $("live"), older = $("older");
  const title = document.title;
  let view = "", first = 0, loading = false, anew = true;
  const pinned = () => main.scrollHeight - main.scrollTop - main.clientHeight < 80;

  function place(list) {
    for (const { i, node } of list) {
      const e = make(node), was = $("r" + i);
      if (was) {
        for (const [k, d] of [...was.querySelectorAll("details")].entries()) if (d.open) e.querySelectorAll("details")[k]?.setAttribute("open", "");
        was.replaceWith(e);
        continue;
      }
      let next = null;
      for (let at = rows.lastElementChild; at && Number(at.id.slice(1)) > i; at = at.previousElementSibling) next = at;
      rows.insertBefore(e, next);
    }
  }

  function change(c) {
    const stay = pinned();
    if (anew) { rows.replaceChildren(); anew = false; } // what was said and not kept is in no record, so rows may have moved up
    const before = main.scrollHeight - main.scrollTop;
    const head = rows.firstElementChild, was = head ? Number(head.id.slice(1)) : -1;
    if (c.rows) {
      const above = was >= 0 ? c.rows.filter((r) => r.i < was) : [];
      if (above.length) {
        const many = document.createDocumentFragment();
        for (const r of above) if (!$("r" + r.i)) many.append(make(r.node));
        rows.prepend(many);
      }
      place(was >= 0 ? c.rows.filter((r) => r.i >= was) : c.rows);
    }
    first = c.first;
    older.hidden = first === 0;
    if (c.live) {
      if (!c.live.kind) live.replaceChildren();
      else {
        if (c.live.at === 0 || !live.firstChild) {
          const box = document.createElement("div");
          box.className = "row " + c.live.kind + " text";
          live.replaceChildren(box);
        }
        live.firstChild.append(c.live.text || "");
      }
    }
    for (const [id, node] of Object.entries(c.parts || {})) $(id).replaceChildren(make(node));
    const busy = document.querySelector("[data-busy]");
    $("stop").disabled = !busy || busy.dataset.busy !== "true";
    if (c.asks) { asked(c.asks); document.title = (c.asks.length ? "● " : "") + title; }
    if (loading) { main.scrollTop = main.scrollHeight - before; loading = false; }
    else if (stay && !c.asks?.length && !$("asks").firstChild) main.scrollTop = main.scrollHeight;
    else if (c.asks?.length) $("asks").scrollIntoView({ block: "start" });
  }

  async function earlier() {
    if (loading || first === 0) return;
    loading = true;
    const { ok } = await post("/view/" + view + "/older").catch(() => ({ ok: false }));
    if (!ok) loading = false;
  }
  older.addEventListener("click", earlier);
  new IntersectionObserver((all) => { if (all.some((e) => e.isIntersecting)) earlier(); }, { root: main }).observe(older);

  // What waits for the person. Rows count as seen when the whole of one was on the screen.
  const seen = new Map();
  const eye = new IntersectionObserver((all) => {
    if (document.visibilityState !== "visible") return;
    for (const e of all) {
      if (!e.isIntersecting || e.intersectionRatio < 0.98) continue;
      const ask = e.target.closest(".ask");
      if (ask && seen.has(ask.id)) { seen.get(ask.id).saw.add(Number(e.target.dataset.i)); ready(ask); }
      eye.unobserve(e.target);
    }
  }, { root: main, threshold: [0.98, 1] });

  function ready(ask) {
    const { saw } = seen.get(ask.id), firm = Number(ask.dataset.firm || 0);
    let all = true;
    for (let i = 0; i < firm; i++) all = all && saw.has(i);
    for (const b of ask.querySelectorAll("button[data-answer]")) if (b.dataset.answer !== "no" && b.dataset.answer !== "told") b.disabled = !all;
  }

  function asked(list) {
    const keys = new Set(list.map((a) => a.key)), box = $("asks");
    for (const e of [...box.children]) if (!keys.has(e.id)) { seen.delete(e.id); e.remove(); }
    for (const a of list) {
      if ($(a.key)) continue;
      const e = make(a.node);
      seen.set(a.key, { saw: new Set(), again: "" });
      box.append(e);
      ready(e);
      for (const row of e.querySelectorAll("[data-i]")) eye.observe(row);
    }
  }
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    for (const row of $("asks").querySelectorAll("[data-i]")) { eye.unobserve(row); eye.observe(row); }
  });

  function stretches(saw) {
    const all = [];
    for (const i of [...saw].sort((a, b) => a - b)) {
      if (all.length && all[all.length - 1][1] === i) all[all.length - 1][1]++;
      else all.push([i, i + 1]);
    }
    return all;
  }

  async function answer(ask, button) {
    const state = seen.get(ask.id), kind = button.dataset.answer;
    if (!state) return;
    const why = ask.querySelector('[data-field="why"]'), own = "own" in button.dataset;
    const command = own ? ask.querySelector('[data-field="command"]').value : "";
    const text = button.dataset.text || (kind === "no" || kind === "told" ? why?.value : "") || "";
    const mark = kind + (own ? " own" : "");
    const { ok, said } = await post("/view/" + view + "/answer", { key: ask.id, answer: kind, text, command, saw: stretches(state.saw), again: state.again === mark });
    if (ok) { ask.inert = true; say(""); $("say").focus(); return; }
    ask.querySelector(".held").textContent = said.error;
    state.again = said.hold === "skipped" ? mark : "";
    if (said.next >= 0 && said.hold) ask.querySelector('[data-i="' + said.next + '"]')?.scrollIntoView({ block: "center" });
  }

  body.addEventListener("click", async (e) => {
    const b = e.target.closest("button");
    if (!b) return;
    const ask = b.closest(".ask");
    if (b.dataset.answer && ask) return answer(ask, b);
    if (b.dataset.do) {
      const { ok, said } = await post("/view/" + view + "/direct", { do: b.dataset.do, plan: b.dataset.plan });
      say(ok ? "" : said.error);
    }
  });
  body.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && !e.isComposing && e.target.dataset?.field === "why") {
      e.preventDefault();
      e.target.parentElement.querySelector("button").click();
    }
  });

  // What the person says.
  const box = $("say");
  let name = "", sent = "";
  async function submit() {
    const text = box.value.trim();
    if (!text) return;
    if (text !== sent) { name = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()); sent = text; }
    const { ok, said } = await post("/view/" + view + "/say", { text, name }).catch(() => ({ ok: false, said: { error: body.dataset.cut } }));
    say(ok ? said.says : said.error);
    if (ok) { box.value = ""; sent = ""; main.scrollTop = main.scrollHeight; }
  }
  const stop = () => post("/view/" + view + "/stop").then(({ ok, said }) => say(ok ? "" : said.error));
  $("talk").addEventListener("submit", (e) => { e.preventDefault(); submit(); });
  $("stop").addEventListener("click", stop);
  box.addEventListener("keydown", (e) => {
    if (e.isComposing) return;
    if (e.key === "Enter" && !e.shiftKey) { e.preventDefault(); submit(); }
    if (e.key === "Escape" && !$("stop").disabled) stop();
  });

  // The connection. Where it is cut another is made, which begins with the last rows as they are then.
  function connect() {
    const at = base + "/live/" + encodeURIComponent(body.dataset.session) + "?dir=" + encodeURIComponent(body.dataset.dir);
    const events = new EventSource(at);
    events.addEventListener("view", (e) => { view = JSON.parse(e.data); anew = true; loading = false; live.replaceChildren(); say(""); });
    events.onmessage = (e) => change(JSON.parse(e.data));
    events.addEventListener("said", (e) => { say(JSON.parse(e.data)); events.close(); setTimeout(connect, 10_000); });
    events.onerror = () => { say(body.dataset.cut); events.close(); setTimeout(connect, 1000); };
  }
  connect();
  box.focus();
})();
