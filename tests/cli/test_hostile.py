"""A few trials of each kind of tests/hostile.py, which `./check --long` runs for minutes."""

import pathlib
import sys
import unittest

from program import one_test_each

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import hostile  # noqa: E402


@one_test_each(hostile.KINDS, str)
class Hostile(unittest.TestCase):
    def check(self, name):
        hostile.trials(name, 1, seconds=8, most=12)


if __name__ == "__main__":
    unittest.main()
