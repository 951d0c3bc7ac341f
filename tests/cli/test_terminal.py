"""What people read: text, messages and terminals show what a terminal would obey; JSON, CSV and pages have texts as they were given."""

import csv
import io
import json
import pathlib
import subprocess
import tempfile
import unittest

from program import EXAMPLE, PROGRAM, on_terminal, rta

EVIL = "\x1b]0;x\x07\u202e\u009b31m"
SHOWN = "\\u001b]0;x\\u0007\\u202e\\u009b31m"


class Terminal(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.assertEqual(rta("analyze", EXAMPLE, "--quiet", "-o", self.folder / "a.json").returncode, 0)
        text = (self.folder / "a.json").read_text()
        (self.folder / "b.json").write_text(text.replace('"camera"', json.dumps(EVIL + "\n")).replace('"verdict": "schedulable"', '"verdict": "deadline-missed"', 1))

    def diff(self, *options):
        return rta("diff", "a.json", "b.json", *options, cwd=self.folder)

    def test_text_shows_what_is_in_names(self):
        text = self.diff().stdout
        self.assertNotIn("\x1b", text)
        self.assertIn(f"{SHOWN}\\u000a (came)", text)
        written = self.folder / "c.txt"
        self.diff("-o", written)
        self.assertEqual(written.read_text(), text)

    def test_json_and_csv_have_names_as_they_are(self):
        names = {entry.get("dag") for entry in json.loads(self.diff("--format", "json").stdout)["differences"]}
        self.assertIn(EVIL + "\n", names)
        rows = list(csv.DictReader(io.StringIO(self.diff("--format", "csv").stdout, newline="")))
        self.assertIn(EVIL + "\n", {row["dag"] for row in rows})

    def test_messages_show_names_of_files_and_options(self):
        for words in (["analyze", EVIL], [EVIL], ["analyze", EXAMPLE, f"--{EVIL}"], ["analyze", EXAMPLE, "--format", EVIL]):
            with self.subTest(words):
                run = rta(*words)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(SHOWN, run.stderr)
                self.assertNotIn("\x1b", run.stderr)

    def test_a_terminal_gets_the_programs_own_colours_and_no_commands_in_any_format(self):
        for options in ([], ["--format", "json"], ["--format", "csv"]):
            with self.subTest(options):
                _, shown = on_terminal(PROGRAM, ["diff", self.folder / "a.json", self.folder / "b.json", *options])
                own = ("\x1b[1;31m", "\x1b[1;32m", "\x1b[0m")
                self.assertEqual(any(colour in shown for colour in own), not options)
                for colour in own:
                    shown = shown.replace(colour, "")
                for command in ("\x1b", "\x07", "\u202e", "\u009b"):
                    self.assertNotIn(command, shown)
                self.assertIn("\\u202e", shown)

    def test_rta_check_shows_names_too(self):
        for words in ([EVIL, EVIL], [f"-{EVIL}"]):
            run = subprocess.run([PROGRAM.with_name("rta-check"), *words], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(SHOWN, run.stderr)
            self.assertNotIn("\x1b", run.stderr)


class Spreadsheet(unittest.TestCase):
    def test_a_name_that_is_a_formula_is_none_in_csv(self):
        text = """platform: {cpu: {processors: 1}}
dags:
  - {name: "=1+1", T: 10 ms, nodes: {"@SUM(A1)": {on: cpu, C: 1 ms}, "-2": {on: cpu, C: 1 ms}}}
"""
        rows = list(csv.DictReader(io.StringIO(rta("analyze", "-", "--format", "csv", stdin=text).stdout, newline="")))
        self.assertEqual([(row["dag"], row["node"]) for row in rows], [("'=1+1", "'@SUM(A1)"), ("'=1+1", "-2")])
        for row in rows:
            for cell in row.values():
                self.assertFalse(cell.startswith(("=", "+", "@", "\t")), cell)
        self.assertIn('"=1+1"', rta("analyze", "-", "--format", "json", stdin=text).stdout)


if __name__ == "__main__":
    unittest.main()
