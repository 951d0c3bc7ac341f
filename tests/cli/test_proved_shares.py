"""bench/proved_shares.py counts every bound once; the table that it made is on its page, with theorems that proofs/headlines has."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

from program import PROGRAM, ROOT

SCRIPT = ROOT / "bench/proved_shares.py"
PAGE = (ROOT / "docs/theory/machine-checked.md").read_text()


def loaded():
    spec = importlib.util.spec_from_file_location("proved_shares", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SHARES = loaded()


def rows(text):
    """Theorem -> (share of the files' bounds, of the random ones', how it is proved), per cent."""
    found = re.findall(r"(?m)^\| (T\w+(?: [^|]+?)?) \| ([\d.]*)(?: %)? ?\| ([\d.]*)(?: %)? ?\| ([^|]+) \|$", text)
    return {theorem: (float(files or 0), float(sets or 0), how) for theorem, files, sets, how in found}


class Shares(unittest.TestCase):
    def test_every_bound_of_a_file_and_of_random_sets_is_counted(self):
        bounds = SHARES.bounds_of(PROGRAM, ROOT / "tasksets/literature/example-4.3.yaml")
        self.assertTrue(bounds)
        run = subprocess.run([sys.executable, SCRIPT, PROGRAM, "--sets", "1", "--kinds", "0", "8", "--files", ROOT / "tasksets/literature/example-4.3.yaml"],
                             capture_output=True, text=True, timeout=300, check=True)
        head = re.match(r"\| theorem \| tasksets/ \((\d+) bounds of 1\) \| random \((\d+) of [12]\) \|", run.stdout)
        self.assertTrue(head, run.stdout)
        self.assertEqual(int(head[1]), len(bounds))
        for place in (0, 1):
            self.assertAlmostEqual(sum(row[place] for row in rows(run.stdout).values()), 100, delta=0.1 * len(rows(run.stdout)))
        self.assertEqual({theorem for theorem, _ in bounds}, {theorem for theorem, row in rows(run.stdout).items() if row[0]})

    def test_the_page_has_its_table(self):
        table = rows(PAGE)
        self.assertGreater(len(table), 15)
        headlines = {line.split()[1] for line in (ROOT / "proofs/headlines").read_text().splitlines() if not line.startswith("#")}
        for theorem, (_, _, how) in table.items():
            with self.subTest(theorem):
                named = re.match(r"`(\w+)`(?:, \d+ of \d+)?$", how)
                self.assertTrue(named[1] in headlines if named else how == "no", how)


if __name__ == "__main__":
    unittest.main()
