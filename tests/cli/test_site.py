"""The documentation as a site: every page is there, every link and anchor leads somewhere, and nothing is asked of other machines."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import ROOT, TIME_LIMIT

DOCS = ROOT / "docs"


# Leaves in the document every text whose contrast with what it stands on (as WCAG 2 defines it) is below 4.5, shown or folded away.
CONTRAST = """<script>
(function () {
  var parts = function (colour) { return colour.match(/[\\d.]+/g).map(Number); };
  var over = function (above, below) {
    var alpha = above.length > 3 ? above[3] : 1;
    return [0, 1, 2].map(function (i) { return alpha * above[i] + (1 - alpha) * below[i]; });
  };
  var ground = function (element) {
    if (!element) return [255, 255, 255];
    return over(parts(getComputedStyle(element).backgroundColor), ground(element.parentElement));
  };
  var luminance = function (colour) {
    var linear = colour.map(function (part) { part /= 255; return part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4); });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  var pale = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), count = 0;
  while (texts.nextNode()) {
    var element = texts.currentNode.parentElement, text = texts.currentNode.textContent.trim();
    if (!text || /^(SCRIPT|STYLE)$/.test(element.tagName) || element.closest('#mkdocs_keyboard_modal, footer, .headerlink, .disabled')) continue;
    ++count;
    var below = ground(element), one = luminance(over(parts(getComputedStyle(element).color), below)) + 0.05, other = luminance(below) + 0.05;
    if (Math.max(one, other) / Math.min(one, other) < 4.5) pale.push(text);
  }
  document.body.textContent = 'seen ' + JSON.stringify([matchMedia('(prefers-color-scheme: dark)').matches, count > 40, pale]);
})();
</script></body>"""


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loaded, self.paragraphs, self.within = set(), [], [], [], None
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        self.ids |= {has.get("id"), has.get("name")}
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        for key in ("src", "href", "data"):
            if tag != "a" and has.get(key):
                self.loaded.append(has[key])
        if tag == "p":
            self.within = ""

    def handle_data(self, data):
        if self.within is not None:
            self.within += data

    def handle_endtag(self, tag):
        if tag == "p" and self.within is not None:
            self.paragraphs.append(self.within)
            self.within = None


@unittest.skipUnless(shutil.which("mkdocs"), "mkdocs is not installed")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.site = pathlib.Path(cls.folder.name, "site")
        run = subprocess.run(
            ["mkdocs", "build", "--strict", "--quiet", "--config-file", ROOT / "mkdocs.yml", "--site-dir", cls.site],
            capture_output=True, text=True, timeout=TIME_LIMIT, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
        if run.returncode != 0:
            raise AssertionError(run.stdout + run.stderr)
        cls.pages = {path: Page(path) for path in cls.site.rglob("*.html") if path.name != "404.html"}

    def test_every_document_is_a_page_that_the_contents_list(self):
        contents = (ROOT / "mkdocs.yml").read_text()
        for document in DOCS.rglob("*.md"):
            name = document.relative_to(DOCS)
            self.assertIn(self.site / name.with_suffix(".html"), self.pages)
            self.assertRegex(contents, rf"(?m): {re.escape(str(name))}$")

    def test_every_link_leads_to_a_page_and_an_anchor(self):
        for path, page in self.pages.items():
            for link in page.links:
                if re.match(r"[a-z]+:", link):
                    continue
                target, _, anchor = link.partition("#")
                leads_to = (path.parent / target).resolve() if target else path
                with self.subTest(page=path.name, link=link):
                    self.assertTrue(leads_to.exists())
                    if anchor and leads_to in self.pages:
                        self.assertIn(anchor, self.pages[leads_to].ids)

    def test_pages_load_nothing_from_elsewhere(self):
        for path, page in self.pages.items():
            for source in page.loaded:
                with self.subTest(page=path.name, source=source):
                    self.assertTrue((path.parent / re.sub(r"[?#].*", "", source)).exists())

    def test_lists_and_tables_are_drawn_as_such(self):
        for path, page in self.pages.items():
            for paragraph in page.paragraphs:
                with self.subTest(page=path.name):
                    self.assertNotRegex(paragraph, r"(?m)^(- |\|.*\|$|```)")

    @unittest.skipUnless(shutil.which("chromium"), "chromium is not installed")
    def test_a_browser_opens_it_without_a_word(self):
        for name in ("index.html", "recipes.html", "theory/path.html"):
            with tempfile.TemporaryDirectory() as profile, self.subTest(name):
                run = subprocess.run(
                    ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={profile}",
                     "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=5000", "--dump-dom", (self.site / name).as_uri()],
                    capture_output=True, text=True, timeout=TIME_LIMIT)
                self.assertIn("<h1", run.stdout)
                self.assertEqual([line for line in run.stderr.splitlines() if "CONSOLE" in line], [])

    @unittest.skipUnless(shutil.which("chromium"), "chromium is not installed")
    def test_every_text_is_readable_light_and_dark(self):
        for name in ("index.html", "missed-deadline.html", "theory/path.html"):
            page = self.site / name
            probe = page.with_name(f"contrast-of-{page.name}")
            probe.write_text(page.read_text().replace("</body>", CONTRAST))
            self.addCleanup(probe.unlink)
            for scheme, dark in (("0", True), ("1", False)):
                with tempfile.TemporaryDirectory() as profile, self.subTest(name, dark=dark):
                    run = subprocess.run(
                        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--blink-settings=preferredColorScheme={scheme}",
                         f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=5000", "--dump-dom",
                         probe.as_uri()],
                        capture_output=True, text=True, timeout=TIME_LIMIT)
                    self.assertIn(f"seen {json.dumps([dark, True, []])}".replace(", ", ","), run.stdout)


if __name__ == "__main__":
    unittest.main()
