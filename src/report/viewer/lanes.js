// The lanes: one row per step, one column per thread, drawn on a canvas of the size of the window,
// so that the length of the execution does not matter.

const ROW = 26, HEAD = 34, LANE = 132, PLACE = 118;

class Lanes {
  constructor(view) {
    this.view = view;
    this.box = $("lanes");
    this.canvas = $("canvas");
    this.map = $("map");
    this.hover = -1;
    this.box.addEventListener("scroll", () => this.draw());
    this.canvas.addEventListener("click", event => {
      const row = this.rowAt(event);
      if (row >= 0) this.view.go(this.view.rows[row]);
      this.box.focus();
    });
    this.canvas.addEventListener("mousemove", event => {
      const row = this.rowAt(event);
      if (row !== this.hover) { this.hover = row; this.draw(); }
    });
    this.canvas.addEventListener("mouseleave", () => { this.hover = -1; this.draw(); });
    const jump = event => {
      if (event.buttons !== 1) return;
      const share = event.offsetY / this.map.clientHeight;
      this.box.scrollTop = share * this.contentHeight() - this.box.clientHeight / 2;
    };
    this.map.addEventListener("mousedown", jump);
    this.map.addEventListener("mousemove", jump);
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  contentHeight() { return HEAD + this.view.rows.length * ROW + 12; }
  laneX(t) { return this.gutter + this.columns.get(t) * this.laneWidth + 22; }
  rowY(row) { return HEAD + row * ROW + ROW / 2 - this.box.scrollTop; }

  rowAt(event) {
    const y = event.offsetY;
    if (y < HEAD) return -1;
    const row = Math.floor((y - HEAD + this.box.scrollTop) / ROW);
    return row < this.view.rows.length ? row : -1;
  }

  // Called when the rows, the threads shown or the size of the window have changed.
  resize() {
    const threads = this.view.shownThreads();
    this.columns = new Map(threads.map((t, i) => [t, i]));
    const width = this.box.clientWidth, height = this.box.clientHeight;
    this.gutter = 48 + 8 * Math.max(2, String(this.view.run ? this.view.run.count : 0).length);
    const room = width - this.gutter - PLACE;
    this.laneWidth = Math.max(LANE, Math.floor(room / Math.max(1, threads.length)));
    this.laneWidth = Math.min(this.laneWidth, 360);
    // What the lanes do not need is room for labels.
    this.fullWidth = Math.max(width, this.gutter + PLACE + this.laneWidth * threads.length);
    $("spacer").style.height = `${this.contentHeight()}px`;
    $("spacer").style.width = `${Math.max(width, this.fullWidth)}px`;
    this.scale(this.canvas, width, height);
    this.scale(this.map, this.map.clientWidth, this.map.clientHeight);
    this.mapImage = null;
    this.draw();
  }

  scale(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, width * ratio);
    canvas.height = Math.max(1, height * ratio);
    if (canvas === this.canvas) {
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  show(row) {
    const top = HEAD + row * ROW, view = this.box.clientHeight;
    const from = this.box.scrollTop + HEAD, to = this.box.scrollTop + view;
    if (top - HEAD < this.box.scrollTop || top < from) this.box.scrollTop = top - HEAD - view * 0.3;
    else if (top + ROW > to) this.box.scrollTop = top + ROW - view * 0.7;
    this.draw();
  }

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => { this.pending = 0; this.paint(); });
  }

  paint() {
    if (!this.columns) return;
    this.colours = this.view.colours();
    const c = this.canvas.getContext("2d");
    const width = this.box.clientWidth, height = this.box.clientHeight;
    const rows = this.view.rows;
    c.clearRect(0, 0, width, height);
    c.save();
    c.translate(-this.box.scrollLeft, 0);
    const first = Math.max(0, Math.floor((this.box.scrollTop - HEAD) / ROW) - 1);
    const last = Math.min(rows.length - 1, Math.ceil((this.box.scrollTop + height) / ROW));
    this.paintBackgrounds(c, first, last, Math.max(width, this.fullWidth));
    this.paintLives(c, first, last);
    this.paintLocks(c, first, last);
    this.paintSwitches(c, first, last);
    this.paintOrders(c, first, last);
    for (let row = first; row <= last; ++row) this.paintStep(c, row);
    c.restore();
    this.paintHead(c, width);
    this.paintMap();
  }

  paintBackgrounds(c, first, last, width) {
    const {rows, current} = this.view;
    for (let row = first; row <= last; ++row) {
      const i = rows[row], y = this.rowY(row) - ROW / 2, fill = this.rowFill(row);
      if (fill) { c.fillStyle = fill; c.fillRect(0, y, width, ROW); }
      if (i === current) { c.fillStyle = this.colours.accent; c.fillRect(this.box.scrollLeft, y, 3, ROW); }
    }
  }

  rowFill(row) {
    const {rows, run, current} = this.view;
    if (rows[row] === current) return this.colours.select;
    if (run.preempts.has(rows[row])) return this.colours.noticeBg;
    return row === this.hover ? this.colours.hover : null;
  }

  paintLives(c, first, last) {
    const {run} = this.view;
    if (first > last) return;
    c.lineWidth = 2;
    for (const t of this.columns.keys()) {
      const own = run.ofThread[t];
      if (!own.length) continue;
      const from = Math.max(this.view.rowAtOrAfter(own[0]), first - 1);
      const to = Math.min(this.view.rowAtOrAfter(own[own.length - 1]), last + 1);
      if (from > to) continue;
      c.globalAlpha = 0.3;
      c.strokeStyle = this.colours.thread(t);
      c.beginPath();
      c.moveTo(this.laneX(t), this.rowY(from));
      c.lineTo(this.laneX(t), this.rowY(to));
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  // A bar left of the lane for as long as the thread holds a lock.
  paintLocks(c, first, last) {
    const {rows, run} = this.view;
    if (first > last) return;
    const [low, high] = [rows[first], rows[last]];
    for (const hold of run.holds) {
      if (hold.from > high || hold.to < low || !this.columns.has(hold.thread)) continue;
      const top = this.rowY(this.view.rowAtOrAfter(hold.from));
      const endRow = hold.to === Infinity ? rows.length - 1 : this.view.rowAtOrAfter(hold.to);
      const x = this.laneX(hold.thread) - 10 - Math.min(hold.slot, 2) * 5;
      c.fillStyle = `hsl(${hold.object * 67 % 360} 60% 55%)`;
      c.globalAlpha = 0.85;
      const from = Math.max(top, -ROW), to = Math.min(this.rowY(endRow), this.box.clientHeight + ROW);
      c.fillRect(x, from, 3, Math.max(3, to - from));
    }
    c.globalAlpha = 1;
  }

  // The way of control from thread to thread.
  paintSwitches(c, first, last) {
    const {rows, run} = this.view;
    for (let row = Math.max(1, first); row <= Math.min(last + 1, rows.length - 1); ++row) {
      const [a, b] = [rows[row - 1], rows[row]];
      if (run.isEnd(b) || run.thread[a] === run.thread[b] || b !== a + 1) continue;
      const preempts = run.preempts.has(b);
      c.strokeStyle = preempts ? this.colours.notice : this.colours.faint;
      c.globalAlpha = preempts ? 1 : 0.45;
      c.lineWidth = preempts ? 2 : 1;
      c.setLineDash(preempts ? [] : [2, 3]);
      const [x1, y1, x2, y2] = [this.laneX(run.thread[a]), this.rowY(row - 1),
                                this.laneX(run.thread[b]), this.rowY(row)];
      c.beginPath();
      c.moveTo(x1, y1);
      c.lineTo(x1, y1 + ROW / 2);
      c.lineTo(x2, y1 + ROW / 2);
      c.lineTo(x2, y2);
      c.stroke();
    }
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  paintOrders(c, first, last) {
    const {rows, run, current} = this.view;
    const drawn = new Set();
    const draw = (from, to) => {
      const key = from * 16777216 + to;
      if (drawn.has(key)) return;
      drawn.add(key);
      this.paintArrow(c, from, to, from === current || to === current);
    };
    for (let row = first; row <= last; ++row) {
      for (const from of run.before.get(rows[row]) || []) draw(from, rows[row]);
      for (const to of run.after.get(rows[row]) || []) draw(rows[row], to);
    }
    for (const end of run.ends) {
      if (end.waits_for < 0 || end.enabled) continue;
      const other = run.ends.findIndex(e => e.thread === end.waits_for);
      if (other >= 0) this.paintArrow(c, run.count + run.ends.indexOf(end), run.count + other, false, true);
    }
  }

  paintArrow(c, from, to, strong, waits) {
    const {run} = this.view;
    const [a, b] = [this.view.rowOf(from), this.view.rowOf(to)];
    if (a < 0 || b < 0) return;
    const [x1, x2] = [this.laneX(run.thread[from]), this.laneX(run.thread[to])];
    const limit = 40 * ROW;  // far ends leave the window anyway
    const y1 = Math.max(this.rowY(a), -limit), y2 = Math.min(this.rowY(b), this.box.clientHeight + limit);
    const side = x2 > x1 ? 1 : -1, end = x2 - side * 7;
    c.strokeStyle = c.fillStyle = waits ? this.colours.bad : this.colours.accent;
    c.globalAlpha = strong || waits ? 1 : 0.5;
    c.lineWidth = strong ? 2.2 : 1.3;
    c.setLineDash(waits ? [5, 4] : []);
    const bend = Math.min(60, Math.abs(x2 - x1) * 0.5);
    c.beginPath();
    c.moveTo(x1 + side * 6, y1);
    c.bezierCurveTo(x1 + side * bend, y1, x2 - side * bend, y2, end, y2);
    c.stroke();
    c.setLineDash([]);
    c.beginPath();
    c.moveTo(end, y2);
    c.lineTo(end - side * 7, y2 - 4);
    c.lineTo(end - side * 7, y2 + 4);
    c.fill();
    c.globalAlpha = 1;
  }

  paintStep(c, row) {
    const {rows, run, current} = this.view;
    const i = rows[row], t = run.thread[i], x = this.laneX(t), y = this.rowY(row);
    const end = run.isEnd(i) ? run.end(i) : null;
    c.textBaseline = "middle";
    c.textAlign = "right";
    const mark = run.isMark(i);
    c.font = this.font(run.preempts.has(i) || mark ? "600 12px" : "12px");
    c.fillStyle = mark ? this.colours.bad : run.preempts.has(i) ? this.colours.notice : this.colours.faint;
    c.fillText(end ? "end" : mark ? "!" : (run.preempts.has(i) ? "↯ " : "") + run.number(i), this.gutter - 22, y);
    c.beginPath();
    c.arc(x, y, i === current ? 6 : mark ? 3 : 4.5, 0, 7);
    c.fillStyle = end ? this.colours.bg : mark ? this.colours.bad : this.colours.thread(t);
    c.strokeStyle = end && !end.enabled ? this.colours.bad : this.colours.thread(t);
    c.lineWidth = 2;
    c.fill();
    if (end) c.stroke();
    c.textAlign = "left";
    c.font = this.font(i === current ? "600 13px" : "13px");
    c.fillStyle = end ? (end.enabled ? this.colours.faint : this.colours.bad) : mark ? this.colours.bad : this.colours.ink;
    // Text may run on over the lanes to the right; they are empty in this row.
    const remark = this.view.folds ? run.remark(i) : "", aside = remark ? c.measureText(remark).width + 10 : 0;
    const room = this.fullWidth - PLACE - x - 22, halo = this.rowFill(row) || this.colours.bg;
    const text = this.fit(c, mark ? run.description(i).slice(2) : run.description(i), Math.max(room - aside, 40));
    this.haloed(c, text, x + 13, y, halo);
    if (remark) {
      const after = x + 23 + c.measureText(text).width;
      c.fillStyle = this.colours.notice;
      this.haloed(c, this.fit(c, remark, Math.max(room - after + x + 13, 20)), after, y, halo);
    }
    c.font = this.font("12px");
    c.fillStyle = this.colours.faint;
    c.fillText(this.fit(c, run.brief(i), PLACE - 10), this.fullWidth - PLACE + 4, y);
  }

  // Text that arrows pass behind.
  haloed(c, text, x, y, halo) {
    c.lineWidth = 4;
    c.lineJoin = "round";
    c.strokeStyle = halo;
    c.strokeText(text, x, y);
    c.fillText(text, x, y);
  }

  fit(c, text, room) {
    if (text.length * 12 < room || c.measureText(text).width <= room) return text;
    let length = Math.min(text.length, Math.floor(room / 5));
    while (length > 1 && c.measureText(text.slice(0, length) + "…").width > room) --length;
    return text.slice(0, length) + "…";
  }

  font(size) { return `${size} ${this.colours.sans}`; }

  paintHead(c, width) {
    c.fillStyle = this.colours.panel;
    c.fillRect(0, 0, width, HEAD);
    c.fillStyle = this.colours.line;
    c.fillRect(0, HEAD - 1, width, 1);
    c.textBaseline = "middle";
    c.textAlign = "left";
    for (const t of this.columns.keys()) {
      const x = this.laneX(t) - this.box.scrollLeft;
      c.fillStyle = this.colours.thread(t);
      c.beginPath();
      c.arc(x, HEAD / 2, 5, 0, 7);
      c.fill();
      c.font = this.font("600 13px");
      c.fillStyle = this.colours.ink;
      c.fillText(this.fit(c, this.view.run.threadName(t), this.laneWidth - 30), x + 13, HEAD / 2);
    }
    c.font = this.font("12px");
    c.fillStyle = this.colours.faint;
    c.fillText("where", this.fullWidth - PLACE + 4 - this.box.scrollLeft, HEAD / 2);
  }

  // All rows as a strip of colours, with the window in it. The strip is painted once.
  paintMap() {
    const c = this.map.getContext("2d");
    const width = this.map.clientWidth, height = this.map.clientHeight;
    const {rows, run} = this.view;
    if (!this.mapImage) {
      this.mapImage = document.createElement("canvas");
      this.mapImage.width = width;
      this.mapImage.height = height;
      const m = this.mapImage.getContext("2d");
      const each = height * (this.contentHeight() - HEAD - 12) / this.contentHeight() / Math.max(1, rows.length);
      const stride = Math.max(1, Math.floor(rows.length / (height * 2)));
      const lane = (width - 8) / Math.max(1, this.columns.size);
      for (let row = 0; row < rows.length; row += stride) {
        const t = run.thread[rows[row]];
        m.fillStyle = this.colours.thread(t);
        m.fillRect(4 + this.columns.get(t) * lane, row * each, Math.max(2, lane - 1), Math.max(1, each - 0.5));
      }
      m.fillStyle = this.colours.notice;
      for (const i of run.preemptions) {
        const row = this.view.rowOf(i);
        if (row >= 0) m.fillRect(0, row * each, 3, 2);
      }
    }
    c.clearRect(0, 0, width, height);
    c.drawImage(this.mapImage, 0, 0, width, height);
    const full = Math.max(1, this.contentHeight());
    const top = this.box.scrollTop / full * height;
    const tall = Math.max(6, this.box.clientHeight / full * height);
    c.fillStyle = this.colours.accent;
    c.globalAlpha = 0.18;
    c.fillRect(0, top, width, Math.min(height, tall));
    c.globalAlpha = 1;
    const at = this.view.rowOf(this.view.current);
    if (at >= 0) c.fillRect(0, (HEAD + at * ROW) / full * height, width, 2);
  }
}
