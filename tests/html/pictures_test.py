#!/usr/bin/env python3
"""Pages of the HTML report, compared with stored pictures of them.

    HEDDLE=… pictures_test.py            compare
    HEDDLE=… pictures_test.py --store    make new pictures, to be looked at before they are committed

A font of boxes takes the place of all others, and blocks of pixels are compared, not pixels: what differs is the layout
and the colours, not how a machine draws letters.
"""
import base64
import os
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
sys.path.insert(0, str(HERE))
import box_font  # noqa: E402
import browser  # noqa: E402
from command import CORRECT, DEADLOCK, CommandTest  # noqa: E402
from html_test import RACE, ROUNDS  # noqa: E402

PAGES = {"deadlock": (DEADLOCK, 1), "race": (RACE, 1), "rounds": (ROUNDS, 1), "pass": (CORRECT, 0)}
SIZES = ((420, 900), (1280, 800))
MOST = 0.005  # of the blocks may differ: edges that fall otherwise
STORE = "--store" in sys.argv
FONT = ("<style>@font-face { font-family: Boxes; src: url(data:font/ttf;base64,%s); }"
        ":root { --sans: Boxes !important; --mono: Boxes !important; }"
        "canvas.plot { visibility: hidden; }</style></head>")  # curves over the time that it took
# The mean colours of blocks of 8 x 8 pixels; the part of the blocks whose colours differ by more than 24.
COMPARE = """
const [one, other, done] = arguments;
async function pixels(data) {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height), c = canvas.getContext('2d');
  c.drawImage(image, 0, 0);
  return c.getImageData(0, 0, image.width, image.height);
}
function mean(p, x, y, channel) {
  let sum = 0;
  for (let dy = 0; dy < 8; ++dy)
    for (let dx = 0; dx < 8; ++dx) sum += p.data[4 * ((y + dy) * p.width + x + dx) + channel];
  return sum / 64;
}
(async () => {
  const a = await pixels(one), b = await pixels(other);
  if (a.width !== b.width || a.height !== b.height) return done(1);
  let blocks = 0, different = 0;
  for (let y = 0; y + 8 <= a.height; y += 8)
    for (let x = 0; x + 8 <= a.width; x += 8, ++blocks)
      if ([0, 1, 2].some(i => Math.abs(mean(a, x, y, i) - mean(b, x, y, i)) > 24)) ++different;
  done(different / blocks);
})();
"""


@unittest.skipIf(browser.missing(), browser.missing())
class Pictures(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.profile = tempfile.TemporaryDirectory(prefix="heddle-browser-", ignore_cleanup_errors=True)
        cls.page = browser.Browser(cls.profile.name)
        cls.font = FONT % base64.b64encode(box_font.font()).decode()

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.profile.cleanup()

    def show(self, name):
        """The page of one of the programs, with boxes for letters."""
        source, status = PAGES[name]
        self.file("prog.c", source)
        self.status(self.heddle("cc", "-g", "prog.c", "-o", "prog"), 0)
        self.status(self.heddle("check", "./prog", "--strategy=icb", "--html=report.html"), status)
        page = self.directory / "report.html"
        text = page.read_text()
        page.write_text(text.replace("</head>", self.font, 1).replace(str(self.directory), "/project"))
        self.page.open(f"file://{page}")
        loaded = self.page.run_until_done("const done = arguments[0];"
                                          "document.fonts.load('12px Boxes').then(fonts => done(fonts.length))")
        self.assertEqual(loaded, 1, "the browser does not take the font")

    def picture(self, size):
        self.page.view(*size)
        # Drawn again in the new size and font, at the end of two frames.
        self.page.run_until_done("const done = arguments[0];"
                                 "document.getElementById('theme').click(); document.getElementById('theme').click();"
                                 "localStorage.clear();"
                                 "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))")
        return self.page.screenshot()

    def difference(self, one, other):
        return self.page.run_until_done(COMPARE, *(base64.b64encode(png).decode() for png in (one, other)))

    def test_pages_look_as_before(self):
        for name in PAGES:
            self.show(name)
            for size in SIZES:
                stored = HERE / "pictures" / f"{name}-{size[0]}.png"
                with self.subTest(stored.name):
                    picture = self.picture(size)
                    if STORE:
                        stored.write_bytes(picture)
                    difference = self.difference(stored.read_bytes(), picture)
                    if difference > MOST:
                        seen = Path(tempfile.gettempdir()) / f"heddle-{stored.name}"
                        seen.write_bytes(picture)
                        self.fail(f"{difference:.1%} of the page differ from {stored}: see {seen}")

    def test_changes_are_seen(self):
        self.show("deadlock")
        stored = (HERE / "pictures" / "deadlock-1280.png").read_bytes()
        for change in ("document.getElementById('source').style.display = 'none'",
                       "document.getElementById('panel').style.color = 'red'",
                       "document.querySelector('header, h1').style.paddingBottom = '12px'"):
            with self.subTest(change):
                self.page.run(change)
                picture = self.picture((1280, 800))
                self.assertGreater(self.difference(stored, picture), MOST)
                self.show("deadlock")


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--store"])
