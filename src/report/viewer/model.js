// The execution as the page needs it: steps in columns, and indexes to ask them quickly.

const $ = id => document.getElementById(id);
const DATA = JSON.parse($("data").textContent);

const HUES = [218, 24, 152, 286, 48, 186, 336, 100, 258, 4];
const threadColour = (t, dark) =>
  `hsl(${HUES[t % HUES.length]} ${dark ? "70% 68%" : "68% 42%"})`;

// The position of the last item of a sorted list that is at most `value`; -1 if there is none.
function lastAtMost(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle + 1; else high = middle;
  }
  return low - 1;
}

class Execution {
  constructor(finding) {
    this.finding = finding;
    const steps = finding.steps;
    this.count = steps.thread.length;
    this.ends = finding.ends;
    this.length = this.count + this.ends.length;  // what threads were about to do counts as rows
    this.thread = Int32Array.from(steps.thread.concat(this.ends.map(e => e.thread)));
    this.object = Int32Array.from(steps.object.concat(this.ends.map(e => e.object)));
    this.place = Int32Array.from(steps.place.concat(this.ends.map(e => e.place)));
    this.descriptions = steps.description;
    this.marks = finding.marks;  // rows of accesses inside the step above them
    this.marked = new Set(this.marks);
    this.steps = this.count - this.marks.length;
    this.folds = finding.folds;  // [first row, rows of a round, how often]
    this.foldBegins = this.folds.map(f => f[0]);
    this.preemptions = finding.preempting;
    this.preempts = new Set(this.preemptions);
    this.collectOrders(finding.orders);
    this.collectByThread();
    this.collectLocks(finding.locks);
    this.collectVersions(steps.changes);
  }

  collectOrders(orders) {  // [before, after, before, after, …]
    this.before = new Map();
    this.after = new Map();
    for (let i = 0; i < orders.length; i += 2) {
      const [from, to] = [orders[i], orders[i + 1]];
      if (!this.before.has(to)) this.before.set(to, []);
      this.before.get(to).push(from);
      if (!this.after.has(from)) this.after.set(from, []);
      this.after.get(from).push(to);
    }
  }

  collectByThread() {
    this.ofThread = this.finding.threads.map(() => []);
    this.ofObject = this.finding.objects.map(() => []);
    for (let i = 0; i < this.length; ++i) {
      this.ofThread[this.thread[i]].push(i);
      if (this.object[i] >= 0) this.ofObject[this.object[i]].push(i);
    }
  }

  // [step, object, +1 or -1, …] in the order of steps, as intervals in which a thread holds a lock.
  collectLocks(locks) {
    this.holds = [];
    const open = new Map();
    for (let i = 0; i < locks.length; i += 3) {
      const [step, object, sign] = [locks[i], locks[i + 1], locks[i + 2]];
      if (sign > 0) {
        const hold = {object, thread: this.thread[step], from: step, to: Infinity, slot: 0};
        const own = [...open.values()].filter(h => h.thread === hold.thread);
        while (own.some(h => h.slot === hold.slot)) ++hold.slot;
        open.set(`${object} ${hold.thread}`, hold);
        this.holds.push(hold);
      } else {
        const key = `${object} ${this.thread[step]}`;
        if (!open.has(key)) continue;
        open.get(key).to = step;
        open.delete(key);
      }
    }
  }

  collectVersions(changes) {
    this.changesOf = this.finding.objects.map(() => []);
    for (const step of changes) this.changesOf[this.object[step]].push(step);
  }

  isEnd(i) { return i >= this.count; }
  isMark(i) { return this.marked.has(i); }
  number(i) { return i - lastAtMost(this.marks, i); }  // of the step that row i is, or is part of
  rowOfStep(number) { return number - 1 + this.marks.filter(m => this.number(m) < number).length; }
  end(i) { return this.ends[i - this.count]; }

  description(i) {
    if (!this.isEnd(i)) return this.finding.descriptions[this.descriptions[i]];
    const end = this.end(i);
    return (end.enabled ? "next: " : "blocked: ") + end.description;
  }

  // Whether row i is part of a round that only repeats the ones before it.
  isRepeated(i) {
    const at = lastAtMost(this.foldBegins, i);
    if (at < 0) return false;
    const [begin, length, times] = this.folds[at];
    return i >= begin + length && i < begin + length * times;
  }

  // What stands behind the last row of a folded round; "" elsewhere.
  remark(i) {
    const at = lastAtMost(this.foldBegins, i);
    if (at < 0) return "";
    const [begin, length, times] = this.folds[at];
    if (i !== begin + length - 1) return "";
    return `… ${length > 1 ? `these ${length} steps ` : ""}${(times - 1).toLocaleString("en")} more time${times === 2 ? "" : "s"}`;
  }

  placeOf(i) { return this.place[i] < 0 ? null : this.finding.places[this.place[i]]; }
  brief(i) {
    const place = this.placeOf(i);
    return place ? `${this.finding.files[place[0]].name}:${place[1]}` : "";
  }

  threadName(t) {
    const thread = this.finding.threads[t];
    return thread.name ? `${thread.id} ${thread.name}` : `${thread.id}`;
  }

  locksAt(i) { return this.holds.filter(h => h.from <= i && i < h.to); }

  // Objects that have been changed by step i, the latest first.
  versionsAt(i) {
    const versions = [];
    this.changesOf.forEach((changes, object) => {
      const last = lastAtMost(changes, i);
      if (last >= 0) versions.push({object, version: last + 1, step: changes[last]});
    });
    return versions.sort((a, b) => b.step - a.step);
  }

  // What thread t did last and does next, seen from step i.
  threadAt(t, i) {
    const own = this.ofThread[t], at = lastAtMost(own, Math.min(i, this.count - 1));
    return {last: at >= 0 ? own[at] : -1, next: at + 1 < own.length ? own[at + 1] : -1};
  }
}
