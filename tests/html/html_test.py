#!/usr/bin/python3
"""The HTML report in a real browser: what a reader clicks, presses and sees."""
import struct
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
sys.path.insert(0, str(HERE))
import browser  # noqa: E402
from command import CORRECT, CommandTest  # noqa: E402

KNOT = """#include <pthread.h>
#include <stdio.h>
pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;
int shared;  /* </script><b id="injected">&amp; */
void* work(void* p) {
  printf("</script><b id='injected'>\\n");
  pthread_mutex_lock(&y);
  shared += 1;
  pthread_mutex_lock(&x);
  pthread_mutex_unlock(&x);
  pthread_mutex_unlock(&y);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&x);
  shared += 1;
  pthread_mutex_lock(&y);
  pthread_mutex_unlock(&y);
  pthread_mutex_unlock(&x);
  pthread_join(t, NULL);
  return 0;
}
"""

ROUNDS = """#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int done;
void* work(void* p) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    ++done;
    pthread_mutex_unlock(&mutex);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(done != 5);
}
"""

LOST = """#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
void* work(void* p) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return pthread_join(t, NULL);
}
"""

READERS = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
atomic_int inside;
void* reader(void* p) {
  pthread_rwlock_rdlock(&shared);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_rwlock_unlock(&shared);
  return p;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, reader, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
}
"""

RACE = """#include <pthread.h>
int hits;
void* work(void* p) { hits++; return p; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
}
"""

LONG_NAMES = """#include <pthread.h>
pthread_mutex_t a_mutex_that_somebody_has_given_an_exceedingly_long_name = PTHREAD_MUTEX_INITIALIZER;
void* work(void* p) {
  pthread_mutex_lock(&a_mutex_that_somebody_has_given_an_exceedingly_long_name);
  pthread_mutex_lock(&a_mutex_that_somebody_has_given_an_exceedingly_long_name);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
}
"""

SPIN = """#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
atomic_int flag, turns;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void* spin(void* p) {
  while (!atomic_load(&flag)) {
    pthread_mutex_lock(&m);
    atomic_fetch_xor(&turns, 1);
    pthread_mutex_unlock(&m);
    sched_yield();
  }
  return p;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, spin, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
}
"""


def colours(png):
    """The number of different colours of a picture: of an empty page there are few."""
    assert png.startswith(b"\x89PNG")
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6)
    packed, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        if name == b"IDAT":
            packed += png[at + 8:at + 8 + length]
        at += 12 + length
    raw, size = zlib.decompress(packed), 3 if kind == 2 else 4
    stride = width * size + 1
    lines = (raw[row * stride + 1:(row + 1) * stride] for row in range(0, height, 7))
    return len({line[i:i + size] for line in lines for i in range(0, len(line), size)})


@unittest.skipIf(browser.missing(), browser.missing())
class HtmlReport(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.profile = tempfile.TemporaryDirectory(prefix="heddle-browser-",
                                                  ignore_cleanup_errors=True)
        cls.page = browser.Browser(cls.profile.name)

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.profile.cleanup()

    def report(self, source, *options, status=1, fragment=""):
        self.file("prog.c", source)
        done = self.heddle("check", "prog.c", "--html=reports/", *options)
        self.status(done, status)
        path = self.directory / "reports" / "prog.html"
        text = path.read_text()
        for foreign in ("http://", "https://", "src=", "@import", "url("):
            self.assertNotIn(foreign, text, "the page must not need anything else")
        self.page.open(f"file://{path}{fragment}")
        self.assertEqual(self.page.complaints(), [])
        return self.page

    def step(self):
        return int(self.page.run("return document.body.dataset.step"))

    def rows(self, table):
        return self.page.run("return [...document.querySelectorAll(arguments[0] + ' tr')]"
                             ".map(r => r.innerText)", table)

    def test_a_deadlock_step_by_step(self):
        page = self.report(KNOT, "--visible=all")
        self.assertEqual(page.text("#verdict"), "deadlock")
        self.assertIn("the end", page.text("#position"))
        page.keys("Home")
        self.assertEqual(self.step(), 1)
        self.assertIn("pthread_create", page.text("#source .here"))
        self.assertEqual(page.text("#source .token"), "pthread_create")
        page.keys("Right", "j", "Down")
        self.assertEqual(self.step(), 4)
        page.keys("Left")
        page.click("#back")
        self.assertEqual(self.step(), 2)
        page.click("#last")
        locks = " | ".join(self.rows("#lock-table"))
        self.assertRegex(locks, r"x\s.*0 main.*y\s.*1 work|y\s.*1 work.*x\s.*0 main")
        self.assertRegex(" | ".join(self.rows("#version-table")), r"shared\s+\d")
        page.keys("n" if self.step() == 1 else "p")
        number = self.step()
        self.assertIn(number - 1, page.run(
            "return JSON.parse(document.getElementById('data').textContent)"
            ".findings[0].preempting"))
        page.click("[data-tab=output]")
        self.assertEqual(page.text("#panel pre"), "</script><b id='injected'>")
        self.assertFalse(page.run("return !!document.getElementById('injected')"))
        page.click("[data-tab=run]")
        self.assertIn("strategy", page.text("#panel"))
        self.assertGreater(colours(page.screenshot()), 20)
        self.assertEqual(page.complaints(), [])

    def test_a_click_on_a_row_selects_its_step(self):
        page = self.report(KNOT)
        page.keys("Home")
        page.click_at("#canvas", 200, 34 + 26 * 2 + 13)
        self.assertEqual(self.step(), 3)
        page.click("#thread-table tr[data-step]")
        self.assertLessEqual(self.step(), 3)

    def test_two_readers_hold_a_lock(self):
        page = self.report(READERS)
        locks = " | ".join(self.rows("#lock-table"))
        self.assertRegex(locks, r"shared\s.*1 reader.*shared\s.*2 reader")
        page.keys("Home")
        self.assertNotIn("shared", " | ".join(self.rows("#lock-table")))

    def test_the_loops_of_a_livelock(self):
        page = self.report(SPIN, "--strategy=random", "--max-executions=1", "--max-steps=500")
        page.click("[data-tab=finding]")
        self.assertIn("repeats for ever", page.text("#panel"))
        self.assertIn("prog.c:7", page.text("#panel"))
        self.assertIn("prog.c", page.text("#subtitle"))

    def test_progress_of_the_run(self):
        page = self.report(CORRECT, "--strategy=icb", status=0)
        self.assertIn("executions", page.text("#panel"))
        self.assertGreater(page.run("return document.querySelectorAll('.plot').length"), 0)

    def test_what_happens_before(self):
        page = self.report(KNOT)
        orders = page.run("return DATA.findings[0].orders")
        after = orders[1]
        before = [a for a, b in zip(orders[::2], orders[1::2]) if b == after]
        page.click("[data-tab=order]")
        page.keys("Home", *["Right"] * after)
        self.assertEqual(self.step(), after + 1)
        told = page.run("return [...document.querySelectorAll('#panel [data-step]')]"
                        ".map(e => +e.dataset.step)")
        self.assertLessEqual(set(before), set(told))
        page.keys("c")  # to the cause
        self.assertEqual(self.step(), before[-1] + 1)

    def test_filters(self):
        page = self.report(KNOT, "--visible=all")
        page.click("[data-thread='0']")
        self.assertEqual(page.run("return document.querySelector('[data-thread=\"0\"]')"
                                  ".getAttribute('aria-pressed')"), "false")
        self.assertIn("rows", page.text("#matches"))
        page.click("[data-thread='0']")
        self.assertEqual(page.text("#matches"), "")
        only = ("document.querySelector('[data-thread=\"1\"]').dispatchEvent("
                "new MouseEvent('click', {bubbles: true, shiftKey: true}));"
                "return [...document.querySelectorAll('.chip')].map(c => c.ariaPressed)")
        self.assertEqual(page.run(only), ["false", "true"])
        self.assertRegex(page.text("#matches"), r"^\d of")
        self.assertEqual(page.run(only), ["true", "true"])
        page.keys("/")
        page.type("#filter", "prog.c:18")
        first = page.text("#matches")
        self.assertRegex(first, r"^\d of")
        page.keys("Escape")
        self.assertEqual(page.text("#matches"), "")
        page.run("const o = document.getElementById('objects');"
                 "o.value = [...o.options].find(e => e.text.startsWith('shared')).value;"
                 "o.dispatchEvent(new Event('change'))")
        self.assertRegex(page.text("#matches"), r"^\d of")
        page.keys("Home")
        self.assertIn("shared", page.text("#source .here"))

    def test_dark_and_light(self):
        page = self.report(KNOT)
        background = "return getComputedStyle(document.body).backgroundColor"
        before = page.run(background)
        page.keys("d")
        self.assertNotEqual(page.run(background), before)
        page.click("#theme")
        self.assertEqual(page.run(background), before)

    def test_only_a_theme_that_was_chosen_is_kept(self):
        page = self.report(KNOT)
        page.run("localStorage.clear()")
        page.run("location.reload()")
        page.until("return document.body.dataset.ready !== undefined")
        stored = "return localStorage.getItem('heddle-theme')"
        self.assertIsNone(page.run(stored))
        page.keys("d")
        self.assertIn(page.run(stored), ("dark", "light"))
        page.run("localStorage.clear()")

    def test_a_narrow_window(self):
        page = self.report(KNOT)
        page.resize(420, 860)
        try:
            page.until("return innerWidth <= 520")
            width = page.run("return innerWidth")
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), width)
            for part in ("#lanes", "#source", "#panel"):
                box = page.run("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                               "return [r.left, r.right, r.height]", part)
                self.assertGreaterEqual(box[0], 0, part)
                self.assertLessEqual(box[1], width, part)
                self.assertGreater(box[1] - box[0], width * 0.8, part)
                self.assertGreater(box[2], 100, part)
            self.assertGreater(colours(page.screenshot()), 10)
        finally:
            page.resize(1360, 860)

    def test_labels_have_the_room_that_is_there(self):
        self.file("prog.c", LONG_NAMES)
        self.status(self.heddle("check", "prog.c", "--html=reports/"), 1)
        self.page.resize(2400, 860)
        try:
            self.page.open(f"file://{self.directory / 'reports' / 'prog.html'}")
            self.page.until("return innerWidth > 2000")
            told = self.page.run_until_done(
                "const done = arguments[arguments.length - 1], all = CanvasRenderingContext2D.prototype;"
                "const fill = all.fillText, told = [];"
                "all.fillText = function (t, ...r) { told.push(t); return fill.call(this, t, ...r); };"
                "document.getElementById('lanes').dispatchEvent(new Event('scroll'));"
                "setTimeout(() => { all.fillText = fill; done(told); }, 500);")
            self.assertTrue(any("exceedingly_long_name" in text for text in told), told)
            cut = [text for text in told if text.endswith("…")]
            self.assertEqual(cut, [])
        finally:
            self.page.resize(1360, 860)

    def test_accesses_of_a_race(self):
        page = self.report(RACE)
        told = page.run("return DATA.findings[0].descriptions")
        self.assertTrue(any("! writes hits = 1" in text for text in told), told)
        self.assertTrue(any("! reads hits = 1" in text for text in told), told)
        # They are rows of their own, below the step that they are part of; the last one comes first.
        finding = page.run("return DATA.findings[0]")
        self.assertEqual(len(finding["marks"]), 2)
        self.assertEqual([told[finding["steps"]["description"][row]][:2] for row in finding["marks"]], ["! ", "! "])
        self.assertRegex(page.text("#position"), r"^in step \d+ of \d+$")
        self.assertIn(f":{finding['place'][1]}", page.text("#source-title"))
        # Who made the last access has not ended, and neither has main.
        ended = [row.split("\t")[0].strip() for row in self.rows("#thread-table") if row.endswith("ended")]
        last = finding["steps"]["thread"][finding["marks"][-1]]
        self.assertIn(last, (1, 2))
        self.assertEqual(ended, [f"{3 - last} work"])

    def test_headline_of_a_lost_wake_up(self):
        page = self.report(LOST)
        self.assertEqual(page.text("#verdict"), "lost wake-up")
        self.assertIn("before thread", page.text("#title"))

    def test_a_link_to_a_step(self):
        self.report(KNOT, fragment="#finding=1&step=2")
        self.assertEqual(self.step(), 2)

    def test_a_hundred_thousand_steps(self):
        page = self.report(SPIN, "--strategy=random", "--max-executions=1")
        self.assertIn("100,000 steps", page.text("#subtitle"))
        if page.run("return !document.getElementById('rounds').hidden"):
            page.keys("r")
        page.keys("Home")
        self.assertEqual(self.step(), 1)
        page.keys("PageDown", "PageDown", "n", "t", "o")
        self.assertGreater(self.step(), 20)
        page.click_at("#map", 10, 300)
        page.until("return document.getElementById('lanes').scrollTop > 100000")
        page.type("#filter", "prog.c:9")
        self.assertRegex(page.text("#matches"), r"^\d+,\d+ of 100,00\d rows$")
        self.assertEqual(page.complaints(), [])

    def test_rounds_are_folded(self):
        page = self.report(ROUNDS)
        finding = page.run("return DATA.findings[0]")
        self.assertTrue(finding["folds"])
        hidden = sum(length * (times - 1) for _, length, times in finding["folds"])
        self.assertRegex(page.text("#matches"), r"^\d+ of \d+ rows$")
        rows = "return document.getElementById('matches').textContent"
        folded, all_rows = map(int, page.run(rows).split(" rows")[0].split(" of "))
        self.assertEqual(all_rows - folded, hidden)
        page.keys("r")
        self.assertEqual(page.text("#matches"), "")
        page.keys("r")
        self.assertRegex(page.text("#matches"), rf"^{folded} of {all_rows}")

    def test_a_link_to_a_step_that_is_folded_away(self):
        page = self.report(ROUNDS, fragment="#finding=1&step=7")
        begin, length, times = page.run("return DATA.findings[0].folds[0]")
        self.assertTrue(begin + length <= 6 < begin + length * times)
        self.assertEqual(self.step(), 7)
        self.assertEqual(page.text("#matches"), "")

    def test_a_run_without_a_finding(self):
        page = self.report(CORRECT, status=0)
        self.assertEqual(page.text("#verdict"), "pass")
        self.assertIn("executions", page.text("#panel"))

    def test_curves_of_the_coverage(self):
        page = self.report(CORRECT, "--strategy=icb", "--coverage=states.csv", status=0)
        plots = page.run("return DATA.plots")
        titles = [plot["title"] for plot in plots]
        self.assertIn("distinct states over executions", titles)
        self.assertIn("distinct states when a bound was done", titles)
        self.assertIn(titles[-1].upper(), page.text("#panel").upper())
        states = plots[titles.index("distinct states over executions")]["series"][0]["points"]
        last = (self.directory / "states.csv").read_text().splitlines()[-1].split(",")
        self.assertIn(str(states[-1][1]), last)
        self.assertEqual(page.complaints(), [])


if __name__ == "__main__":
    unittest.main()
