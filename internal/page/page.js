"use strict";
// The page's script. What comes from the server becomes elements and texts, never markup; what is done is asked of the server.
(() => {
  const body = document.body, $ = (id) => document.getElementById(id);
  const main = document.querySelector("main");
  const base = (main.dataset.base || body.dataset.base);

  const allowed = new Set(["a", "button", "code", "dd", "details", "div", "dl", "dt", "h2", "input", "li", "ol", "p", "pre", "section", "small", "span", "strong", "summary", "table", "td", "textarea", "th", "tr"]);
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
    try {
      const back = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data || {}) });
      const said = await back.json().catch(() => ({ error: back.statusText }));
      return { ok: back.ok, said };
    } catch {
      return { ok: false, said: { error: main.dataset.cut || body.dataset.cut } };
    }
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
  for (const form of document.querySelectorAll("form.look")) {
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      location.href = base + "/search?words=" + encodeURIComponent(form.elements.words.value);
    });
  }
  const filter = $("filter");
  filter?.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean), all = [...$("entries").children];
    for (const e of all) e.hidden = !words.every((w) => e.textContent.toLowerCase().includes(w));
    $("left").textContent = words.length ? all.filter((e) => !e.hidden).length + " / " + all.length : "";
  });
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
    const { ok } = await post("/view/" + view + "/older");
    if (!ok) loading = false;
  }
  older.addEventListener("click", earlier);
  new IntersectionObserver((all) => { if (all.some((e) => e.isIntersecting)) earlier(); }, { root: main }).observe(older);

  // What holds something up is said where it is always seen, with a button of its own: doing the same once more is not it.
  let noticed = null;
  function notice(said, run, ask) {
    const box = $("notice"), [does] = box.querySelectorAll("button");
    noticed = said ? { run, ask } : null;
    box.hidden = !said;
    box.querySelector("p").textContent = said ? said.error : "";
    does.textContent = (said && said.does) || "";
    does.hidden = !does.textContent;
  }
  $("notice").addEventListener("click", (e) => {
    const does = e.target.dataset.notice, was = noticed;
    if (!does || !was) return;
    notice();
    if (does === "do") was.run();
    else $("say").focus();
  });

  // What waits for the person. Rows count as seen when the whole of one was on the screen for a while: what flies past is not read.
  const dwell = 300;
  const seen = new Map(), looked = new Map();
  function look(row) {
    const ask = row.closest(".ask");
    looked.delete(row);
    eye.unobserve(row);
    if (ask && seen.has(ask.id)) { seen.get(ask.id).saw.add(Number(row.dataset.i)); ready(ask); }
  }
  const looking = (ask) => [...looked.keys()].some((row) => ask.contains(row));
  const away = (row) => { clearTimeout(looked.get(row)); looked.delete(row); };
  const eye = new IntersectionObserver((all) => {
    for (const e of all) {
      away(e.target);
      if (e.isIntersecting && e.intersectionRatio >= 0.98 && document.visibilityState === "visible") looked.set(e.target, setTimeout(look, dwell, e.target));
    }
    for (const ask of new Set(all.map((e) => e.target.closest(".ask")))) {
      if (ask && seen.has(ask.id)) { seen.get(ask.id).laid = true; ready(ask); }
    }
  }, { root: main, threshold: [0.98, 1] });

  // A yes is not to be had as long as rows are unseen that it needs, nor before there was time to look at all; which rows these are
  // is said where it stays for more than a moment.
  function ready(ask) {
    const state = seen.get(ask.id), { saw, since } = state, firm = Number(ask.dataset.firm || 0), held = ask.querySelector(".held");
    const all = Number(ask.dataset.rows || 0), lacks = [];
    for (let i = 0; i < firm; i++) if (!saw.has(i)) lacks.push(i);
    if (state.laid && !looking(ask)) state.begun = true;
    for (const b of ask.querySelectorAll("button[data-answer]")) {
      if (b.dataset.answer === "no" || b.dataset.answer === "told") continue;
      b.setAttribute("aria-disabled", String(lacks.length > 0 || !state.begun));
      if (held) b.setAttribute("aria-describedby", held.id);
    }
    if (held) held.textContent = lacks.length && Date.now() - since > 2 * dwell ? ask.dataset.unread.replace("%s", () => named(lacks) + " / " + all) : "";
    if (noticed && noticed.ask === ask.id && saw.size >= all && all) notice();
  }
  function named(rows) {
    const parts = stretches(rows).map(([a, b]) => a + 1 === b ? String(b) : a + 1 + "–" + b);
    return parts.slice(0, 3).join(", ") + (parts.length > 3 ? ", …" : "");
  }

  function asked(list) {
    const keys = new Set(list.map((a) => a.key)), box = $("asks");
    for (const e of [...box.children]) if (!keys.has(e.id)) {
      seen.delete(e.id);
      if (noticed && noticed.ask === e.id) notice();
      e.remove();
    }
    if (!list.length && noticed && !noticed.ask) notice(); // nothing waits that a message could be meant for
    for (const a of list) {
      if ($(a.key)) continue;
      const e = make(a.node);
      seen.set(a.key, { saw: new Set(), since: Date.now(), laid: false, begun: false });
      box.append(e);
      ready(e);
      if (!e.querySelector("[data-i]")) setTimeout(() => { const state = seen.get(e.id); if (state) { state.laid = true; ready(e); } }, dwell);
      setTimeout(() => { if (e.isConnected) ready(e); }, 2 * dwell + 50);
      for (const row of e.querySelectorAll("[data-i]")) eye.observe(row);
    }
  }
  document.addEventListener("visibilitychange", () => {
    for (const row of $("asks").querySelectorAll("[data-i]")) {
      away(row);
      eye.unobserve(row);
      const ask = row.closest(".ask");
      if (document.visibilityState === "visible" && seen.has(ask.id) && !seen.get(ask.id).saw.has(Number(row.dataset.i))) eye.observe(row);
    }
  });

  function stretches(saw) {
    const all = [];
    for (const i of [...saw].sort((a, b) => a - b)) {
      if (all.length && all[all.length - 1][1] === i) all[all.length - 1][1]++;
      else all.push([i, i + 1]);
    }
    return all;
  }

  async function answer(ask, button, again) {
    const state = seen.get(ask.id), kind = button.dataset.answer;
    const yes = kind !== "no" && kind !== "told";
    if (!state || !ask.isConnected || yes && !state.begun) return;
    if (yes && looking(ask)) await new Promise((done) => setTimeout(done, dwell + 50)); // what is on the screen now is being read
    const why = ask.querySelector('[data-field="why"]');
    const own = "own" in button.dataset, command = own ? ask.querySelector('[data-field="command"]').value : "";
    const text = button.dataset.text || (kind === "no" || kind === "told" ? why?.value : "") || "";
    const { ok, said } = await post("/view/" + view + "/answer", { key: ask.id, answer: kind, text, own, command, saw: stretches(state.saw), again: again === true });
    if (ok) { ask.inert = true; say(""); notice(); $("say").focus(); return; }
    notice(said, () => answer(ask, button, true), ask.id);
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
  async function submit(meant) {
    const text = box.value.trim();
    if (!text) return;
    if (text !== sent) { name = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()); sent = text; }
    const { ok, said } = await post("/view/" + view + "/say", { text, name, meant: meant === true });
    if (!ok && said.hold) { notice(said, () => submit(true)); return; }
    say(ok ? said.says : said.error);
    notice();
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

  // The connection. Where it is cut another is made, which begins with the last rows as they are then. Until then nothing on the
  // page can be answered: nobody hears it, and it may have been answered elsewhere.
  function cut(is) {
    body.classList.toggle("cut", is);
    for (const id of ["asks", "beside", "older"]) $(id).inert = is;
    if (is) { notice(); say(body.dataset.cut); $("stop").disabled = true; }
  }
  function connect() {
    const at = base + "/live/" + encodeURIComponent(body.dataset.session) + "?dir=" + encodeURIComponent(body.dataset.dir);
    const events = new EventSource(at);
    events.addEventListener("view", (e) => { view = JSON.parse(e.data); anew = true; loading = false; live.replaceChildren(); say(""); });
    events.onmessage = (e) => {
      if (anew) { cut(false); for (const ask of $("asks").children) ask.inert = false; }
      change(JSON.parse(e.data));
    };
    events.addEventListener("said", (e) => { cut(true); say(JSON.parse(e.data)); events.close(); setTimeout(connect, 10_000); });
    events.onerror = () => { cut(true); events.close(); setTimeout(connect, 1000); };
  }
  connect();
  box.focus();
})();
