"""The page of `rta analyze --format html`."""

import html
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from program import EXAMPLE, ROOT, opened_in_chromium, rta

CAMERAS = ROOT / "tasksets/examples/cameras.yaml"
UNBOUNDED = ROOT / "tasksets/literature/theorem-4.2.yaml"

# Leaves in the document what the charts became.
PROBE = """<script>
setTimeout(function () {
  var boxes = Array.from(document.querySelectorAll('figure > div[id]'));
  document.body.dataset.charts = window.rtaViews.length;
  document.body.dataset.drawn = boxes.filter(function (box) { return box.querySelector('canvas'); }).length;
  document.body.dataset.overflowing = boxes.filter(function (box) { return box.scrollWidth > box.clientWidth; }).length;
}, 1000);
</script></body>"""


def charts(page):
    return [json.loads(text) for text in re.findall(r'data-chart="[^"]*">(.*?)</script>', page)]


def values(chart, name):
    return next(data["values"] for data in chart["data"] if data["name"] == name)


class AnalysisPage(unittest.TestCase):
    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_the_page_on_paper(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.pdf")
            run = rta("analyze", EXAMPLE, "-o", report)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
            paper = report.read_bytes()
            self.assertTrue(paper.startswith(b"%PDF-"))
            self.assertIn(b"/Title (pedestrian.yaml", paper)
            made = rta("compile", ROOT / "tasksets/static/driving.yaml", "--effort", "1", "--format", "pdf", "-o", pathlib.Path(folder, "order"))
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertTrue(pathlib.Path(folder, "order").read_bytes().startswith(b"%PDF-"))
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), ["order", "report.pdf"])

    def test_without_a_browser_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            run = rta("analyze", EXAMPLE, "-o", pathlib.Path(folder, "report.pdf"), env={**os.environ, "PATH": folder})
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("chromium is missing (Debian: chromium)", run.stderr)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_no_heading_stands_above_nothing(self):
        for path, status in ((UNBOUNDED, 1), (CAMERAS, 0)):
            run = rta("analyze", path, "--format", "html")
            self.assertEqual((run.returncode, run.stderr), (status, ""))
            self.assertNotRegex(run.stdout, r'</h2>\s*(<div class="beside">\s*</div>\s*)?<h2')
        self.assertIn(">DAG radar</h2>", run.stdout)

    def test_shows_the_numbers_of_the_json_result(self):
        run = rta("analyze", CAMERAS, "--format", "html", "--explain", "radar")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        result = json.loads(rta("analyze", CAMERAS, "--format", "json").stdout)
        bounds, *timelines = charts(run.stdout)
        drawn = {row["name"].split(" ... ")[0]: row["bound"] for row in values(bounds, "dags")}
        for dag in result["dags"]:
            if dag["name"] in drawn:
                self.assertAlmostEqual(drawn[dag["name"]], dag["response_bound_ns"] / 1e6)
        self.assertEqual(set(drawn), {"camera[0]", "radar", "logger"})
        self.assertEqual(len(timelines), 2)  # the logger is a single node
        timeline = next(chart for chart in timelines if "capture" in [row["name"] for row in values(chart, "nodes")])
        ends = {row["name"]: row["to"] for row in values(timeline, "nodes")}
        for node in result["dags"][0]["nodes"]:
            self.assertAlmostEqual(ends[node["name"]], node["response_bound_ns"] / 1e6)
        # resize runs its C at the end of the bar, after waiting.
        lengths = {node["name"]: node["to"] - node["runs"] for node in values(timeline, "nodes")}
        waits = {node["name"]: node["runs"] - node["from"] for node in values(timeline, "nodes")}
        self.assertTrue(all(wait >= 0 for wait in waits.values()) and all(length > 0 for length in lengths.values()))
        self.assertGreater(max(waits.values()), 0)
        text = html.unescape(run.stdout)
        for pool in result["pools"]:
            self.assertIn(f"<td>{pool['name']}</td>", text)
        self.assertIn("Bound of radar", text)

    def test_an_unbounded_set_has_its_reason_and_no_chart(self):
        run = rta("analyze", UNBOUNDED, "--format", "html")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(charts(run.stdout), [])
        self.assertIn("exceeds the capacity 3072", run.stdout)

    def test_parts_of_late_bounds_add_up_and_the_latest_comes_first(self):
        late = """platform: {cpu: {processors: 1, scheduler: FIFO}}
tasks:
  - {name: late, on: cpu, C: 2 ms, T: 20 ms, D: 9 ms}
  - {name: later, on: cpu, C: 3 ms, T: 20 ms, D: 4 ms}
  - {name: long, on: cpu, C: 5 ms, T: 20 ms}
"""
        result = json.loads(rta("analyze", "-", "--format", "json", stdin=late).stdout)
        bounds = {dag["name"]: dag["response_bound_ns"] / 1e6 for dag in result["dags"]}
        _, whys, *_ = charts(rta("analyze", "-", "--format", "html", stdin=late).stdout)
        ends = {}
        for part in values(whys, "parts"):
            self.assertAlmostEqual(part["from"], ends.get(part["dag"], 0))
            ends[part["dag"]] = part["to"]
        self.assertEqual(list(ends), ["later", "late"])
        for dag, end in ends.items():
            self.assertAlmostEqual(end, bounds[dag])
        self.assertEqual({row["dag"]: row["deadline"] for row in values(whys, "deadlines")}, {"late": 9, "later": 4})

    def test_bars_end_with_the_execution_and_show_the_deadline_and_the_worst_dag_comes_first(self):
        late = """platform: {cpu: {processors: 1, scheduler: FIFO}}
dags:
  - {name: fine, T: 40 ms, D: 40 ms, nodes: {a: {on: cpu, C: 1 ms}}}
  - name: late
    T: 40 ms
    D: 9 ms
    nodes: {x: {on: cpu, C: 4 ms}, y: {on: cpu, C: 6 ms}}
    edges: [x -> y]
"""
        page = rta("analyze", "-", "--format", "html", "--release", "completion", stdin=late).stdout
        bounds, timeline = charts(page)[0], charts(page)[-1]
        self.assertEqual([row["name"] for row in values(bounds, "dags")], ["late", "fine"])
        x, y = values(timeline, "nodes")
        # fine's 1 ms may run before x: 1 + 4, and y follows at once: 5 + 6.
        self.assertEqual((x["from"], x["runs"], x["to"]), (0, 1, 5))
        self.assertEqual((y["from"], y["runs"], y["to"]), (5, 5, 11))
        self.assertEqual([row["deadline"] for row in values(timeline, "deadline")], [9])

    def test_a_dag_stands_beside_where_its_time_goes(self):
        late = EXAMPLE.read_text().replace("D: 100 ms", "D: 7.5 ms")
        run = rta("analyze", "-", "--format", "html", "--release", "segments", stdin=late)
        self.assertEqual((run.returncode, run.stdout.count('<div class="beside">')), (1, 1))
        beside = html.unescape(run.stdout.split('<div class="beside">')[1])
        picture, waterfall = beside.split('<table class="waterfall">')
        # The rows are those of the table that says why, and each bar begins where the one above ends.
        rows = re.findall(r"<th scope=\"row\">(.*?)</th><td>(.*?)</td>", waterfall.split("</table>")[0])
        why = re.search(r">Why camera:.*?<tbody>(.*?)</tbody>", html.unescape(run.stdout), re.S)[1]
        parts = re.findall(r"<tr><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td></tr>", why)
        self.assertEqual(rows[:-2], parts[:-1])
        self.assertEqual(rows[-2:], [("bound", "8.3 ms"), ("deadline 7.5 ms (the line), MISSED by 0.8 ms", "")])
        bars = [tuple(map(float, bar)) for bar in re.findall(r"left:([\d.]+)%;width:([\d.]+)%", waterfall)]
        for above, below in zip(bars, bars[1:len(parts) - 1]):
            self.assertAlmostEqual(sum(above), below[0], places=2)
        self.assertAlmostEqual(bars[0][1], 100 * 7.3 / 8.3, places=2)  # execution
        self.assertEqual(bars[-2], (0, 100))
        self.assertEqual(set(re.findall(r'<i style="left:([\d.]+)%', waterfall)), {f"{100 * 7.5 / 8.3:.3f}"})
        # capture -> resize -> gradient -> classify -> decide is bold: five nodes and four edges, which have a line and a head.
        self.assertEqual(len(re.findall(r'class="node"', picture)), 6)
        self.assertEqual(len(re.findall(r'stroke-width="3"', picture)), 5 + 2 * 4)
        self.assertIn("critical path capture -> resize -> gradient -> classify -> decide", picture)
        self.assertNotIn("<title>", picture)

    def test_parts_too_many_to_read_share_a_row_and_a_far_deadline_has_no_bar(self):
        dags = "".join(f"  - {{name: d{i}, T: {100 + i} ms, D: {90 + i} ms, nodes: {{a: {{on: cpu, C: {i + 1} us}}}}}}\n" for i in range(30))
        page = html.unescape(rta("analyze", "-", "--format", "html", stdin="platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n" + dags).stdout)
        waterfall = page.split('<table class="waterfall">')[1].split("</table>")[0]
        rows = re.findall(r"<th scope=\"row\">(.*?)</th>", waterfall)
        self.assertLessEqual(len(rows), 13)
        self.assertEqual(len([row for row in rows if re.fullmatch(r"\d+ smaller parts", row)]), 1, rows)
        self.assertEqual(waterfall.count('class="bar"'), len(rows) - 1)
        self.assertNotIn("<i ", waterfall)

    def test_places_in_a_static_order_are_no_sums(self):
        run = rta("analyze", EXAMPLE, "--release", "static", "--time-limit", "5", "-q", "--format", "html")
        self.assertEqual(run.returncode, 0)
        self.assertIn("<svg ", run.stdout)
        self.assertNotIn('class="waterfall"', run.stdout)

    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_draws_all_charts_within_the_page(self):
        document = opened_in_chromium(rta("analyze", CAMERAS, "--format", "html").stdout.replace("</body>", PROBE))
        body = document[document.find("<body"):][:300]
        for seen in ('data-charts="3"', 'data-drawn="3"', 'data-overflowing="0"'):
            self.assertIn(seen, body)


if __name__ == "__main__":
    unittest.main()
