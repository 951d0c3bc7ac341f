"""analyze of several task sets at once: --set, files, folders."""

import csv
import io
import json
import pathlib
import shutil
import tempfile
import unittest

from program import EXAMPLE, ROOT, rta

CAMERAS = ROOT / "tasksets/examples/cameras.yaml"


class Variants(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_one_value_is_as_if_it_stood_in_the_file(self):
        changed = self.folder / "cameras.yaml"
        text = CAMERAS.read_text()
        self.assertEqual(text.count("processors: 6"), 1)
        changed.write_text(text.replace("processors: 6", "processors: 3"))
        by_file = rta("analyze", changed, "--format", "csv", "-q").stdout
        by_option = rta("analyze", CAMERAS, "--set", "cpu.processors=3", "--format", "csv", "-q").stdout
        without_evidence = lambda text: [row[:-1] for row in csv.reader(io.StringIO(text, newline=""))]
        self.assertEqual(without_evidence(by_option), without_evidence(by_file))
        self.assertIn("warning: cpu.processors is 3 here, whatever the file says\n", rta("analyze", CAMERAS, "--set", "cpu.processors=3").stderr)

    def test_several_values_are_a_table_with_the_edge(self):
        run = rta("analyze", CAMERAS, "--set", "cpu.processors=1,2", "--set", "camera.D=10..14:2 ms", "-q")
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.startswith("1 of 6 are schedulable\n"), run.stdout)
        self.assertTrue(run.stdout.endswith("\ncamera.D: schedulable with 14 ms, not with 12 ms (cpu.processors = 2)\n"), run.stdout)
        rows = list(csv.DictReader(io.StringIO(rta("analyze", CAMERAS, "--set", "cpu.processors=1..3", "-q", "--format", "csv").stdout, newline="")))
        self.assertEqual(len(rows), 3 * 5)
        bounds = [int(row["dag_response_bound_ns"]) for row in rows if row["dag"] == "logger"]
        self.assertEqual(bounds, sorted(bounds, reverse=True))
        self.assertEqual([row["cpu.processors"] for row in rows if row["dag"] == "logger"], ["1", "2", "3"])

    def test_files_and_folders_have_a_line_each(self):
        for name in ("b.yaml", "a.yml", "notes.txt"):
            shutil.copy(EXAMPLE, self.folder / name)
        result = json.loads(rta("analyze", CAMERAS, self.folder, "--format", "json", "-q").stdout)
        self.assertEqual([one["file"] for one in result["variants"]], [str(CAMERAS), str(self.folder / "a.yml"), str(self.folder / "b.yaml")])
        alone = json.loads(rta("analyze", EXAMPLE, "--format", "json", "-q").stdout)
        for one in result["variants"][1:]:
            self.assertEqual(one["verdict"], alone["verdict"])
            self.assertEqual([dag["response_bound_ns"] for dag in one["dags"]], [dag["response_bound_ns"] for dag in alone["dags"]])

    def test_a_file_that_is_none_has_a_line_and_is_told(self):
        (self.folder / "broken.yaml").write_text("platform: {}\n")
        run = rta("analyze", EXAMPLE, self.folder / "broken.yaml", "-q")
        self.assertEqual(run.returncode, 2)
        self.assertIn("1 of 2 are schedulable\n", run.stdout)
        self.assertIn("broken.yaml:1:1:", run.stderr)
        self.assertRegex(run.stdout, r"broken\.yaml +refused\n")

    def test_a_file_without_the_dag_of_a_largest_rate_is_told_and_the_others_have_theirs(self):
        run = rta("analyze", EXAMPLE, CAMERAS, "--largest-rate", "logger", "-q")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr, f"{EXAMPLE}: --largest-rate 'logger': no DAG 'logger'\n")
        self.assertRegex(run.stdout, r"pedestrian\.yaml +refused\n")
        self.assertRegex(run.stdout, r"cameras\.yaml +schedulable +5 of 5 +\S+ ms \(radar\) +1 ms +1000\.000 +1 ms")

    def test_what_makes_no_sense_is_refused(self):
        for arguments, message in (
            (("--set", "gpu.sms"), "'gpu.sms' is no setting: PLACE=VALUE"),
            (("--set", "cpu.processor=3"), "unknown key 'processor'; did you mean 'processors'?"),
            (("--set", "camra.T=3 ms"), "camra.T: there is no 'camra'; did you mean 'camera'?"),
            (("--set", "cpu.processors=4..2"), "'4..2': a range rises"),
            (("--set", "cpu.processors=1..200", "--set", "camera.D=1..200 ms"), "more than 10000 task sets"),
            (("--set", "cpu.processors=1,2", "--explain", "camera"), "--explain is of one task set, and these are several"),
            (("--set", "cpu.processors=1,2", "--slack"), "--slack is of one task set"),
            (("--set", "cpu.processors=1,2", "--largest-rate", "lidar"), "--largest-rate 'lidar': no DAG 'lidar'"),
            (("--set", "cpu.processors=2", "--certificate", "c.cert"), "--certificate and --set do not go together"),
            (("--set", "cpu.processors=1,2", "--format", "html"), "(allowed: text, json, csv)"),
        ):
            with self.subTest(arguments=arguments):
                run = rta("analyze", CAMERAS, *arguments, cwd=self.folder)
                self.assertEqual(run.returncode, 2, run.stdout)
                self.assertIn(message, run.stderr)
        self.assertIn("has no file that ends in .yaml", rta("analyze", self.folder).stderr)
        shutil.copy(EXAMPLE, self.folder / "a.yaml")
        run = rta("analyze", ".", "-o", "a.yaml", "--format", "text", cwd=self.folder)
        self.assertIn("'a.yaml' is read, and would be replaced", run.stderr)
        self.assertEqual((self.folder / "a.yaml").read_bytes(), EXAMPLE.read_bytes())


if __name__ == "__main__":
    unittest.main()
