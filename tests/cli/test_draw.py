"""rta draw: pictures of task sets, and names that try to be more than names."""

import pathlib
import re
import shutil
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from program import EXAMPLE, ROOT, opened_in_chromium, rta

SVG = "{http://www.w3.org/2000/svg}"
POOLS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999"]
# Names of DAG, nodes and pools that mean something in HTML, SVG or DOT.
HOSTILE = ["</script><b>", "<svg/onload=alert(1)>", "a\"];x[label=\"b", "back\\nslash\\", "&lt;i&gt;", "\\N", "]]>", "--!>", "'quote'",
           "<b>bold</b>"]


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def hostile_set():
    """One DAG per name, which is also that of its node; one pool per name."""
    quoted = [name.replace("\\", "\\\\").replace('"', '\\"') for name in HOSTILE]
    pools = "".join(f'  "{name}": {{processors: 1}}\n' for name in quoted)
    dags = "".join(f'  - {{name: "{name}", T: 10 ms, D: 9 ms, nodes: {{"{name}": {{on: "{name}", C: 1 ms}}}}}}\n' for name in quoted)
    return f"platform:\n{pools}dags:\n{dags}"


class TaskSets(unittest.TestCase):
    def test_bounds_lateness_and_the_critical_path_are_drawn(self):
        svg = rta("draw", EXAMPLE, "--format", "svg").stdout
        words = texts(svg)
        for text in ("camera", "T = 33 ms, D = 100 ms", "bound 7.3 ms (T24), lateness -92.7 ms", "120 x 256 threads, 0.4 ms", "bound 6.3 ms"):
            self.assertIn(text, words)
        self.assertEqual(sorted(words), sorted(texts((ROOT / "docs/pictures/pedestrian.svg").read_text())))  # README's picture
        dot = rta("draw", EXAMPLE).stdout
        bold = re.findall(r"n0_(\d) -> n0_(\d) \[penwidth=3", dot)
        self.assertEqual(bold, [("0", "1"), ("1", "2"), ("2", "3"), ("3", "5")])  # capture -> resize -> gradient -> classify -> decide
        self.assertEqual(len(re.findall(r"n0_\d -> n0_\d", dot)), 6)

    def test_a_miss_and_a_bound_that_is_none_are_said(self):
        text = EXAMPLE.read_text().replace("D: 100 ms", "D: 7 ms")
        self.assertIn("MISSED by 300 us", rta("draw", "-", stdin=text).stdout)
        run = rta("draw", ROOT / "tasksets/literature/theorem-4.2.yaml")
        self.assertEqual(run.returncode, 0)
        self.assertIn("no bound", run.stdout)
        self.assertNotIn("lateness", run.stdout)

    def test_pools_have_the_colours_that_pages_give_them(self):
        dot = rta("draw", EXAMPLE).stdout
        self.assertEqual(re.findall(r'label="(cpu|gpu)", fillcolor="(#\w+)"', dot), [("cpu", POOLS[0]), ("gpu", POOLS[1])])
        self.assertEqual(dot.count(f'fillcolor="{POOLS[0]}"'), 5)  # four nodes and the legend
        self.assertEqual(dot.count(f'fillcolor="{POOLS[1]}"'), 3)
        page = rta("analyze", EXAMPLE, "--format", "html").stdout
        self.assertRegex(page, f'"domain":\\["cpu","gpu"\\],[^}}]*"range":\\["{POOLS[0]}","{POOLS[1]}"\\]')

    def test_without_bounds_it_is_the_file_alone(self):
        dot = rta("draw", EXAMPLE, "--no-bounds").stdout
        self.assertNotIn("bound", dot)
        self.assertNotIn("penwidth", dot)
        run = rta("draw", EXAMPLE, "--no-bounds", "--release", "offsets")
        self.assertEqual((run.returncode, run.stdout), (2, ""))

    def test_options_of_the_analysis_are_used(self):
        self.assertIn("bound 14.336667 ms", rta("draw", EXAMPLE, "--release", "offsets").stdout)

    def test_every_task_set_is_drawn(self):
        for path in [*(ROOT / "tasksets/examples").glob("*.yaml"), *(ROOT / "tasksets/literature").glob("*.yaml")]:
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                run = rta("draw", path, "--no-bounds", "-q", "-o", pathlib.Path(folder, "x.svg"))
                self.assertEqual(run.returncode, 0, run.stderr)
                ElementTree.fromstring(pathlib.Path(folder, "x.svg").read_text())


class LargeTaskSets(unittest.TestCase):
    HOG = ROOT / "tasksets/literature/hog-like.yaml"

    def test_equal_nodes_and_dags_are_drawn_once_and_it_is_said(self):
        dot = rta("draw", self.HOG, "--release", "completion").stdout
        self.assertIn("camera[0] ... camera[5] (6 DAGs)", dot)
        self.assertEqual(len(re.findall(r"subgraph cluster_\d", dot)), 1)
        self.assertIn('label="grad0 ... grad12\\n13 nodes on gpu\\nat most 401 x 256 threads, 120 us\\nbound at most ', dot)
        nodes = len(re.findall(r"^    n0_\d+ \[", dot, re.M))
        self.assertLess(nodes, 30)
        self.assertIn(f"184 nodes are drawn as {nodes}: those alike share one", dot)
        self.assertIn("--all draws every node and DAG.", dot)
        self.assertIn("rankdir=TB", dot)
        self.assertIn("penwidth=3", dot)

    def test_frames_of_a_schedule_share_a_node(self):
        with tempfile.TemporaryDirectory() as folder:
            text = ("platform:\n  cpu: {processors: 1, scheduler: FIFO}\ntasks:\n  - {name: often, on: cpu, T: 1 ms, D: 1 ms, C: 100 us}\n"
                    "  - {name: seldom, on: cpu, T: 100 ms, D: 100 ms, C: 500 us}\n")
            schedule = pathlib.Path(folder, "schedule.yaml")
            self.assertEqual(rta("compile", "-", "-o", schedule, "-q", stdin=text).returncode, 0)
            dot = rta("draw", schedule).stdout
            self.assertRegex(dot, r'label="[\w.]*often x 100\\n0 ms to [\d.]+ ms\\n')
            self.assertIn("101 jobs are drawn as 2: all frames of a runnable share one", dot)
            self.assertEqual(len(re.findall(r"^    h0_\d+ \[", dot, re.M)), 2)
            self.assertEqual(len(re.findall(r"^    h0_\d+ \[", rta("draw", schedule, "--all").stdout, re.M)), 101)

    def test_all_draws_each(self):
        dot = rta("draw", self.HOG, "--no-bounds", "--all").stdout
        self.assertEqual(len(re.findall(r"^    n\d+_\d+ \[", dot, re.M)), 6 * 184)
        self.assertNotIn("--all", dot)
        self.assertNotIn("...", dot)
        schedule = rta("draw", "-", "--all", stdin=(ROOT / "tasksets/static/cpu_gpu.yaml").read_text())
        self.assertEqual((schedule.returncode, "--all has no effect on" in schedule.stderr), (2, True))

    def test_it_fits_a_page(self):
        svg = ElementTree.fromstring(rta("draw", self.HOG, "--release", "completion", "--format", "svg").stdout)
        self.assertLess(float(svg.get("width").removesuffix("pt")), 1000)
        self.assertLess(float(svg.get("height").removesuffix("pt")), 2500)

    def test_numbers_of_merged_nodes_are_the_largest_of_each(self):
        rows = "".join(f"      a{i}: {{on: cpu, C: {i + 1} ms}}\n      k{i}: {{on: gpu, B: {90 - i}, H: {32 * (i % 8 + 1)}, L: 1 ms}}\n" for i in range(40))
        edges = ", ".join(f"a{i} -> k{i}" for i in range(40))
        text = f"platform:\n  cpu: {{processors: 8}}\n  gpu: {{sms: 8, threads: 2048}}\ndags:\n  - name: d\n    T: 1 s\n    nodes:\n{rows}    edges: [{edges}]\n"
        dot = rta("draw", "-", "--no-bounds", stdin=text).stdout
        self.assertIn("a0 ... a39\\n40 nodes on cpu\\nat most C = 40 ms", dot)
        self.assertIn("k0 ... k39\\n40 nodes on gpu\\nat most 90 x 256 threads, 1 ms", dot)
        self.assertEqual(len(re.findall("->", dot)), 1)
        # One row longer than the others is for itself.
        longer = text.replace("edges: [a0 -> k0", "edges: [a0 -> k0, k0 -> a1x").replace("    nodes:\n", "    nodes:\n      a1x: {on: cpu, C: 1 ms}\n")
        dot = rta("draw", "-", "--no-bounds", stdin=longer).stdout
        self.assertIn("a1 ... a39\\n39 nodes on cpu", dot)
        self.assertIn('label="a0\\ncpu', dot)


class HostileNames(unittest.TestCase):
    def test_svg_shows_names_as_they_are_and_holds_nothing_else(self):
        svg = rta("draw", "-", "--format", "svg", "-q", stdin=hostile_set()).stdout
        root = ElementTree.fromstring(svg)
        self.assertEqual({element.tag for element in root.iter()} - {f"{SVG}{tag}" for tag in ("svg", "g", "title", "polygon", "path", "polyline", "text")},
                         set())
        self.assertEqual([name for name in root.iter() if any(key.startswith("on") for key in name.attrib)], [])
        words = texts(svg)
        for name in HOSTILE:
            self.assertEqual(words.count(name), 4, name)  # DAG, node, its pool, the legend

    def test_dot_has_the_nodes_and_edges_of_the_file_alone(self):
        dot = rta("draw", "-", "-q", stdin=hostile_set()).stdout
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', '""', dot)
        self.assertEqual(len(re.findall(r"^ +n\d+_0 \[label=\"\", fillcolor=\"\", fontcolor=\"\"(, penwidth=3)?\];$", outside, re.M)), len(HOSTILE))
        self.assertNotIn("->", outside)
        self.assertNotIn("alert", outside)

    @unittest.skipUnless(shutil.which("chromium"), "chromium is not installed")
    def test_the_page_runs_nothing_and_asks_for_nothing(self):
        page = rta("draw", "-", "--format", "html", "-q", stdin=hostile_set()).stdout
        document = opened_in_chromium(page)
        self.assertNotIn("<b>", document)
        self.assertIn("&lt;/script&gt;&lt;b&gt;", document)
        self.assertIn("SHA-256", document)


if __name__ == "__main__":
    unittest.main()
