"""DAGs that threads play (`threads`): bounded, explained, simulated, certified, and refused where nothing is known of them."""

import csv
import io
import json
import pathlib
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

YOLO = ROOT / "tasksets/literature/tiny-yolo-threads.yaml"
# The job of 8 ms of docs/theory/threads.md.
FILTER = """
platform:
  cpu: {processors: 1, scheduler: FIFO}
  gpu: {sms: 1, threads: 64}
dags:
  - name: f
    T: PERIOD
    threads: COUNT
    nodes:
      a: {on: cpu, C: 1 ms}
      k: {on: gpu, B: 1, H: 64, L: 6 ms}
      b: {on: cpu, C: 1 ms}
    edges: [a -> k -> b]
"""


def filter_of(period, count=1):
    return FILTER.replace("PERIOD", period).replace("COUNT", str(count))


# Two jobs of `a` and `b` hold the processor for 5 of 10 us, and no hold of a thread is known to end within 2 T: T21h has H = 25 us.
HELD_TOO_LONG = """
platform: {cpu: {processors: 1, scheduler: FIFO}, w: {workers: 1}}
dags:
  - {name: a, T: 10 us, threads: 2, nodes: {v: {on: cpu, C: 3 us}}}
  - {name: b, T: 10 us, threads: 2, nodes: {u: {on: cpu, C: 2 us}, k: {on: w, B: 1, L: 3 us}, v: {on: cpu, C: 1 us}}, edges: [u -> k -> v]}
"""
# Whether F <= k T is not what deadlines ask for.
NO_DEADLINES = """
platform: {cpu: {processors: 1, scheduler: FP}, w: {workers: 1}}
dags:
  - {name: a, T: 10 us, threads: 2, nodes: {u: {on: cpu, C: 3 us}, k: {on: w, B: 1, L: 2 us}, v: {on: cpu, C: 2 us}}, edges: [u -> k -> v]}
  - {name: b, T: 20 us, threads: 2, nodes: {u: {on: cpu, C: 1 us}, k: {on: w, B: 1, L: 1 us}, v: {on: cpu, C: 3 us}}, edges: [u -> k -> v]}
"""


class Threads(unittest.TestCase):
    def test_where_holds_are_too_long_jobs_are_counted(self):
        run = rta("analyze", "-", "--format", "json", stdin=HELD_TOO_LONG)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        bounds = {dag["name"]: dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]}
        self.assertLessEqual(bounds["a"], 20_000)
        self.assertLessEqual(bounds["b"], 20_000)
        with tempfile.TemporaryDirectory() as folder:
            path, proof = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "proof")
            path.write_text(HELD_TOO_LONG)
            self.assertEqual(rta("analyze", path, "--certificate", proof).returncode, 0)
            check = rta(path, proof, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            run = rta("simulate", path, "--search-runs", "100")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_the_largest_rate_is_judged_by_the_bounds_that_are_printed(self):
        run = rta("analyze", "-", "--largest-rate", "a", "--format", "json", stdin=NO_DEADLINES)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        T = int(json.loads(run.stdout)["largest_rates"][0]["least_period_ns"])
        self.assertLess(T, 10_000)
        for period, status in ((T, 0), (T - 1, 1)):
            run = rta("analyze", "-", "--set", f"a.T={period}ns", stdin=NO_DEADLINES)
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)

    def test_bound_and_largest_rate(self):
        run = rta("analyze", "-", "--explain", "f", stdin=filter_of("8 ms"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("threads that play one job at a time and block while they wait", run.stdout)
        for line in ("alone: 3 nodes take 8000000 ns", "'cpu': nobody waits, 1 place for 1 thread", "R = 8000000 ns",
                     "H = 8000000 ns <= k T = 8000000 ns: every job has a thread at its release, for at most 0 of the 1 are held then",
                     "largest rate: H depends on no period, so T may be 8000000 ns: k/H = 125.0 jobs per second"):
            self.assertIn(line, run.stdout)
        # Two threads: 8 + 6 behind the other's kernel + 2 runs behind its run of 1 by T21h; but no job meets the one before it (T21b).
        run = rta("analyze", "-", "--format", "json", stdin=filter_of("8 ms", 2))
        self.assertEqual(json.loads(run.stdout)["dags"][0]["response_bound_ns"], 8_000_000)

    def test_beside_others(self):
        # docs/theory/threads.md, T21b.
        beside = filter_of("20 ms").replace(", scheduler: FIFO", "") + "  - {name: g, T: 10 ms, nodes: {a: {on: cpu, C: 3 ms}}}\n"
        with tempfile.TemporaryDirectory() as folder:
            file, certificate = pathlib.Path(folder) / "f.yaml", pathlib.Path(folder) / "f.proof"
            file.write_text(beside)
            run = rta("analyze", file, "--explain", "g", "--certificate", certificate)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("T21b: 'f' ends within F = 14000000 ns <= k T = 1 x 20000000 ns, so no job of it waits for a thread", run.stdout)
            check = rta(file, certificate, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            run = rta("simulate", file, "--random-phases", "--ties", "random")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("every observed response time is within its bound", run.stdout)

    def test_too_fast(self):
        run = rta("analyze", "-", stdin=filter_of("7999999 ns"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("a job may hold its thread for H = 8 ms, more than 1 x 7.999999 ms", " ".join(run.stdout.split()))

    def test_the_largest_rate_counts_the_jitter(self):
        def late(T):
            return ("platform: {cpu: {processors: 1, scheduler: FIFO}}\n"
                    f"dags: [{{name: y, T: {T}, jitter: 5 ms, threads: 1, nodes: {{a: {{on: cpu, C: 6 ms}}}}}}]\n")

        run = rta("analyze", "-", "--explain", "y", stdin=late("20 ms"))
        self.assertIn("so T may be 11000000 ns: 1/(H/k + J) = 90.9 jobs per second", run.stdout)
        self.assertIn("H = 6000000 ns <= k (T - J) = 15000000 ns", run.stdout)
        self.assertEqual(rta("analyze", "-", stdin=late("11 ms")).returncode, 0)
        self.assertEqual(rta("analyze", "-", stdin=late("10999999 ns")).returncode, 1)

    def test_the_largest_rate_is_found_and_proven(self):
        # docs/theory/threads.md: H in turn, k/H.
        for k, H, T, rate in ((1, 14_900_000, 14_900_000, 67.114), (2, 25_400_000, 12_700_000, 78.740), (3, 35_900_000, 11_966_667, 83.565),
                              (4, 46_400_000, 11_600_000, 86.206)):
            with self.subTest(k):
                change = ("--set", f"yolo.threads={k}", "--set", "yolo.D=1 s")
                run = rta("analyze", YOLO, *change, "--largest-rate", "yolo", "--format", "json", "-q")
                self.assertEqual(run.returncode, 0, run.stderr)
                (found,) = json.loads(run.stdout)["largest_rates"]
                self.assertEqual((found["dags"], found["least_period_ns"], found["jobs_per_second"], found["complete"]), (["yolo"], T, rate, True))
                self.assertEqual(found["failing"]["period_ns"], T - 1)
                (unmet,) = found["failing"]["unmet"]
                self.assertIn(f"a job may hold its thread for H = {H / 1e6:g} ms, more than {k} x {(T - 1) / 1e6:.6f} ms", unmet["text"])
                for period, status in ((T, 0), (T - 1, 1)):
                    self.assertEqual(rta("analyze", YOLO, *change, "--set", f"yolo.T={period} ns", "-q").returncode, status)

    def test_largest_rates_side_by_side(self):
        arguments = ("analyze", YOLO, "--set", "yolo.threads=2,3", "--set", "yolo.D=14 ms,26 ms", "--largest-rate", "yolo", "-q")
        text = rta(*arguments).stdout
        self.assertIn("least T of yolo  per second  bound there", text)
        self.assertRegex(text, r"\n +2 +14 ms .* none +14\.9 ms\n")
        self.assertRegex(text, r"\n +2 +26 ms .* 12\.7 ms +78\.740 +25\.4 ms +14\.9 ms\n")
        # H = 35.9 ms is past D, so that T21b has the rate.
        self.assertRegex(text, r"\n +3 +26 ms .* 12\.733334 ms +78\.534 +25\.3 ms +14\.9 ms\n")
        rows = list(csv.DictReader(io.StringIO(rta(*arguments, "--format", "csv").stdout, newline="")))
        self.assertEqual([(row["rate_period_ns"], row["rate_per_second"], row["rate_response_bound_ns"]) for row in rows],
                         [("", "", ""), ("12700000", "78.740", "25400000"), ("", "", ""), ("12733334", "78.534", "25216667")])
        dags = [one["dags"][0] for one in json.loads(rta(*arguments, "--format", "json").stdout)["variants"]]
        self.assertEqual([(dag["rate_period_ns"], dag["rate_per_second"], dag["rate_response_bound_ns"]) for dag in dags],
                         [(None, None, None), (12_700_000, 78.74, 25_400_000), (None, None, None), (12_733_334, 78.534, 25_216_667)])

    def test_a_deadline_that_is_given_stays(self):
        run = rta("analyze", YOLO, "--set", "yolo.threads=2", "--set", "yolo.D=14 ms", "--largest-rate", "yolo")  # a frame alone takes longer
        self.assertEqual(run.returncode, 1)
        self.assertIn("none was found", run.stdout)
        self.assertIn("the longest that was tried, yolo passes its D: 14.9 ms > 14 ms", run.stdout)
        run = rta("analyze", YOLO, "--largest-rate", "yolo")
        self.assertEqual(run.returncode, 0)
        self.assertIn("its D of 14.9 ms stays", run.stdout)

    def test_slack_finds_the_largest_rate(self):
        run = rta("analyze", YOLO, "--slack", "--format", "json")
        self.assertIn('"least_period_ns": 14900000', run.stdout)

    def test_simulated_within_the_bound(self):
        run = rta("simulate", "-", "--format", "json", "--random-phases", "--ties", "random", stdin=filter_of("8 ms", 2))
        self.assertEqual(run.returncode, 0, run.stderr)
        row = json.loads(run.stdout)["dags"][0]
        self.assertEqual(row["observed_max_ns"], 8_000_000)  # of two threads one is enough at this rate
        searched = rta("simulate", "-", "--search-runs", "200", stdin=filter_of("8 ms", 2))
        self.assertEqual(searched.returncode, 0, searched.stdout)

    def test_certified(self):
        with tempfile.TemporaryDirectory() as folder:
            file, certificate = pathlib.Path(folder) / "f.yaml", pathlib.Path(folder) / "f.cert"
            file.write_text(filter_of("8 ms", 2))
            run = rta("analyze", file, "--certificate", certificate)
            self.assertEqual(run.returncode, 1 if "missed" in run.stdout else 0)
            self.assertIn("threads 2", certificate.read_text())
            check = rta(file, certificate, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            file.write_text(filter_of("7 ms", 2))  # a longer hold than 2 x 7 ms
            self.assertNotEqual(rta(file, certificate, program=PROGRAM.with_name("rta-check")).returncode, 0)

    def test_written_and_read_back(self):
        once = rta("convert", "-", "--to", "yaml", stdin=filter_of("8 ms", 3))
        self.assertRegex(once.stdout, r"(?m)^    threads: 3$")
        dot = rta("convert", "-", "--to", "dot", stdin=filter_of("8 ms", 3)).stdout
        self.assertRegex(rta("convert", "-", "--from", "dot", stdin=dot).stdout, r"(?m)^    threads: 3$")

    def test_threads_that_spin(self):
        # docs/theory/threads.md, T41: S = 8 ms, behind the other's 8 ms on the one processor.
        spins = filter_of("16 ms").replace("    nodes:", "    wait: spin\n    nodes:")
        two = spins + spins[spins.index("  - name: f"):].replace("name: f", "name: g")
        run = rta("analyze", "-", "--explain", "f", stdin=two)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("some of which keep their processor while they wait", run.stdout)
        for line in ("T41: of a thread one piece at most is ready or running",
                     "it spins: it keeps its processor from its first node to the end of its last, for S = 8000000 ns at most",
                     "'gpu': 1 time behind 0 of other threads", "R = 16000000 ns"):
            self.assertIn(line, run.stdout)
        with tempfile.TemporaryDirectory() as folder:
            path, proof = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "proof")
            path.write_text(two)
            self.assertEqual(rta("analyze", path, "--certificate", proof).returncode, 0)
            check = rta(path, proof, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            run = rta("simulate", path, "--search-runs", "100")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("16", run.stdout)
        self.assertRegex(rta("convert", "-", "--to", "yaml", stdin=two).stdout, r"(?m)^    wait: spin$")
        dot = rta("convert", "-", "--to", "dot", stdin=two).stdout
        self.assertRegex(rta("convert", "-", "--from", "dot", stdin=dot).stdout, r"(?m)^    wait: spin$")

    def test_what_no_theorem_is_for_where_threads_spin(self):
        spins = filter_of("16 ms").replace("    nodes:", "    wait: spin\n    nodes:")
        alone = "  - {name: g, T: 20 ms, nodes: {c: {on: cpu, C: 1 ms}}}\n"
        other = "  - {name: g, T: 20 ms, threads: 1, nodes: {c: {on: cpu, C: 1 ms}}}\n"
        for text, why in ((spins + alone, "DAG 'g' has none; give it `threads`, or let 'f' block (`wait: block`)"),
                          (spins.replace("FIFO", "FP") + other, "on pool 'cpu', with 2 threads for 1 processor, others may go before them")):
            with self.subTest(why):
                run = rta("analyze", "-", stdin=text)
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertIn(why, " ".join(run.stdout.split()))
        run = rta("simulate", "-", stdin=spins.replace("FIFO", "FP") + other)
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("where others may preempt it while its kernels go on", " ".join(run.stderr.split()))

    def test_refused(self):
        for arguments, why in ((("analyze", "--release", "offsets"), "--release offsets has no theorem for it"),
                               (("analyze", "--release", "segments"), "--release segments has no theorem for it"),
                               (("analyze", "--release", "static"), "a static schedule starts every node by itself"),
                               (("analyze", "--granularity", "monolithic"), "--granularity is for DAGs without"),
                               (("analyze", "--optimize", "priorities"), "its bounds are without a search for priority points"),
                               (("analyze", "--release", "completion", "--path-bound", "T10n"), "T21h and T21b bound it, whatever --path-bound says"),
                               (("compile",), "a static schedule starts every node by itself"),
                               (("convert", "--to", "stm"), "a static schedule starts every node by itself")):
            with self.subTest(arguments), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "f.yaml"
                file.write_text(filter_of("8 ms"))
                run = rta(arguments[0], file, *arguments[1:])
                self.assertEqual(run.returncode, 2, run.stdout)
                self.assertIn(why, " ".join(run.stderr.split()))
                self.assertIn("DAG 'f' is played by threads", run.stderr)

    def test_played_on_this_machine_beside_the_bounds(self):
        text = ("platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n"
                "  - {name: f, T: 50 ms, threads: 2, nodes: {a: {on: cpu, C: 8 ms}, b: {on: cpu, C: 2 ms}}, edges: [a -> b]}\n"
                "  - {name: g, T: 100 ms, threads: 1, nodes: {c: {on: cpu, C: 5 ms}}}\n")
        with tempfile.TemporaryDirectory() as folder:
            file, report = pathlib.Path(folder) / "f.yaml", pathlib.Path(folder) / "r.json"
            file.write_text(text)
            run = rta("run", file, "--duration", "1s", "--warmup", "0s", "-o", report)
            self.assertIn(run.returncode, (0, 1), run.stderr)  # a loaded machine
            comparison = json.loads(report.read_text())["comparisons"][0]
            self.assertEqual([(dag["dag"], dag["count"], dag["bound_ns"]) for dag in comparison["dags"]], [("f", 20, 15000000), ("g", 10, 15000000)])
            self.assertTrue(comparison["complete"])

    def test_job_sets_know_no_threads(self):
        text = "platform: {cpu: {processors: 2, scheduler: FIFO}}\ndags:\n  - {name: f, T: 10 ms, threads: 1, nodes: {a: {on: cpu, C: 1 ms}}}\n"
        run = rta("convert", "-", "--to", "sag", stdin=text)
        self.assertEqual(run.returncode, 2)
        self.assertIn("which schedule_abstraction does not know", run.stderr)


if __name__ == "__main__":
    unittest.main()
