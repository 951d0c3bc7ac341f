"""rta init: files to begin with, which are what they say."""

import pathlib
import re
import shlex
import tempfile
import unittest

from program import ROOT, rta

STARTERS = {path.stem: path.read_text() for path in (ROOT / "tasksets/starters").glob("*.yaml")}


class Init(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_prints_each_file(self):
        self.assertEqual(set(STARTERS), {"pipeline", "ros2", "tensorrt", "static"})
        for kind, text in STARTERS.items():
            run = rta("init", kind)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, text, ""))
        self.assertEqual(rta("init").stdout, STARTERS["pipeline"])

    def test_the_commands_of_each_file_work(self):
        for kind in STARTERS:
            self.assertEqual(rta("init", kind, "-o", f"{kind}.yaml", cwd=self.folder).returncode, 0)
        for kind, text in STARTERS.items():
            commands = re.findall(r"(?m)^#   rta (.*?)(?:  .*)?$", text)
            self.assertGreaterEqual(len(commands), 3)
            for command in commands:
                with self.subTest(command):
                    run = rta(*shlex.split(command), cwd=self.folder)
                    self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_a_file_that_is_there_is_not_replaced(self):
        (self.folder / "mine.yaml").write_text("mine")
        run = rta("init", "-o", "mine.yaml", cwd=self.folder)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("--output 'mine.yaml': is there already, and is not replaced\n", run.stderr)
        self.assertEqual((self.folder / "mine.yaml").read_text(), "mine")

    def test_unknown_kinds(self):
        run = rta("init", "ross2")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("there is no file 'ross2' to begin with; did you mean 'ros2'? (there are: pipeline, ros2, tensorrt, static)", run.stderr)


if __name__ == "__main__":
    unittest.main()
