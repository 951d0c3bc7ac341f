"""`rta analyze --certificate` and `rta-check`: exit statuses, what they print, and files that are no certificates."""

import hashlib
import json
import pathlib
import subprocess
import tempfile
import unittest

from program import EXAMPLE, PROGRAM, ROOT, TASK_SETS, TIME_LIMIT, one_test_each, rta

CHECKER = PROGRAM.with_name("rta-check")
OFFSETS = ["--release", "offsets"]
MONOLITHIC = ["--granularity", "monolithic"]


def check(*arguments):
    return subprocess.run([CHECKER, *map(str, arguments)], capture_output=True, text=True, timeout=TIME_LIMIT)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.certificate = pathlib.Path(folder.name, "certificate")

    def certify(self, task_set, *options):
        run = rta("analyze", task_set, "--certificate", self.certificate, *options)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return run


POINTS = """\
platform:
  p: {processors: 1, scheduler: G-EDF, preemptive: false}
dags:
  - {name: a, T: 10 ns, D: 7 ns, phase: 1 ns, periodic: true, nodes: {x: {on: p, C: {max: 2 ns, min: 2 ns}}}}
  - {name: b, T: 10 ns, D: 6 ns, phase: 1 ns, periodic: true, nodes: {x: {on: p, C: {max: 2 ns, min: 2 ns}}}}
  - {name: c, T: 10 ns, phase: 0 ns, periodic: true, nodes: {x: {on: p, C: {max: 2 ns, min: 2 ns}}}}
"""


class Certificates(InFolder):
    def test_the_text_names_the_certificate(self):
        self.assertIn(f"Certificate: {self.certificate}\n", self.certify(EXAMPLE, *OFFSETS).stdout)

    def test_points_that_are_not_the_schedulers_are_named_where_nothing_else_bounds_the_node(self):
        # c takes 0 to 2, then of a and b what has the earlier point: by the file b, and a ends 6 after its release of 1.
        task_set = self.certificate.with_name("points.yaml")
        task_set.write_text(POINTS)
        points = {"a": 5, "b": 6, "c": 10}
        lines = ["rta-certificate 1", f"file {hashlib.sha256(POINTS.encode()).hexdigest()}", "pool 0 p cpu 1 G-EDF non-preemptive"]
        for d, (name, D, phase) in enumerate((("a", "7", 1), ("b", "6", 1), ("c", "-", 0))):
            lines += [f"dag {d} {name} 10 {D} phase {phase} periodic", f"node {d} 0 x 0 2 least 2"]
        lines += ["release completion", *(f"point {d} 0 {Y}" for d, Y in enumerate(points.values()))]
        lines += ["reached 0 0 3", "reached 1 0 5", "reached 2 0 2", "end 0 3", "end 1 5", "end 2 2", "verdict schedulable"]
        self.certificate.write_text("\n".join(lines) + "\n")
        run = check(task_set, self.certificate)
        self.assertEqual(0, run.returncode, run.stdout + run.stderr)
        self.assertIn("assumed, not in the file: priority point of a/x is 5 ns\n", run.stdout)
        self.assertNotIn("b/x", run.stdout)
        self.certificate.write_text("\n".join(lines).replace("point 0 0 5", "point 0 0 7") + "\n")
        self.assertEqual(1, check(task_set, self.certificate).returncode)

    def test_json_names_the_certificate_and_no_uncertified_bound(self):
        result = json.loads(self.certify(EXAMPLE, *OFFSETS, "--format", "json").stdout)
        self.assertEqual({"file": str(self.certificate), "uncertified": []}, result["certificate"])

    def test_bounds_of_groups_have_statements(self):
        hog = ROOT / "tasksets/literature/hog-like.yaml"
        result = json.loads(self.certify(hog, *MONOLITHIC, "--scheduler", "FIFO", "--format", "json").stdout)
        self.assertEqual([], result["certificate"]["uncertified"])
        self.assertIn("\ngranularity monolithic\n", self.certificate.read_text())
        run = check(hog, self.certificate)
        self.assertEqual(0, run.returncode, run.stdout)

    def test_a_scheduler_of_the_command_line_is_an_assumption(self):
        self.certify(ROOT / "tasksets/examples/cameras.yaml", *OFFSETS, "--scheduler", "FIFO")
        run = check(ROOT / "tasksets/examples/cameras.yaml", self.certificate)
        self.assertEqual(0, run.returncode, run.stdout)
        self.assertIn("assumed, not in the file: 0 scheduler FIFO\n", run.stdout)

    def test_kernels_of_four_stream_priorities(self):
        levels = self.certificate.with_name("levels.yaml")
        levels.write_text("platform: {gpu: {device: h200}}\ntasks:\n"
                          "  - {name: a, on: gpu, T: 10 ms, B: 264, H: 512, L: 300 us, priority: 5}\n"
                          "  - {name: b, on: gpu, T: 20 ms, B: 528, H: 256, L: 400 us, priority: 3}\n"
                          "  - {name: c, on: gpu, T: 40 ms, B: 1000, H: 256, L: 500 us, priority: high}\n"
                          "  - {name: d, on: gpu, T: 50 ms, B: 1000, H: 1024, L: 500 us}\n")
        for release, theorem in (("offsets", "T7"), ("completion", "T11g")):
            with self.subTest(release):
                result = json.loads(self.certify(levels, "--release", release, "--format", "json").stdout)
                self.assertEqual([], result["certificate"]["uncertified"])
                self.assertEqual([theorem] * 4, [dag["nodes"][0]["theorem"] for dag in result["dags"]])
                run = check(levels, self.certificate)
                self.assertEqual(0, run.returncode, run.stdout)
        self.assertIn("T7, priority between: R_k = (g K + W_> + W_= - w_k L_k) / (g - U_>) + L_k",
                      rta("analyze", levels, "--release", "offsets", "--explain", "b").stdout)

    def test_a_lower_bound_is_refused_with_its_line(self):
        self.certify(EXAMPLE, *OFFSETS)
        lines = self.certificate.read_text().splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("bound "))
        words = lines[at].split(" ")
        words[4] = "1"
        lines[at] = " ".join(words)
        self.certificate.write_text("\n".join(lines) + "\n")
        run = check(EXAMPLE, self.certificate)
        self.assertEqual(1, run.returncode)
        self.assertIn(f"{at + 1}: not verified: {lines[at]}: ", run.stdout)

    def test_bounds_of_0_are_refused_though_no_job_counts_then(self):
        overloaded = self.certificate.with_name("overloaded.yaml")
        overloaded.write_text("platform: {cpu: {processors: 1, scheduler: G-EDF}}\ntasks:\n"
                              "  - {name: a, on: cpu, C: 8 ms, T: 10 ms}\n  - {name: b, on: cpu, C: 8 ms, T: 10 ms}\n")
        digest = hashlib.sha256(overloaded.read_bytes()).hexdigest()
        self.certificate.write_text(f"rta-certificate 1\nfile {digest}\npool 0 cpu cpu 1 G-EDF preemptive\n"
                                    "dag 0 a 10000000 -\nnode 0 0 a 0 8000000\ndag 1 b 10000000 -\nnode 1 0 b 0 8000000\n"
                                    "release offsets\nbound 0 0 0 0 10000000 T1n\nend 0 0\nbound 1 0 0 0 10000000 T1n\nend 1 0\n"
                                    "verdict schedulable\n")
        run = check(overloaded, self.certificate)
        self.assertEqual(1, run.returncode)
        self.assertIn("bound 1 0 0 0 10000000 T1n: the bound is below C (L)\n", run.stdout)

    def test_sums_over_periods_without_much_in_common(self):
        # 85227, 38407, 33865, 19428 and 90930 us have a common multiple of 2.2 x 10^24 ns, and T1be's slack has 102 bits.
        periods = self.certificate.with_name("periods.yaml")
        tasks = ((12772, 85227), (6975, 38407), (9592, 33865), (2481, 19428), (17182, 90930))
        periods.write_text("platform: {cpu: {processors: 4, scheduler: G-EDF, preemptive: false}}\ntasks:\n" +
                           "".join(f"  - {{name: t{i}, on: cpu, C: {C} us, T: {T} us}}\n" for i, (C, T) in enumerate(tasks)))
        self.certify(periods, *OFFSETS)
        self.assertIn(" T1be ", self.certificate.read_text())
        run = check(periods, self.certificate)
        self.assertEqual(0, run.returncode, run.stdout)

    def test_points_that_the_scheduler_does_not_give_are_assumed(self):
        moved = self.certificate.with_name("moved.yaml")
        moved.write_text("platform: {cpu: {processors: 1, scheduler: G-EDF}}\ndags:\n"
                         "  - {name: a, T: 20 ms, D: 10 ms, nodes: {x: {on: cpu, C: 3 ms}, y: {on: cpu, C: 1 ms}}, edges: [x -> y]}\n"
                         "  - {name: b, T: 20 ms, D: 8 ms, nodes: {x: {on: cpu, C: 5 ms}}}\n")
        for options, points in (((), []), (("--optimize", "priorities"), ["a/x", "a/y"])):
            self.certify(moved, "--release", "completion", *options)
            run = check(moved, self.certificate)
            assumed = [line for line in run.stdout.splitlines() if line.startswith("assumed, ")]
            with self.subTest(options):
                self.assertEqual(0, run.returncode, run.stdout)
                self.assertEqual(["assumed, not in the file: release completion"] +
                                 [f"assumed, not in the file: priority point of {node} is 20000000 ns" for node in points], assumed)

    def test_verbose_prints_every_statement_and_quiet_none(self):
        self.certify(EXAMPLE, *OFFSETS)
        statements = len(self.certificate.read_text().splitlines())
        self.assertEqual(statements, check("-v", EXAMPLE, self.certificate).stdout.count(": verified: "))
        self.assertEqual("", check("--quiet", EXAMPLE, self.certificate).stdout)

    def test_another_file_is_refused(self):
        self.certify(EXAMPLE, *OFFSETS)
        other = self.certificate.with_name("other.yaml")
        other.write_text(EXAMPLE.read_text() + "\n# the same set in another file\n")
        run = check(other, self.certificate)
        self.assertEqual(1, run.returncode)
        self.assertIn("the certificate is about another file", run.stdout)

    def test_what_is_no_certificate_has_exit_status_2(self):
        for content, message in {"": "1: 'rta-certificate 1' is expected", "rta-certificate 2\n": "1: 'rta-certificate 1' is expected",
                                 "rta-certificate 1": "1: the last line has no end",
                                 "rta-certificate 1\nlemma 7\nverdict schedulable\n": "2: no statement is called 'lemma'"}.items():
            self.certificate.write_text(content)
            run = check(EXAMPLE, self.certificate)
            with self.subTest(content):
                self.assertEqual((2, ""), (run.returncode, run.stdout))
                self.assertIn(message, run.stderr)

    def test_the_task_set_comes_first(self):
        self.certify(EXAMPLE, *OFFSETS)
        run = check(self.certificate, EXAMPLE)
        self.assertEqual((2, ""), (run.returncode, run.stdout))
        self.assertIn("the first file is a certificate: the task set comes first", run.stderr)

    def test_usage(self):
        self.assertEqual(0, check("--help").returncode)
        self.assertTrue(check("--help").stdout.startswith("Usage: rta-check "))
        self.assertRegex(check("--version").stdout, r"^rta-check \d")
        self.assertEqual(2, check(EXAMPLE).returncode)
        self.assertEqual(2, check("--no-such-option", EXAMPLE, EXAMPLE).returncode)
        self.assertEqual(2, check("/no/such/file", EXAMPLE).returncode)


class OutOfRange(InFolder):
    """Periods of a hundred years, and weights of many digits: more than rta-check's 128 bits."""

    def test_what_is_refused_is_named_when_the_certificate_is_written(self):
        task_set = self.certificate.with_name("years.yaml")
        kernels = ((3240761228329184922, 3641666, 869, 7409956077718961, 86820), (2615879170641820389, 13400000, 149, 6500361649933434, 32975),
                   (2222668705299273585, 12108333, 417, 1528801317032787, 56112), (3469105190300092891, 3133333, 961, 9217758887711075, 65683),
                   (2092505668389193953, 30083333, 68, 5787012178188378, 58110), (2911242092388930381, 3283333, 914, 7373923724612441, 3226),
                   (3469105190300092891, 1, 32, 2400000000000000000, 0))  # one after another they would need more than all of the time
        task_set.write_text("platform: {gpu: {sms: 100000, threads: 2048, shared_memory: 228 KiB}}\ntime_unit: ns\ntasks:\n" + "".join(
            f"  - {{name: k{i}, on: gpu, T: {T}, B: {B}, H: {H}, L: {L}, shared_memory: {bytes} B}}\n"
            for i, (T, B, H, L, bytes) in enumerate(kernels)))
        run = rta("analyze", task_set, "--release", "offsets", "--certificate", self.certificate, "--format", "json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        uncertified = json.loads(run.stdout)["certificate"]["uncertified"]
        self.assertTrue(any(entry.endswith(": a number is out of range") for entry in uncertified), uncertified)
        checked = check(task_set, self.certificate)
        self.assertEqual(1, checked.returncode)
        refused = [line.split(": ", 2)[2] for line in checked.stdout.splitlines() if "not verified: " in line]
        self.assertEqual(refused, [entry.replace("'", "", 1).replace("': ", ": ", 1) for entry in uncertified])
        text = rta("analyze", task_set, "--release", "offsets", "--certificate", self.certificate).stdout
        self.assertIn("; uncertified bounds:\n  'base 0 ", text)


POLICIES = [("--release", release) for release in ("offsets", "early", "completion", "segments", "static")]
POLICIES += [("--granularity", granularity) for granularity in ("coarse", "monolithic")]


@one_test_each(TASK_SETS, lambda path: path.name)
class ShippedTaskSets(InFolder):
    def check(self, task_set):
        for policy in POLICIES:
            run = rta("analyze", task_set, "--certificate", self.certificate, *policy, "--format", "json")
            if run.returncode == 2 and (policy[0] == "--granularity" or policy[1] == "static"):
                continue  # a DAG without a node that could await the others; a set without static orders
            if run.returncode == 2 and ("is played by threads" in run.stderr or "is an executor" in run.stderr):
                self.assertNotEqual(policy[1], "completion")
                continue
            with self.subTest(policy):
                self.assertIn(run.returncode, (0, 1), run.stderr)
                uncertified = json.loads(run.stdout)["certificate"]["uncertified"]
                self.assertEqual([], uncertified)
                checked = check(task_set, self.certificate)
                self.assertEqual((0, ""), (checked.returncode, checked.stderr), checked.stdout)
                if policy[1] != "static":  # which has a line for each job of the hyperperiod
                    self.assertLess(self.certificate.stat().st_size, 200 * 1024)


if __name__ == "__main__":
    unittest.main()
