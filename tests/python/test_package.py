"""`import rta` in notebooks, editors and frames: types, help, pickles, numbers of numpy, pandas, what notebooks show."""

import inspect
import json
import multiprocessing
import os
import pathlib
import pickle
import pydoc
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "tasksets/examples/pedestrian.yaml"
sys.path.insert(0, str(ROOT / "tests/python"))

from module import rta  # noqa: E402


class Types(unittest.TestCase):
    def test_the_stub_has_every_name_and_signature(self):
        installed = pathlib.Path(rta.__file__).parent
        self.assertTrue((installed / "py.typed").exists())
        stub = (installed / "__init__.pyi").read_text()
        printed = subprocess.run([sys.executable, ROOT / "python/write_stub.py"], capture_output=True, text=True)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertEqual(stub, printed.stdout, "python3 python/write_stub.py > python/package/rta/__init__.pyi")
        for name in rta.__all__:
            self.assertRegex(stub, rf"(?m)^(def|class) {name}\b")
        self.assertEqual(sorted(name for name in vars(rta) if not name.startswith("_")), sorted(rta.__all__))

    def test_a_type_checker_agrees(self):
        if subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True).returncode != 0:
            self.skipTest("mypy is not installed")
        program = "import rta\nbad: int = rta.analyze(rta.read('a'), scheduler='G-EDF')\nrta.analyze(rta.read('a'), scheduler='none')\n"
        checked = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "-c", program], capture_output=True, text=True, cwd=pathlib.Path(rta.__file__).parents[1])
        self.assertEqual(re.findall(r":(\d+): error", checked.stdout), ["2", "3"], checked.stdout)

    def test_help_shows_signatures_and_says_what_options_do(self):
        for name in rta.__all__:
            what = getattr(rta, name)
            text = pydoc.render_doc(what, renderer=pydoc.plaintext)
            self.assertGreater(len(inspect.getdoc(what) or ""), 20, name)
            if inspect.isfunction(what):
                self.assertIn("(", inspect.signature(what).__str__())
                self.assertNotIn("**options", text.split("\n\n")[0], name)
        text = pydoc.render_doc(rta.analyze, renderer=pydoc.plaintext)
        self.assertIn("scheduler: Optional[Literal['G-EDF'", text.replace("typing.", ""))
        self.assertRegex(text, r"most_periods: on completion and segments")

    def test_options_are_those_of_the_command(self):
        helped = subprocess.run([os.environ["RTA_PROGRAM"], "analyze", "--help"], capture_output=True, text=True).stdout
        parameters = inspect.signature(rta.analyze).parameters
        for key in parameters:
            if key not in ("task_set",):
                self.assertRegex(helped, rf"(?m)--{key.replace('_', '-')}( [A-Z]+.*)?$")


class Hints(unittest.TestCase):
    def test_errors_say_what_to_do(self):
        tasks = rta.read(EXAMPLE)
        with self.assertRaisesRegex(rta.Error, "no option 'schedular' of an analysis; did you mean 'scheduler'\\?"):
            rta.analyze(tasks, schedular="G-EDF")
        with self.assertRaisesRegex(rta.Error, "scheduler 'EDF': no such value \\(allowed: .*G-EDF"):
            rta.analyze(tasks, scheduler="EDF")
        for wrong, hint in ((str(EXAMPLE), "rta.read makes one of a file"), (EXAMPLE, "rta.read makes one of a file"), ({}, "rta.task_set makes one of a dict"), ([tasks], "for each")):
            for function in (rta.analyze, rta.simulate, rta.draw, rta.certificate):
                with self.subTest(wrong=wrong, function=function.__name__), self.assertRaisesRegex(TypeError, f"rta.{function.__name__} takes a TaskSet, not .*{hint}"):
                    function(wrong)
        result = rta.analyze(tasks)
        with self.assertRaisesRegex(KeyError, "verdikt: the result has .*did you mean 'verdict'"):
            result["verdikt"]
        with self.assertRaisesRegex(rta.Error, "the result has no list 'node'; did you mean 'nodes'\\? \\(there are: .*dags.*nodes"):
            result.rows("node")
        with self.assertRaisesRegex(TypeError, "rta.read, rta.parse"):
            rta.TaskSet()
        with self.assertRaisesRegex(AttributeError, "never changes"):
            tasks.name = "other"
        with self.assertRaisesRegex(rta.InputError, "pool 'cpu' has: give processors=N"):  # and not --processors N
            rta.convert(ROOT / "tasksets/imports/three-kernels.json", period="40ms")


class Pickles(unittest.TestCase):
    def test_task_sets_and_results_survive(self):
        for tasks in (rta.read(EXAMPLE), rta.generate(ROOT / "tasksets/sweeps/gpu-bounds.yaml", point=3)[0]):
            back = pickle.loads(pickle.dumps(tasks))
            self.assertEqual(back, tasks)
            self.assertEqual((back.name, back.warnings), (tasks.name, tasks.warnings))
            result = rta.analyze(tasks)
            again = pickle.loads(pickle.dumps(result))
            self.assertEqual(again, result)
            self.assertIsInstance(again, rta.Result)
            self.assertEqual(rta.analyze(back), result)
        certificate = rta.certificate(rta.read(EXAMPLE))
        self.assertEqual(pickle.loads(pickle.dumps(certificate)), certificate)
        with self.assertRaises(rta.InputError) as caught:
            rta.parse("tasks: [{name: a}]", "mine.yaml")
        back = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(back), back.line, back.diagnostics), (str(caught.exception), caught.exception.line, caught.exception.diagnostics))

    def test_other_processes_take_them(self):
        tasks = [rta.read(EXAMPLE), rta.read(ROOT / "tasksets/examples/cameras.yaml")]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(rta.analyze, tasks), [rta.analyze(one) for one in tasks])


class Dicts(unittest.TestCase):
    def test_to_dict_gives_all_of_a_task_set(self):
        for path in sorted((ROOT / "tasksets/examples").glob("*.yaml"))[:8]:
            tasks = rta.read(path)
            with self.subTest(path=path.name):
                self.assertEqual(rta.task_set(tasks.to_dict(), tasks.name), tasks)

    def test_results_are_dicts(self):
        result = rta.analyze(rta.read(EXAMPLE))
        self.assertEqual(json.loads(json.dumps(result)), result)
        plain = result.to_dict()
        self.assertIs(type(plain), dict)
        plain["dags"][0]["name"] = "other"
        self.assertEqual(result["dags"][0]["name"], "camera")
        self.assertRegex(repr(result), "^<rta.Result of 'pedestrian.yaml': schedulable; schema, ")

    def test_numbers_of_numpy(self):
        try:
            import numpy
        except ModuleNotFoundError:
            self.skipTest("numpy is not installed")
        spec = ROOT / "tasksets/sweeps/gpu-bounds.yaml"
        self.assertEqual(rta.generate(spec, point=numpy.int64(3), count=numpy.int32(2), seed=numpy.uint64(9), first=numpy.int8(1)),
                         rta.generate(spec, point=3, count=2, seed=9, first=1))
        content = {"platform": {"cpu": {"processors": 2}}, "time_unit": "ms", "tasks": [{"name": "a", "on": "cpu", "T": 10, "C": 2}]}
        numbers = {**content, "platform": {"cpu": {"processors": numpy.int64(2)}}, "tasks": [{**content["tasks"][0], "T": numpy.int32(10), "C": numpy.float32(2)}]}
        self.assertEqual(rta.task_set(numbers), rta.task_set(content))
        tasks = rta.read(EXAMPLE)
        self.assertEqual(rta.simulate(tasks, duration=numpy.int64(10**9), execution=(numpy.int64(60), numpy.float64(100)), seed=numpy.int16(7), jitter=numpy.int64(0)),
                         rta.simulate(tasks, duration="1 s", execution=(60, 100), seed=7))
        self.assertEqual(rta.analyze(tasks, release="completion", most_periods=numpy.int64(50), fitting=numpy.bool_(True)),
                         rta.analyze(tasks, release="completion", most_periods=50, fitting=True))
        with self.assertRaisesRegex(TypeError, "a file holds dicts, lists, texts and numbers alone"):
            rta.task_set({"platform": object()})


class Frames(unittest.TestCase):
    ROWS = {"list": [{"name": "a", "bound_ns": 2**53 + 1, "other_ns": None, "ratio": 0.5, "met": True}, {"name": "b", "bound_ns": None, "other_ns": None, "ratio": None, "met": False}]}

    def test_frames_keep_whole_ns(self):
        try:
            import pandas
        except ModuleNotFoundError:
            self.skipTest("pandas is not installed")
        frame = rta.frame(self.ROWS, "list")
        self.assertEqual({name: str(kind) for name, kind in frame.dtypes.items() if name != "name"},
                         {"bound_ns": "Int64", "other_ns": "Int64", "ratio": "float64", "met": "bool"})
        self.assertEqual(int(frame["bound_ns"][0]), 2**53 + 1)
        self.assertIs(frame["bound_ns"][1], pandas.NA)
        nodes = rta.analyze(rta.read(EXAMPLE)).frame("nodes")
        self.assertEqual(len(nodes), 6)
        self.assertEqual(str(nodes.dtypes["response_bound_ns"]), "Int64")

    def test_without_pandas_that_is_said(self):
        program = f"import sys; sys.modules['pandas'] = None; import rta; rta.frame({self.ROWS!r}, 'list')"
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertIn("ModuleNotFoundError: a frame needs pandas (Debian: python3-pandas); rows() gives the same", run.stderr)


class Notebooks(unittest.TestCase):
    def test_results_are_shown_as_tables(self):
        shown = rta.analyze(rta.read(EXAMPLE))._repr_html_()
        for part in ("pedestrian.yaml", "schedulable", "End to end", "7.3 ms", "Pools", "Release policies"):
            self.assertIn(part, shown)
        self.assertNotIn("<script", shown)
        late = rta.analyze(rta.read(ROOT / "tasksets/literature/theorem-4.2.yaml"))._repr_html_()
        self.assertIn("unbounded", late)
        self.assertIn("within", rta.simulate(rta.read(EXAMPLE), duration="1 s")._repr_html_())
        evil = rta.task_set({"platform": {"cpu": {"processors": 1}}, "tasks": [{"name": "a", "on": "cpu", "T": "1 s", "C": "1 ms"}]}, "<script>.yaml")
        self.assertNotIn("<script", rta.analyze(evil)._repr_html_() + evil._repr_html_())

    def test_task_sets_are_shown_as_pictures(self):
        shown = rta.read(EXAMPLE)._repr_html_()
        self.assertIn("pedestrian.yaml", shown)
        self.assertTrue("<svg" in shown or "<pre>" in shown)
        large = rta.read(ROOT / "tasksets/literature/hog-like.yaml")._repr_html_()
        self.assertIn("<pre>", large)
        self.assertIn("more lines", large)

    def test_the_notebook_of_the_documents_runs(self):
        book = json.loads((ROOT / "docs/python.ipynb").read_text())
        self.assertEqual((book["nbformat"], book["nbformat_minor"]), (4, 5))
        ids = [cell["id"] for cell in book["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(code), 5)
        for cell in code:  # kept without what was shown
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))
        program = "\n".join("".join(cell["source"]) for cell in code)
        run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("schedulable", run.stdout)


if __name__ == "__main__":
    unittest.main()
