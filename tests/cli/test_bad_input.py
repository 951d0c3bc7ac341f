"""Input that must be refused: exit status 2, the reason on standard error, nothing on standard output."""

import pathlib
import random
import socket
import tempfile
import unittest

from program import EXAMPLE, ROOT, one_test_each, rta, rta_as_ordinary_user

BROKEN = sorted((ROOT / "tests/cli/broken").glob("*"))
MARK = "# expect: "


class Refusal(unittest.TestCase):
    def refused(self, *arguments, **options):
        """Runs `rta analyze` and returns its message."""
        run = rta("analyze", *arguments, **options)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr[:2000])
        self.assertNotIn("Sanitizer", run.stderr)
        self.assertTrue(run.stderr.endswith("\n"))
        return run.stderr


@one_test_each(BROKEN, lambda path: path.stem)
class BrokenFiles(Refusal):
    def check(self, path):
        lines = path.read_text().splitlines()
        expected = [line.removeprefix(MARK) for line in lines if line.startswith(MARK)]
        self.assertTrue(expected, "the file says what is expected")
        message = self.refused(path.name, cwd=path.parent)
        for text in expected:
            self.assertIn(text, message)
        # The same through a pipe, under the pipe's name.
        piped = self.refused("-", stdin=path.read_bytes())
        self.assertIn(expected[0].partition(":")[2], piped)


class EachErrorOnce(Refusal):
    def test_deadline_of_a_task(self):
        text = "platform: {cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1 ms, T: 10 ms, D: 0 ms}]\n"
        self.assertEqual(self.refused("-", stdin=text), "<stdin>:2:50: task 't': D: must be positive, not '0 ms'\n")


class Files(Refusal):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, content):
        path = self.folder / "set.yaml"
        path.write_bytes(content)
        return path

    def test_missing(self):
        self.assertIn("none.yaml", self.refused(self.folder / "none.yaml"))

    def test_folder(self):
        self.assertIn(str(self.folder), self.refused(self.folder))

    def test_empty_name(self):
        self.refused("")

    def test_name_too_long(self):
        self.refused("x" * 5000)

    def test_no_permission_to_read(self):
        path = self.write(EXAMPLE.read_bytes())
        path.chmod(0o644)
        self.assertEqual(rta_as_ordinary_user(self.folder, "analyze", path).returncode, 0)
        path.chmod(0o200)
        run = rta_as_ordinary_user(self.folder, "analyze", path)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(run.stderr, f"{path}: cannot be opened: Permission denied\n")

    def test_socket(self):
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(self.folder / "socket"))
            self.refused(self.folder / "socket")

    def test_empty(self):
        self.assertIn("empty", self.refused(self.write(b"")))
        self.assertIn("empty", self.refused("-", stdin=b""))

    def test_only_zeros(self):
        self.refused(self.write(bytes(100_000)))

    def test_binary(self):
        self.refused(self.write(random.Random(1).randbytes(100_000)))

    def test_the_program_itself(self):
        self.refused("/bin/sh")

    def test_invalid_utf_8(self):
        self.refused(self.write(EXAMPLE.read_bytes().replace(b"name:", b"name: \xff\xfe", 1)))

    def test_cut_off_anywhere(self):
        """Half a file is never analysed as if it were whole, unless what is left happens to be a task set."""
        text = EXAMPLE.read_bytes()
        for length in random.Random(2).sample(range(len(text)), 40):
            run = rta("analyze", "-", stdin=text[:length])
            self.assertIn(run.returncode, (0, 1, 2), f"{length} bytes: {run.stderr[:500]}")
            self.assertEqual(run.returncode == 2, run.stdout == "", f"{length} bytes")

    def test_bytes_changed_at_random(self):
        """No damage makes the program crash or hang."""
        for seed in range(60):
            chance = random.Random(seed)
            text = bytearray(EXAMPLE.read_bytes())
            for _ in range(chance.randrange(1, 6)):
                text[chance.randrange(len(text))] = chance.choice(b"\x00\xff{}[]:-,&*!|>'\"%@` \n\t#0987eE.")
            run = rta("analyze", "-", stdin=bytes(text))
            self.assertIn(run.returncode, (0, 1, 2), f"seed {seed}: {run.stderr[:500]}")
            self.assertEqual(run.returncode == 2, run.stdout == "", f"seed {seed}")


class Explosive(Refusal):
    """Input that is small to write and huge to read."""

    def test_billion_laughs(self):
        lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
        lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
        self.refused("-", stdin="\n".join(lines) + "\nplatform: *a11\n")

    def test_merge_key_bomb(self):
        lines = ["a0: &a0 {x: 1}"] + [f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}" for i in range(1, 40)]
        self.refused("-", stdin="\n".join(lines) + "\n")

    def test_deep_nesting(self):
        for opening in ("[", "{a: ", "- "):
            self.refused("-", stdin=opening * 200_000)

    def test_copies_that_multiply(self):
        nodes = "".join(f"      n{i}: {{on: cpu, C: 1 us}}\n" for i in range(100))
        dags = "".join(f"  - name: d{d}\n    copies: 1000000\n    T: 1 s\n    nodes:\n{nodes}" for d in range(100))
        self.assertIn("copies", self.refused("-", stdin=f"platform:\n  cpu: {{processors: 1}}\ndags:\n{dags}"))

    def test_file_of_300_mb(self):
        self.refused("-", stdin=b"# " + b"x" * 300_000_000)


class Extremes(unittest.TestCase):
    """Numbers at the edge of their range give a verdict or a clear error, and never a wrapped bound."""

    def answer(self, text):
        run = rta("analyze", "-", stdin=text)
        self.assertIn(run.returncode, (0, 1, 2), run.stderr)
        self.assertEqual(run.returncode == 2, run.stdout == "")
        return run

    def test_period_of_a_billion_seconds(self):
        run = self.answer(
            "platform: {gpu: {sms: 2, threads: 2048}}\n"
            "tasks: [{name: t, on: gpu, B: 1000000, H: 1024, L: 1 us, T: 1000000000000000000 ns}]\n"
        )
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_everything_as_large_as_it_can_be(self):
        largest = 2**63 - 1
        for processors in (1, 2**32 - 1):
            self.answer(
                f"platform: {{cpu: {{processors: {processors}}}}}\n"
                "tasks:\n" + "".join(f"  - {{name: t{i}, on: cpu, C: {largest} ns, T: {largest} ns}}\n" for i in range(50))
            )
        self.answer(
            "platform: {gpu: {sms: 1000, threads: 1048576, blocks: 1024}}\n"
            f"tasks: [{{name: t, on: gpu, B: {largest}, H: 1024, L: {largest} ns, T: 1 ns}}]\n"
        )

    def test_utilization_of_exactly_one_hundred_percent_and_one_nanosecond_more(self):
        for C, status in ((10_000_000, 0), (10_000_001, 1)):
            run = self.answer(
                "platform: {cpu: {processors: 2}}\n"
                f"tasks: [{{name: a, on: cpu, C: 10 ms, T: 10 ms}}, {{name: b, on: cpu, C: {C} ns, T: 10 ms}}]\n"
            )
            self.assertEqual(run.returncode, status, run.stdout)


if __name__ == "__main__":
    unittest.main()
