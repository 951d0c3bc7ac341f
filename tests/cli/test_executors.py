"""Executors of ROS 2: bounds, explanations, simulations and certificates; what is not for them is refused."""

import json
import pathlib
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

BLASS = ROOT / "tasksets/literature/blass-callbacks.yaml"

TWO = """platform: {cores: {processors: 2, partitioned: true}, gpu: {sms: 1, threads: 64}}
executors:
  x: {on: cores0, kind: KIND}
  y: {on: cores1, kind: wait-set}
dags:
  - name: d
    T: 20 ms
    nodes:
      a: {executor: x, entity: subscription, C: 1 ms}
      k: {on: gpu, B: 1, H: 64, L: 2 ms}
      b: {executor: y, entity: subscription, C: 1 ms}
    edges: [a -> k -> b]
tasks:
  - {name: t, T: 10 ms, executor: x, entity: timer, C: 1 ms}
"""


class Executors(unittest.TestCase):
    def file(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "set.yaml"
        path.write_text(text)
        return path

    def test_bounds_of_the_example_are_the_lesser_of_both_theorems(self):
        run = rta("analyze", BLASS)
        self.assertEqual(run.returncode, 0, run.stderr)
        for name, end in (("sensor", "430 ms"), ("planner", "440 ms"), ("map", "440 ms")):
            self.assertRegex(run.stdout, rf"{name}\b.*{end}")
        self.assertIn("executors under the wait-set rule, each alone on its processor", run.stdout)

    def test_what_bounds_rest_on_is_told(self):
        chain = TWO.replace("KIND", "wait-set").replace("k: {on: gpu, B: 1, H: 64, L: 2 ms}", "k: {executor: x, C: 2 ms}")
        path = self.file(chain)
        run = rta("analyze", path, "--certificate", path.with_name("proof"))
        self.assertIn("a message from one callback of executor 'cores0' to another is in its queue when", " ".join(run.stdout.split()))
        check = rta(path, path.with_name("proof"), program=PROGRAM.with_name("rta-check"))
        self.assertIn("assumed, not in the file: pool cores0: a message from one of its callbacks", check.stdout)
        self.assertNotIn("a message from", rta("analyze", BLASS).stdout)

    def test_explanations_have_the_windows(self):
        run = rta("analyze", BLASS, "--explain", "planner", "--explain", "sensor")
        self.assertIn("M = 2 windows of W = 430000000 ns", run.stdout)
        self.assertIn("sensor: 2 x 10000000", run.stdout)
        self.assertIn("T19j", run.stdout)

    def test_simulation_stays_below(self):
        run = rta("simulate", BLASS, "--duration", "100 s", "--seed", "3")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_other_ways_are_refused_with_their_reason(self):
        for options, reason in ((["--release", "offsets"], "--release offsets has no theorem"), (["--scheduler", "FIFO"], "change `kind`"),
                                (["--non-preemptive"], "runs to its end"), (["--granularity", "coarse"], "not grouped"),
                                (["--path-bound", "T10n"], "T19, T19j, T20 and T22")):
            run = rta("analyze", BLASS, *options)
            self.assertEqual(run.returncode, 2, options)
            self.assertIn(reason, run.stderr)
        self.assertIn("which workloads do not have yet", rta("workload", BLASS, "-o", self.file("").parent / "out").stderr)
        self.assertIn("a static schedule orders all jobs itself", rta("compile", BLASS).stderr)
        self.assertIn("which schedule_abstraction does not know", rta("convert", BLASS, "--to", "sag").stderr)

    def test_an_executor_with_too_much_to_do_is_told(self):
        path = self.file(BLASS.read_text().replace("C: 10 ms", "C: 90 ms"))
        run = rta("analyze", path)
        self.assertIn("executor 'cores0' has more to do than its thread can", run.stdout)

    def test_callbacks_that_starve_are_named(self):
        path = self.file("""platform: {cpu: {processors: 1}}
executors: {x: {on: cpu, kind: priority}}
dags:
  - {name: often, T: 10 ms, priority: 9, nodes: {a: {executor: x, C: 3 ms}, b: {executor: x, C: 4 ms}}, edges: [a -> b]}
  - {name: seldom, T: 10 ms, priority: 1, nodes: {c: {executor: x, C: 3500 us}}}
""")
        out = " ".join(rta("analyze", path).stdout.split())
        self.assertIn("executor 'cpu' has more to do than its thread can, U = 1.05 > 1", out)
        self.assertIn("most of it is 'often/b' (40.0 %), 'seldom' (35.0 %), 'often/a' (30.0 %); 'seldom' and what is less urgent starve", out)
        path = self.file(BLASS.read_text().replace("C: 10 ms", "C: 90 ms"))
        self.assertIn("most of it is 'sensor' (90.0 %)", " ".join(rta("analyze", path).stdout.split()))

    # By hand: 2 + 2 x 3 + 4/2, 3 + 2 x 2 + 4/2, 4 + (2 x 2 + 2 x 3)/2.
    THREADS = """platform: {cpu: {processors: 2}}
executors: {x: {on: cpu, kind: multi-threaded}}
tasks:
  - {name: a, T: 10 ms, executor: x, group: g, C: 2 ms}
  - {name: b, T: 10 ms, executor: x, group: g, C: 3 ms}
  - {name: c, T: 20 ms, executor: x, group: h, C: 4 ms}
"""

    def test_several_threads(self):
        path = self.file(self.THREADS)
        run = rta("analyze", path, "--explain", "a", "--certificate", path.with_name("proof"))
        for name, bound in (("a", 10), ("b", 9), ("c", 9)):
            self.assertRegex(run.stdout, rf"{name} +{bound} ms")
        self.assertIn("b: 2 x 3000000\n", run.stdout)
        self.assertIn("c: 1 x 4000000/2\n", run.stdout)
        self.assertIn("executors of several threads, each thread alone on a processor", run.stdout)
        check = rta(path, path.with_name("proof"), program=PROGRAM.with_name("rta-check"))
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        self.assertEqual(rta("simulate", path, "--search-runs", "100").returncode, 0)
        self.assertEqual(rta("simulate", path, "--duration", "10 s", "--seed", "3").returncode, 0)
        text = rta("convert", path, "--to", "yaml").stdout
        self.assertIn("scheduler: multi-threaded", text)
        self.assertIn("group: g", text)
        bounds, again = (json.loads(run.stdout)["dags"] for run in (rta("analyze", path, "--format", "json"), rta("analyze", "-", "--format", "json", stdin=text)))
        self.assertEqual(bounds, again)
        why = rta("analyze", path, "--why", "a")
        self.assertEqual(why.returncode, 0, why.stdout + why.stderr)
        self.assertIn("an executor of several threads, which workloads do not have yet", rta("workload", path, "-o", path.with_name("out")).stderr)
        self.assertIn("a static schedule orders all jobs itself", rta("compile", path).stderr)
        self.assertIn("which schedule_abstraction does not know", rta("convert", path, "--to", "sag").stderr)

    # 3 of every 5: 1 takes 5, as the budget may have been used up just before. 5 of 5 is the whole processor.
    def test_reservations(self):
        text = """platform: {cpu: {processors: 1}}
executors: {x: {on: cpu, kind: KIND, reservation: {runtime: RUNTIME ms, period: 5 ms}}}
tasks:
  - {name: a, T: 20 ms, executor: x, entity: timer, C: 1 ms}
"""
        for kind in ("wait-set", "events", "priority", "step"):
            path = self.file(text.replace("KIND", kind).replace("RUNTIME", "3"))
            proof = path.with_name("proof")
            run = rta("analyze", path, "--explain", "a", "--why", "a", "--certificate", proof)
            self.assertRegex(run.stdout, r"a +5 ms", kind)
            self.assertIn("executors in reservations", run.stdout)
            self.assertIn("held back by the reservation of cpu", run.stdout)
            self.assertIn("the reservations of the processor of executor 'cpu' take no more than all of it", run.stdout)
            check = rta(path, proof, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            self.assertIn("assumed, not in the file: pool cpu: the reservations of its processor", check.stdout)
            self.assertEqual(rta("simulate", path, "--search-runs", "50").returncode, 0)
            written = rta("convert", path, "--to", "yaml").stdout
            self.assertIn("reservation: {runtime: 3 ms, period: 5 ms}", written)
            bounds, again = (json.loads(run.stdout)["dags"] for run in (rta("analyze", path, "--format", "json"), rta("analyze", "-", "--format", "json", stdin=written)))
            self.assertEqual(bounds, again)
            self.assertIn("which workloads do not have yet", rta("workload", path, "-o", path.with_name("out")).stderr)
            whole = self.file(text.replace("KIND", kind).replace("RUNTIME", "5"))
            self.assertRegex(rta("analyze", whole).stdout, r"a +1 ms", kind)
        path = self.file(text.replace("KIND", "wait-set").replace("RUNTIME", "3").replace("C: 1 ms", "C: 13 ms"))
        self.assertIn("has more to do than its reservation lets it, U = 0.65 > 3000000/5000000", " ".join(rta("analyze", path).stdout.split()))

    # By hand, in a reservation: 2, then 4 elsewhere, then 1: Y = 3, n = 2.
    def test_each_visit_to_a_reservation_is_held_back(self):
        path = self.file("""platform: {cpu: {processors: 1}, gpu: {sms: 1, threads: 64}}
executors: {x: {on: cpu, kind: events, reservation: {runtime: 3 ms, period: 5 ms}}}
dags:
  - {name: d, T: 40 ms, nodes: {a: {executor: x, C: 2 ms}, k: {on: gpu, B: 1, H: 64, L: 4 ms}, b: {executor: x, C: 1 ms}}, edges: [a -> k -> b]}
""")
        run = rta("analyze", path, "--explain", "d")
        self.assertRegex(run.stdout, r"d +15 ms")
        self.assertIn("Y = 3000000 ns in n = 2 visits; held back 8000000 ns", run.stdout)

    def test_a_group_that_has_too_much_to_do_is_told(self):
        one = """platform: {cpu: {processors: 4}}
executors: {x: {on: cpu, kind: multi-threaded, threads: 3}}
tasks:
  - {name: a, T: 4 ms, executor: x, GROUPC: 5 ms}
"""
        out = " ".join(rta("analyze", self.file(one.replace("GROUP", "group: g, "))).stdout.split())
        self.assertIn("group 'g' of executor 'cpu' has more to do than one thread can, U = 1.25 > 1, and none of its callbacks runs beside another", out)
        out = " ".join(rta("analyze", self.file(one.replace("GROUP", ""))).stdout.split())
        self.assertIn("the group of callbacks without `group` of executor 'cpu' has more to do", out)
        self.assertRegex(rta("analyze", self.file(one.replace("GROUP", "group: reentrant, "))).stdout, r"a +6.67 ms")

    def test_a_group_on_which_bounds_grow_is_told(self):
        text = """platform: {cpu: {processors: 2}}
executors: {x: {on: cpu, kind: multi-threaded}}
tasks:
  - {name: a, T: 10 ms, executor: x, group: g, C: 6 ms}
  - {name: b, T: 10 ms, executor: x, group: g, C: 3 ms}
"""
        out = " ".join(rta("analyze", self.file(text)).stdout.split())
        self.assertIn("group 'g' counts in full, which takes 90.0 % of one of its 2 threads, and others by 1/2; most of it is 'a' (60.0 %), 'b' (30.0 %)", out)

    # c (2) waits for a (3) and for b (2), which is ahead of it when a publishes at once.
    def test_callbacks_publish_before_they_end(self):
        text = """platform: {cpu: {processors: 1}}
executors: {x: {on: cpu, kind: events}}
dags:
  - {name: A, T: 20 ms, nodes: {a: {executor: x, C: 3 ms}, b: {executor: x, C: 2 ms}}, edges: [a -> b]}
  - {name: B, T: 20 ms, nodes: {c: {executor: x, C: 2 ms}}}
"""
        run = rta("analyze", self.file(text), "--explain", "B")
        self.assertRegex(run.stdout, r"B +7 ms")
        self.assertIn("a callback may publish before it ends, so that work is counted node by node", run.stdout)
        self.assertNotIn("polls", run.stdout)
        plain = text.replace("executors: {x: {on: cpu, kind: events}}\n", "").replace("executor: x", "on: cpu").replace("processors: 1", "processors: 1, scheduler: FIFO")
        self.assertRegex(rta("analyze", self.file(plain), "--release", "completion").stdout, r"B +5 ms")
        self.assertRegex(rta("analyze", self.file(plain.replace("FIFO", "FIFO, callbacks: true"))).stdout, r"B +7 ms")

    # By hand: each waits for one callback that has started, 2 ms at most; then the more urgent go first.
    def test_picked_step_by_step(self):
        path = self.file("""platform: {cpu: {processors: 1}}
executors: {x: {on: cpu, kind: step}}
tasks:
  - {name: late, T: 100 ms, executor: x, entity: waitable, C: 2 ms}
  - {name: timer, T: 100 ms, executor: x, entity: timer, C: 2 ms}
  - {name: message, T: 100 ms, executor: x, entity: subscription, C: 2 ms}
""")
        out = rta("analyze", path).stdout
        for name, bound in (("message", 4), ("timer", 6), ("late", 6)):
            self.assertRegex(out, rf"{name} +{bound} ms")

    def test_all_kinds_are_simulated_certified_and_written(self):
        for kind in ("events", "priority", "step"):
            path = self.file(TWO.replace("KIND", kind))
            proof = path.with_name("proof")
            self.assertEqual(rta("analyze", path, "--certificate", proof).returncode, 0)
            check = rta(path, proof, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            self.assertEqual(rta("simulate", path, "--search-runs", "50").returncode, 0)
            text = rta("convert", path, "--to", "yaml").stdout
            self.assertIn("callbacks: true", text)
            bounds, again = (json.loads(run.stdout)["dags"] for run in (rta("analyze", path, "--format", "json"), rta("analyze", "-", "--format", "json", stdin=text)))
            self.assertEqual(bounds, again)
            self.assertEqual(rta("analyze", path, "--release", "offsets").returncode, 2)

    # Nothing follows a callback, so that it is a FIFO as any other.
    def test_without_edges_all_theorems_hold(self):
        path = self.file(BLASS.read_text().replace("wait-set", "events"))
        out = rta("analyze", path).stdout
        for name in ("sensor", "planner", "map"):
            self.assertRegex(out, rf"{name}\b.*430 ms")
        self.assertEqual(rta("analyze", path, "--release", "offsets").returncode, 0)

    # An executor's order is its own: under G-EDF `short` would not wait for `long`, and meet its deadline.
    def test_no_option_changes_the_order_of_an_executor(self):
        for kind in ("events", "priority", "step"):
            entity = ", entity: timer" if kind == "step" else ""
            path = self.file(f"""platform: {{cpu: {{processors: 1}}}}
executors: {{e: {{on: cpu, kind: {kind}}}}}
tasks:
  - {{name: short, T: 10 us, D: 5 us, executor: e, C: 1 us{entity}}}
  - {{name: long, T: 40 us, executor: e, C: 20 us{entity}}}
""")
            run = rta("analyze", path)
            self.assertEqual((run.returncode, "--scheduler" in run.stdout, "--non-preemptive" in run.stdout), (1, False, False), run.stdout + run.stderr)
            for options, reason in ((["--scheduler", "G-EDF"], "change `kind`"), (["--scheduler", "FP"], "change `kind`"), (["--non-preemptive"], "runs to its end"),
                                    (["--granularity", "coarse"], "not grouped"), (["--granularity", "monolithic"], "not grouped"),
                                    (["--release", "static"], "a static schedule orders all jobs itself")):
                run = rta("analyze", path, *options)
                self.assertEqual((kind, options, run.returncode), (kind, options, 2))
                self.assertIn(reason, run.stderr)

    def test_certificates_are_verified(self):
        for text in (BLASS.read_text(), TWO.replace("KIND", "wait-set")):
            path = self.file(text)
            proof = path.with_name("proof")
            self.assertEqual(rta("analyze", path, "--certificate", proof).returncode, 0)
            check = rta(path, proof, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_written_and_read_back(self):
        text = rta("convert", self.file(TWO.replace("KIND", "wait-set")), "--to", "yaml").stdout
        again = rta("convert", "-", "--to", "yaml", stdin=text).stdout
        self.assertEqual(again.splitlines()[3:], text.splitlines()[3:])
        self.assertIn("cores1: {processors: 1, scheduler: wait-set", text)

    def test_a_search_keeps_below_the_bounds(self):
        run = rta("simulate", self.file(TWO.replace("KIND", "wait-set")), "--search-runs", "200")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_slack_and_changes_work(self):
        run = rta("analyze", self.file(TWO.replace("KIND", "wait-set")), "--slack")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        run = rta("analyze", self.file(TWO.replace("KIND", "wait-set")), "--set", "tasks.t.C=2ms")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    # The table of docs/recipes.md, in ms: lidar_top, perception, planning, ekf, controller, lidar_left, gnss.
    def test_deployments_of_autoware(self):
        table = {"callbacks": (93.9, 82.0, 60.1, 13.4, 13.4, 13.4, 13.4), "priorities": (93.9, 82.0, 60.1, 11.1, 6.6, 18.4, 13.7),
                 "reservations": (93.9, 82.0, 97.3, 56.5, 42.6, 57.3, 57.3), "threads": (172.2, 155.7, 97.9, 47.4, 44.7, 42.8, 40.2)}
        text = (ROOT / "docs/recipes.md").read_text()
        for name, row in table.items():
            run = rta("analyze", ROOT / f"tasksets/literature/autoware-{name}.yaml", "--format", "json")
            bounds = {dag["name"]: dag["response_bound_ns"] / 1e6 for dag in json.loads(run.stdout)["dags"]}
            found = tuple(round(bounds[dag], 1) for dag in ("lidar_top", "perception", "planning", "ekf", "controller", "lidar_left", "gnss"))
            self.assertEqual(found, row, name)
            self.assertIn(" | ".join(str(bound) for bound in row) + " |", text)
        run = rta("analyze", ROOT / "tasksets/literature/autoware-one-executor.yaml")
        self.assertIn("most of it is 'perception/c2' (46.3 %), 'lidar_top/c9' (30.4 %), 'planning/c3' (18.8 %)", " ".join(run.stdout.split()))


if __name__ == "__main__":
    unittest.main()
