"""Results and traces of `rta simulate` that cannot be written."""

import os
import pathlib
import resource
import signal
import tempfile
import unittest

from program import EXAMPLE, rta


class FailedOutputs(unittest.TestCase):
    """What cannot be written is said, with the system's reason, and older files stay."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("old.jsonl", "old.json"):
            (self.folder / name).write_text("OLD")

    def refused(self, *arguments, message, **options):
        before = sorted(os.listdir(self.folder))
        run = rta("simulate", EXAMPLE, "--duration", "1s", "--quiet", *arguments, cwd=self.folder, **options)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(message, run.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        for name in ("old.jsonl", "old.json"):
            self.assertEqual((self.folder / name).read_text(), "OLD")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        for name in ("full.jsonl", "full.json"):
            (self.folder / name).symlink_to("/dev/full")
            self.refused("--trace", name, message=f"rta: {name}: No space left on device\n")
            # Less than a buffer holds: only the end of the trace shows it.
            self.refused("--trace", name, "--trace-level", "dag", message=f"rta: {name}: No space left on device\n")

    def test_largest_file_size(self):
        def limited():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        for name in ("old.jsonl", "old.json", "new.jsonl"):
            self.refused("--trace", name, message=f"rta: {name}: File too large\n", preexec_fn=limited)

    def test_wrong_options_leave_old_traces(self):
        for arguments, message in [
            (("--window", "5-1", "-o", "w.html"), "--window"),
            (("--trace", "b.txt"), ".jsonl"),
            (("-o", "none/x.html"), "rta: none/x.html: No such file or directory\n"),
            (("--phase", "camera=9000000000s"), "--phase"),
            (("--trace", "none/t.jsonl"), "rta: none/t.jsonl: No such file or directory\n"),
        ]:
            with self.subTest(arguments):
                self.refused("--trace", "old.jsonl", "--trace", "old.json", *arguments, message=message)

    def test_a_file_is_not_written_twice(self):
        (self.folder / "same").symlink_to(".")
        for arguments in (("--trace", "x.json", "-o", "x.json"), ("--trace", "x.json", "-o", "same/x.json"),
                          ("-o", "x.csv", "-o", "./x.csv"), ("--trace", "old.jsonl", "--trace", "old.jsonl")):
            with self.subTest(arguments):
                self.refused(*arguments, message=f"'{arguments[-1]}' would be written twice")


if __name__ == "__main__":
    unittest.main()
