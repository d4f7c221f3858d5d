// Beside the lanes: the source that follows the step, and what is known at the step.

const escapeHtml = text => String(text).replace(/[&<>"]/g, c =>
  ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);

const KEYWORDS = new Set(("alignas alignof auto bool break case catch char class const constexpr " +
  "const_cast continue decltype default delete do double dynamic_cast else enum explicit extern " +
  "false final float for friend goto if inline int long mutable namespace new noexcept nullptr " +
  "operator override private protected public register reinterpret_cast restrict return short " +
  "signed sizeof static static_assert static_cast struct switch template this throw true try " +
  "typedef typename union unsigned using virtual void volatile wchar_t while size_t").split(" "));

// Colours for one line of C or C++. `state.comment` says whether it begins inside a comment.
function paintCode(line, state, mark) {
  const pattern = /\/\/.*|\/\*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\d[\w.']*|\s+|./g;
  let out = "", at = 0;
  const put = (text, kind) => {
    const here = mark >= at && mark < at + text.length && text.trim();
    at += text.length;
    const body = escapeHtml(text);
    out += here ? `<span class="token ${kind}">${body}</span>` : kind ? `<span class="${kind}">${body}</span>` : body;
  };
  while (at < line.length) {
    if (state.comment) {
      const end = line.indexOf("*/", at);
      put(end < 0 ? line.slice(at) : line.slice(at, end + 2), "c");
      state.comment = end < 0;
      continue;
    }
    pattern.lastIndex = at;
    const text = pattern.exec(line)[0];
    if (text === "/*") {
      const end = line.indexOf("*/", at + 2);
      state.comment = end < 0;
      put(end < 0 ? line.slice(at) : line.slice(at, end + 2), "c");
    } else if (text.startsWith("//")) put(text, "c");
    else if (/^["']/.test(text)) put(text, "s");
    else if (/^\d/.test(text)) put(text, "n");
    else if (KEYWORDS.has(text) || (text === "#" && !line.slice(0, at).trim())) put(text, "k");
    else put(text, "");
  }
  return out;
}

const AROUND = 200;  // lines shown before and after

function showSource(view) {
  const {run, current} = view;
  const place = run.placeOf(current) || (run.isEnd(current) ? run.finding.place : null);
  const title = $("source-title"), pane = $("source");
  if (!place) {
    title.innerHTML = "no source is known for this step";
    pane.innerHTML = "";
    view.shownPlace = "";
    return;
  }
  const [number, line, column, name] = place, file = run.finding.files[number];
  title.innerHTML = `<b>${escapeHtml(file.path)}:${line}</b>${name ? ` in ${escapeHtml(name)}` : ""}`;
  if (!file.lines) {
    pane.innerHTML = `<div class="code"><span></span><span class="faint">the file could not be read when the report was written</span></div>`;
    return;
  }
  const standing = new Map();  // other threads that are in this file
  run.finding.threads.forEach((_, t) => {
    const own = run.threadAt(t, current), at = own.last >= 0 ? run.placeOf(own.last) : null;
    if (at && at[0] === number && t !== run.thread[current])
      standing.set(at[1], [...(standing.get(at[1]) || []), t]);
  });
  const from = Math.max(1, line - AROUND), to = Math.min(file.lines.length, line + AROUND);
  const state = {comment: false};
  let html = "";
  for (let n = 1; n <= to; ++n) {
    const text = file.lines[n - 1];
    if (n < from) {
      if (state.comment || text.includes("/*")) paintCode(text, state, -1);
      continue;
    }
    const start = text.length - text.trimStart().length;
    const mark = n === line ? (column > 0 ? column - 1 : start) : -1;
    const dots = (standing.get(n) || []).map(t =>
      `<i class="dot" style="--thread:${view.colours().thread(t)}" title="${escapeHtml(run.threadName(t))}"></i>`).join("");
    html += `<div class="code${n === line ? " here" : ""}${n === line && run.isEnd(current) ? " bug" : ""}">` +
      `<span class="number">${dots}${n}</span><span>${paintCode(text, state, mark)}</span></div>`;
  }
  pane.style.setProperty("--thread", view.colours().thread(run.thread[current]));
  pane.innerHTML = html;
  const here = pane.querySelector(".here");
  if (here) pane.scrollTop = here.offsetTop - pane.offsetTop - pane.clientHeight * 0.4;
}

const threadCell = (view, t) =>
  `<i class="dot" style="--thread:${view.colours().thread(t)}"></i> ${escapeHtml(view.run.threadName(t))}`;

const at = (run, i) => i < 0 ? "" : `<span class="faint">${escapeHtml(run.brief(i))}</span>`;

function statePanel(view) {
  const {run, current} = view, {objects} = run.finding;
  let html = "<h3>threads</h3><table id=\"thread-table\"><tr><th></th><th>last</th><th>next</th></tr>";
  run.finding.threads.forEach((thread, t) => {
    const {last, next} = run.threadAt(t, current);
    const nextText = next < 0 ? (thread.ended ? `<span class="faint">ended</span>` : "")
      : `<span class="${run.isEnd(next) && !run.end(next).enabled ? "bad" : ""}">${escapeHtml(run.description(next).replace(/^next: /, ""))}</span> ${at(run, next)}`;
    html += `<tr data-step="${last < 0 ? next : last}" class="${t === run.thread[current] ? "fresh" : ""}"><td class="name">${threadCell(view, t)}</td>` +
      `<td>${last < 0 ? "<span class=\"faint\">not started</span>" : `${escapeHtml(run.description(last))} ${at(run, last)}`}</td><td>${nextText}</td></tr>`;
  });
  html += "</table><h3>locks held</h3>";
  const locks = run.locksAt(current);
  html += locks.length ? `<table id="lock-table">${locks.map(h =>
    `<tr data-step="${h.from}" class="${h.from === current ? "fresh" : ""}"><td>${escapeHtml(objects[h.object].name)}</td>` +
    `<td>${threadCell(view, h.thread)}</td><td class="faint">since step ${run.number(h.from)} ${at(run, h.from)}</td></tr>`).join("")}</table>`
    : `<span class="faint" id="lock-table">none</span>`;
  html += "<h3>versions</h3>";
  const versions = run.versionsAt(current);
  const shown = versions.slice(0, 200);
  html += shown.length ? `<table id="version-table"><tr><th>object</th><th class="num">version</th><th></th><th>by</th></tr>${shown.map(v =>
    `<tr data-step="${v.step}" class="${v.step === current ? "fresh" : ""}"><td title="${escapeHtml(objects[v.object].where)}">${escapeHtml(objects[v.object].name)}</td>` +
    `<td class="num">${v.version}</td><td class="faint">step ${run.number(v.step)}</td><td>${threadCell(view, run.thread[v.step])}</td></tr>`).join("")}</table>`
    : `<span class="faint">nothing has changed yet</span>`;
  if (versions.length > shown.length) html += `<p class="faint">and ${versions.length - shown.length} more</p>`;
  return html;
}

function orderPanel(view) {
  const {run, current} = view;
  const list = (title, steps) => `<h3>${title}</h3>` + (steps.length ? `<table>${steps.map(i =>
    `<tr data-step="${i}"><td class="num">${run.number(i)}</td><td>${threadCell(view, run.thread[i])}</td><td>${escapeHtml(run.description(i))} ${at(run, i)}</td></tr>`).join("")}</table>`
    : `<span class="faint">no step of another thread</span>`);
  return list("had to come before this step", run.before.get(current) || []) +
    list("had to come after it", run.after.get(current) || []);
}

const stackTable = stack => `<table>${stack.map((s, i) =>
  `<tr><td class="num faint">#${i}</td><td>${escapeHtml(s[0] || "??")}</td><td class="faint">${escapeHtml(s[1])}</td></tr>`).join("")}</table>`;

function findingPanel(view) {
  const f = view.run.finding;
  const rows = [["kind", f.kind], ["message", f.message], ["where", f.location], ["preemptions", f.preemptions],
    ["found in", f.execution ? `execution ${f.execution.toLocaleString("en")}` : ""],
    ["executions that end like this", f.occurrences], ["cause", f.cause || ""], ["schedule", f.schedule],
    ["replay", f.trace_file ? `heddle replay ${f.trace_file}` : ""]];
  let html = `<table>${rows.filter(r => r[1] !== "" && r[1] !== undefined).map(([k, v]) =>
    `<tr><td class="faint">${k}</td><td><code>${escapeHtml(v)}</code></td></tr>`).join("")}</table>`;
  for (const e of f.evidence) html += `<h3 class="sentence">${escapeHtml(e.text)}</h3>` + stackTable(e.stack);
  if (f.stack.length) html += "<h3>stack where it shows</h3>" + stackTable(f.stack);
  const placed = f.objects.filter(o => o.where);
  if (placed.length) html += `<h3>objects</h3><table>${placed.slice(0, 500).map(o =>
    `<tr><td>${escapeHtml(o.name)}</td><td class="faint">${escapeHtml(o.where)}</td></tr>`).join("")}</table>`;
  return html;
}

function runPanel() {
  const r = DATA.run;
  const rows = [["program", r.program], ["verdict", r.verdict], ["guarantee", r.guarantee], ["strategy", r.strategy],
    ["executions", r.executions.toLocaleString("en")], ["steps of all executions", r.events.toLocaleString("en")],
    ["longest execution", `${r.longest.toLocaleString("en")} steps`], ["time", `${r.seconds.toFixed(2)} s`], ["end of the search", r.end_reason]];
  return `<table>${rows.map(([k, v]) => `<tr><td class="faint">${k}</td><td>${escapeHtml(v)}</td></tr>`).join("")}</table>` +
    r.notes.map(n => `<p>note: ${escapeHtml(n)}</p>`).join("") +
    DATA.plots.map((p, i) => `<h3>${escapeHtml(p.title)}</h3><canvas class="plot" data-plot="${i}"></canvas>`).join("");
}

// A line plot: thin axes, the numbers at their ends, one colour per series.
function drawPlot(canvas, plot, colours) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const c = canvas.getContext("2d");
  c.scale(ratio, ratio);
  const points = plot.series.flatMap(s => s.points);
  const maxX = Math.max(...points.map(p => p[0]), 1e-9), maxY = Math.max(...points.map(p => p[1]), 1e-9);
  const [left, right, top, bottom] = [64, 12, 10, 24];
  const x = v => left + v / maxX * (width - left - right), y = v => height - bottom - v / maxY * (height - top - bottom);
  c.strokeStyle = colours.line;
  c.fillStyle = colours.faint;
  c.font = `11px ${colours.sans}`;
  for (let i = 0; i <= 4; ++i) {
    c.beginPath();
    c.moveTo(left, y(maxY * i / 4));
    c.lineTo(width - right, y(maxY * i / 4));
    c.stroke();
    c.textAlign = "right";
    c.fillText((maxY * i / 4).toLocaleString("en", {maximumFractionDigits: maxY < 8 ? 1 : 0}), left - 6, y(maxY * i / 4) + 4);
    if (i === 0) continue;  // the unit stands there
    c.textAlign = i === 4 ? "right" : "center";
    c.fillText((maxX * i / 4).toLocaleString("en", {maximumFractionDigits: maxX < 1 ? 3 : 2}), x(maxX * i / 4), height - 8);
  }
  c.textAlign = "left";
  c.fillText(plot.x, left + 4, height - 8);
  plot.series.forEach((series, s) => {
    c.strokeStyle = c.fillStyle = colours.thread(s);
    c.lineWidth = 1.8;
    c.beginPath();
    series.points.forEach((p, i) => i ? c.lineTo(x(p[0]), y(p[1])) : c.moveTo(x(p[0]), y(p[1])));
    c.stroke();
    c.fillText(series.name, left + 8, top + 12 + 14 * s);
  });
}
