"""Kernels whose durations were measured alone (`alone`, `interference`): bounds, explanations, certificates, and what refuses them."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

EXAMPLE = ROOT / "tasksets/examples/contention.yaml"
# The worked examples of docs/theory/contention.md.
MATRIX = "classes: [registers, L2, DRAM], other-sm: {registers: [0, 0, 0], L2: [0, 0.46, 2.32], DRAM: [0.01, 0.71, 1.74]}"
ONE = """
platform:
  gpu: {sms: 2, threads: 64, interference: {MATRIX}}
dags:
  - name: d
    T: PERIOD
    nodes:
      k1: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}
      k2: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: DRAM}
    edges: [k1 -> k2]
"""


def one(period):
    return ONE.replace("MATRIX", MATRIX).replace("PERIOD", period)


PARALLEL = ONE.replace("    edges: [k1 -> k2]\n", "")
CLOCK = """
platform:
  gpu: {sms: 2, threads: 64, interference: {MATRIX}}
tasks:
  - {name: a, T: 100 us, phase: 0 us, periodic: true, on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}
  - {name: b, T: 100 us, phase: 0 us, periodic: true, on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: DRAM}
""".replace("MATRIX", MATRIX)


def result(text, *options):
    return json.loads(rta("analyze", "-", "-q", "--format", "json", *options, stdin=text).stdout)


def falls(pair):
    return [pair[key] for key in ("a", "a_before_ns", "a_after_ns", "b", "b_before_ns", "b_after_ns")]


class KeptApart(unittest.TestCase):
    def test_an_edge(self):
        found = result(PARALLEL.replace("MATRIX", MATRIX).replace("PERIOD", "100 us"))
        self.assertEqual((found["verdict"], found["dags"][0]["response_bound_ns"]), ("schedulable", 21_951))  # 21.95 us, rounded up
        best = found["remedies"]["list"][0]
        self.assertEqual((best["change"], best["dags"][0]["response_bound_ns"]), ("in the file, an edge k1 -> k2 in d", 20_000))
        self.assertEqual([falls(pair) for pair in best["kept_apart"]], [["d/k1", 21_950, 10_000, "d/k2", 17_100, 10_000]])
        # The set that it names has that bound.
        self.assertEqual(result(one("100 us"))["dags"][0]["response_bound_ns"], 20_000)

    def test_an_edge_that_mends_a_deadline_is_what_helps(self):
        text = PARALLEL.replace("MATRIX", MATRIX).replace("PERIOD", "100 us\n    D: 21 us")
        run = rta("analyze", "-", stdin=text)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"1  in the file, an edge k1 -> k2 in d; d/k1 \(10 us, not 21.95 us\) and d/k2 \(10 us, not 17.1 us\) no longer meet +"
                                     r"all deadlines met; d 20 us, not 22.0 us")

    def test_phases(self):
        found = result(CLOCK)
        best = found["remedies"]["list"][0]
        self.assertRegex(best["change"], "^in the file, phase: [0-9]+ us for b$")
        self.assertEqual([falls(pair) for pair in best["kept_apart"]], [["a", 21_950, 10_000, "b", 17_100, 10_000]])
        self.assertEqual([dag["response_bound_ns"] for dag in best["dags"]], [10_001, 10_001])

    def test_one_stream(self):
        # Three that run in parallel: an edge keeps two apart, a stream all.
        text = PARALLEL.replace("MATRIX", MATRIX).replace("PERIOD", "1 ms") + "      k3: {on: gpu, B: 2, H: 64, L: {alone: 10 us}, class: L2}\n"
        changes = [one["change"] for one in result(text)["remedies"]["list"]]
        self.assertIn("in the file, one stream for all kernels of d", changes)

    def test_a_cliff_is_named(self):
        found = result(one("18 us"))
        self.assertEqual(found["verdict"], "unbounded")
        best = found["remedies"]["list"][0]
        self.assertEqual(best["change"], "in the file, T: 20 us for d: there its jobs part; at 19.999 us a job still meets the next")
        self.assertEqual(best["dags"][0]["response_bound_ns"], 20_000)
        self.assertIn(["d/k1", "d/k2"], [[pair["a"], pair["b"]] for pair in best["kept_apart"]])
        self.assertNotIn("remedies", result(one("20 us")))

    def test_the_same_every_time(self):
        text = PARALLEL.replace("MATRIX", MATRIX).replace("PERIOD", "20 us\n    D: 15 us")
        first, again = [rta("analyze", "-", stdin=text).stdout for _ in range(2)]
        self.assertEqual(first, again)

    def test_chosen(self):
        file = ROOT / "tasksets/optimize/contention-apart.yaml"
        first = file.read_text().replace("    variants:\n      - edges", "    edges").replace("[0 ms, 10 ms]", "0 ms")
        first = "".join(line for line in first.splitlines(True) if not line.startswith("      - edges"))
        changes = [one["change"] for one in result(first)["remedies"]["list"]]
        self.assertIn("in the file, an edge flow -> segment in perception", changes)
        chosen = rta("optimize", file)
        self.assertEqual(chosen.returncode, 0, chosen.stdout + chosen.stderr)
        self.assertIn("*  {edges: [read -> flow -> segment -> publish]}", chosen.stdout)


class Meetings(unittest.TestCase):
    def pairs(self, table):
        return {(pair["a"], pair["b"]): (pair["meeting"], pair["of"], pair["reasons"]) for pair in table["pairs"]}

    def test_who_can_meet_whom(self):
        found = json.loads(rta("analyze", EXAMPLE, "-q", "--format", "json").stdout)
        self.assertEqual(len(found["meetings"]), 1)
        pairs = self.pairs(found["meetings"][0])
        self.assertEqual(pairs["camera/resize", "camera/detect"], (0, 1, ["order"]))
        self.assertEqual(pairs["camera/detect", "camera/detect"], (0, 1, ["over"]))
        self.assertEqual(pairs["camera/detect", "track"], (1, 1, ["dags"]))
        text = rta("analyze", EXAMPLE, "--verbose").stdout
        self.assertIn("Who can meet whom on gpu", text)
        self.assertRegex(text, r"camera/detect +track \(no clock releases both DAGs\)")
        self.assertEqual(self.pairs(result(one("18 us"))["meetings"][0])["d/k1", "d/k2"], (1, 1, ["jobs"]))
        self.assertEqual(self.pairs(result(CLOCK)["meetings"][0])["a", "b"], (1, 1, ["windows"]))
        self.assertEqual(self.pairs(result(CLOCK.replace("phase: 0 us", "phase: 50 us", 1))["meetings"][0])["a", "b"], (0, 1, ["clock"]))
        # With columns copies and CPU nodes are there, too, and not two by two.
        beside = result("""
platform:
  cpu: {processors: 1}
  copy: {engines: 1}
  gpu: {sms: 2, threads: 64, interference: {classes: [L2], other-sm: {L2: [0]}, beside: {copies: [0.4], cpu: [0.5]}}}
dags:
  - {name: d, T: 1 ms, nodes: {up: {on: copy, C: 10 us}, k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}}, edges: [up -> k]}
  - {name: e, T: 1 ms, nodes: {c: {on: cpu, C: 10 us}}}
""")["meetings"][0]
        self.assertEqual((beside["kernels"], beside["others"], beside["names"]), (1, 2, ["d/k", "d/up", "e/c"]))
        self.assertEqual(self.pairs(beside), {("d/k", "d/k"): (0, 1, ["over"]), ("d/k", "d/up"): (0, 1, ["order"]), ("d/k", "e/c"): (1, 1, ["dags"])})
        self.assertNotIn("meetings", json.loads(rta("analyze", ROOT / "tasksets/examples/two-buffers.yaml", "--format", "json").stdout))

    def test_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.html")
            rta("analyze", EXAMPLE, "-o", page)
            text = page.read_text()
            self.assertTrue('<td class="marked" title="camera/detect, track can meet: no clock releases both DAGs">D</td>' in text)
            self.assertTrue('<td title="camera/resize, camera/detect never meet: one follows the other' in text)
            self.assertTrue("0.3 ms alone, 0.696 ms more by company" in text)

    def test_many_kernels_are_folded_by_dag(self):
        kernels = "".join(f"      n{i}: {{on: gpu, B: 1, H: 64, L: {{alone: 1 us}}, class: L2}}\n" for i in range(30))
        edges = "    edges: [" + " -> ".join(f"n{i}" for i in range(30)) + "]\n"
        dags = "".join(f"  - name: {name}\n    T: {T} ms\n    nodes:\n{kernels}{edges}" for name, T in (("a", 10), ("b", 20)))
        table = result(f"platform:\n  gpu: {{sms: 2, threads: 64, interference: {{{MATRIX}}}}}\ndags:\n{dags}")["meetings"][0]
        self.assertEqual((table["kernels"], table["folded"], table["names"], table["left_out"]), (60, True, ["a", "b"], 0))
        pairs = self.pairs(table)
        self.assertEqual(pairs["a", "b"], (900, 900, ["dags"]))
        self.assertEqual(pairs["a", "a"], (0, 900, ["order", "over"]))


class Contention(unittest.TestCase):
    def test_example(self):
        run = rta("analyze", EXAMPLE, "--explain", "camera/detect")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("C1: L of camera/detect = 300000 ns alone + 696000 ns beside DRAM: track can meet it", run.stdout)
        self.assertIn("never beside it: resize", run.stdout)

    def test_cliff(self):
        self.assertEqual(rta("analyze", "-", stdin=one("20 us")).returncode, 0)
        run = rta("analyze", "-", "--release", "completion", stdin=one("18 us"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("company: 'd/k2' may be unfinished, as it is bounded by 20001 ns", run.stderr)

    def test_json_says_what_was_added(self):
        run = rta("analyze", EXAMPLE, "--format", "json")
        nodes = {node["name"]: node for node in json.loads(run.stdout)["dags"][0]["nodes"]}
        self.assertEqual((nodes["detect"]["alone_ns"], nodes["detect"]["company_ns"]), (300_000, 696_000))
        self.assertNotIn("alone_ns", nodes["read"])

    def test_certificates(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate = pathlib.Path(folder) / "set.cert"
            for release in ("completion", "offsets", "early", "segments", "static"):
                run = rta("analyze", EXAMPLE, "--release", release, "--certificate", certificate)
                self.assertIn(run.returncode, (0, 1), run.stderr)
                self.assertIn("company 0 2 ", certificate.read_text())
                checked = subprocess.run([str(pathlib.Path(PROGRAM).with_name("rta-check")), EXAMPLE, certificate], capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_copies_and_cpu_nodes(self):
        beside = """
platform:
  cpu: {processors: 1, scheduler: FIFO}
  copy: {engines: 1}
  gpu: {sms: 2, threads: 64, interference: {classes: [L2], other-sm: {L2: [0]}, beside: {copies: [0.4], cpu: [0.5]}}}
dags:
  - {name: d, T: 1 ms, nodes: {up: {on: copy, C: 10 us, direction: h2d}, k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}}, edges: [up -> k]}
  - {name: e, T: 1 ms, nodes: {up: {on: copy, C: 10 us, direction: h2d}}}
  - {name: f, T: 1 ms, nodes: {c: {on: cpu, C: 10 us}}}
"""
        run = rta("analyze", "-", "--explain", "d/k", stdin=beside)
        self.assertIn("C1: L of d/k = 10000 ns alone + 9000 ns beside copies: e/up; CPU nodes: f/c can meet it", run.stdout)
        self.assertIn("never beside it: up (F = ", run.stdout)
        self.assertIn("but for what `interference` says of the kernels, copies and CPU nodes beside them", run.stdout)
        with tempfile.TemporaryDirectory() as folder:
            file, certificate = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "set.cert")
            file.write_text(beside)
            self.assertIn("beside: {copies: [0.4], cpu: [0.5]}", rta("convert", file, "--to", "yaml").stdout)
            for release in ("completion", "offsets", "early", "segments", "static"):
                self.assertEqual(rta("analyze", file, "--release", release, "--certificate", certificate).returncode, 0)
                checked = subprocess.run([str(pathlib.Path(PROGRAM).with_name("rta-check")), file, certificate], capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_a_profile_says_what_company_does_where_the_file_does_not(self):
        measured = (ROOT / "validation/profiles/h200.yaml").read_text().split("\ninterference:")[0].rstrip("\n")
        text = EXAMPLE.read_text()
        without = text[:text.index("    interference:")] + text[text.index("\ndags:"):]
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder, "measured.yaml")
            profile.write_text(f"{measured}\ninterference: {{{MATRIX}}}\n")
            of = {"file": rta("analyze", "-", "--profile", profile, "--format", "json", stdin=text),
                  "profile": rta("analyze", "-", "--profile", profile, "--format", "json", stdin=without)}
            self.assertIn("warning: platform.gpu.interference is that of the profile's NVIDIA H200", of["profile"].stderr)
            self.assertNotIn("interference", of["file"].stderr)
            self.assertEqual(*[json.loads(run.stdout)["dags"] for run in of.values()])
            self.assertGreater(json.loads(of["profile"].stdout)["dags"][0]["nodes"][2]["company_ns"], 696_000)
            table = rta("analyze", "-", "--profile", profile, "--set", "camera.T=33 ms,66 ms", stdin=without)
            self.assertEqual(table.returncode, 0, table.stderr)
            refused = rta("analyze", "-", "--profile", profile, "--certificate", pathlib.Path(folder, "a.cert"), stdin=without)
            self.assertEqual((refused.returncode, "write `interference` into it" in refused.stderr), (2, True))
            profile.write_text(measured + "\n")
            self.assertIn("has no `interference`", rta("analyze", "-", "--profile", profile, stdin=without).stderr)

    def test_simulation_plays_company_while_it_is_there(self):
        run = rta("simulate", EXAMPLE, "--duration", "1s")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("as if all", run.stderr)
        # k1 of 10 us is alone on the GPU in every job of the one DAG.
        alone = json.loads(rta("simulate", "-", "--duration", "1ms", "--format", "json", stdin=one("20 us")).stdout)
        self.assertEqual([node["observed_max_ns"] for node in alone["nodes"]], [10_000, 20_000])

    def test_programs_play_the_worst_company(self):
        with tempfile.TemporaryDirectory() as folder:
            run = rta("workload", EXAMPLE, "-o", folder + "/program")
            self.assertIn("are played as if all that they can meet were there as long as it ever may be", run.stderr)

    def test_written_back_and_refused(self):
        written = rta("convert", EXAMPLE, "--to", "yaml")
        self.assertEqual(written.returncode, 0, written.stderr)
        self.assertIn("L: {alone: 300 us}, class: L2", written.stdout)
        self.assertEqual(rta("analyze", "-", stdin=written.stdout).returncode, 0)
        coarse = rta("analyze", EXAMPLE, "--granularity", "coarse")
        self.assertEqual(coarse.returncode, 2)
        self.assertIn("leave --granularity out", coarse.stderr)

    def test_slack_and_what_helps(self):
        run = rta("analyze", EXAMPLE, "--slack")
        self.assertEqual(run.returncode, 0, run.stderr)
        late = rta("analyze", EXAMPLE, "--set", "camera.D=2 ms")
        self.assertEqual(late.returncode, 1)
        self.assertIn("What helps", late.stdout)

    def test_compiled(self):
        run = rta("compile", EXAMPLE, "--effort", "0")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertIn("as if all that edges do not keep apart were beside them", run.stderr)


if __name__ == "__main__":
    unittest.main()
