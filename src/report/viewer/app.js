// One finding on the page, the current step, and what the user does.

class View {
  constructor() {
    this.rows = [];
    this.tab = "state";
    this.lanes = new Lanes(this);
  }

  open(number) {
    this.number = number;
    this.run = new Execution(DATA.findings[number]);
    this.hidden = new Set();
    this.object = -1;
    this.text = "";
    this.folds = this.run.folds.length > 0;
    $("rounds").hidden = !this.folds;
    this.current = Math.max(0, this.run.length - 1);
    $("filter").value = "";
    this.showHeadline();
    this.fillChips();
    this.fillObjects();
    this.refilter();
    if (this.run.length) return;
    this.tab = "finding";  // the process died before its steps could be recorded
    $("position").textContent = "no steps are known";
    this.showPanel();
  }

  colours() {
    if (this.palette) return this.palette;
    const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue(name).trim();
    const dark = document.documentElement.dataset.theme === "dark";
    this.palette = {bg: get("--bg"), panel: get("--panel"), ink: get("--ink"), faint: get("--faint"), line: get("--line"),
      accent: get("--accent"), bad: get("--bad"), notice: get("--notice"), noticeBg: get("--notice-bg"),
      select: get("--select"), hover: get("--hover"), sans: get("--sans"), thread: t => threadColour(t, dark)};
    return this.palette;
  }

  showHeadline() {
    const f = this.run.finding;
    $("verdict").textContent = f.kind;
    $("title").textContent = f.message;
    $("subtitle").textContent = [f.location, `${f.preemptions} preemption${f.preemptions === 1 ? "" : "s"}`,
      `${this.run.steps.toLocaleString("en")} step${this.run.steps === 1 ? "" : "s"}`, DATA.run.name].filter(Boolean).join("  ·  ");
  }

  fillChips() {
    $("threads").innerHTML = this.run.finding.threads.map((_, t) =>
      `<button class="chip" data-thread="${t}" aria-pressed="true" style="--thread:${this.colours().thread(t)}"><i></i>${escapeHtml(this.run.threadName(t))}</button>`).join("");
  }

  pressChips() {
    for (const chip of $("threads").children) chip.setAttribute("aria-pressed", !this.hidden.has(+chip.dataset.thread));
  }

  fillObjects() {
    const counts = this.run.ofObject.map((steps, o) => [o, steps.length]).filter(x => x[1]).sort((a, b) => b[1] - a[1]);
    $("objects").innerHTML = `<option value="-1">all objects</option>` + counts.slice(0, 1000).map(([o, n]) =>
      `<option value="${o}">${escapeHtml(this.run.finding.objects[o].name)} (${n})</option>`).join("");
  }

  shownThreads() {
    return this.run ? this.run.finding.threads.map((_, t) => t).filter(t => !this.hidden.has(t) && this.run.ofThread[t].length) : [];
  }

  // Which steps have a row, and the row of each step.
  refilter() {
    const {run, hidden, object} = this, text = this.text.toLowerCase(), rows = [];
    const descriptionMatches = text && run.finding.descriptions.map(d => d.toLowerCase().includes(text));
    const placeMatches = text && run.finding.places.map(p =>
      `${run.finding.files[p[0]].path}:${p[1]} ${p[3]}`.toLowerCase().includes(text));
    $("rounds").setAttribute("aria-pressed", this.folds);
    for (let i = 0; i < run.length; ++i) {
      if (this.folds && run.isRepeated(i)) continue;
      if (hidden.has(run.thread[i]) || (object >= 0 && run.object[i] !== object)) continue;
      if (text && !(run.isEnd(i) ? run.description(i).toLowerCase().includes(text) : descriptionMatches[run.descriptions[i]]) &&
          !(run.place[i] >= 0 && placeMatches[run.place[i]])) continue;
      rows.push(i);
    }
    this.rows = rows;
    this.rowNumbers = new Int32Array(run.length).fill(-1);
    rows.forEach((i, row) => this.rowNumbers[i] = row);
    $("matches").textContent = rows.length === run.length ? "" : `${rows.length.toLocaleString("en")} of ${run.length.toLocaleString("en")} rows`;
    this.lanes.resize();
    if (rows.length) this.go(rows[Math.max(0, Math.min(rows.length - 1, this.rowAtOrAfter(this.current)))]);
    else this.lanes.draw();
  }

  rowOf(i) { return this.rowNumbers[i] ?? -1; }
  rowAtOrAfter(i) {
    const row = lastAtMost(this.rows, i);
    return row >= 0 && this.rows[row] === i ? row : Math.min(row + 1, this.rows.length - 1);
  }

  go(i) {
    if (i === undefined || i < 0 || i >= this.run.length) return;
    this.current = i;
    const {run} = this;
    if (this.folds && run.isRepeated(i)) return this.toggleRounds();
    $("position").textContent = run.isEnd(i) ? `the end, after ${run.steps.toLocaleString("en")} steps`
      : `${run.isMark(i) ? "in " : ""}step ${run.number(i).toLocaleString("en")} of ${run.steps.toLocaleString("en")}`;
    document.body.dataset.step = run.number(i);
    const row = this.rowOf(i);
    if (row >= 0) this.lanes.show(row);
    showSource(this);
    this.showPanel();
    try { history.replaceState(null, "", `#finding=${this.number + 1}&step=${run.number(i)}`); } catch (_) { /* file without history */ }
  }

  // Shows rounds that repeat themselves once, or each time.
  toggleRounds() {
    if (!this.run.folds.length) return;
    this.folds = !this.folds;
    this.refilter();
  }

  move(by) {
    const row = this.rowAtOrAfter(this.current);
    this.go(this.rows[Math.max(0, Math.min(this.rows.length - 1, row + by))]);
  }

  // To the next or previous of a sorted list of steps.
  jump(list, direction) {
    const at = lastAtMost(list, direction > 0 ? this.current : this.current - 1);
    this.go(list[direction > 0 ? at + 1 : at]);
  }

  showPanel() {
    const tabs = [["state", "State"], ["order", "Happens before"], ["finding", "Finding"], ["output", "Output"], ["run", "Run"]];
    $("tabs").innerHTML = tabs.map(([id, title]) =>
      `<button role="tab" data-tab="${id}" aria-selected="${id === this.tab}">${title}</button>`).join("");
    const panel = $("panel"), top = panel.scrollTop, same = panel.dataset.tab === this.tab;
    panel.dataset.tab = this.tab;
    panel.innerHTML = this.tab === "state" ? statePanel(this) : this.tab === "order" ? orderPanel(this)
      : this.tab === "finding" ? findingPanel(this) : this.tab === "run" ? runPanel()
      : this.run.finding.output ? `<pre>${escapeHtml(this.run.finding.output)}</pre>` : `<span class="faint">the program wrote nothing</span>`;
    panel.scrollTop = same ? top : 0;
    for (const canvas of panel.querySelectorAll(".plot")) drawPlot(canvas, DATA.plots[canvas.dataset.plot], this.colours());
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

// Only what the reader has chosen is kept: otherwise the page goes by the system, today and later.
function chooseTheme(theme) {
  setTheme(theme);
  try { localStorage.setItem("heddle-theme", theme); } catch (_) { /* not allowed for files */ }
}

function preferredTheme() {
  try { if (localStorage.getItem("heddle-theme")) return localStorage.getItem("heddle-theme"); } catch (_) { /* as above */ }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function listen(view) {
  const toggleTheme = () => {
    chooseTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    view.palette = null;
    const current = view.current;
    view.fillChips();
    view.pressChips();
    view.lanes.resize();
    view.go(current);
  };
  const page = () => Math.max(1, Math.floor($("lanes").clientHeight / ROW) - 2);
  const same = direction => view.jump(view.run.ofThread[view.run.thread[view.current]], direction);
  const sameObject = direction => {
    const object = view.run.object[view.current];
    if (object >= 0) view.jump(view.run.ofObject[object], direction);
  };
  const keys = {
    ArrowRight: () => view.move(1), ArrowDown: () => view.move(1), j: () => view.move(1),
    ArrowLeft: () => view.move(-1), ArrowUp: () => view.move(-1), k: () => view.move(-1),
    PageDown: () => view.move(page()), PageUp: () => view.move(-page()),
    Home: () => view.go(view.rows[0]), End: () => view.go(view.rows[view.rows.length - 1]),
    n: () => view.jump(view.run.preemptions, 1), p: () => view.jump(view.run.preemptions, -1),
    t: () => same(1), T: () => same(-1), o: () => sameObject(1), O: () => sameObject(-1),
    c: () => { const before = view.run.before.get(view.current); if (before) view.go(before[before.length - 1]); },
    r: () => view.toggleRounds(), d: toggleTheme, "?": () => $("help").showModal(), "/": () => $("filter").focus(),
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    if (event.target.id === "filter") {
      if (event.key === "Escape") { event.target.value = ""; view.text = ""; view.refilter(); }
      if (event.key === "Escape" || event.key === "Enter") $("lanes").focus();
      return;
    }
    if (event.target.tagName === "SELECT" || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  const buttons = {first: keys.Home, last: keys.End, back: keys.k, forward: keys.j, "previous-preemption": keys.p,
    "next-preemption": keys.n, rounds: keys.r, theme: toggleTheme, "help-button": keys["?"]};
  for (const [id, action] of Object.entries(buttons)) $(id).addEventListener("click", action);
  $("filter").addEventListener("input", event => { view.text = event.target.value.trim(); view.refilter(); });
  $("objects").addEventListener("change", event => { view.object = +event.target.value; view.refilter(); });
  $("threads").addEventListener("click", event => {
    const chip = event.target.closest(".chip");
    if (!chip) return;
    const t = +chip.dataset.thread, all = view.run.finding.threads.map((_, i) => i);
    if (event.shiftKey) {  // this one alone, or all again
      const alone = !view.hidden.has(t) && view.hidden.size === all.length - 1;
      view.hidden = new Set(alone ? [] : all.filter(i => i !== t));
    } else if (!view.hidden.delete(t)) {
      view.hidden.add(t);
    }
    view.pressChips();
    view.refilter();
  });
  $("findings").addEventListener("change", event => view.open(+event.target.value));
  $("tabs").addEventListener("click", event => {
    if (!event.target.dataset.tab) return;
    view.tab = event.target.dataset.tab;
    view.showPanel();
  });
  $("panel").addEventListener("click", event => {
    const row = event.target.closest("[data-step]");
    if (row) view.go(+row.dataset.step);
  });
  $("splitter").addEventListener("pointerdown", event => {
    $("splitter").setPointerCapture(event.pointerId);
    $("splitter").onpointermove = e => document.querySelector("main").style.setProperty("--side", `${Math.max(240, innerWidth - e.clientX)}px`);
    $("splitter").onpointerup = () => { $("splitter").onpointermove = null; };
  });
}

// A run without a finding has no steps to show.
function showRunOnly() {
  $("verdict").textContent = DATA.run.verdict;
  $("verdict").className = `badge ${DATA.run.verdict}`;
  $("title").textContent = DATA.run.verdict === "pass" ? "nothing found" : "nothing found, but the search is not complete";
  $("subtitle").textContent = [DATA.run.name, DATA.run.guarantee].filter(Boolean).join("  ·  ");
  document.querySelector(".controls").remove();
  $("findings").remove();
  document.querySelector("main").innerHTML = `<div id="panel" style="grid-column: 1 / -1; padding: 18px">${runPanel()}</div>`;
  document.querySelector("main").style.gridTemplateColumns = "minmax(0, 60em)";
  const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue(name).trim();
  for (const canvas of document.querySelectorAll(".plot"))
    drawPlot(canvas, DATA.plots[canvas.dataset.plot], {line: get("--line"), faint: get("--faint"), sans: get("--sans"), thread: t => threadColour(t, document.documentElement.dataset.theme === "dark")});
  $("theme").addEventListener("click", () => chooseTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  $("help-button").remove();
}

setTheme(preferredTheme());
if (DATA.findings.length === 0) {
  showRunOnly();
} else {
  const view = new View();
  const asked = new URLSearchParams(location.hash.slice(1));
  $("findings").innerHTML = DATA.findings.map((f, i) => `<option value="${i}">${i + 1}: ${escapeHtml(f.kind)}</option>`).join("");
  $("findings").hidden = DATA.findings.length < 2;
  const number = Math.min(DATA.findings.length, Math.max(1, +asked.get("finding") || 1)) - 1;
  $("findings").value = number;
  view.open(number);
  if (+asked.get("step")) view.go(view.run.rowOfStep(+asked.get("step")));
  listen(view);
  $("lanes").focus();
}
requestAnimationFrame(() => requestAnimationFrame(() => {
  document.body.dataset.ready = Math.round(performance.now());
}));
