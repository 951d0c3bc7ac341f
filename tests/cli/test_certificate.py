"""`rta analyze --certificate` and `rta-check`: exit statuses, what they print, and files that are no certificates."""

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


class Certificates(InFolder):
    def test_the_text_names_the_certificate(self):
        self.assertIn(f"Certificate: {self.certificate}\n", self.certify(EXAMPLE, *OFFSETS).stdout)

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

    def test_usage(self):
        self.assertEqual(0, check("--help").returncode)
        self.assertTrue(check("--help").stdout.startswith("Usage: rta-check "))
        self.assertRegex(check("--version").stdout, r"^rta-check \d")
        self.assertEqual(2, check(EXAMPLE).returncode)
        self.assertEqual(2, check("--no-such-option", EXAMPLE, EXAMPLE).returncode)
        self.assertEqual(2, check("/no/such/file", EXAMPLE).returncode)


POLICIES = [("--release", release) for release in ("offsets", "early", "completion", "segments", "static")]
POLICIES += [("--granularity", granularity) for granularity in ("coarse", "monolithic")]


@one_test_each(TASK_SETS, lambda path: path.name)
class ShippedTaskSets(InFolder):
    def check(self, task_set):
        for policy in POLICIES:
            run = rta("analyze", task_set, "--certificate", self.certificate, *policy, "--format", "json")
            if run.returncode == 2 and (policy[0] == "--granularity" or policy[1] == "static"):
                continue  # a DAG without a node that could await the others; a set without static orders
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
