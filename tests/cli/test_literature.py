"""The papers' examples give the papers' figures."""

import json
import unittest

from program import ROOT, rta

LITERATURE = ROOT / "tasksets" / "literature"
SCHEDULERS = ["G-EDF", "G-FL", "FIFO", "LP"]


def analyze(name, *options, stdin=None):
    run = rta("analyze", "-" if stdin is not None else LITERATURE / name, "--format", "json", *options, stdin=stdin)
    assert run.returncode in (0, 1), run.stderr
    return json.loads(run.stdout)


def bounds(result):
    return {dag["name"]: dag["response_bound_ns"] for dag in result["dags"]}


def end_to_end_ms(result):
    return max(dag["response_bound_ns"] for dag in result["dags"]) / 1e6


class Example43(unittest.TestCase):
    def test_theorem_4_3(self):
        result = analyze("example-4.3.yaml", "--gpu-bound", "T5")
        self.assertEqual(result["pools"][0]["capacity"], 3072)
        self.assertAlmostEqual(result["pools"][0]["utilization"], 1612.8)
        # R_1 = 8 and R_2 = 6 + 5/6 us, rounded up to whole ns.
        self.assertEqual(bounds(result), {"tau1": 8000, "tau2": 6834})

    def test_best_is_no_worse(self):
        best = bounds(analyze("example-4.3.yaml"))
        # T5's weights with carry (b) give 6.575 and 5 + 49/120.
        self.assertLessEqual(best["tau1"], 6575)
        self.assertLessEqual(best["tau2"], 5409)


class AsPublished(unittest.TestCase):
    """T1 and T5 with the dissertation's formulas, by hand: R_k = Y_k + (15 C_max + 6 sum C_i (1 - Y_i/T))/16 + 15/16 C_k on 16 processors, C_max = 1.5 ms, and
    T5's R_k = L_k + (L_max (80 x 2048 - 256) + 6 sum H B L - H_k L_k)/(80 x (2048 - 256 + 64)). The longest path has 16 nodes, 12 of them on processors."""

    def test_hog_like(self):
        for scheduler, by_hand in (("G-FL", 437_516_309), ("G-EDF", 440_743_541)):
            bound = max(bounds(analyze("hog-like.yaml", "--scheduler", scheduler, "--cpu-bound", "published", "--gpu-bound", "T5")).values())
            # Priority points and bounds are whole nanoseconds, rounded node by node.
            self.assertTrue(by_hand - 1 <= bound <= by_hand + 16, (scheduler, bound))

    def test_the_shift_turns_the_order_around(self):
        sharpened = {scheduler: end_to_end_ms(analyze("hog-like.yaml", "--scheduler", scheduler, "--cpu-bound", "T1", "--gpu-bound", "T5", "--refine", "none"))
                     for scheduler in ("G-FL", "G-EDF")}
        self.assertLess(sharpened["G-EDF"], sharpened["G-FL"])

    def test_what_is_not_preempted_was_not_published(self):
        result = analyze("hog-like.yaml", "--cpu-bound", "published", "--non-preemptive")
        self.assertEqual(result["verdict"], "unbounded")
        self.assertIn("T1 as published assumes preemption", result["pools"][0]["explanation"])


class Theorems(unittest.TestCase):
    def test_per_task_streams_have_no_bound(self):
        result = analyze("theorem-4.1.yaml")
        self.assertEqual(result["verdict"], "unbounded")
        self.assertIn("sequential", result["pools"][0]["explanation"])

    def test_the_same_kernels_with_a_stream_per_job_have_bounds(self):
        task, job = ((LITERATURE / name).read_text().partition("platform:")[2] for name in ("theorem-4.1.yaml", "theorem-4.1-per-job.yaml"))
        self.assertEqual(task.replace(", sequential: true", ""), job)
        self.assertEqual(bounds(analyze("theorem-4.1-per-job.yaml", "--gpu-bound", "T5")), {"tau1": 2_520_000, "tau2": 1_740_000, "tau3": 1_800_000})

    def test_above_the_capacity_of_theorem_4_3(self):
        text = (LITERATURE / "theorem-4.2.yaml").read_text()
        self.assertEqual(analyze("", stdin=text)["verdict"], "unbounded")
        smaller = text.replace("L: 1 us", "L: 1 ns")
        self.assertNotEqual(smaller, text)
        self.assertEqual(analyze("", stdin=smaller)["verdict"], "unbounded")

    def test_the_capacity_is_told_where_it_is_exceeded(self):
        for bound in ["T5", "T6a", "best"]:
            pool = analyze("theorem-4.2.yaml", "--gpu-bound", bound)["pools"][0]
            self.assertIn("exceeds the capacity 3072", pool["explanation"])
            self.assertEqual((pool["bounded"], pool["capacity"]), (False, 3072), bound)
        page = rta("analyze", LITERATURE / "theorem-4.2.yaml", "--format", "html").stdout
        self.assertIn("3072 G-threads", page)

    def test_at_the_capacity_and_one_ns_above(self):
        text = (LITERATURE / "theorem-4.2-at-capacity.yaml").read_text()
        for bound in ["T5", "T6a", "T6b", "best"]:
            result = analyze("", "--gpu-bound", bound, stdin=text)
            self.assertEqual(result["verdict"], "schedulable", bound)
            self.assertEqual(result["pools"][0]["utilization"], 3072, bound)
        above = text.replace("L: 996 us", "L: 996001 ns")
        self.assertNotEqual(above, text)
        self.assertEqual(analyze("", stdin=above)["verdict"], "unbounded")


class Tx2(unittest.TestCase):
    def test_shared_memory_refuses_T5_and_T6_bounds(self):
        refused = analyze("tx2-table-1.yaml", "--gpu-bound", "T5")
        self.assertEqual(refused["verdict"], "unbounded")
        self.assertIn("shared memory can bind first", refused["pools"][0]["explanation"])
        self.assertIsNone(refused["pools"][0]["capacity"])
        self.assertEqual(analyze("tx2-table-1.yaml")["verdict"], "schedulable")


class HogLike(unittest.TestCase):
    """Chapter 6 of the dissertation; the figures with T1's published carry are 179.6, 187.5 and 169.0 ms."""

    @classmethod
    def setUpClass(cls):
        plain = ["--refine", "none", "--gpu-bound", "T5"]
        cls.plain = {s: analyze("hog-like.yaml", "--scheduler", s, *plain) for s in SCHEDULERS}

    def test_end_to_end_bounds(self):
        for scheduler, expected in {"G-EDF": 168.3, "FIFO": 168.3, "G-FL": 176.2, "LP": 157.7}.items():
            self.assertAlmostEqual(end_to_end_ms(self.plain[scheduler]), expected, delta=0.1, msg=scheduler)

    def test_fair_lateness_is_fair(self):
        lateness = {s: self.plain[s]["pools"][0]["largest_node_lateness_ns"] for s in SCHEDULERS}
        self.assertLessEqual(lateness["G-FL"], lateness["G-EDF"])

    def test_lp_has_the_least_sum(self):
        total = {s: sum(bounds(self.plain[s]).values()) for s in SCHEDULERS}
        self.assertEqual(min(total.values()), total["LP"])

    def test_refinements_never_hurt(self):
        for scheduler in SCHEDULERS:
            refined = analyze("hog-like.yaml", "--scheduler", scheduler)
            for name, bound in bounds(refined).items():
                self.assertLessEqual(bound, bounds(self.plain[scheduler])[name])

    def test_only_the_fine_grained_variant_carries_six_cameras(self):
        for name in ["hog-like.yaml", "hog-like-clusters.yaml"]:
            self.assertNotEqual(analyze(name)["verdict"], "unbounded")
            for granularity in ["coarse", "monolithic"]:
                result = analyze(name, "--granularity", granularity)
                self.assertEqual(result["verdict"], "unbounded", granularity)
                self.assertTrue(any(not pool["bounded"] and pool["explanation"] for pool in result["pools"]))

    def test_the_coarse_grained_variant_carries_one_camera(self):
        text = (LITERATURE / "hog-like.yaml").read_text()
        one = analyze("", "--granularity", "coarse", stdin=text.replace("copies: 6", "copies: 1"))
        self.assertNotEqual(one["verdict"], "unbounded")
        two = analyze("", "--granularity", "coarse", stdin=text.replace("copies: 6", "copies: 2"))
        self.assertEqual(two["verdict"], "unbounded")
        monolithic = analyze("", "--granularity", "monolithic", stdin=text.replace("copies: 6", "copies: 1"))
        self.assertEqual(monolithic["verdict"], "unbounded")


class Gcaps(unittest.TestCase):
    """A gap between slices of 1 ms: 5 other contexts, 5 x 1 ms + 6 x 200 us = 6.2 ms."""

    def test_bounds_under_the_default_driver(self):
        found = bounds(analyze("gcaps-2024.yaml", "--release", "completion"))
        self.assertEqual(found["histogram"], 1_000_000 + 10_000_000 + 10 * 6_200_000)
        self.assertEqual(found["mmul_gpu_1"], 2_000_000 + 12_000_000 + 12 * 6_200_000)
        # Besides its own 67 ms: mmul_gpu_1 before and behind its kernel, and once more before the next.
        self.assertEqual(found["mmul_cpu"], 70_000_000)
        self.assertIsNone(found["simpleTexture3D"])

    def test_the_longest_gaps_reach_the_bounds(self):
        run = rta("simulate", LITERATURE / "gcaps-2024.yaml", "--slices", "worst", "--duration", "300 ms", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        seen = {dag["dag"]: dag["observed_max_ns"] for dag in json.loads(run.stdout)["dags"]}
        self.assertEqual((seen["histogram"], seen["mmul_gpu_1"]), (73_000_000, 88_400_000))

    def test_round_robin_passes_the_published_bounds(self):
        run = rta("simulate", LITERATURE / "gcaps-2024.yaml", "--slices", "round-robin", "--duration", "12 s", "--format", "json")
        seen = {dag["dag"]: dag["observed_max_ns"] for dag in json.loads(run.stdout)["dags"]}
        for name, published in {"histogram": 60, "mmul_gpu_1": 73.6, "projection": 98.2}.items():
            self.assertGreater(seen[name], published * 1e6, name)


    def test_bounds_under_their_driver(self):
        found = bounds(analyze("gcaps-2024-preemptive.yaml", "--release", "completion"))
        # The most urgent: 1 ms, 10 ms and two switches of 200 us. The next one waits for it once: 2 + 12 + 0.4 + 10 + 0.6 ms.
        self.assertEqual((found["histogram"], found["mmul_gpu_1"], found["mmul_cpu"]), (11_400_000, 25_000_000, 69_000_000))
        run = rta("simulate", LITERATURE / "gcaps-2024-preemptive.yaml", "--release", "completion", "--duration", "12 s", "--format", "json")
        for dag in json.loads(run.stdout)["dags"]:
            self.assertLessEqual(dag["observed_max_ns"], found[dag["dag"]])


class PersistentThreads(unittest.TestCase):
    """32 tasks: 189.165 ms by a persistent kernel, 229.604 ms by launches; a task is a whole number of ns."""

    def test_the_published_times(self):
        found = bounds(analyze("persistent-against-launch.yaml", "--release", "completion"))
        self.assertEqual(found, {"persistent": 32 * 5_911_407, "launched": 32 * (5_911_407 + 1_263_719)})

    def test_both_occur(self):
        run = rta("simulate", LITERATURE / "persistent-against-launch.yaml", "--release", "completion", "--duration", "2 s", "--format", "json")
        seen = {dag["dag"]: dag["observed_max_ns"] for dag in json.loads(run.stdout)["dags"]}
        self.assertEqual(seen, {"persistent": 189_165_024, "launched": 229_604_032})


class Rtss2017(unittest.TestCase):
    """Schedule abstraction's first examples: what is published of them, schedulable or not, is said here, too."""

    def test_figure_1a(self):
        one = analyze("rtss-2017-fig1a.yaml")
        self.assertEqual("deadline-missed", one["verdict"])
        self.assertGreaterEqual(bounds(one)["T1"], 14_000_000)  # seen there: 24 - 10
        two = analyze("-", stdin=(LITERATURE / "rtss-2017-fig1a.yaml").read_text().replace("processors: 1", "processors: 2"))
        self.assertEqual("schedulable", two["verdict"])

    def test_figure_1c(self):
        # T3 ends by 2 + 13. T1's job of 10 comes when T2 has started after T3, before 10: 10 + 8 + 2 - 10. If T3 ends by 15 T1 is next, and T2 ends by 15 + 2 + 8.
        found = analyze("rtss-2017-fig1c.yaml")
        self.assertEqual("schedulable", found["verdict"])
        self.assertEqual({"T1": 10_000_000, "T3": 15_000_000, "T2": 25_000_000}, bounds(found))
        self.assertIn("before it starts anything", str(found["assumed"]))
        any_order = analyze("-", stdin=(LITERATURE / "rtss-2017-fig1c.yaml").read_text().replace("simultaneous: before_starts", "simultaneous: any_order"))
        self.assertEqual("deadline-missed", any_order["verdict"])

    def test_the_job_set_of_figure_1a_is_that_file(self):
        rows = [(1, job + 1, 10 * job, 1, 2, 10 * job + 10) for job in range(6)] + [(2, job + 7, 30 * job, 7, 8, 30 * job + 30) for job in range(2)] + [(3, 9, 0, 3, 13, 60)]
        text = "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority\n" + "".join(
            f"{task}, {job}, {at}, {at}, {least}, {most}, {due}, {due}\n" for task, job, at, least, most, due in rows)
        run = rta("convert", "-", "--from", "sag", "--processors", "1", "--time-unit", "ms", "--period", "60ms", stdin=text)
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertEqual(3, run.stdout.count("periodic: true"))
        self.assertIn("releases go on as they are in the file, by one clock", run.stdout)
        converted = analyze("-", stdin=run.stdout)
        self.assertEqual(bounds(analyze("rtss-2017-fig1a.yaml")), bounds(converted))


if __name__ == "__main__":
    unittest.main()
