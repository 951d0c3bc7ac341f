"""`rta convert` on files that are no JSON of the examiner."""

import unittest

from program import rta

BROKEN = {
    # text -> message
    '{"benchmarks": [\n  {"a": 1,}\n]}\n': "<stdin>:2:11: not JSON: syntax error while parsing object key",
    "": "<stdin>:1:1: empty file: a JSON object is expected",
    "[1, ]": "<stdin>:1:5: not JSON: syntax error while parsing value",
    '{"benchmarks": [],\n "name": "a': "<stdin>:2:12: not JSON: syntax error while parsing value",
    '{"benchmarks": [], "benchmarks": []}': "<stdin>: the key 'benchmarks' is given twice in one object",
    '{"benchmarks": [{"a": {"b": 1, "b": 2}}]}': "<stdin>: the key 'b' is given twice in one object",
}


class Convert(unittest.TestCase):
    def test_broken_json(self):
        for text, message in BROKEN.items():
            run = rta("convert", "-", stdin=text)
            self.assertEqual((run.returncode, run.stdout), (2, ""), text)
            self.assertTrue(run.stderr.startswith(message), run.stderr)

    def test_equal_keys_of_different_objects(self):
        run = rta("convert", "-", stdin='{"a": {"b": 1}, "c": {"b": 1}, "benchmarks": []}')
        self.assertNotIn("twice", run.stderr)


if __name__ == "__main__":
    unittest.main()
