"""`import rta`: what it reads, proves, simulates and generates, from the installed tree that PYTHONPATH names; RTA_PROGRAM: the program that was
installed with it, whose results are the same."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LITERATURE = ROOT / "tasksets/literature"
EXAMPLE = ROOT / "tasksets/examples/pedestrian.yaml"
SPEC = ROOT / "tasksets/sweeps/gpu-bounds.yaml"

sys.path.insert(0, str(ROOT / "tests/python"))

from module import rta  # noqa: E402


def command(*words):
    run = subprocess.run([os.environ["RTA_PROGRAM"], *map(str, words)], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


class TaskSets(unittest.TestCase):
    def test_a_file_text_and_dicts_give_the_same(self):
        read = rta.read(EXAMPLE)
        self.assertEqual((read.name, read.dags, read.warnings), ("pedestrian.yaml", ["camera"], []))
        self.assertEqual(rta.parse(EXAMPLE.read_text(), "pedestrian.yaml"), read)
        self.assertEqual(rta.parse(read.to_yaml(), "again").dags, read.dags)
        built = rta.task_set({
            "platform": {"gpu": {"sms": 2, "threads": 2048}},
            "tasks": [{"name": "tau1", "on": "gpu", "C": "3072 us", "per": "block", "T": "5 us", "B": 2, "H": 1024},
                      {"name": "tau2", "on": "gpu", "C": "512 us", "per": "block", "T": "8 us", "B": 6, "H": 512}],
        })
        of_file = rta.read(LITERATURE / "example-4.3.yaml")
        self.assertEqual(rta.rows(rta.analyze(built)), rta.rows(rta.analyze(of_file)))
        self.assertNotEqual(built, read)
        self.assertEqual(repr(read), "<rta.TaskSet 'pedestrian.yaml', 1 DAGs>")
        with tempfile.TemporaryDirectory() as folder:
            read.write(pathlib.Path(folder, "copy.yaml"))
            self.assertEqual(pathlib.Path(folder, "copy.yaml").read_text(), read.to_yaml())
            with self.assertRaises(OSError):
                read.write(pathlib.Path(folder, "none", "copy.yaml"))

    def test_errors_name_file_line_and_column(self):
        with self.assertRaises(rta.InputError) as caught:
            rta.parse("platform: {cpu: {processors: 1}}\ntasks:\n  - {name: a, on: cpu, T: 1 ms, C: soon}\n", "mine.yaml")
        error = caught.exception
        self.assertEqual((error.file, error.line), ("mine.yaml", 3))
        self.assertGreater(error.column, 1)
        self.assertEqual(error.diagnostics[0][:3], (error.file, error.line, error.column))
        self.assertTrue(str(error).startswith(f"mine.yaml:3:{error.column}: "))
        self.assertIsInstance(error, rta.Error)
        self.assertIsInstance(error, ValueError)
        with self.assertRaises(rta.InputError) as caught:
            rta.read("/nowhere.yaml")
        self.assertEqual(caught.exception.file, "/nowhere.yaml")

    def test_every_broken_file_is_an_input_error(self):
        for path in sorted((ROOT / "tests/cli/broken").glob("*.yaml")):
            with self.subTest(path=path.name), self.assertRaises(rta.InputError) as caught:
                rta.read(path)
            self.assertTrue(caught.exception.diagnostics)


class Analyses(unittest.TestCase):
    def test_example_4_3_has_the_dissertations_bounds(self):
        result = rta.analyze(rta.read(LITERATURE / "example-4.3.yaml"), gpu_bound="T5", refine="none")
        # R_1 = 8 and R_2 = 6 + 5/6 time units of 1 us, rounded up to ns
        self.assertEqual([row["response_bound_ns"] for row in rta.rows(result)], [8000, 6834])

    def test_results_are_those_of_the_command(self):
        for path, options in ((EXAMPLE, {}), (EXAMPLE, {"release": "offsets", "scheduler": "G-EDF"}), (LITERATURE / "theorem-4.2.yaml", {})):
            words = [word for name, value in options.items() for word in (f"--{name}", value)]
            with self.subTest(path=path.name, options=options):
                printed = json.loads(command("analyze", path, "--format", "json", "--quiet", *words))
                result = rta.analyze(rta.read(path), **options)
                for key in ("schema", "task_set", "verdict"):
                    self.assertEqual(result[key], printed[key])
                self.assertEqual(rta.rows(result), rta.rows(printed))
                self.assertEqual(rta.rows(result, "nodes"), rta.rows(printed, "nodes"))
                self.assertEqual(result["pools"], printed["pools"])

    def test_options_that_are_wrong(self):
        task_set = rta.read(EXAMPLE)
        with self.assertRaisesRegex(rta.Error, "no option 'schedule' of an analysis"):
            rta.analyze(task_set, schedule="G-EDF")
        with self.assertRaisesRegex(rta.Error, "scheduler"):
            rta.analyze(task_set, scheduler="none")
        with self.assertRaises(TypeError):
            rta.analyze("pedestrian.yaml")

    def test_rows_are_flat(self):
        result = rta.analyze(rta.read(EXAMPLE))
        nodes = rta.rows(result, "nodes")
        self.assertEqual([(row["dag"], row["name"]) for row in nodes][:2], [("camera", "capture"), ("camera", "resize")])
        for row in nodes:
            self.assertFalse([key for key, value in row.items() if isinstance(value, (dict, list))])
        with self.assertRaisesRegex(rta.Error, "the result has no list 'edges'"):
            rta.rows(result, "edges")

    def test_other_threads_run_meanwhile(self):
        task_set = rta.read(LITERATURE / "hog-like.yaml")
        worker = threading.Thread(target=rta.simulate, args=(task_set,), kwargs={"duration": "2 s"})
        worker.start()
        turns = 0
        while worker.is_alive():
            turns += 1
            time.sleep(0.001)
        self.assertGreater(turns, 5)


class Simulations(unittest.TestCase):
    def test_results_are_those_of_the_command(self):
        printed = json.loads(command("simulate", EXAMPLE, "--format", "json", "--quiet", "--duration", "1s", "--seed", "7", "--execution", "60-100"))
        result = rta.simulate(rta.read(EXAMPLE), duration="1 s", seed=7, execution=(60, 100))
        self.assertEqual(rta.rows(result), rta.rows(printed))
        self.assertEqual(rta.rows(result, "nodes"), rta.rows(printed, "nodes"))
        self.assertEqual(result["simulation"], {key: value for key, value in printed["simulation"].items() if key != "execution"})
        self.assertEqual(result["simulation"]["seed"], 7)

    def test_a_trace_has_every_block_of_figure_4_4(self):
        result = rta.simulate(rta.read(LITERATURE / "example-4.3.yaml"), duration="1us", trace="block")
        blocks = [record for record in result["trace"] if record["t"] == "block"]
        self.assertEqual(len(blocks), 2 + 6)
        # Two of the six blocks of tau2 do not fit beside the other four and the two of tau1.
        self.assertEqual(sum(block["dag"] == "tau2" and block["start_ns"] > 0 for block in blocks), 2)
        self.assertNotIn("trace", rta.simulate(rta.read(LITERATURE / "example-4.3.yaml"), duration="1us"))

    def test_options_that_are_wrong(self):
        task_set = rta.read(EXAMPLE)
        for message, options in (("duration 'soon': expected a time", {"duration": "soon"}), ("placement 'x': not allowed \\(most-free", {"placement": "x"}),
                                 ("execution: expected a percentage", {"execution": 101}), ("execution: the lesser", {"execution": (80, 60)}),
                                 ("jitter: expected a percentage", {"jitter": -1}), ("time_limit: expected seconds", {"time_limit": 0}),
                                 ("trace 'all': not allowed \\(dag, job, block\\)", {"trace": "all"})):
            with self.subTest(options=options), self.assertRaisesRegex(rta.Error, message):
                rta.simulate(task_set, **options)

    def test_a_time_limit_ends_it(self):
        begun = time.monotonic()
        result = rta.simulate(rta.read(LITERATURE / "hog-like.yaml"), duration="100000 s", time_limit=0.5)
        self.assertLess(time.monotonic() - begun, 120)
        self.assertEqual(result["simulation"]["end"], "time limit: statistics so far")


class Random(unittest.TestCase):
    def test_sets_are_those_of_the_command(self):
        sets = rta.generate(SPEC, point=3, first=5, count=2, seed=9)
        printed = command("generate", SPEC, "--point", "3", "--first", "6", "--seed", "9")
        self.assertEqual(sets[1].to_yaml(), printed.split("\n", 1)[1])
        self.assertNotEqual(sets[0], sets[1])

    def test_a_dict_is_a_specification_too(self):
        spec = {"platform": {"cpu": {"processors": 4}}, "random": {"dags": 2, "nodes": 3, "periods": "10 ms .. 20 ms", "shape": {"layers": 2, "p": "50 %"},
                                                                   "cpu": {"utilization": "50 %"}}}
        (one,) = rta.generate(spec)
        self.assertEqual(len(one.dags), 2)
        with self.assertRaises(rta.InputError):
            rta.generate({**spec, "randoms": {}})

    def test_a_grid_needs_a_point(self):
        with self.assertRaisesRegex(rta.Error, "the file has a grid of 72 points; choose one with point="):
            rta.generate(SPEC)
        with self.assertRaisesRegex(rta.Error, "point 72: the grid has 72 points"):
            rta.generate(SPEC, point=72)


class Example(unittest.TestCase):
    def test_the_guides_lines_run(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/guide-library.md").read_text(), re.M | re.S)
        self.assertEqual(len(blocks), 1)
        run = subprocess.run([sys.executable, "-c", blocks[0]], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.splitlines()[0], "schedulable")
        self.assertRegex(run.stdout, r"(?m)^(\d+) (\d+) mine\.yaml:\1:\2: ")

    def test_it_draws_the_figure(self):
        if subprocess.run([sys.executable, "-c", "import matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("matplotlib is not installed")
        with tempfile.TemporaryDirectory() as folder:
            figure = pathlib.Path(folder, "figure.svg")
            run = subprocess.run([sys.executable, ROOT / "python/figure_4_4.py", LITERATURE / "example-4.3.yaml", figure], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("<svg", figure.read_text())


if __name__ == "__main__":
    unittest.main()
