"""Queues in the timelines of simulations, comparisons and static schedules: who waits in which, for whom, as rows, on hover and as a table."""

import html
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from program import opened_in_chromium, rta
from test_page_frame import contrast, evaluated, needs_chromium

# Two kernels that need the whole GPU, from one DAG: the second waits for the first, and its next job for its own in its stream.
CROWDED = """time_unit: ms
platform: {cpu: {processors: 1}, gpu: {sms: 1, threads: 1024, blocks: 32}}
dags:
  - {name: d, T: 10, D: 10, nodes: {first: {on: gpu, B: 1, H: 1024, L: 3}, second: {on: gpu, B: 1, H: 1024, L: 2}}}
"""
# Both submitted at once on one stream.
GRAPH = """Version: 3.0.0
g:
  Identifier: 5
  Resources: {CPU: [CPU0], GPU: [iGPU]}
  Hyperepochs:
    - h: {Period: 100ms, Epochs: [{e: {Period: 100ms}}]}
  Clients:
    - Camera:
        Resources: {CUDA_STREAM: [{S: iGPU}]}
        Epochs:
          - h.e:
              Runnables:
                - submit_a: {WCET: 1ms, Resources: [CPU, S], Submits: Camera.a}
                - a: {WCET: 20ms, Resources: [iGPU]}
                - submit_b: {WCET: 1ms, Resources: [CPU, S], Submits: Camera.b, Dependencies: [Camera.submit_a]}
                - b: {WCET: 5ms, Resources: [iGPU]}
"""


def chart(page, title):
    """The specification of the chart under that heading."""
    found = re.search(rf'<h2[^>]*>{re.escape(title)}.*?data-chart="[^"]*">(.*?)</script>', page, re.S)
    return json.loads(found[1])


def values(spec, name):
    return next(data["values"] for data in spec["data"] if data["name"] == name)


class Timelines(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.set, self.trace = self.folder / "set.yaml", self.folder / "trace.jsonl"
        self.set.write_text(CROWDED)

    @needs_chromium
    def test_a_button_shows_each_of_many_sms_and_back(self):
        self.set.write_text("platform:\n  gpu: {sms: 40, threads: 2048}\ntasks:\n  - {name: a, on: gpu, T: 10 ms, B: 40, H: 1024, L: 2 ms}\n")
        self.simulated("-o", self.folder / "simulation.html")
        page = (self.folder / "simulation.html").read_text()
        self.assertEqual([row["row"] for row in values(chart(page, "Timeline"), "rows") if "SM" in row["row"]], ["gpu: 40 SMs"])
        seen = evaluated(page, """
          const button = document.querySelector('button.other'), seen = [], rows = () => rtaViews[0].data('rows').filter(one => /SM/.test(one.row)).length;
          for (let turn = 0; turn < 3; ++turn) {
            seen.push([button.textContent, rows()]);
            button.click();
            await new Promise(done => setTimeout(done, 500));
          }
          return seen;""")
        self.assertEqual(seen, [["Each SM", 1], ["SMs in one row", 40], ["Each SM", 1]])

    def simulated(self, *options, duration="30ms"):
        run = rta("simulate", self.set, "--duration", duration, "--trace", self.trace, "-q", *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def compared(self, *options):
        run = rta("compare", self.trace, self.set, "-q", *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def test_a_comparison_has_the_rows_and_reasons_of_the_simulation(self):
        self.simulated("-o", self.folder / "simulation.html")
        drawn = chart((self.folder / "simulation.html").read_text(), "Timeline")
        page = self.compared("--format", "html")
        again = chart(page, "Timeline of ")
        for spec in (drawn, again):
            self.assertEqual([row["row"] for row in values(spec, "rows")], ["d", "gpu EE queue", "gpu SM 0"])
            self.assertIn({"job": "0/1/0", "waits": "room on an SM (d/first job 0): 3 ms"}, values(spec, "jobs"))
        self.assertEqual(values(drawn, "bars")[:6], values(again, "bars")[:6])
        self.assertRegex(page, "<th[^>]*>waits for</th>")
        self.assertIn("room on an SM (d/first job 0): 3 ms", html.unescape(page))

    def test_a_trace_of_jobs_alone_has_queues_too(self):
        self.simulated("--trace-level", "job")
        spec = chart(self.compared("--format", "html"), "Timeline of ")
        self.assertEqual([row["row"] for row in values(spec, "rows")], ["d", "gpu EE queue", "gpu jobs"])
        self.assertIn({"job": "0/1/0", "waits": "room on an SM (d/first job 0): 3 ms"}, values(spec, "jobs"))

    def test_kernels_wait_in_their_streams_where_each_node_has_one(self):
        # Every 4 ms: 5 ms of work. The second job of `first` is released at 4 and waits in its stream from there, or in the EE queue.
        self.set.write_text(CROWDED.replace("T: 10, D: 10", "T: 4"))
        run = rta("simulate", self.set, "--duration", "20ms", "--streams", "per-task", "--trace", self.trace, "-q", "-o", self.folder / "p.html")
        self.assertLess(run.returncode, 2, run.stderr)
        for page, title in (((self.folder / "p.html").read_text(), "Timeline"),
                            (rta("compare", self.trace, self.set, "-q", "--format", "html").stdout, "Timeline of ")):
            rows = [row["row"] for row in values(chart(page, title), "rows")]
            self.assertIn("stream d/second", rows)
            self.assertTrue(any("before it in its stream" in job["waits"] for job in values(chart(page, title), "jobs")))

    def test_the_whole_trace_goes_to_a_viewer(self):
        self.simulated()
        events = self.folder / "events.json"
        self.compared("--trace", events)
        told = self.folder / "told.json"
        self.simulated("--trace", told)
        self.assertEqual(json.loads(events.read_text()), json.loads(told.read_text()))
        run = rta("compare", self.trace, self.set, "--trace", self.folder / "events.jsonl")
        self.assertEqual(run.returncode, 2)
        self.assertIn("the name of Chrome trace events ends in .json", run.stderr)
        self.assertIn("--trace writes one trace", rta("compare", self.trace, self.trace, self.set, "--trace", events).stderr)

    def test_another_window_and_figures(self):
        self.simulated(duration="200ms")
        page = self.compared("--format", "html", "--window", "100ms-120ms")
        spec = chart(page, "Timeline of ")
        self.assertEqual({bar["job"].split("/")[2] for bar in values(spec, "bars")} - {"9"}, {"10", "11"})
        self.assertIn("--window shows another part", page)
        figure = self.folder / "figure.svg"
        self.compared("-o", figure)
        self.assertIn("gpu EE queue", figure.read_text())
        if shutil.which("rsvg-convert"):
            self.compared("-o", self.folder / "figure.pdf")
            self.assertTrue((self.folder / "figure.pdf").read_bytes().startswith(b"%PDF"))

    def test_a_page_without_a_timeline_in_its_window_says_so(self):
        self.simulated()
        run = rta("compare", self.trace, self.set, "--format", "html", "--window", "5s-6s")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"warning: {self.trace}: no job of a node was released in --window: no timeline of it is drawn", run.stderr)
        self.assertNotIn("Timeline of ", run.stdout)

    def test_what_cannot_be_drawn_is_refused(self):
        self.simulated()
        other = self.folder / "other.jsonl"
        shutil.copy(self.trace, other)
        figure = self.folder / "figure.svg"
        for words, message in (
                ((self.trace, other, self.set, "-o", figure), "a figure draws the timeline of one trace"),
                ((self.trace, self.set, "--window", "1ms-2ms"), "--window needs a page or figure"),
                ((self.trace, self.set, "--window", "2ms-1ms", "-o", figure), "--window '2ms-1ms': FROM-TO is expected"),
                ((self.trace, self.set, "--window", "5s-6s", "-o", figure), "no job of a node was released there")):
            run = rta("compare", *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""), words)
            self.assertIn(message, run.stderr)
            self.assertFalse(figure.exists())

    @unittest.skipUnless(shutil.which("make") and shutil.which("gcc"), "skipped: needs make and gcc")
    def test_a_kernel_that_waits_in_its_stream_is_pale_in_the_chart_of_its_schedule_and_in_its_played_frames(self):
        graph, schedule = self.folder / "g.yaml", self.folder / "schedule.yaml"
        graph.write_text(GRAPH)
        run = rta("compile", graph, "--effort", "1", "-q", "-o", schedule, "-o", self.folder / "schedule.html")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        bars = values(chart((self.folder / "schedule.html").read_text(), "Hyperepoch h"), "bars")
        # submit_b ends at 2 ms, a at 21 ms.
        waits = [(bar["row"], bar["short"], bar["start"], bar["end"]) for bar in bars if bar.get("waits")]
        self.assertEqual(waits, [("Camera.S", "b", 2, 21)])
        self.assertIn("waits for Camera.a", next(bar for bar in bars if bar.get("waits"))["label"])
        run = rta("run", schedule, "--frames", "2", "-q", "-o", self.folder / "played.html")
        self.assertLess(run.returncode, 2, run.stderr)
        # What was observed is drawn in the colour of texts, which both styles show.
        bars = chart((self.folder / "played.html").read_text(), "Hyperepoch h")
        observed = [mark for group in bars["marks"] for mark in group.get("marks", []) if mark.get("from") == {"data": "observed"}]
        self.assertEqual([mark["encode"]["update"]["fill"] for mark in observed], [{"value": "var(--ink)"}])
        played = chart((self.folder / "played.html").read_text(), "First frames of h")
        self.assertIn("stream Camera.S", [row["row"] for row in values(played, "rows")])
        self.assertTrue(any(job["waits"].startswith("Camera/a job 0, before it in its stream: ") for job in values(played, "jobs")))

    @needs_chromium
    def test_texts_are_legible_in_both_styles_and_labels_of_bounds_stand_within_the_chart(self):
        self.simulated()
        again = self.folder / "again.jsonl"
        shutil.copy(self.trace, again)
        page = rta("compare", self.trace, again, self.set, "-q", "--format", "html").stdout
        hook = """<script>
          window.drawn = [];
          const write = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
            const at = this.getTransform(), width = this.measureText(text).width, ratio = window.devicePixelRatio || 1;
            const left = x - (this.textAlign === 'right' ? width : this.textAlign === 'center' ? width / 2 : 0);
            window.drawn.push([text, this.fillStyle, at.a * left + at.e, at.a * (left + width) + at.e, this.canvas.width]);
            write.apply(this, arguments);
          };
        </script>"""
        for style, background in (("light", "#ffffff"), ("dark", "#14191e")):
            other = page.replace("<head>", "<head>" + hook, 1).replace("<html ", f'<html data-style="{style}" ', 1)
            drawn = evaluated(other, "return window.drawn;")
            seen = {text: (fill, left, right, width) for text, fill, left, right, width in drawn}
            with self.subTest(style):
                for text in ("gpu EE queue", "gpu SM 0", "bound 5 ms"):
                    fill, left, right, width = seen[text]
                    self.assertGreaterEqual(contrast(fill, background), 4.5, text)
                    self.assertGreaterEqual(left, 0, text)
                    self.assertLessEqual(right, width, text)

    @needs_chromium
    def test_pages_draw_them_within_a_phone(self):
        self.simulated()
        page = self.compared("--format", "html")
        charts = len(re.findall('data-chart="', page))
        probe = """<script>var again = 0; setTimeout(function look() {
          var frame = document.querySelector('iframe').contentDocument;
          if (frame.querySelectorAll('figure canvas').length < CHARTS && again++ < 30) return setTimeout(look, 200);
          document.body.textContent = 'seen ' + JSON.stringify([frame.querySelectorAll('figure canvas').length, frame.documentElement.scrollWidth]);
        }, 2000);</script>""".replace("CHARTS", str(charts))
        document = opened_in_chromium(
            f'<!DOCTYPE html><html><head></head><body><iframe style="width: 360px; height: 900px" srcdoc="{html.escape(page)}"></iframe>{probe}</body></html>')
        drawn, width = json.loads(re.search(r"seen (\[.*?\])", document)[1])
        self.assertEqual(drawn, charts)
        self.assertLessEqual(width, 360)


if __name__ == "__main__":
    unittest.main()
