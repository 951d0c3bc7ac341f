"""rta plot, and the formats of what `rta sweep` prints: figures, pages."""

import csv
import io
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ROOT, rta, without_evidence
from sweep_folder import SPEC, Folder


class Plot(Folder):
    def setUp(self):
        super().setUp()
        text = SPEC.replace("random.gpu.utilization: {from", "random.shape: [chain, {gnp: 20 %}]\n    random.gpu.utilization: {from")
        self.assertEqual(rta("sweep", self.spec(30, text), "-o", self.folder / "out", "--quiet").returncode, 0)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_figures(self):
        starts = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}
        for chart in ("acceptance", "bounds", "ratios", "heat"):
            for extension, start in starts.items():
                with self.subTest(chart=chart, extension=extension):
                    figure = self.folder / f"{chart}.{extension}"
                    run = rta("plot", self.folder / "out", "--chart", chart, "-o", figure)
                    self.assertEqual((run.returncode, run.stderr), (0, ""))
                    self.assertTrue(figure.read_bytes().startswith(start))

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_drawing_touches_no_other_file(self):
        figures = self.folder / "figures"
        figures.mkdir()
        for name in ("a.new.svg", "a.new.svg.gp", "a.svg.gp"):
            (figures / name).write_text("mine")
        self.assertEqual(rta("plot", self.folder / "out", "-o", figures / "a.svg").returncode, 0)
        self.assertEqual(sorted(os.listdir(figures)), ["a.new.svg", "a.new.svg.gp", "a.svg", "a.svg.gp"])
        for name in ("a.new.svg", "a.new.svg.gp", "a.svg.gp"):
            self.assertEqual((figures / name).read_text(), "mine")

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_a_figure_keeps_permissions_and_link(self):
        real, link = self.folder / "real.svg", self.folder / "link.svg"
        real.write_text("old")
        real.chmod(0o600)
        link.symlink_to("real.svg")
        self.assertEqual(rta("plot", self.folder / "out", "-o", link).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertEqual((real.read_bytes()[:5], real.stat().st_mode & 0o777), (b"<?xml", 0o600))

    def test_an_interrupt_while_drawing_leaves_nothing(self):
        gnuplot = self.folder / "bin/gnuplot"
        gnuplot.parent.mkdir()
        gnuplot.write_text('#!/bin/sh\n: > "$READY"\nexec sleep 1000\n')
        gnuplot.chmod(0o755)
        figures = self.folder / "figures"
        figures.mkdir()
        environment = {**os.environ, "PATH": f"{gnuplot.parent}:{os.environ['PATH']}", "READY": str(self.folder / "ready")}
        process = subprocess.Popen([PROGRAM, "plot", self.folder / "out", "-o", figures / "a.svg"], env=environment, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while not (self.folder / "ready").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, error, os.listdir(figures)), (-signal.SIGINT, b"", []))

    def test_page_and_script(self):
        run = rta("plot", self.folder / "out", "-o", self.folder / "page.html", "-o", self.folder / "fig.gp", "--along", "random.shape")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        page = (self.folder / "page.html").read_text()
        self.assertIn("Acceptance ratio: random.shape = {gnp: 20 %}", page)
        self.assertNotIn("<script src", page)
        script = (self.folder / "fig.gp").read_text()
        self.assertIn("{gnp: 20 %%}", script)
        # Both analyses accept all of some points: the dashes of the second let the first show.
        self.assertIn("dashtype solid", script)
        self.assertIn("dashtype (9,4)", script)
        self.assertEqual(set(re.findall(r"pointtype (\d+)", script)), {"4", "6"})  # outlines, which show one another
        self.assertIn('"name":"dash","type":"ordinal","domain":["T5","T6a"],"range":[[],[9,4]]', page)
        contents = re.findall(r"<li><a[^>]*>([^<]*)</a>", page[page.index("<nav"):page.index("</nav>")])
        self.assertEqual(len(set(contents)), len(contents), contents)
        self.assertIn("weighted schedulability</th>", page)

    def test_contents_name_charts_of_a_kind_once_and_cut_no_value(self):
        text = SPEC.replace("random.gpu.utilization: {from", "random.gpu.shared_memory: [0 B, {0 B: 3, 32 KiB: 1}]\n    random.gpu.utilization: {from")
        text = text.replace("H: [128, 256]}", "H: [128, 256], shared_memory: 0 B}")
        self.assertEqual(rta("sweep", self.spec(2, text), "-o", self.folder / "two", "--quiet").returncode, 0)
        run = rta("plot", self.folder / "two", "-o", self.folder / "two.html")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        page = (self.folder / "two.html").read_text()
        contents = re.findall(r"<li><a[^>]*>([^<]*)</a>", page[page.index("<nav"):page.index("</nav>")])
        self.assertEqual(len(set(contents)), len(contents), contents)
        self.assertIn("Acceptance ratio", [title.removesuffix(" (2)") for title in contents])
        for title in contents:
            self.assertEqual(title.count("{"), title.count("}"), title)

    def test_labels_are_in_legends_titles_and_axes(self):
        run = rta("plot", self.folder / "out", "-o", self.folder / "fig.gp", "-o", self.folder / "page.html", "--scales", "free",
                  "--label", "random.gpu.utilization=GPU load", "--label", "random.shape=</script><b>'\\\"")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        script, page = (self.folder / "fig.gp").read_text(), (self.folder / "page.html").read_text()
        self.assertIn("set xlabel 'GPU load [%]'", script)
        self.assertIn("</script><b>''\\\" = chain", script)
        self.assertIn("Acceptance ratio: &lt;/script&gt;&lt;b&gt;", page)
        self.assertNotIn("</script><b>", page)
        self.assertIn("GPU load", page)

    def replaced(self, old, new):
        for table in ("summary.csv", "ratios.csv", "weighted.csv"):
            path = self.folder / "out" / table
            path.write_text(path.read_text().replace(old, new))

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_no_text_is_run_by_gnuplot(self):
        trap = self.folder / "PWNED"
        for old, new in ((",T6a,", f",T6a`touch {trap}`,"), ("random.shape", f"`touch {trap}`"), (",chain,", f",chain'.system('touch {trap}').',")):
            with self.subTest(new):
                self.replaced(old, new)
                for chart in ("acceptance", "ratios", "heat"):
                    run = rta("plot", self.folder / "out", "--chart", chart, "-o", self.folder / "figure.svg", "--label", f"T5=`touch {trap}`")
                    self.assertEqual(run.returncode, 0, run.stderr)
                self.assertFalse(trap.exists())
        # A figure whose name gnuplot would take for a command, and one that it would take for an option.
        for name in ("|touch PWNED;.svg", "`touch PWNED`.svg", "-e.svg"):
            with self.subTest(name):
                run = rta("plot", "out", f"-o{name}", cwd=self.folder)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertTrue((self.folder / name).exists())
                self.assertFalse(trap.exists())

    def test_names_that_command_are_refused_and_so_are_labels(self):
        run = rta("plot", self.folder / "out", "-o", self.folder / "figure.gp", "--label", "T5=\x1b[31m")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("--label 'T5=\\u001b[31m': the new name has a control character", run.stderr)
        run = rta("plot", self.folder / "out", "-o", self.folder / "a\nb.gp")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("has a control character, which no figure can show", run.stderr)
        self.replaced(",T6a,", ",T6a\x1b[31m,")
        run = rta("plot", self.folder / "out", "-o", self.folder / "figure.gp")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, r"summary.csv:\d+: 'T6a \[31m' has a control character, or is no UTF-8")

    def test_tables_that_do_not_fit_each_other_are_refused(self):
        ratios = self.folder / "out/ratios.csv"
        ratios.write_text("".join(line.split(",")[0] + "\n" for line in ratios.read_text().splitlines()))
        for name in ("figure.gp", "page.html"):
            run = rta("plot", self.folder / "out", "--chart", "ratios", "-o", self.folder / name)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("ratios.csv: has no column 'analysis'", run.stderr)

    def test_bounds_over_what_a_search_found_are_drawn(self):
        none = rta("plot", self.folder / "out", "--chart", "tightness", "-o", self.folder / "fig.gp")
        self.assertEqual((none.returncode, none.stdout), (2, ""))
        self.assertIn("nothing was simulated; give analyses `simulate: TIME`", none.stderr)
        spec = ROOT / "tasksets/sweeps/tightness.yaml"
        self.assertEqual(rta("sweep", spec, "--count", "1", "-o", self.folder / "tight", "--quiet").returncode, 0)
        run = rta("plot", self.folder / "tight", "--chart", "tightness", "-o", self.folder / "fig.gp", "-o", self.folder / "page.html")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        script = (self.folder / "fig.gp").read_text()
        self.assertIn("set logscale y", script)
        self.assertIn("title 'offsets'", script)
        self.assertIn("Bound over observed", (self.folder / "page.html").read_text())
        for row in csv.DictReader(io.StringIO((self.folder / "tight/results.csv").read_text())):
            if row["response_bound_over_observed_ppm"]:
                self.assertGreaterEqual(int(row["response_bound_over_observed_ppm"]), 1_000_000)

    def test_formats_of_the_sweep_itself(self):
        sweep = ("sweep", self.folder / "spec.yaml", "-o", self.folder / "out", "--count", "30")
        printed = without_evidence(rta(*sweep, "--format", "csv").stdout, "csv")
        self.assertEqual(printed, list(csv.reader(io.StringIO((self.folder / "out/summary.csv").read_text()))))
        self.assertIn("Acceptance ratio", rta(*sweep, "--format", "html").stdout)
        wrong = rta(*sweep, "--format", "pdf")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("allowed: text, csv, html", wrong.stderr)

    def test_misuse(self):
        cases = {
            "name the figure": [],
            "ends in .pdf, .svg, .png, .gp or .html": ["-o", self.folder / "fig.jpeg"],
            f"{self.folder}/none/fig.svg: No such file": ["-o", self.folder / "none/fig.svg"],
            "the grid does not vary it": ["-o", self.folder / "fig.pdf", "--along", "random.dags"],
            "no such value": ["-o", self.folder / "fig.pdf", "--chart", "pie"],
            "--scales 'log': no such value": ["-o", self.folder / "fig.pdf", "--scales", "log"],
            "--label 'T5': OLD=NEW is expected, where OLD is an analysis or a parameter (": ["-o", self.folder / "fig.pdf", "--label", "T5"],
            "the new name is empty": ["-o", self.folder / "fig.pdf", "--label", "random.shape="],
            "already has a label": ["-o", self.folder / "fig.pdf", "--label", "random.shape=a", "--label", "random.shape=b"],
            "two would be called 'random.shape'": ["-o", self.folder / "fig.pdf", "--label", "random.gpu.utilization=random.shape"],
        }
        for message, arguments in cases.items():
            with self.subTest(arguments=arguments):
                run = rta("plot", self.folder / "out", *arguments)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(message, run.stderr)
        run = rta("plot", self.folder, "-o", self.folder / "fig.pdf")
        self.assertEqual(run.returncode, 2)
        self.assertIn("summary.csv: cannot be read", run.stderr)


if __name__ == "__main__":
    unittest.main()
