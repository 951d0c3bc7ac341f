"""`rta-proved` and `rta-check` on the same certificates: those of random task sets (test_bounds.py), and mutations of them.

Both read the task set and the certificate, each by itself. They have to agree:
- what is bad input for rta-proved is so for rta-check (which also reads hints);
- what rta-proved says is not so, rta-check refuses;
- what rta-proved verifies, rta-check verifies: a bound by the rule that the certificate names or, on completion, by the theorem that rta-proved names;
- where every rule of a certificate is T10n, nothing is overloaded and rta-check verifies all, rta-proved does.
Where equals differ by design: rta-check asks for one priority point of a DAG's nodes on a pool without preemption, and for bounds no lower than
the longest path.
RTA_PROOF_SETS: how many task sets (200); RTA_PROOF_MUTATIONS: how many of each certificate (4).
"""

import collections
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from test_bounds import CHECKER, SETS, TaskSet
from program import PROGRAM, rta

RTA_CHECK = PROGRAM.with_name("rta-check")
MUTATIONS = int(os.environ.get("RTA_PROOF_MUTATIONS", 4))
VERDICT = re.compile(r"(?m)^(\d+): (verified|not verified|not shown|read): (.*)$")
STRICTER = ("without preemption a DAG has one priority point", "the bound is below the longest path", "a bound is below the longest path")


def mutated(draw, lines):
    """Numbers changed, words and lines lost, doubled or moved, other rules."""
    lines = list(lines)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        at = draw.randrange(len(lines))
        words, kind = lines[at].split(" "), draw.random()
        numbers = [i for i, word in enumerate(words) if re.fullmatch(r"-?\d+", word)]
        if kind < 0.72 and numbers:
            i = draw.choice(numbers)
            value = int(words[i])
            words[i] = str(draw.choice([value - 1, value + 1, 2 * value, value // 2, 0, 1, int(value * draw.uniform(0.5, 1.5)), draw.randrange(4), -value]))
            lines[at] = " ".join(words)
        elif kind < 0.78:
            lines[at] = " ".join(words[:-1]) or "#"
        elif kind < 0.84 and len(lines) > 1:
            del lines[at]
        elif kind < 0.9:
            lines.insert(draw.randrange(len(lines)), lines[at])
        elif kind < 0.95:
            lines[at] = " ".join([*words[:-1], draw.choice(["T10n", "T10j", "T10g", "T10", "T1n", "-", "schedulable", "unbounded", "deadline-missed"])])
        else:
            other = draw.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return lines


class Certificates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CHECKER.exists():
            raise unittest.SkipTest("needs build/proofs/rta-proved, which proofs/check builds")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.task_set, self.certificate = (pathlib.Path(folder.name, name) for name in ("set.yaml", "set.cert"))

    def judged(self, program, lines):
        """Exit status, and per line the verdict and the rest."""
        self.certificate.write_text("\n".join([*lines, ""]))
        run = subprocess.run([program, "--verbose", self.task_set, self.certificate], capture_output=True, text=True, timeout=300)
        self.assertIn(run.returncode, (0, 1, 2), run.stderr)
        return run.returncode, {int(line): (verdict, rest) for line, verdict, rest in VERDICT.findall(run.stdout)}

    def excused(self, lines, release, at, theorem):
        """What rta-proved verifies by another theorem than the certificate's rule: on completion rta-check has to verify that."""
        if release != "completion":
            return True
        changed = [re.sub(r"^(bound( \S+){5}) .*", rf"\1 {theorem}", line) if i + 1 == at else line for i, line in enumerate(lines)]
        status, verdicts = self.judged(RTA_CHECK, changed)
        return status == 2 or verdicts[at][0] == "verified" or any(why in verdicts[at][1] for why in STRICTER)

    def compare(self, lines, release):
        proved, by_proved = self.judged(CHECKER, lines)
        check, by_check = self.judged(RTA_CHECK, lines)
        if proved == 2 or check == 2:
            self.assertEqual(check, 2, "bad input for rta-proved alone")
            return "bad input"
        for at, (verdict, rest) in by_proved.items():
            if verdict == "not verified":
                self.assertEqual(by_check[at][0], "not verified", rest)
            elif verdict == "verified" and by_check[at][0] != "verified":
                self.assertRegex(rest, "^bound ", by_check[at][1])
                theorem = rest.rpartition(": ")[2]
                self.assertTrue(self.excused(lines, release, at, theorem), f"{rest}, but {by_check[at][1]}")
        bounds = [line for line in lines if line.startswith("bound ")]
        by_T10n = release == "completion" and bounds and all(line.endswith(" T10n") for line in bounds) and not any(line.startswith(("turn", "overload")) for line in lines)
        if by_T10n and check == 0:
            self.assertEqual(proved, 0, "T10n alone, which rta-check verifies")
        return "both verify all" if proved == check == 0 else "rta-proved verifies less" if check == 0 else "neither verifies all" if proved else "rta-proved verifies more"

    def test_they_agree(self):
        said = collections.Counter()
        for number in range(SETS):
            tasks, draw = TaskSet(number), random.Random(number)
            self.task_set.write_text(tasks.yaml())
            release = draw.choice(["completion", "completion", "offsets"])
            by = ["--path-bound", draw.choice(["T10n", "T10g", "best"]), *tasks.options] if release == "completion" else []
            run = rta("analyze", self.task_set, "--release", release, "--certificate", self.certificate, *by)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            lines = self.certificate.read_text().splitlines()
            for mutation in range(MUTATIONS + 1):
                changed = mutated(draw, lines) if mutation else lines
                with self.subTest(number, mutation=mutation):
                    try:
                        said[self.compare(changed, release)] += 1
                    except AssertionError as error:
                        raise AssertionError(f"{error}\n{tasks.yaml()}\n" + "\n".join(changed)) from None
        print(f"{SETS} task sets, {MUTATIONS} mutations of each certificate: {dict(said)}")
        self.assertGreater(said["both verify all"], SETS // 10)


if __name__ == "__main__":
    unittest.main()
