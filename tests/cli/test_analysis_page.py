"""The page of `rta analyze --format html`."""

import html
import json
import re
import shutil
import unittest

from program import ROOT, opened_in_chromium, rta

CAMERAS = ROOT / "tasksets/examples/cameras.yaml"
UNBOUNDED = ROOT / "tasksets/literature/theorem-4.2.yaml"

# Leaves in the document what the charts became.
PROBE = """<script>
setTimeout(function () {
  var boxes = Array.from(document.querySelectorAll('figure > div'));
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
        ends = {row["name"]: row["to"] for row in values(timelines[0], "nodes")}
        for node in result["dags"][0]["nodes"]:
            self.assertAlmostEqual(ends[node["name"]], node["response_bound_ns"] / 1e6)
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

    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_draws_all_charts_within_the_page(self):
        document = opened_in_chromium(rta("analyze", CAMERAS, "--format", "html").stdout.replace("</body>", PROBE))
        body = document[document.find("<body"):][:300]
        for seen in ('data-charts="3"', 'data-drawn="3"', 'data-overflowing="0"'):
            self.assertIn(seen, body)


if __name__ == "__main__":
    unittest.main()
