"""Every kind of HTML page draws its charts, within the page, in a real browser; test_experiments.py and test_analysis_page.py look closer at two."""

import html
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from program import EXAMPLE, ROOT, opened_in_chromium, rta

# Leaves in the document, for each page: its charts, those that were drawn, those that are wider than the page.
PROBE = """<script>
var tries = 0, timer = setInterval(function () {  // a busy machine draws late
  var seen = Array.from(document.querySelectorAll('iframe')).map(function (frame) {
    var boxes = Array.from(frame.contentDocument.querySelectorAll('figure > div[id]'));
    return [boxes.length, boxes.filter(function (box) { return box.querySelector('canvas'); }).length,
            boxes.filter(function (box) { return box.scrollWidth > box.clientWidth; }).length];
  });
  if (++tries < 16 && seen.some(function (one) { return one[0] === 0 || one[1] < one[0]; })) return;
  clearInterval(timer);
  document.body.textContent = 'seen ' + JSON.stringify(seen);
}, 500);
</script>"""


class Pages(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def page(self, *arguments):
        run = rta(*arguments, "--format", "html")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def comparison(self):
        trace = self.folder / "trace.jsonl"
        rta("simulate", EXAMPLE, "--duration", "100ms", "--trace", trace)
        return self.page("compare", trace, EXAMPLE)

    def examination(self):
        program, traces = self.folder / "program", self.folder / "traces"
        self.assertEqual(rta("examine", "--write", program, "--device", "tx2", "--rules", "X").returncode, 0)
        traces.mkdir()
        for experiment in (program / "experiments").glob("*.yaml"):
            first = traces / f"{experiment.stem}-000.jsonl"
            self.assertEqual(rta("simulate", experiment, "--trace", first).returncode, 0)
            for i in range(1, 40):
                shutil.copy(first, traces / f"{experiment.stem}-{i:03}.jsonl")
        for name in ("scale.json", "limits.json"):
            shutil.copy(program / "scale.json", traces / name)
        return self.page("examine", "--traces", traces, "--rules", "X")

    def test_charts_stand_still_where_no_script_runs(self):
        for page in (self.page("simulate", EXAMPLE, "--duration", "100ms"), self.comparison()):
            stills = re.findall(r'<div class="scroll still" role="img" aria-label="[^"]+">\n(<svg .*?</svg>)\n</div><div class="scroll" id="chart\d+"', page, re.S)
            self.assertEqual(len(stills), len(re.findall('data-chart="', page)))
            for still in stills:
                self.assertGreater(still.count("<path "), 3)
                self.assertEqual(set(re.findall(r"<(\w+)", still)), {"svg", "path", "text"})
        self.assertIn(">gpu SM 0<", page)

    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_draw_all_charts_within_the_page(self):
        pages = [
            self.page("simulate", EXAMPLE, "--duration", "100ms"),
            self.comparison(),
            self.page("sweep", ROOT / "tasksets/sweeps/schedulers.yaml", "--count", 2, "-o", self.folder / "sweep"),
            self.examination(),
        ]
        frames = "".join(f'<iframe style="width: 1200px; height: 900px" srcdoc="{html.escape(page)}"></iframe>' for page in pages)
        document = opened_in_chromium(f"<!DOCTYPE html><html><head></head><body>{frames}{PROBE}</body></html>")
        charts = [len(re.findall('data-chart="', page)) for page in pages]
        self.assertGreater(min(charts), 0)
        seen = re.search(r"seen (\[.*\])", document)
        self.assertIsNotNone(seen, document[-300:])
        self.assertEqual(json.loads(seen[1]), [[count, count, 0] for count in charts])


if __name__ == "__main__":
    unittest.main()
