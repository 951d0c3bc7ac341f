"""Deadlines in every command, and what could be misread in a task set."""

import csv
import io
import json
import pathlib
import tempfile
import unittest

from program import ROOT, rta

# Synchronous FIFO: a ends after 20 and, behind b, after 30 of its 50; b after 60. So every other job of a ends after 25.
TWO = """platform:
  cpu: {processors: 1, scheduler: FIFO}
tasks:
  - {name: a, on: cpu, T: 50 ns, D: 25 ns, C: 20 ns}
  - {name: b, on: cpu, T: 100 ns, D: 100 ns, C: 40 ns}
"""
# Each node has a processor for itself and takes 4 ms; the second one is due 5 ms after where its response time counts from.
CHAIN = """platform:
  p: {processors: 1}
  q: {processors: 1}
dags:
  - name: d
    T: 100 ms
    nodes: {a: {on: p, C: 4 ms}, b: {on: q, C: 4 ms, D: 5 ms}}
    edges: [a -> b]
"""
KERNEL = """platform:
  gpu: {sms: 2, threads: 2048}
dags:
  - name: k
    T: 100 ms
    D: 1 ms
    nodes:
      v: {on: gpu, B: 512, H: 256, C: 2 ms}
"""


def in_json(command, text, *arguments):
    run = rta(command, "-", *arguments, "--format", "json", "--quiet", stdin=text)
    return run, json.loads(run.stdout)


class Deadlines(unittest.TestCase):
    def test_a_simulated_miss_is_said_counted_and_marked(self):
        run = rta("simulate", "-", "--duration", "1us", stdin=TWO)
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.startswith("DEADLINE MISSED: 1 of 2 deadlines; every observed response time is within its bound"), run.stdout)
        line = next(line.split() for line in run.stdout.splitlines() if line.startswith("  a "))
        self.assertEqual((line[-4:-1], line[-1]), (["25", "ns", "10"], "MISSED"), run.stdout)
        _, result = in_json("simulate", TWO, "--duration", "1us")
        self.assertEqual([(row["deadline_ns"], row["missed_deadline"], row["misses"]) for row in result["dags"]], [(25, True, 10), (100, False, 0)])
        page = rta("simulate", "-", "--duration", "1us", "--format", "html", stdin=TWO).stdout
        self.assertIn('<td class="bad">MISSED</td>', page)

    def test_a_deadline_that_is_met_to_the_nanosecond_is_met(self):
        run, result = in_json("simulate", TWO.replace("D: 25 ns", "D: 30 ns"), "--duration", "1us")
        self.assertEqual((run.returncode, result["dags"][0]["misses"]), (0, 0))

    def test_a_search_finds_a_miss_and_keeps_the_worst_run(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            set_, trace, page = folder / "two.yaml", folder / "worst.jsonl", folder / "worst.html"
            set_.write_text(TWO)
            run = rta("simulate", set_, "--search-runs", "300", "--duration", "2us", "--trace", trace, "-o", page, "-o", folder / "worst.json",
                      "--search-out", folder / "run.yaml")
            self.assertEqual(run.returncode, 1, run.stderr)
            found = json.loads((folder / "worst.json").read_text())
            worst = max(row["observed_max_ns"] - row["deadline_ns"] for row in found["dags"] if row["missed_deadline"])
            self.assertIn("Timeline", page.read_text())
            compared = rta("compare", trace, set_, "--format", "json")
            self.assertEqual(compared.returncode, 1, compared.stderr)
            rows = json.loads(compared.stdout)["comparisons"][0]["dags"]
            self.assertEqual(max(row["max_ns"] - row["deadline_ns"] for row in rows if row["missed"]), worst)
            again = rta("simulate", set_, "--format", "json", "--replay", folder / "run.yaml")
            rows = json.loads(again.stdout)["dags"]
            self.assertEqual(max(row["observed_max_ns"] - row["deadline_ns"] for row in rows if row["missed_deadline"]), worst)

    def test_compare_counts_the_jobs_that_ended_too_late(self):
        with tempfile.TemporaryDirectory() as folder:
            set_, trace = pathlib.Path(folder, "two.yaml"), pathlib.Path(folder, "t.jsonl")
            set_.write_text(TWO)
            rta("simulate", set_, "--duration", "1us", "--trace", trace)
            run = rta("compare", trace, set_)
            self.assertEqual(run.returncode, 1)
            self.assertTrue(run.stdout.startswith("DEADLINE MISSED: 10 jobs of DAGs and nodes ended too late; within bounds"), run.stdout)

    def test_a_node_s_own_deadline_is_judged_under_every_policy(self):
        """At offsets R counts from b's offset: 4 ms. On completion it counts from the release of d, 8 ms."""
        for policy, bound, status in (("offsets", 4_000_000, 0), ("completion", 8_000_000, 1)):
            with self.subTest(policy):
                run, result = in_json("analyze", CHAIN, "--release", policy)
                node = result["dags"][0]["nodes"][1]
                self.assertEqual((run.returncode, node["response_bound_ns"], node["deadline_ns"], node["meets_deadline"]),
                                 (status, bound, 5_000_000, status == 0))
        best, result = in_json("analyze", CHAIN)
        self.assertEqual((best.returncode, result["verdict"]), (0, "schedulable"))
        text = rta("analyze", "-", "--release", "completion", stdin=CHAIN).stdout
        self.assertTrue(text.startswith("deadline-missed: every response time is bounded, but only 0 of 1 deadline of single nodes is met"), text)
        self.assertIn("Deadlines of single nodes", text)
        seen, simulated = in_json("simulate", CHAIN, "--release", "completion", "--duration", "1s")
        self.assertEqual((seen.returncode, simulated["nodes"][1]["misses"]), (1, 10))

    def test_no_deadline_is_said(self):
        run = rta("analyze", "-", stdin=TWO.replace("D: 25 ns, ", "").replace("D: 100 ns, ", ""))
        self.assertTrue(run.stdout.startswith("schedulable: every response time is bounded (2 DAGs); no deadline given\n"), run.stdout)


class Why(unittest.TestCase):
    """b waits for a's 20 ns and takes 40: D = 50 ns is missed by waiting, D = 30 ns by its own execution."""

    SET = """platform:
  cpu: {processors: 1, scheduler: FIFO}
tasks:
  - {name: a, on: cpu, T: 1 us, C: 20 ns}
  - {name: b, on: cpu, T: 1 us, D: 50 ns, C: 40 ns}
"""

    def test_a_late_bound_is_taken_apart(self):
        run = rta("analyze", "-", stdin=self.SET)
        self.assertEqual(run.returncode, 1)
        self.assertIn("Why b: bound 0.06 us, D = 0.05 us\n", run.stdout)
        self.assertRegex(run.stdout, r"execution of the nodes on the path +0\.04 us\n +waiting on cpu, for a +0\.02 us\n +in all +0\.06 us\n")
        self.assertNotIn("cannot be met even alone", run.stdout)
        _, result = in_json("analyze", self.SET)
        self.assertEqual([(part["cause"], part["by_dag"], part["length_ns"]) for part in result["why"][0]["parts"]],
                         [("execution", None, 40), ("waiting", "a", 20)])
        self.assertIn("waiting on cpu, for a", rta("analyze", "-", "--format", "html", stdin=self.SET).stdout)

    def test_a_hopeless_deadline_is_called_so(self):
        run = rta("analyze", "-", stdin=self.SET.replace("D: 50 ns", "D: 30 ns"))
        self.assertIn("cannot be met even alone: b executes for 0.04 us, D = 0.03 us", run.stdout)

    def test_what_is_met_is_taken_apart_on_request(self):
        run = rta("analyze", "-", "--why", "a", "--worst", "0", stdin=self.SET)
        self.assertIn("Why a: bound 0.06 us\n", run.stdout)
        self.assertIn("1 more DAG that misses a deadline: --worst N or --why DAG takes it apart", run.stdout)
        self.assertEqual(rta("analyze", "-", "--why", "zebra", stdin=self.SET).returncode, 2)


class Helps(unittest.TestCase):
    def test_every_change_that_is_printed_holds_when_it_is_made(self):
        run, result = in_json("analyze", Why.SET, "--time-limit", "60")
        self.assertEqual(run.returncode, 1)
        found = result["remedies"]
        self.assertTrue(found["complete"])
        options = [remedy["options"] for remedy in found["list"] if "options" in remedy]
        self.assertIn({"scheduler": "G-EDF"}, options)
        for remedy in found["list"]:
            with self.subTest(remedy["change"]):
                self.assertEqual(remedy["verdict"], "schedulable")
                if "options" not in remedy:
                    continue
                again, outcome = in_json("analyze", Why.SET, *remedy["change"].split())
                self.assertEqual(again.returncode, 0)
                self.assertEqual([dag["response_bound_ns"] for dag in outcome["dags"]], [dag["response_bound_ns"] for dag in remedy["dags"]])

    def test_the_change_and_its_bounds_are_shown(self):
        run = rta("analyze", "-", "--time-limit", "60", stdin=Why.SET)
        self.assertRegex(run.stdout, r"What helps \(each tried and proven\)\n.*\n  1 .*all deadlines met\n")
        self.assertRegex(run.stdout, r"\n  b +0\.05 us +0\.06 us MISSED +0\.04 us")
        page = rta("analyze", "-", "--time-limit", "60", "--format", "html", stdin=Why.SET).stdout
        self.assertIn("What helps, each tried and proven", page)

    def test_what_cannot_be_helped_is_said(self):
        run = rta("analyze", "-", "--time-limit", "60", stdin=Why.SET.replace("D: 50 ns", "D: 30 ns"))
        self.assertRegex(run.stdout, r"none of the \d+ single changes that were tried helps")

    def test_nothing_is_tried_where_all_is_met_or_no_time_is_left(self):
        self.assertNotIn("What helps", rta("analyze", "-", stdin=Why.SET.replace("D: 50 ns", "D: 60 ns")).stdout)
        self.assertIn("no change was tried in the time of --time-limit", rta("analyze", "-", "--time-limit", "0", stdin=Why.SET).stdout)


class Slack(unittest.TestCase):
    def test_the_largest_and_smallest_values_that_hold(self):
        """On one FIFO processor b ends after C_a + C_b = 60 ns: 30 ns before its deadline."""
        set_ = Why.SET.replace("D: 50 ns", "D: 90 ns")
        run, result = in_json("analyze", set_, "--slack")
        self.assertEqual(run.returncode, 0)
        self.assertEqual([node["largest_piece_ns"] for node in result["slack"]["nodes"]], [50, 70])
        self.assertEqual(result["slack"]["dags"][1]["least_deadline_ns"], 60)
        for node in ("C: 20 ns", "C: 50 ns"), ("C: 40 ns", "C: 70 ns"):
            self.assertEqual(rta("analyze", "-", stdin=set_.replace(*node)).returncode, 0)
        for node in ("C: 20 ns", "C: 51 ns"), ("C: 40 ns", "C: 71 ns"):
            self.assertEqual(rta("analyze", "-", stdin=set_.replace(*node)).returncode, 1)
        text = rta("analyze", "-", "--slack", stdin=set_).stdout
        self.assertRegex(text, r"\n  b +C +0\.04 us +0\.07 us +1\.750 +sampled\n")
        self.assertRegex(text, r"\n  b +D +0\.09 us +0\.06 us +0\.666 +all\n")
        self.assertIn("Slack of nodes", rta("analyze", "-", "--slack", "--format", "html", stdin=set_).stdout)

    def test_groups_have_none(self):
        run = rta("analyze", ROOT / "tasksets/literature/hog-like.yaml", "--slack", "--granularity", "monolithic")
        self.assertEqual(run.returncode, 2, run.stderr)


class LargestRate(unittest.TestCase):
    """On one FIFO processor a (C = 20 ns) and b (C = 40 ns) end within 60 ns as long as 20/T_a + 40/1000 <= 1."""

    SET = Why.SET.replace("D: 50 ns", "D: 90 ns")

    def test_text_json_csv_and_pages(self):
        run, result = in_json("analyze", self.SET, "--largest-rate", "a", "--release", "offsets")
        self.assertEqual(run.returncode, 0)
        (found,) = result["largest_rates"]
        self.assertEqual((found["least_period_ns"], found["response_bound_ns"], found["release"]), (21, 60, "offsets"))
        self.assertEqual((found["failing"]["period_ns"], [one["dag"] for one in found["failing"]["unmet"]]), (20, ["a", "b"]))
        text = rta("analyze", "-", "--largest-rate", "a", "--release", "offsets", stdin=self.SET).stdout
        self.assertIn("Largest rate of a\n  T = 0.021 us: 47619047.619 jobs per second, with the bound 0.06 us (release offsets); now T = 1 us (1000000.000 jobs per second); it has no D", text)
        self.assertIn("\n  at 0.02 us, the next below that was tried, a and b have no bound: U = ", text)
        self.assertIn("bounds are not monotone in T", text)
        rows = list(csv.DictReader(io.StringIO(rta("analyze", "-", "--largest-rate", "a", "--release", "offsets", "--format", "csv", stdin=self.SET).stdout)))
        self.assertEqual([(row["dag"], row["rate_period_ns"], row["rate_per_second"], row["rate_response_bound_ns"]) for row in rows],
                         [("a", "21", "47619047.619", "60"), ("b", "", "", "")])
        page = rta("analyze", "-", "--largest-rate", "a", "--format", "html", stdin=self.SET).stdout
        self.assertIn("Largest rate of a.", page)

    def test_nothing_is_found_where_others_are_late_at_any_T(self):
        run, result = in_json("analyze", Why.SET, "--largest-rate", "a", "--release", "offsets")  # D of b is 50 ns
        self.assertEqual(run.returncode, 1)
        (found,) = result["largest_rates"]
        self.assertIsNone(found["least_period_ns"])
        self.assertIsNone(found["jobs_per_second"])
        self.assertEqual([one["text"] for one in found["failing"]["unmet"]], ["b passes its D: 60 ns > 50 ns"])

    def test_under_a_clock_whole_parts_of_T_are_tried(self):
        run = rta("analyze", ROOT / "tasksets/examples/timers.yaml", "--largest-rate", "steer", "--format", "json", "-q")
        (found,) = json.loads(run.stdout)["largest_rates"]
        self.assertEqual((found["period_ns"], found["least_period_ns"], found["theorem"]), (20_000_000, 10_000_000, "T35"))
        self.assertLess(found["failing"]["period_ns"], 10_000_000)

    def test_no_such_dag(self):
        run = rta("analyze", "-", "--largest-rate", "c", stdin=self.SET)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("--largest-rate 'c': no DAG 'c'", run.stderr)

    def test_the_time_limit_ends_it(self):
        run, result = in_json("analyze", self.SET, "--largest-rate", "a", "--time-limit", "0")
        self.assertEqual([rate["complete"] for rate in result["largest_rates"]], [False])


class Traps(unittest.TestCase):
    def test_a_bare_c_of_a_kernel_is_shown_with_the_bounds_of_both_readings(self):
        run = rta("analyze", "-", stdin=KERNEL)
        self.assertEqual(run.returncode, 0)
        self.assertIn("write `per: block` if that is meant, and `time: 2 ms`", run.stderr)
        self.assertRegex(run.stderr, r"DAG 'k' is bounded by [\d.]+ ms; read as the kernel's time, it is bounded by [\d.]+ ms \(MISSED\)")
        as_kernel = rta("analyze", "-", stdin=KERNEL.replace("C: 2 ms", "time: 2 ms"))
        self.assertEqual(as_kernel.returncode, 1)
        self.assertEqual(rta("analyze", "-", stdin=KERNEL.replace("C: 2 ms", "C: 2 ms, per: block")).stderr, "")

    def test_another_kind_of_file_is_named_with_its_command(self):
        for path, words in (("tasksets/literature/experiments/amert2017-table-1.yaml", "rta simulate plays it"),
                            ("tasksets/sweeps/scaling.yaml", "rta sweep evaluates it")):
            with self.subTest(path):
                run = rta("analyze", ROOT / path)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(words, run.stderr)

    def test_mistyped_words_get_a_hint(self):
        for arguments, hint in ((("analyse", "x"), "no command 'analyse'; did you mean 'analyze'?"),
                                (("help", "simulat"), "did you mean 'simulate'?"),
                                (("analyze", "x", "--explian", "y"), "did you mean 'explain'?")):
            with self.subTest(arguments):
                run = rta(*arguments)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(hint, run.stderr)


if __name__ == "__main__":
    unittest.main()
