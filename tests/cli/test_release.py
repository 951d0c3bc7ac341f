"""The release policies of rta analyze."""

import json
import pathlib
import re
import tempfile
import unittest

from program import EXAMPLE, PROGRAM, ROOT, on_terminal, rta

HOG = ROOT / "tasksets" / "literature" / "hog-like.yaml"


def result(*arguments):
    return json.loads(rta("analyze", *arguments, "--format", "json").stdout)


def largest(analysis):
    return max(dag["response_bound_ns"] for dag in analysis["dags"])


def heavy_hog():
    """The HOG-like set with 2.5 times the CPU work."""
    return re.sub(r"on: cpu, C: (\d+) ns", lambda match: f"on: cpu, C: {int(match[1]) * 5 // 2} ns", HOG.read_text())


class ReleasePolicies(unittest.TestCase):
    def test_best_is_the_smallest_of_all(self):
        each = {policy: largest(result(EXAMPLE, "--release", policy)) for policy in ("offsets", "completion", "segments")}
        best = result(EXAMPLE)
        self.assertEqual(largest(best), min(each.values()))
        policies = {p["release"]: p["largest_response_bound_ns"] for p in best["policies"]}
        self.assertEqual(policies, each | {"static": 7_300_000})  # a static order is for other releases, and never chosen

    def test_what_needs_less_at_run_time_comes_first(self):
        path = ROOT / "tasksets/examples/two-buffers.yaml"
        total = {policy: sum(dag["response_bound_ns"] for dag in result(path, "--release", policy)["dags"]) for policy in ("completion", "segments")}
        self.assertEqual(total, {"completion": 30_000_000, "segments": 28_500_000})
        best = result(path)
        self.assertEqual({dag["release"] for dag in best["dags"]}, {"completion"})
        self.assertEqual(best["forgone"], {"release": "segments", "objective": "sum", "there_ns": 28_500_000, "here_ns": 30_000_000, "percent": 5})
        line = "completion needs less at run time; segments would give a sum of bounds of 28.5 ms for 30 ms, 5 % less"
        self.assertIn(f"\n  {line}\n", rta("analyze", path).stdout)
        self.assertIn(line, rta("analyze", path, "--format", "html").stdout)
        self.assertNotIn("forgone", result(EXAMPLE))
        self.assertNotIn("forgone", result(path, "--release", "completion"))

    def test_hog_like_best_is_at_most_a_sixth_of_offsets(self):
        # T1 and T5 with G-FL's points, each node at its offset: 187 ms; counted once per path: 21.8 ms.
        plain = largest(result(HOG, "--release", "offsets", "--refine", "none", "--gpu-bound", "T5"))
        best = result(HOG)
        self.assertLessEqual(6 * largest(best), plain)
        self.assertEqual(best["dags"][0]["release"], "completion")
        self.assertEqual(best["dags"][0]["theorem"], "T10v")
        self.assertEqual(largest(best), 21773353)

    def test_the_text_says_what_the_bounds_need(self):
        text = rta("analyze", HOG).stdout
        self.assertIn("release on completion, G-FL by DAG", text)
        self.assertIn("Other release policies\n  offsets: largest bound", text)
        self.assertIn("FIFO by ready time", rta("analyze", HOG, "--release", "completion", "--scheduler", "FIFO").stdout)

    def test_explain_writes_the_inequality_of_a_dag(self):
        text = rta("analyze", HOG, "--explain", "camera[0]").stdout
        self.assertIn("execution 6550000 ns, last pieces 363081.897 ns\n  own jobs: 2720884.843 ns\n", text)
        self.assertIn("camera[1]: 2573109.998 ns (released 19077836 ns after: 848314.656; released 13922164 ns before: 1983545.343 - 258750)", text)
        self.assertIn("F = 6550000 - 363081.897 + 2720884.843" + 5 * " + 2573109.998" + " = 21773352.936 = 21773353 ns", text)

    def test_an_option_of_the_offsets_asks_for_offsets(self):
        for option in (("--granularity", "fine"), ("--refine", "all"), ("--cpu-bound", "T1"), ("--gpu-bound", "T5")):
            self.assertEqual(result(EXAMPLE, *option)["dags"][0]["release"], "offsets", option)

    def test_segments_are_printed_with_their_offsets(self):
        analysis = result(EXAMPLE, "--release", "segments")
        for dag in analysis["dags"]:
            for node in dag["nodes"]:
                self.assertIsInstance(node["segment"], int)
                self.assertIsInstance(node["offset_ns"], int)
        self.assertIn("Segments (", rta("analyze", EXAMPLE, "--release", "segments").stdout)

    def test_a_cut_in_the_file_is_kept(self):
        lines = [
            "platform: {cpu: {processors: 1, scheduler: FIFO}}",
            "dags:",
            "  - name: d",
            "    T: 20 ms",
            "    nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}}",
            "    edges: [{from: a, to: b, cut: true}]",
        ]
        run = rta("analyze", "-", "--release", "segments", "--format", "json", stdin="\n".join(lines) + "\n")
        nodes = json.loads(run.stdout)["dags"][0]["nodes"]
        # Each node is a DAG of its own: F = 1 + 2 = 3 ms for both, the second 3 ms after the first.
        self.assertEqual([n["segment"] for n in nodes], [0, 1])
        self.assertEqual([n["offset_ns"] for n in nodes], [0, 3000000])
        self.assertEqual([n["response_bound_ns"] for n in nodes], [3000000, 3000000])

    def test_single_nodes_without_preemption_ask_t10d(self):
        # docs/theory/path.md, T10d by points: 1 + 3 + 1 of jobs that precede + 2 that may have started. T10n counts 5 + 2 + 1 + 1.
        text = "\n".join(("platform: {cpu: {processors: 1, preemptive: false}}", "tasks:",
                          "  - {name: long, on: cpu, C: 5 ms, T: 13 ms, D: 13 ms}", "  - {name: late, on: cpu, C: 2 ms, T: 15 ms, D: 15 ms}",
                          "  - {name: short, on: cpu, C: 1 ms, T: 7 ms, D: 7 ms}")) + "\n"
        run = rta("analyze", "-", "--release", "completion", "--format", "json", stdin=text)
        self.assertEqual(run.returncode, 0)
        dags = json.loads(run.stdout)["dags"]
        self.assertEqual([(dag["response_bound_ns"], dag["theorem"]) for dag in dags][1:], [(9000000, "T10d"), (7000000, "T10d")])
        said = rta("analyze", "-", "--release", "completion", "--explain", "short", stdin=text).stdout
        self.assertIn("    long: what fits of jobs of 5000000 that end within 9000000 ns, work 3000000\n"
                      "    late: what fits of jobs of 2000000 that end within 9000000 ns, work 1000000\n", said)
        self.assertIn("    the longest pieces with later points that have started before the path's nodes are ready, of each DAG no more than fits "
                      "beside the work above: blocking 2000000 ns\n    waiting (5000000 - 1000000)/1 + blocking 2000000 = 6000000 ns\n", said)

    def test_a_thread_pool_with_priorities(self):
        # Chain a (1 ms), b (2 ms), Y = D = 20 ms; stranger of 5 ms, Y = 70 ms. Preemptive: the chain never waits for the stranger, which waits
        # for one chain: 3 and 5 + 3 ms. Non-preemptive: one job of the stranger may have started before the chain: 3 + 5 ms.
        lines = [
            "platform: {cpu: {processors: 1, preemptive: false}}",
            "dags:",
            "  - {name: chain, T: 100 ms, D: 20 ms, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}}, edges: [a -> b]}",
            "tasks:",
            "  - {name: stranger, on: cpu, C: 5 ms, T: 100 ms, D: 70 ms}",
        ]
        text = "\n".join(lines) + "\n"

        def bounds(text, *arguments):
            run = rta("analyze", "-", *arguments, "--format", "json", stdin=text)
            return [dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]]

        self.assertEqual(bounds(text, "--release", "completion"), [8000000, 8000000])
        preemptive = text.replace(", preemptive: false", "")
        self.assertEqual(bounds(preemptive, "--release", "completion"), [3000000, 8000000])
        self.assertEqual(bounds(preemptive, "--release", "completion", "--non-preemptive"), [8000000, 8000000])
        self.assertEqual(bounds(text), [8000000, 8000000])
        # At offsets (T1be) nodes of the chain have Y = T = 100 ms: each may wait for the other one and for the stranger, which has the earlier
        # point and waits for the longer one of them, if that has started: 8 + 8 and 5 + 2 ms.
        self.assertEqual(bounds(text, "--release", "offsets"), [16000000, 7000000])
        self.assertEqual(bounds(text, "--release", "early"), [None, None])
        self.assertEqual(bounds(text.replace("{processors: 1,", "{processors: 1, scheduler: FIFO,"), "--release", "offsets"),
                         bounds(preemptive, "--release", "offsets", "--scheduler", "FIFO"))

        said = rta("analyze", "-", stdin=text).stdout
        self.assertIn("cpu (1 processor, non-preemptive G-EDF)", said)
        self.assertIn("release on completion, non-preemptive G-EDF by DAG", said)
        self.assertIn("offsets: largest bound 16 ms, schedulable", said)
        said = rta("analyze", "-", "--release", "early", stdin=text).stdout
        self.assertIn("non-preemptive G-EDF: a job that is released early may hold up one with an earlier point", said)
        said = rta("analyze", "-", "--explain", "chain", stdin=text).stdout
        self.assertIn("non-preemptive pools: what may have started before is counted, so nothing blocks", said)
        self.assertIn("F = 3000000 - 3000000 + 3000000 + 5000000 = 8000000", said)
        for release in ("completion", "segments"):
            run = rta("simulate", "-", "--release", release, "--execution", "uniform", "--random-phases", stdin=text)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("every observed response time is within its bound (5 compared)", run.stdout)

    def test_points_per_node(self):
        # On the HOG-like set they end kernels so early that no later one counts twice: 25.0 instead of 26.8 ms by T10n, 24.0 with T30, but T10v needs points by DAG.
        by_node = result(HOG, "--release", "completion", "--priorities", "node")
        self.assertEqual(largest(by_node), 24014555)
        self.assertEqual(largest(result(HOG, "--release", "completion", "--priorities", "best")), 21773353)
        points = {node["priority_point_ns"] for node in by_node["dags"][0]["nodes"] if node["pool"] == "cpu"}
        self.assertGreater(len(points), 3)
        # G-FL in the file is G-FL at run time unless asked otherwise; LP leaves the choice.
        self.assertEqual(largest(result(HOG, "--release", "completion")), 21773353)
        self.assertEqual(largest(result(HOG, "--release", "completion", "--priorities", "dag")), 21773353)
        self.assertLessEqual(largest(result(HOG, "--release", "completion", "--scheduler", "LP")), 21773353)
        text = rta("analyze", HOG, "--release", "completion", "--priorities", "node").stdout
        self.assertIn("release on completion, GEL with a priority point per node", text)
        run = rta("simulate", HOG, "--release", "completion", "--priorities", "node", "--duration", "1s", "--execution", "uniform", "--random-phases")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("every observed response time is within its bound", run.stdout)

    def test_points_per_node_keep_a_bound_at_high_load(self):
        heavy = heavy_hog()

        def bound(*arguments):
            run = rta("analyze", "-", "--release", "completion", *arguments, "--format", "json", stdin=heavy)
            return json.loads(run.stdout)["dags"][0]

        self.assertIsNone(bound("--path-bound", "T10g")["response_bound_ns"])
        self.assertLess(bound()["response_bound_ns"], 244_000_000)  # T39
        by_node = bound("--priorities", "node")
        self.assertEqual(by_node["theorem"], "T10g")
        self.assertLess(by_node["response_bound_ns"], 515_000_000)
        text = rta("analyze", "-", "--release", "completion", "--priorities", "node", "--explain", "camera[0]", stdin=heavy).stdout
        self.assertIn("T10g: F = A + (carry + work)/capacity + e - s/capacity", text)
        self.assertIn(f" = {by_node['response_bound_ns']} ns, rounded up", text)

    def test_a_long_search_says_what_it_does_on_a_terminal_only(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "heavy.yaml")
            path.write_text(heavy_hog())
            arguments = ("analyze", path, "--release", "completion", "--priorities", "node", "--optimize", "priorities",
                         "-o", pathlib.Path(folder, "out.json"), "--time-limit")
            line = r"completion, points per node, round \d+, \d+ s"
            self.assertRegex(on_terminal(PROGRAM, [*arguments, "300"], until=line)[1], line)
            self.assertNotIn("round", on_terminal(PROGRAM, [*arguments, "3", "--quiet"])[1])
            run = rta(*arguments, "3")
            self.assertNotIn("round", run.stdout + run.stderr)

    def test_past_the_most_periods_there_is_no_bound(self):
        run = rta("analyze", HOG, "--release", "completion", "--most-periods", "1", "--format", "json")
        self.assertEqual(json.loads(run.stdout)["verdict"], "schedulable")
        slow = HOG.read_text().replace("T: 33 ms", "T: 20 ms")
        self.assertEqual(json.loads(rta("analyze", "-", "--release", "completion", "--format", "json", stdin=slow).stdout)["verdict"], "schedulable")
        run = rta("analyze", "-", "--release", "completion", "--most-periods", "1", "--format", "json", stdin=slow)
        self.assertEqual(json.loads(run.stdout)["verdict"], "unbounded")
        self.assertIn("the bound passes 1 period;", run.stdout)

    def test_no_time_at_all_still_gives_T10(self):
        run = rta("analyze", HOG, "--release", "completion", "--time-limit", "0", "--format", "json")
        analysis = json.loads(run.stdout)
        self.assertEqual(analysis["dags"][0]["theorem"], "T10")
        self.assertIn("T10", run.stderr)

    def test_optimize_priorities_never_makes_the_largest_lateness_worse(self):
        def lateness(analysis):
            return max(dag["response_bound_ns"] - (dag["deadline_ns"] or dag["period_ns"]) for dag in analysis["dags"])

        path = ROOT / "tasksets" / "examples" / "cameras.yaml"
        plain = result(path, "--release", "completion")
        tuned = result(path, "--release", "completion", "--optimize", "priorities")
        self.assertLessEqual(lateness(tuned), lateness(plain))
        self.assertEqual(tuned, result(path, "--release", "completion", "--optimize", "priorities"))

    def test_points_that_the_heading_does_not_say_are_printed(self):
        # a waits for b in any case: 3 + 1 + 5 = 9 ms. With a point 12 ms after b's none of its jobs, which end within 9 ms, goes before b: 5 ms.
        task_set = ("platform: {cpu: {processors: 1, scheduler: G-EDF}}\ndags:\n"
                    "  - {name: a, T: 20 ms, D: 10 ms, nodes: {x: {on: cpu, C: 3 ms}, y: {on: cpu, C: 1 ms}}, edges: [x -> y]}\n"
                    "  - {name: b, T: 20 ms, D: 8 ms, nodes: {x: {on: cpu, C: 5 ms}}}\n")
        heading = "End to end (release on completion, G-EDF by DAG)"
        title = "Priority points of their own (from the release of the DAG)"
        tuned = rta("analyze", "-", "--release", "completion", "--optimize", "priorities", stdin=task_set).stdout
        self.assertIn(heading, tuned)
        self.assertRegex(tuned, re.escape(title) + r"\n  DAG +priority point +by the scheduler\n  a +20 ms +10 ms\n\n")
        plain = rta("analyze", "-", "--release", "completion", stdin=task_set).stdout
        self.assertIn(heading, plain)
        self.assertNotIn(title, plain)

    def test_refused(self):
        for arguments, named in [
            (("--release", "sometimes"), "sometimes"),
            (("--release", "completion", "--granularity", "coarse"), "fine"),
            (("--time-limit", "-1"), "--time-limit"),
            (("--most-periods", "0"), "--most-periods"),
            (("--priorities", "task"), "dag, node, best"),
            (("--priorities", "node", "--release", "completion", "--scheduler", "FIFO"), "preemptive CPU pool"),
            (("--priorities", "node", "--release", "completion", "--non-preemptive"), "preemptive CPU pool"),
            (("--optimize", "everything"), "everything"),
        ]:
            run = rta("analyze", EXAMPLE, *arguments)
            self.assertEqual((run.returncode, run.stdout), (2, ""), arguments)
            self.assertIn(named, run.stderr)


if __name__ == "__main__":
    unittest.main()
