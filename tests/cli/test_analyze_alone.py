"""rta-analyze, which ./rta builds first, answers as the whole program does."""

import subprocess
import unittest

from program import PROGRAM, ROOT, TIME_LIMIT

ALONE = PROGRAM.with_name("rta-analyze")


@unittest.skipUnless(ALONE.exists(), "rta-analyze is not built here")
class AnalyzeAlone(unittest.TestCase):
    def answer(self, program, *words):
        run = subprocess.run([program, *words], capture_output=True, text=True, cwd=ROOT, timeout=TIME_LIMIT)
        return run.returncode, run.stdout, run.stderr

    def test_results_in_every_format(self):
        for file in sorted((ROOT / "tasksets/examples").glob("*.yaml")):
            for style in ("text", "json", "csv", "html"):
                words = ("analyze", file.relative_to(ROOT), "--format", style)
                self.assertEqual(self.answer(ALONE, *words), self.answer(PROGRAM, *words), words)

    def test_help_and_mistakes(self):
        for words in (("analyze", "--help"), ("analyze",), ("analyze", "no such file"), ("analyze", "--formt", "json", "-"), ("--version",)):
            self.assertEqual(self.answer(ALONE, *words), self.answer(PROGRAM, *words), words)

    def test_it_has_no_other_command(self):
        status, shown, said = self.answer(ALONE, "simulate", "x")
        self.assertEqual((status, shown), (2, ""))
        self.assertIn("no command 'simulate'", said)


if __name__ == "__main__":
    unittest.main()
