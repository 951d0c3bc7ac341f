"""Limits on the effort never change the question: what they leave out is told, and loads are those of releases every T."""

import csv
import io
import json
import unittest

from program import rta


def late_dags(count, load):
    """DAGs of ten nodes in a row on a non-preemptive pool, released up to half a period late, all different."""
    lines = ["platform:", "  cpu: {processors: 4, scheduler: G-EDF, preemptive: false}", "dags:"]
    for d in range(count):
        T = 20_000 + 1_000 * d
        C = int(load / count * T / 10)
        lines += [f"  - name: d{d}", f"    T: {T} us", f"    jitter: {T // 2} us", "    nodes:"]
        lines += [f"      n{i}: {{on: cpu, C: {C} us}}" for i in range(10)]
        lines += ["    edges: [" + " -> ".join(f"n{i}" for i in range(10)) + "]"]
    return "\n".join(lines) + "\n"


def analyzed(text, *options):
    run = rta("analyze", "-", "--release", "completion", "--format", "json", *options, stdin=text)
    return json.loads(run.stdout)


class LateDags(unittest.TestCase):
    """61 x 10 nodes: 2.35 of 4 processors; with T - J for T it would be 4.7."""

    def test_one_dag_more_does_not_change_the_question(self):
        for count in (59, 61):
            result = analyzed(late_dags(count, 2.353))
            self.assertAlmostEqual(result["pools"][0]["utilization"], 2.353, places=1)
            self.assertNotEqual(result["verdict"], "unbounded", count)
            self.assertEqual({dag["theorem"] for dag in result["dags"]}, {"T12"}, count)

    def test_nor_does_it_where_releases_T_less_J_apart_have_bounds(self):
        # T - J = 0.6 T: 3.9 of 4, with bounds that miss every deadline; by nominal periods all are met.
        for count in (60, 61):
            lines = ["platform: {cpu: {processors: 4, scheduler: G-EDF, preemptive: false}}", "dags:"]
            for d in range(count):
                T = 100_000 + 37 * d
                nodes = ", ".join(f"n{i}: {{on: cpu, C: {int(2.35 * T / 610)} us}}" for i in range(10))
                chain = " -> ".join(f"n{i}" for i in range(10))
                lines += [f"  - {{name: d{d}, T: {T} us, D: {3 * T} us, jitter: {int(0.4 * T)} us, nodes: {{{nodes}}}, edges: [{chain}]}}"]
            self.assertEqual(analyzed("\n".join(lines) + "\n")["verdict"], "schedulable", count)

    def test_an_overload_is_that_of_the_periods(self):
        result = analyzed(late_dags(61, 4.4))
        self.assertEqual(result["verdict"], "unbounded")
        self.assertIn("U = 4.3", result["pools"][0]["explanation"])
        self.assertAlmostEqual(result["pools"][0]["utilization"], 4.4, places=1)


class Told(unittest.TestCase):
    def test_in_json_and_with_verbose(self):
        # 61 x 10 nodes at a load of 0.5: more than all theorems are asked of.
        text = late_dags(61, 0.5)
        result = analyzed(text)
        self.assertNotEqual(result["left_out"], [])
        self.assertEqual([entry for entry in result["left_out"] if "T12" in entry["theorems"]], [])
        self.assertEqual(result["policies"][0]["left_out"], result["left_out"])
        plain = rta("analyze", "-", "--release", "completion", stdin=text).stdout
        verbose = rta("analyze", "-", "--release", "completion", "--verbose", stdin=text).stdout
        names = list(dict.fromkeys(theorem for entry in result["left_out"] for theorem in entry["theorems"]))
        said = f"bounds hold, and may be larger than need be: {', '.join(names)} would take long, and were left out, whole or in part"
        self.assertIn(f"\nLeft out\n  {said} (--verbose)\n", plain)
        self.assertIn(said, rta("analyze", "-", "--release", "completion", "--format", "html", stdin=text).stdout)
        self.assertIn(f"\nLeft out: {said}.\n", rta("analyze", "-", "--release", "completion", "--format", "md", stdin=text).stdout)
        self.assertIn("Left out, as it would take long", verbose)
        for entry in result["left_out"]:
            self.assertIn(f"  completion: {entry['text']}\n", verbose)

    def test_what_is_for_preemptive_pools_is_not_named_on_others(self):
        result = analyzed(late_dags(61, 2.353).replace("    jitter:", "    D: 1 ms\n    jitter:"))
        self.assertEqual([entry["theorems"] for entry in result["left_out"] if entry["limit"] == "different-nodes"], [["T10p", "T10d"]])

    def test_nothing_is_left_out_of_few_nodes(self):
        result = analyzed("platform: {cpu: {processors: 2}}\ntasks:\n  - {name: a, on: cpu, T: 10 ms, C: 1 ms}\n")
        self.assertEqual(result["left_out"], [])
        self.assertEqual(result["assumed"], [])
        self.assertNotIn("Left out", rta("analyze", "-", stdin="platform: {cpu: {processors: 2}}\ntasks:\n  - {name: a, on: cpu, T: 10 ms, C: 1 ms}\n").stdout)


class Assumed(unittest.TestCase):
    """docs/theory/path.md, T10d without preemption: 13 ns where T11b has 23."""

    TEXT = """platform: {cpu: {processors: 2, scheduler: FP, preemptive: false}}
time_unit: ns
dags:
  - {name: two, T: 100, D: %d, priority: 2, nodes: {a: {on: cpu, C: 1}, b: {on: cpu, C: 2}}, edges: [a -> b]}
  - {name: s10, T: 100, priority: 1, nodes: {x: {on: cpu, C: 10}}}
  - {name: t10, T: 100, priority: 1, nodes: {x: {on: cpu, C: 10}}}
  - {name: s8, T: 100, priority: 1, nodes: {x: {on: cpu, C: 8}}}
  - {name: s6, T: 100, priority: 1, nodes: {x: {on: cpu, C: 6}}}
"""

    def test_only_where_a_bound_rests_on_it(self):
        said = "a processor of pool 'cpu' that ends a node queues what this makes ready before it takes its next node (T10d without preemption)"
        for D, assumed in ((13, [said]), (30, [])):
            result = analyzed(self.TEXT % D)
            self.assertEqual(result["verdict"], "schedulable")
            self.assertEqual([entry["text"] for entry in result["assumed"]], assumed, D)
            text = rta("analyze", "-", "--release", "completion", stdin=self.TEXT % D).stdout
            self.assertEqual(f"\nAssumed\n  {said}\n" in text, bool(assumed), D)
            page = rta("analyze", "-", "--release", "completion", "--format", "html", stdin=self.TEXT % D).stdout
            self.assertEqual("before it takes its next node" in page, bool(assumed), D)
            rows = list(csv.DictReader(io.StringIO(rta("analyze", "-", "--release", "completion", "--format", "csv", stdin=self.TEXT % D).stdout)))
            self.assertEqual({row["assumed"] for row in rows}, set(assumed) or {""}, D)
            simulated = rta("simulate", "-", "--release", "completion", "--duration", "1 us", stdin=self.TEXT % D).stdout
            self.assertEqual(f"\nAssumed by bounds\n  {said}\n" in simulated, bool(assumed), D)
            simulated = rta("simulate", "-", "--release", "completion", "--duration", "1 us", "--format", "json", stdin=self.TEXT % D).stdout
            self.assertEqual(json.loads(simulated)["assumed"], assumed, D)

    def test_where_registers_may_run_short_first(self):
        kernels = """tasks:
  - {name: a, on: gpu, T: 10 ms, B: 2, H: 224, L: 1 ms, registers: %d}
"""
        four = ("an SM of pool 'gpu' starts a block as soon as the 4 parts of its register file have room for its warps, in whichever part each "
                "then is")
        one = ("an SM of pool 'gpu' has its registers in one amount, not in parts that hold whole warps (register_parts says of how many parts)")
        for gpu, registers, assumed in (("device: h200", 96, [four]), ("device: h200", 16, []), ("device: h200", 0, []),
                                        ("sms: 1, threads: 2048, registers: 65536, warp: 32", 96, [one]), ("sms: 1, threads: 2048", 96, [])):
            text = "platform: {gpu: {%s}}\n" % gpu + kernels % registers
            result = json.loads(rta("analyze", "-", "--release", "offsets", "--format", "json", stdin=text).stdout)
            self.assertEqual([entry["text"] for entry in result["assumed"]], assumed, text)
            self.assertTrue(all(entry["by"] and entry["pool"] == "gpu" for entry in result["assumed"]))


if __name__ == "__main__":
    unittest.main()
