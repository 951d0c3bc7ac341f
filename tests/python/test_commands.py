"""Commands as functions: optimize, sweep, convert, draw, compare and certificate give what the program gives. RTA_PROGRAM: the program."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "tasksets/examples/pedestrian.yaml"
sys.path.insert(0, str(ROOT / "tests/python"))

from module import rta  # noqa: E402


def command(*words):
    run = subprocess.run([os.environ["RTA_PROGRAM"], *map(str, words)], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Choices(InAFolder):
    FILE = ROOT / "tasksets/optimize/tiny-yolo-two-gpus.yaml"

    def test_optimize_gives_what_the_command_gives(self):
        found = rta.optimize(self.FILE)
        printed = json.loads(command("optimize", self.FILE, "--format", "json", "-q", "-o", self.folder / "chosen.yaml"))
        for key in ("verdict", "combinations", "judged", "complete", "choices", "before", "after"):
            self.assertEqual(found[key], printed[key], key)
        self.assertEqual(found.chosen.dags, rta.read(self.folder / "chosen.yaml").dags)
        self.assertEqual(rta.analyze(found.chosen)["verdict"], found["verdict"])
        self.assertIn("Choices", found._repr_html_())

    def test_a_dict_with_lists_is_a_file_with_alternatives(self):
        content = {"platform": {"cpu": {"processors": [1, 2]}}, "tasks": [{"name": name, "on": "cpu", "T": "10 ms", "C": "6 ms", "D": "10 ms"} for name in "ab"]}
        found = rta.optimize(content)
        self.assertEqual((found["verdict"], found["combinations"]), ("schedulable", 2))
        self.assertEqual(found.chosen.to_dict()["platform"]["cpu"]["processors"], 2)
        with self.assertRaisesRegex(rta.Error, "time_limit: expected seconds"):
            rta.optimize(content, time_limit=0)


class Sweeps(InAFolder):
    SPEC = ROOT / "tasksets/sweeps/schedulers.yaml"

    def test_sweep_gives_the_commands_tables(self):
        swept = rta.sweep(self.SPEC, self.folder / "here", count=2)
        command("sweep", self.SPEC, "--count", "2", "-q", "-o", self.folder / "there")
        for name in ("results.csv", "summary.csv", "ratios.csv"):
            self.assertEqual((self.folder / "here" / name).read_bytes(), (self.folder / "there" / name).read_bytes())
        lines = (self.folder / "there/summary.csv").read_text().splitlines()
        self.assertEqual(len(swept["summary"]), len(lines) - 1)
        self.assertEqual(list(swept.rows()[0]), lines[0].split(","))
        self.assertEqual(len(swept.rows("results")), len((self.folder / "there/results.csv").read_text().splitlines()) - 1)
        self.assertEqual(rta.sweep(self.SPEC, self.folder / "here", count=2), swept)
        with self.assertRaisesRegex(rta.Error, "analyses"):
            rta.sweep({"platform": {"cpu": {"processors": 1}}, "random": {"dags": 1, "nodes": 1, "periods": "10 ms .. 20 ms", "shape": {"layers": 1, "p": "50 %"}, "cpu": {"utilization": "50 %"}}},
                      self.folder / "none")

    @unittest.skipUnless(hasattr(signal, "pthread_kill"), "no signals")
    def test_control_c_ends_it_and_the_same_call_goes_on(self):
        def interrupt():
            time.sleep(1)
            os.kill(os.getpid(), signal.SIGINT)

        # A shell that starts this in the background has the signal ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        threading.Thread(target=interrupt).start()
        begun = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            rta.sweep(self.SPEC, self.folder / "long", count=1_000_000)
        self.assertLess(time.monotonic() - begun, 60)


class Conversions(InAFolder):
    PROFILE = ROOT / "tasksets/imports/three-kernels.json"

    def test_convert_gives_the_commands_task_set(self):
        read = rta.convert(self.PROFILE, processors=4, period="40ms")
        command("convert", self.PROFILE, "--processors", "4", "--period", "40ms", "-q", "-o", self.folder / "recorded.yaml")
        self.assertEqual(read.to_dict()["dags"], rta.read(self.folder / "recorded.yaml").to_dict()["dags"])
        self.assertTrue(read.found)
        self.assertEqual(rta.convert(self.PROFILE, processors=["4"], period="40ms"), read)
        with self.assertRaisesRegex(rta.Error, "no option 'processor' of a conversion; did you mean 'processors'"):
            rta.convert(self.PROFILE, processor=4)

    def test_files_are_written_in_other_formats(self):
        tasks = rta.read(EXAMPLE)
        for kind in ("json", "dot", "yaml"):
            tasks.write(self.folder / f"set.{kind}")
            self.assertEqual(rta.convert(self.folder / f"set.{kind}").to_dict()["dags"], tasks.to_dict()["dags"], kind)
        self.assertEqual((self.folder / "set.json").read_text(), command("convert", EXAMPLE, "--to", "json", "-q"))


class Pictures(InAFolder):
    def test_draw_gives_the_commands_graph(self):
        picture = rta.draw(rta.read(EXAMPLE))
        self.assertEqual(picture.dot, command("draw", EXAMPLE, "-q"))
        self.assertEqual(rta.draw(rta.read(EXAMPLE), self.folder / "plain.dot", bounds=False).dot, command("draw", EXAMPLE, "--no-bounds", "-q"))
        self.assertIn("digraph", (self.folder / "plain.dot").read_text())
        with self.assertRaisesRegex(rta.Error, "no picture in 'html' \\(allowed: svg, pdf, png, dot\\)"):
            picture.to("html")
        with self.assertRaisesRegex(rta.Error, "takes no options of an analysis \\(scheduler\\)"):
            rta.draw(rta.read(EXAMPLE), bounds=False, scheduler="G-EDF")
        try:
            drawn = picture.to("svg")
        except rta.Error as error:
            self.skipTest(str(error))
        self.assertIn(b"<svg", drawn)
        self.assertIn("<svg", picture._repr_svg_())  # Graphviz numbers its elements on
        self.assertTrue(picture.to("png").startswith(b"\x89PNG"))


class Comparisons(InAFolder):
    def test_compare_gives_what_the_command_gives(self):
        trace = self.folder / "trace.jsonl"
        command("simulate", EXAMPLE, "--duration", "1s", "--trace", trace, "-q")
        found = rta.compare(trace, rta.read(EXAMPLE))
        printed = json.loads(command("compare", trace, EXAMPLE, "--format", "json", "-q"))
        printed.pop("evidence")
        self.assertEqual(found, printed)
        self.assertEqual(len(rta.compare([trace, str(trace)], rta.read(EXAMPLE))["comparisons"]), 2)
        with self.assertRaisesRegex(rta.InputError, "cannot be opened"):
            rta.compare(self.folder / "none.jsonl", rta.read(EXAMPLE))
        with self.assertRaisesRegex(rta.Error, "at least one trace"):
            rta.compare([], rta.read(EXAMPLE))
        with self.assertRaisesRegex(rta.Error, "no option 'release'"):
            rta.compare(trace, rta.read(EXAMPLE), release="offsets")


class Certificates(InAFolder):
    def test_the_checker_verifies_them(self):
        checker = pathlib.Path(os.environ["RTA_PROGRAM"]).with_name("rta-check")
        for path in (EXAMPLE, ROOT / "tasksets/examples/cameras.yaml"):
            certificate = rta.certificate(rta.read(path))
            command("analyze", path, "--certificate", self.folder / "commands.cert", "-q")
            self.assertEqual(certificate.text, (self.folder / "commands.cert").read_text())
            self.assertEqual(certificate.task_set, path.read_text())
            certificate.write(self.folder / "proof.cert", self.folder / "set.yaml")
            self.assertEqual(subprocess.run([checker, self.folder / "set.yaml", self.folder / "proof.cert"], capture_output=True).returncode, 0)
        drawn = rta.generate(ROOT / "tasksets/sweeps/gpu-bounds.yaml", point=3)[0]
        certificate = rta.certificate(drawn)
        certificate.write(self.folder / "drawn.cert", self.folder / "drawn.yaml")
        checked = subprocess.run([checker, self.folder / "drawn.yaml", self.folder / "drawn.cert"], capture_output=True, text=True)
        self.assertIn(checked.returncode, (0, 1), checked.stderr)
        self.assertEqual(checked.returncode == 0, not certificate.uncertified, checked.stdout)


class Analyses(unittest.TestCase):
    def test_explanations_and_time_limits(self):
        result = rta.analyze(rta.read(EXAMPLE), release="offsets", explain=["track"])
        self.assertEqual(result["explanations"][0]["node"], "camera/track")
        self.assertEqual(rta.analyze(rta.read(EXAMPLE), release="offsets", explain="track"), result)
        begun = time.monotonic()
        rta.analyze(rta.read(ROOT / "tasksets/literature/hog-like.yaml"), time_limit=0.1)
        self.assertLess(time.monotonic() - begun, 60)

    def test_control_c_ends_a_simulation(self):
        program = ("import rta, os, signal, threading, time\n"
                   "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                   f"tasks = rta.read({str(ROOT / 'tasksets/literature/hog-like.yaml')!r})\n"
                   "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                   "try:\n    rta.simulate(tasks, duration='100000 s')\nexcept KeyboardInterrupt:\n    print('ended')\n")
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual(run.stdout, "ended\n", run.stderr)


if __name__ == "__main__":
    unittest.main()
